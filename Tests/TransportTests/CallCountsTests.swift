import TestSupport
import Testing

@testable import Transport

/// What is kept of calls, as it may be found on disk.
@Suite struct CallCountsTests {
  /// A record that this program cannot have written is none: nothing counts on from the end of numbers.
  @Test func impossibleCountsAreIgnored() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (provider, cache, _) = await CallLedgerTests.asked(in: folder)
    for key in ["answers of Rates", CallCounts.key] {
      let text = String(decoding: try #require(cache.latest(key)), as: UTF8.self)
      let broken = text.replacing(#/"(failures|callsOfDay|callsOfMonth)": [0-9]+/#) { "\"\($0.1)\": \(Int.max)" }
      #expect(broken != text)
      cache.put(key, Array(broken.utf8), now: provider.now)
    }
    provider.advance(seconds: 3600)
    #expect(await provider.ask(CallLedger(cache)).trouble == nil)
    #expect(provider.calls == 2)
  }
}
