import Config
import Mapping
import Quotes
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Recorded order books, trades and candles read with the shipped blocks.
@Suite("Recorded order books, trades and candles", .enabled(if: SharedCorpora.arePresent))
struct RecordedBlockTests {
  /// Both readers agree, and data sent by exchanges is consistent. Samples from documentation contain invented numbers.
  @Test(arguments: RecordedBlock.all)
  func readersAgreeAndDataIsConsistent(in recorded: RecordedBlock) throws {
    guard let reading = try recorded.verdict().reading else { return }
    #expect(reading.readersAgree)
    if recorded.isFromExchange { #expect(reading.findings.isEmpty) }
  }

  /// Every response that no block reads has a known reason.
  @Test func everyRefusalHasAKnownReason() throws {
    var refused: [String: String] = [:]
    var count = 0
    for recorded in RecordedBlock.all {
      let verdict = try recorded.verdict()
      if getenv("MARKET_LIST_RECORDED") != nil {
        switch verdict {
        case .read(let reading):
          var interval = ""
          if case .candles(let spec) = reading.block { interval = spec.interval.rawValue }
          print(
            "RB read \(recorded.tier) \(recorded.name) \(reading.market.name) \(interval) \(reading.isAsked ? "asked" : "shape") "
              + "\(recorded.spelling.asset)/\(recorded.spelling.payment) \(reading.findings.map(\.message))")
        case .refused(let code): print("RB refused \(recorded.tier) \(recorded.name) \(code)")
        case .other(let cause): print("RB other \(recorded.tier) \(recorded.name) \(cause)")
        }
      }
      if case .refused(let code) = verdict { refused[recorded.name] = code }
      if verdict.reading != nil { count += 1 }
    }
    #expect(refused == Self.refused)
    #expect(count >= 244)
  }

  private static let refused = [
    // Errors sent by the exchange.
    "binance/candles@gct-18.json": "venue-error -4088", "poloniex/orderbook@gct-7.json": "not-listed",
    // A sample without a side, and an invented one with bids above asks.
    "lbank/orderbook@jkorf.json": "path-miss", "mexc/orderbook@jkorf.json": "no-answer book-crossed",
    // Missing members that one of our times reads: an older shape, and aggregated trades.
    "lbank/trades@ccxt.json": "path-miss", "mexc/trades@ccxt.json": "path-miss",
  ]
}

extension RecordedBlockTests {
  /// The page matches the recordings.
  @Test func pageMatchesRecordings() throws {
    try CoveragePage.expect(between: "<!-- blocks -->\n", and: "<!-- end -->", RecordedBlockCoverage().markdown)
  }
}
