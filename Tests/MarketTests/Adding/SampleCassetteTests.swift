import Files
import Onboarding
import TestSupport
import Testing

@testable import Shell

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which files add-exchange and remove-exchange may delete: those that they wrote, and nothing else (X4).
@Suite(.waitsForPrograms) struct SampleCassetteTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  private static let answer = """
    [{"pair":"BTC_KRW","last":"100500000","high24h":"101000000","low24h":"99000000","vol24h":"12.5"},
     {"pair":"ETH_KRW","last":"4950000","high24h":"5100000","low24h":"4900000","vol24h":"200"}]
    """
  private var recordings: String { "\(world.folder.path)/cassettes/Newex" }

  private func add() async throws -> AddingWorld.Outcome {
    let sample = try world.save(Self.answer, as: "a.json")
    return try await world.run(
      ["add-exchange", "Newex", "--from-sample", sample, "--tickers", "https://api.newex.example/all", "--yes"])
  }

  private func remove() throws -> Subprocess {
    try Subprocess(market: ["remove-exchange", "Newex", "-c", world.config])
  }

  private func names(in path: String) -> [String] { ((try? FileSystem.names(in: path)) ?? []).sorted() }

  @Test func removalDeletesOnlyWhatWasWritten() async throws {
    #expect(try await add().code == .answer)
    #expect(names(in: recordings) == ["01-spot-tickers.body", "01-spot-tickers.json", "add-exchange.txt", "rows.tsv"])
    #expect(
      try remove().errorOutput == "market: removed Newex from \(world.config)\nmarket: removed its recording, 3 files\n"
    )
    #expect(!FileSystem.isThere("\(world.folder.path)/cassettes"))
  }

  /// The user's own recordings, named like ours, survive adding and removing.
  @Test func userRecordingsAreKept() async throws {
    try FileSystem.createFolder(recordings)
    let mine = [
      "01-mine.body": "1",
      "01-mine.json": #"{"url": "https://api.newex.example/x", "arrival": "2026-01-01T00:00:00Z"}"#, "rows.tsv": "mine",
      "notes.md": "x",
    ]
    for (name, text) in mine { _ = try world.save(text, as: "cassettes/Newex/\(name)") }
    #expect(try await add().code == .answer)
    for (name, text) in mine { #expect(try world.text(of: "cassettes/Newex/\(name)") == text) }
    #expect(names(in: recordings).contains("02-spot-tickers.json"))
    let removal = try remove()
    #expect(
      removal.errorOutput == """
        market: removed Newex from \(world.config)
        market: removed its recording, 2 files
        market: left 4 files in \(recordings): add-exchange did not write them

        """)
    #expect(names(in: recordings) == mine.keys.sorted())
  }

  /// Of a recording whose list cannot be written nothing is left that a later one would be read after.
  @Test func failedRecordingLeavesNothing() async throws {
    try FileSystem.createFolder("\(recordings)/add-exchange.txt")
    let outcome = try await add()
    #expect(outcome.code == .answer)
    #expect(outcome.errorOutput.contains("market: the sample is not recorded: "))
    #expect(names(in: recordings) == ["add-exchange.txt"])
  }

  /// An older recording of the same request, which no list names, is kept and named.
  @Test func olderRecordingIsNamed() async throws {
    try FileSystem.createFolder(recordings)
    let mine = [
      "01-spot-tickers.body": "[]",
      "01-spot-tickers.json": #"{"url": "https://api.newex.example/all", "arrival": "2026-01-01T00:00:00Z"}"#,
    ]
    for (name, text) in mine { _ = try world.save(text, as: "cassettes/Newex/\(name)") }
    let outcome = try await add()
    #expect(outcome.code == .answer)
    #expect(
      outcome.errorOutput.contains(
        "older recordings there have the same name, and are read first; remove them: 01-spot-tickers.json\n"))
    for (name, text) in mine { #expect(try world.text(of: "cassettes/Newex/\(name)") == text) }
  }

  /// A list written by others leads nowhere else, and without a list nothing is deleted.
  @Test(arguments: ["../precious.json\n/precious.json\nnotes.md\n", ""])
  func foreignListDeletesNothingElsewhere(_ list: String) async throws {
    #expect(try await add().code == .answer)
    let precious = try world.save("{}", as: "cassettes/precious.json")
    _ = try world.save("x", as: "cassettes/Newex/notes.md")
    _ = try world.save(list, as: "cassettes/Newex/add-exchange.txt")
    #expect(try !remove().errorOutput.contains("removed its recording"))
    #expect(FileSystem.isThere(precious))
    #expect(names(in: recordings).count == 4)
  }

  /// Nothing behind a symbolic link is touched.
  @Test(arguments: ["cassettes", "cassettes/Newex"])
  func linksAreNotFollowed(_ link: String) async throws {
    #expect(try await add().code == .answer)
    let path = "\(world.folder.path)/\(link)"
    #expect(rename(path, "\(world.folder.path)/elsewhere") == 0 && symlink("\(world.folder.path)/elsewhere", path) == 0)
    let before = names(in: recordings)
    let removal = try remove()
    #expect(removal.errorOutput.hasSuffix("market: \(path) is a link; its target is not removed\n"))
    #expect(names(in: recordings) == before)
  }
}
