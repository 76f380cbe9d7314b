import Files
import MarketData
import Quotes
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file of the pairs that a user has marked.
@Suite struct FavoritesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pair(_ text: String) throws -> Pair { try #require(Pair(text)) }

  @Test func keepsOrderWithoutDuplicates() throws {
    let file = FavoritesFile(in: "\(folder.path)/market")
    #expect(try file.read() == Favorites())
    for text in ["BTC/KRW", "ETH/USDT", "btc/krw"] {
      let pair = try pair(text)
      try file.update { $0.insert(pair) }
    }
    #expect(try file.read().pairs.map(\.description) == ["BTC/KRW", "ETH/USDT"])
    #expect(
      try String(decoding: FileSystem.read(file.path), as: UTF8.self) == """
        [
          "BTC/KRW",
          "ETH/USDT"
        ]

        """)
    let bitcoin = try pair("BTC/KRW")
    try file.update { $0.remove(bitcoin) }
    #expect(try file.read().pairs.map(\.description) == ["ETH/USDT"])
  }

  @Test(arguments: [
    ("[\"BTC/KRW\", 7]", "element 2 is not a pair such as \"BTC/USDT\""),
    ("{}", "it is not an array of pairs"),
    ("[\"BTCKRW\"]", "element 1 is not a pair such as \"BTC/USDT\""),
    ("[\"BTC/KRW\"", "1:11: the text ends inside an array"),
  ])
  func brokenFileChangesNothingAndIsNeverOverwritten(_ text: String, _ reason: String) throws {
    let file = FavoritesFile(in: folder.path)
    let bitcoin = try pair("BTC/KRW")
    try file.update { $0.insert(bitcoin) }
    var followed = Followed(file)
    let isNew = followed.refresh()
    #expect(!isNew)
    try FileSystem.writeAtomically(Array(text.utf8), to: file.path)
    let isBroken = followed.refresh()
    #expect(isBroken)
    #expect(followed.contents.pairs == [bitcoin])
    guard case .unreadable(let found)? = followed.problem else {
      Issue.record("no problem")
      return
    }
    #expect(found == reason)
    let ether = try pair("ETH/KRW")
    #expect(throws: UserFileProblem.self) { try file.update { $0.insert(ether) } }
    #expect(try String(decoding: FileSystem.read(file.path), as: UTF8.self) == text)
    try FileSystem.writeAtomically(Array("[\"ETH/KRW\"]".utf8), to: file.path)
    let isMended = followed.refresh()
    #expect(isMended)
    #expect(followed.contents.pairs == [ether])
    #expect(followed.problem == nil)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write every file"))
  func unwritableFileIsNotReplaced() throws {
    let file = FavoritesFile(in: folder.path)
    try FileSystem.writeAtomically(Array("[]\n".utf8), to: file.path, mode: 0o400)
    let bitcoin = try pair("BTC/KRW")
    #expect(throws: UserFileProblem.self) { try file.update { $0.insert(bitcoin) } }
    #expect(try String(decoding: FileSystem.read(file.path), as: UTF8.self) == "[]\n")
  }

  /// One pair too many would make all others unreadable.
  @Test func fullFileTakesNoMore() throws {
    let file = FavoritesFile(in: folder.path)
    let all = (0..<Favorites.maximumCount).map { Pair(asset: "A\($0)", payment: "KRW") }
    try file.update { favorites in
      for pair in all { favorites.insert(pair) }
      return true
    }
    let problem = UserFileProblem.unacceptable("it has more than 1000 pairs")
    let bitcoin = try pair("BTC/KRW")
    #expect(throws: problem) { try file.update { $0.insert(bitcoin) } }
    #expect(try file.read().pairs == all)
    #expect(problem.sentence(of: "f") == "f was not changed; it would become invalid: it has more than 1000 pairs")
    try file.update { $0.remove(all[0]) }
    try file.update { $0.insert(bitcoin) }
    #expect(try file.read().pairs == Array(all.dropFirst()) + [bitcoin])
  }

  @Test func filePermissionsAreKept() throws {
    let file = FavoritesFile(in: folder.path)
    try FileSystem.writeAtomically(Array("[]\n".utf8), to: file.path, mode: 0o600)
    let bitcoin = try pair("BTC/KRW")
    try file.update { $0.insert(bitcoin) }
    #expect(FileStatus(file.path)?.mode == 0o600)
  }

  /// Eight concurrent writers, each with its own pair: none is lost.
  @Test func writersDoNotOverwriteEachOther() async throws {
    let file = FavoritesFile(in: folder.path)
    let failures = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          (try? file.update { $0.insert(Pair(asset: "A\(number)", payment: "KRW")) }) == nil
        }
      }
      var failures = 0
      for await hasFailed in group where hasFailed { failures += 1 }
      return failures
    }
    #expect(failures == 0)
    #expect(Set(try file.read().pairs.map(\.asset)) == Set((0..<8).map { "A\($0)" }))
  }
}
