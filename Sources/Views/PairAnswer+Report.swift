import JSON
import Mapping
package import MarketData
import Quotes
import Terminal

/// An order book, trades or candles of one market as every report has them.
extension PairAnswer {
  /// `Binance spot BTC/USDT`
  var title: String { "\(exchange) \(market.rawValue) \(pair)" }

  /// `ok`, `partial`, `not-listed`, `not-offered` or `failed`.
  var status: String {
    guard let failure else { return ExchangeReport.Status.ok.rawValue }
    if value != nil { return ExchangeReport.Status.partial.rawValue }
    return switch failure.reason {
    case .notListed, .notOffered: failure.reason.code
    default: ExchangeReport.Status.failed.rawValue
    }
  }

  /// The keys that every report has of an exchange, and the pair.
  var json: JSONValue {
    [
      "exchange": .string(exchange), "market": .string(market.rawValue), "pair": .string("\(pair)"),
      "status": .string(status), "reason": .text(failure?.reason.code), "message": .text(failure?.message),
      "notes": .texts(notes),
    ]
  }

  /// The first columns of a record.
  var fields: [CSVWriter.Field] { [.text(exchange), .text(market.rawValue), .text("\(pair)")] }
  static var fieldTitles: [String] { ["exchange", "market", "pair"] }

  /// What stands in the place of what did not come: `-  timeout`.
  var absence: StyledText { StyledText("-  \(failure?.reason.code ?? Missing.emptyAnswer.code)", .dim) }
}

extension PairAnswer: FailingMarket {
  /// One line for people, nil where nothing failed.
  package var line: String? {
    guard let failure, !failure.isAbsence else { return nil }
    let detail = failure.message.map { " (\($0))" } ?? ""
    return "\(exchange) \(market.rawValue)\(value == nil ? "" : ", in part"): \(failure.reason.code)\(detail)"
  }

  package var failureCodes: [String] { failure.map { [$0.reason.code] } ?? [] }

  package var hasNothing: Bool { value == nil }

  package var isUnrecorded: Bool { failure?.reason == TableFailure.notRecorded }
}

extension TableFailure {
  /// Whether the exchange does not have what was asked for: no failure.
  fileprivate var isAbsence: Bool { reason == .notListed || reason == .notOffered }
}

extension PairAnswer {
  /// Whose row it is.
  func write(into writer: inout JSONWriter) {
    writer.member("exchange", exchange)
    writer.member("market", market.rawValue)
    writer.member("pair", "\(pair)" as String)
  }
}
