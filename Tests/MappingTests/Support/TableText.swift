import Mapping
import Quotes

/// Tables as text, for comparisons in tests and the manual.
///
///     BTC/USDT 65000.50 json-null
///     not split: BTCUSD_PERP
///     dropped: 2 where
enum TableText {
  static func lines(of table: TickerTable, fields: [TickerField]) -> [String] {
    var lines = table.rows.map { line(of: $0.ticker, fields: fields) }
    lines += table.unsplit.map { "not split: \($0.symbol)" }
    lines += table.dropped.sorted { $0.key < $1.key }.map { "dropped: \($0.value) \($0.key)" }
    lines += table.failures.map { failure in
      let part = failure.part.isEmpty ? "" : " [\(failure.part)]"
      let message = failure.failure.message.map { " (\($0))" } ?? ""
      return "failed\(part): \(failure.failure.reason.code)\(message)"
    }
    return lines
  }

  /// Returns a line like `BTC/USDT:stableMargin 65000.50 json-null !duplicate`.
  private static func line(of ticker: Ticker, fields: [TickerField]) -> String {
    var words = [ticker.pair.asset + "/" + ticker.pair.payment]
    if let product = ticker.product { words[0] += ":" + product }
    words += fields.map { ticker.text($0) ?? ticker.cell($0).missing?.code ?? "?" }
    words += ticker.flags.map { "!" + $0.code }
    return words.joined(separator: " ")
  }
}

extension TickerTable {
  /// Everything that both engines must agree on.
  struct Outcome: Equatable {
    let tickers: [Ticker]
    let ranks: [ProductRank]
    let unsplit: [Unsplit]
    let dropped: [DropReason: Int]
    let failures: [AnswerFailure]
  }

  var outcome: Outcome {
    Outcome(
      tickers: rows.map(\.ticker), ranks: rows.map(\.rank), unsplit: unsplit, dropped: dropped,
      failures: failures.map(\.failure))
  }
}
