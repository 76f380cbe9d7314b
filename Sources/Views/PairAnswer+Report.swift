import Formats
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
  ///
  /// - Parameter moment: what the age of a rate is counted to.
  func json(at moment: Instant) -> JSONValue {
    [
      "exchange": .string(exchange), "market": .string(market.rawValue), "pair": .string("\(pair)"),
      "status": .string(status), "reason": .text(failure?.reason.code), "message": .text(failure?.message),
      "notes": .texts(notes),
    ] as JSONValue + (conversion.map { ["conversion": $0.json(at: moment)] } ?? [:])
  }

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

extension Conversion {
  /// The other currency, and by which rate prices come to it.
  func json(at moment: Instant) -> JSONValue {
    ["currency": .string(currency), "countedAs": .text(countedAs), "fx": rate?.json(at: moment) ?? nil]
  }
}

extension Array {
  /// By which rates prices in another currency came to be.
  ///
  /// - Parameters:
  ///   - moment: what the age of a rate is counted to.
  ///   - isOfItsTime: false for prices of earlier moments: the rate is today's all the same, and nobody may take it for theirs.
  func conversionNotes<Value>(at moment: Instant, isOfItsTime: Bool = true) -> [String]
  where Element == PairAnswer<Value> {
    let conversions = compactMap { $0.value == nil ? nil : $0.conversion }
    guard let currency = conversions.first?.currency else { return [] }
    let parts = conversions.parts(at: moment)
    let isConverted = conversions.contains { $0.rate?.quote != nil }
    let age = isOfItsTime || !isConverted ? "" : " at today's rate, not at the rate of their time"
    return parts.isEmpty ? [] : ["in \(currency)\(age): " + parts.joined(separator: "; ")]
  }
}
