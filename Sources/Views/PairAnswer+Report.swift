import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// The parts of an order book, trades or candles answer that all reports share.
extension PairAnswer {
  /// `Binance spot BTC/USDT`, `Kraken futures BTC/USD linear`
  var title: String { title(.english) }

  /// `ok`, `partial`, `not-listed`, `halted`, `not-offered` or `failed`.
  var status: String {
    guard let failure else { return ExchangeReport.Status.ok.rawValue }
    if value != nil { return ExchangeReport.Status.partial.rawValue }
    return switch failure.reason {
    case .notListed, .halted, .notOffered: failure.reason.code
    default: ExchangeReport.Status.failed.rawValue
    }
  }

  /// Returns the keys that all reports have for an exchange, and the pair.
  ///
  /// - Parameter moment: the reference time for the age of a rate.
  func json(at moment: Instant) -> JSONValue {
    [
      "exchange": .string(exchange), "market": .string(market.rawValue), "product": .text(product),
      "pair": .string("\(pair)"),
      "status": .string(status), "reason": .text(failure?.reason.code), "message": .text(failure?.message),
      "notes": .texts(notes),
    ] as JSONValue + (conversion.map { ["conversion": $0.json(at: moment)] } ?? [:])
  }

  /// Returns the title of the column of prices in another currency; empty if there is none.
  func convertedTitle(_ language: Language) -> String { conversion.map { language.shown(in: $0.currency) } ?? "" }

  /// Returns a price in another currency: `-` without a rate, and empty if there is no such column.
  func convertedCell(_ price: Decimal) -> StyledText {
    StyledText(conversion.map { $0.converted(price)?.rateText ?? "-" } ?? "")
  }

  /// The placeholder for missing data: `-  timeout`.
  var absence: StyledText { StyledText("-  \(failure?.reason.code ?? Missing.emptyAnswer.code)", .dim) }
}

extension Array {
  /// Returns the notes of each answer, with the name of its market, and its pair if the exchange occurs twice.
  func named<Value>(_ language: Language, _ notes: (Element) -> [String]) -> [String]
  where Element == PairAnswer<Value> {
    let isAlone = count == 1 || Set(map(\.exchange)).count == count
    return flatMap { answer in
      let name = isAlone ? "\(answer.exchange) \(language.word(for: answer.market))" : answer.title(language)
      return notes(answer).map { "\(name): \($0)" }
    }
  }

  /// Returns the answers, each with a note on its flag.
  package func noting<Value>(_ flags: [Flag?], _ language: Language) -> [PairAnswer<Value>]
  where Element == PairAnswer<Value> {
    var answers = self
    for (index, flag) in flags.enumerated() {
      if let flag { answers[index].notes.append("\(flag.code): \(flag.message(language))") }
    }
    return answers
  }

  /// Returns the distinct requested pairs: `BTC/USDT, BTC/KRW`.
  func pairTitle<Value>() -> String where Element == PairAnswer<Value> {
    map { "\($0.pair)" }.unique.joined(separator: ", ")
  }
}

extension PairAnswer: FailingMarket {
  /// It has no remedy, so the option is not needed.
  package func line(_ option: String = "") -> String? {
    // Of data that is there in part, what is missing is missing whatever the reason.
    guard let failure, value != nil || !failure.isAbsence else { return nil }
    return "\(exchange) \(market.rawValue)\(value == nil ? "" : ", in part"): \(failure.wordsInParentheses)"
  }

  /// `Binance spot: not-listed`; nil unless the exchange does not have what was requested.
  package var absenceLine: String? {
    guard let failure, value == nil, failure.isAbsence else { return nil }
    return "\(exchange) \(market.rawValue): \(failure.wordsInParentheses)"
  }

  package var failureCodes: [String] { failure.map { [$0.reason.code] } ?? [] }

  package var hasNothing: Bool { value == nil }

  package var isUnrecorded: Bool { failure?.reason == .notRecorded }
}

extension AnswerFailure {
  /// Whether the exchange does not have what was requested, or does not trade it, which is not a failure.
  fileprivate var isAbsence: Bool { reason.isAbsence || reason == .notOffered }
}
