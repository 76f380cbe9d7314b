import Foundation
import Inference
import Quotes
import TestSupport
import Testing

@testable import Config

/// Recorded responses of every kind but tickers: none may be taken for a table of tickers.
@Suite("Inference on answers of other kinds", .enabled(if: SharedCorpora.arePresent))
struct OtherKindTests {
  private static let wantsDetail = ProcessInfo.processInfo.environment["MARKET_INFERENCE_DETAIL"] != nil

  private enum End: String {
    case taken, asked, refused
  }

  /// Whether recordings of whole ticker tables are filed under this kind too, since they name the pairs or prices.
  private static func mayHoldTickers(_ kind: String) -> Bool {
    kind == "pairs" || kind.hasSuffix("-symbols")
      || kind.hasSuffix("-price") && !kind.contains("mark")
        && !kind.contains("index")
      || kind == "open-interest"
  }

  /// KuCoin's futures give the last trade's price beside the best offers, as do Liquid's products: however filed, that is
  /// a table of tickers.
  private static let tablesFiledAsOffers: Set = [
    "raw/kucoin/futures-book-ticker@sdk.json", "raw/liquidderivatives/orderbook@vcr.json",
  ]

  @Test func otherKindsAreNotTakenForTickers() throws {
    var ends: [String: [End: Int]] = [:]
    var tables: [String] = []
    var wrong: [String] = []
    var count = 0
    let answers = RecordedAnswer.all.filter { !$0.kind.contains("ticker") || $0.kind.contains("book-ticker") }
    // Every fourth one is enough for daily runs.
    let stride = Self.wantsDetail || Effort.isComplete ? 1 : 4
    for answer in Swift.stride(from: 0, to: answers.count, by: stride).map({ answers[$0] }) {
      count += 1
      let (end, proposal) = Self.end(of: answer.bytes)
      ends[answer.kind, default: [:]][end, default: 0] += 1
      guard end == .taken, let proposal else { continue }
      let isTable =
        proposal.rowCount >= 2
        && (Self.mayHoldTickers(answer.kind) || Self.tablesFiledAsOffers.contains(answer.file))
      let text = "\(answer.file): \(proposal.rowCount) rows, price \(proposal[.price]?.path ?? "")"
      if isTable { tables.append(text) } else { wrong.append(text) }
    }
    print("\(count) answers that are filed as no tickers: \(wrong.count) taken for tickers, \(tables.count) are tables")
    for (kind, ends) in ends.sorted(by: { $0.key < $1.key }) {
      print("  \(kind): " + ends.map { "\($1) \($0.rawValue)" }.sorted().joined(separator: ", "))
    }
    if Self.wantsDetail { print(tables.joined(separator: "\n")) }
    #expect(count > 1500 / stride)
    #expect(wrong == [])
  }

  /// A candle or trade stays one even when the user names its pair.
  @Test func namingThePairDoesNotMakeItATicker() throws {
    var taken: [String] = []
    var count = 0
    for answer in RecordedAnswer.all
    where ["trades", "ws-trades", "ws-candles", "orderbook", "balances"].contains(answer.kind)
      && !Self.tablesFiledAsOffers.contains(answer.file)
    {
      guard let one = try? ExchangeInference(answer.bytes).proposal() else { continue }
      count += 1
      if one[.price]?.isSure == true, one.symbol?.isSure == true { taken.append(answer.file) }
    }
    print("\(count) trades, candles, books and balances are asked about, \(taken.count) taken")
    #expect(taken == [])
  }

  private static func end(of bytes: [UInt8]) -> (End, ExchangeProposal?) {
    do {
      let proposal = try ExchangeInference(bytes).proposal()
      return (proposal[.price]?.isSure == true && proposal.symbol?.isSure == true ? .taken : .asked, proposal)
    } catch {
      return (.refused, nil)
    }
  }
}
