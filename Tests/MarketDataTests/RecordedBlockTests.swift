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

/// Recorded order books, trades and candles through the shipped blocks.
@Suite("Recorded order books, trades and candles", .enabled(if: SharedCorpora.arePresent))
struct RecordedBlockTests {
  /// Both readers read the same, and what an exchange sent fits together. Samples of documents hold invented numbers.
  @Test(arguments: RecordedBlock.all)
  func whatIsReadFits(in recorded: RecordedBlock) throws {
    guard let reading = try recorded.verdict().reading else { return }
    #expect(reading.readersAgree)
    if recorded.isFromExchange { #expect(reading.findings.isEmpty) }
  }

  /// Of what no block reads each has its reason.
  @Test func nothingElseIsRefused() throws {
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
    // Errors of the exchange.
    "binance/candles@gct-18.json": "venue-error -4088", "poloniex/orderbook@gct-7.json": "not-listed",
    // A sample without a side, and one that is invented: bids above asks.
    "lbank/orderbook@jkorf.json": "path-miss", "mexc/orderbook@jkorf.json": "no-answer book-crossed",
    // Without a member that is a time of ours: an older shape, and joined trades.
    "lbank/trades@ccxt.json": "path-miss", "mexc/trades@ccxt.json": "path-miss",
  ]
}

extension RecordedBlockTests {
  /// What the page says of them is what they come to.
  @Test func thePageIsTrue() throws {
    try CoveragePage.expect(between: "<!-- blocks -->\n", and: "<!-- end -->", RecordedBlockCoverage().markdown)
  }
}
