/// What an answer may be about that is no table of tickers.
package enum AnswerKind: String, Sendable, CaseIterable {
  case candles
  case trades
  case orderBook = "an order book"
  case offers = "best offers without a last price"
  case pairs = "a list of pairs without prices"
  case currencies = "a list of currencies"
  case funding = "funding rates"
  case marks = "mark or index prices, at which nobody trades"
  case openInterest = "open interest"
  case balances = "the balances of an account"
  case announcements
  case serverTime = "the time of the server"
}

extension AnswerKind {
  /// Whether members with such names stand in tables of tickers as well.
  var mayHaveLastPrices: Bool { [.offers, .marks, .funding, .openInterest, .serverTime].contains(self) }

  /// A kind and the sign that it was recognised by.
  struct Sign {
    let kind: AnswerKind
    let reason: String

    init(_ kind: AnswerKind, _ reason: String) {
      self.kind = kind
      self.reason = reason
    }

    var problem: SampleProblem { .otherKind(kind, reason) }
  }
}

/// A name in small letters, without punctuation: exchanges write `tradeId`, `trade_id` and `trade-id`.
struct PlainName: Hashable {
  let text: String

  init(_ name: String) { text = name.lowercased().filter { $0.isLetter || $0.isNumber } }

  func isAny(of names: Set<String>) -> Bool { names.contains(text) }

  func containsAny(of parts: [String]) -> Bool { parts.contains { text.contains($0) } }
}
