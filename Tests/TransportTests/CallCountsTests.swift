import Files
import Quotes
import TestSupport
import Testing

@testable import Transport

/// What is kept of calls, as it may be found on disk.
@Suite struct CallCountsTests {
  /// A record that this program cannot have written is none: nothing counts on from the end of numbers.
  @Test func impossibleFailuresAreIgnored() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (provider, cache, _) = await CallLedgerTests.asked(in: folder)
    try Self.overflow("failures", of: "answers of Rates", in: cache, at: provider.now)
    provider.advance(seconds: 3600)
    #expect(await provider.ask(CallLedger(cache)).trouble == nil)
    #expect(provider.calls == 2)
  }

  /// Nobody knows how many calls are left, so none is made.
  @Test(arguments: ["callsOfDay", "callsOfMonth", "file"]) func damagedCountsAreNotForgotten(_ place: String)
    async throws
  {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (provider, cache, _) = await CallLedgerTests.asked(in: folder)
    if place == "file" {
      let files = try FileSystem.names(in: folder.path).map { "\(folder.path)/\($0)" }
      for file in files { try FileSystem.writeAtomically(try FileSystem.read(file) + [0], to: file) }
    } else {
      try Self.overflow(place, of: CallCounts.key, in: cache, at: provider.now)
    }
    provider.advance(seconds: 3600)
    #expect(await provider.ask(CallLedger(cache)).trouble == .uncountable)
    #expect(provider.calls == 1)
  }

  private static func overflow(_ member: String, of key: String, in cache: DiskCache, at now: Instant) throws {
    let text = String(decoding: try #require(cache.latest(key)), as: UTF8.self)
    let broken = text.replacing(try Regex("\"\(member)\": [0-9]+"), with: "\"\(member)\": \(Int.max)")
    #expect(broken != text)
    cache.put(key, Array(broken.utf8), now: now)
  }
}
