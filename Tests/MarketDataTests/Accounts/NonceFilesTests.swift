import Config
import Files
import HTTP
import MarketData
import Quotes
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Nonces increase, whoever takes them and however they end.
@Suite struct NonceFilesTests {
  private let folder: TemporaryFolder
  private let files: NonceFiles
  private let key = NonceKey(exchange: "Kraken", id: Secret("hush-hush"))
  private let now = Instant(nanoseconds: 1_700_000_000_123_456_789)

  init() throws {
    folder = try TemporaryFolder()
    files = NonceFiles(in: "\(folder.path)/state/nonces")
  }

  private func next(_ unit: SignedTemplate.ClockUnit, at now: Instant? = nil, of key: NonceKey? = nil) async throws
    -> Int64
  {
    let turn = try await files.turn(of: key ?? self.key, unit: unit, now: now ?? self.now, patience: .seconds(5))
    turn.release()
    return turn.microseconds
  }

  @Test func nonceIsTimeOrPreviousPlusOne() async throws {
    #expect(try await next(.milliseconds) == 1_700_000_000_123_000)
    #expect(try await next(.milliseconds) == 1_700_000_000_124_000)
    #expect(try await next(.microseconds) == 1_700_000_000_124_001)
    #expect(try await next(.milliseconds) == 1_700_000_000_125_000)
    #expect(try await next(.seconds) == 1_700_000_001_000_000)
    #expect(try await next(.seconds, at: now.advanced(by: .seconds(10))) == 1_700_000_010_000_000)
    // The clock goes back; the nonce does not.
    #expect(try await next(.milliseconds, at: now.advanced(by: .seconds(-20))) == 1_700_000_010_001_000)
    // Another key of the same exchange, and the same text at another exchange, have their own nonces.
    #expect(try await next(.seconds, of: NonceKey(exchange: "Kraken", id: Secret("x"))) == 1_700_000_000_000_000)
    #expect(try await next(.seconds, of: NonceKey(exchange: "Gemini", id: key.id)) == 1_700_000_000_000_000)
    #expect(try await next(.seconds, at: Instant(nanoseconds: -5), of: NonceKey(exchange: "A", id: key.id)) == 0)
  }

  @Test func nonceNeverRunsFarAhead() async throws {
    #expect(try await next(.seconds, at: now.advanced(by: .seconds(59))) == 1_700_000_059_000_000)
    #expect(try await next(.seconds) == 1_700_000_060_000_000)
    for unit in [SignedTemplate.ClockUnit.seconds, .milliseconds] {
      await #expect(throws: SecretProblem.nonceAhead(seconds: 60)) {
        try await next(unit, at: now.advanced(by: .seconds(-0.5)))
      }
    }
    await #expect(throws: SecretProblem.nonceAhead(seconds: 3659)) {
      try await next(.milliseconds, at: now.advanced(by: .seconds(-3600)))
    }
    // Nothing was used up, and the user may start over.
    #expect(try await files.forget(key, patience: .seconds(1)) == 1_700_000_060_000_000)
    #expect(try await next(.milliseconds, at: now.advanced(by: .seconds(-3600))) == 1_699_996_400_123_000)
    #expect(try await files.forget(NonceKey(exchange: "A", id: key.id), patience: .seconds(1)) == nil)
  }

  @Test func fileIsPrivateAndRevealsNothing() async throws {
    _ = try await next(.milliseconds)
    let path = files.path(of: key)
    #expect(path.split(separator: "/").last?.utf8.count == 32 && !path.lowercased().contains("kraken"))
    #expect(FileStatus(path)?.mode == 0o600 && FileStatus("\(folder.path)/state/nonces")?.mode == 0o700)
    #expect(try String(decoding: FileSystem.read(path), as: UTF8.self) == "001700000000123000\n")
  }

  @Test(arguments: [
    "1", "17000000001230001\n", "00170000000012300x\n", "-01700000000123000\n", "001700000000123000\n\n",
  ])
  func damagedFileIsRefused(_ text: String) async throws {
    _ = try await next(.milliseconds)
    let path = files.path(of: key)
    try FileSystem.writeAtomically(Array(text.utf8), to: path)
    await #expect(throws: SecretProblem.nonceDamaged(path: path)) {
      try await next(.milliseconds)
    }
    #expect(try await files.forget(key, patience: .seconds(1)) == nil)
    #expect(try await next(.milliseconds) == 1_700_000_000_123_000)
  }

  @Test func emptyFileCountsAsUnused() async throws {
    _ = try await next(.milliseconds)
    #expect(truncate(files.path(of: key), 0) == 0)
    #expect(try await next(.milliseconds) == 1_700_000_000_123_000)
  }

  @Test func linksAndFoldersAreRefused() async throws {
    _ = try await next(.milliseconds)
    let path = files.path(of: key)
    for replace in [{ symlink("/etc/passwd", path) }, { mkdir(path, 0o700) }, { mkfifo(path, 0o600) }] {
      if unlink(path) != 0 { rmdir(path) }
      #expect(replace() == 0)
      let error = await #expect(throws: SecretProblem.self) { try await next(.milliseconds) }
      #expect(error?.reason == .nonceStore)
    }
  }

  @Test func turnsAreTakenOneAtATime() async throws {
    let first = try await files.turn(of: key, unit: .milliseconds, now: now, patience: .seconds(1))
    await #expect(throws: SecretProblem.nonceBusy) {
      try await files.turn(of: key, unit: .milliseconds, now: now, patience: .milliseconds(20))
    }
    async let second = next(.milliseconds)
    first.release()
    #expect(try await second == first.microseconds + 1000)
    // A turn that is never released ends with its lifetime.
    do { _ = try await files.turn(of: key, unit: .milliseconds, now: now, patience: .seconds(1)) }
    #expect(try await next(.milliseconds) == first.microseconds + 3000)
  }

  // MARK: Processes

  /// 30 processes with one key and one stopped clock.
  @Test func concurrentProcessesGetDistinctNonces() async throws {
    let log = "\(folder.path)/sent"
    let programs = try (0..<30).map { _ in
      try BackgroundProgram(BuiltProgram.path("NonceProbe"), ["\(folder.path)/state/nonces", "3", log])
    }
    for program in programs { #expect(await program.line(startingWith: "done") != nil) }
    let sent = try String(decoding: FileSystem.read(log), as: UTF8.self).split(separator: "\n").compactMap { Int64($0) }
    #expect(sent.count == 90)
    #expect(zip(sent, sent.dropFirst()).allSatisfy { $0 < $1 })
    #expect(sent.first == 1_700_000_000_000_000 && sent.last == 1_700_000_000_089_000)
  }

  /// A process killed after writing its nonce and before sending: the next one continues after it at once.
  @Test func killedProcessDoesNotBlockTheNext() async throws {
    for _ in 0..<3 {
      let program = try BackgroundProgram(BuiltProgram.path("NonceProbe"), ["\(folder.path)/state/nonces", "hold"])
      let line = try #require(await program.line(startingWith: "holds"))
      let held = try #require(Int64(line.dropFirst("holds ".count)))
      let probed = NonceKey(exchange: "Probe", id: Secret("key"))
      let start = Instant(nanoseconds: 1_700_000_000_000_000_000)
      await #expect(throws: SecretProblem.nonceBusy) {
        try await files.turn(of: probed, unit: .milliseconds, now: start, patience: .milliseconds(5))
      }
      program.stop()
      #expect(try await next(.milliseconds, at: start, of: probed) == held + 1000)
    }
  }
}
