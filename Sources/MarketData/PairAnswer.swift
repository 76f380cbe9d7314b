package import Mapping
package import Quotes

/// A market's answer about a pair: its order book, newest trades, or candles.
package struct PairAnswer<Value: Sendable>: Sendable {
  package let exchange: String
  package let market: Market
  /// The group of futures that it is from: `linear`; nil if the market has only one, or has not answered.
  package let product: String?
  package let pair: Pair
  /// The value, or why there is none.
  package let result: Result<Value, AnswerFailure>
  /// The requests sent for it, in the order of the answers.
  package let requests: [RequestReport]
  /// The number of units that the exchange counts as one, unless 1; prices and sizes here are per single unit.
  package let multiplier: Decimal?
  /// How the most important records were derived; empty unless requested.
  package var explained: [ExplainedRecord]
  /// Why a part of what was requested is missing, such as an older page that failed; nil if nothing is.
  package var shortfall: AnswerFailure?
  /// Messages of ours that the reader should see.
  package var notes: [String]
  /// What the checks found in the value; each is also among the notes.
  package var findings: [DataFinding]
  /// The conversion of prices into another currency, if requested.
  package var conversion: Conversion?

  package init(
    exchange: String, market: Market, product: String? = nil, pair: Pair, _ result: Result<Value, AnswerFailure>,
    requests: [RequestReport] = [], multiplier: Decimal? = nil, explained: [ExplainedRecord] = [],
    shortfall: AnswerFailure? = nil, notes: [String] = [], findings: [DataFinding] = [],
    conversion: Conversion? = nil
  ) {
    self.exchange = exchange
    self.market = market
    self.product = product
    self.pair = pair
    self.result = result
    self.requests = requests
    self.multiplier = multiplier
    self.explained = explained
    self.shortfall = shortfall
    self.notes = notes
    self.findings = findings
    self.conversion = conversion
  }

  package var value: Value? { try? result.get() }

  /// When its last response arrived; nil if there is none.
  package var arrival: Instant? { requests.map(\.arrival).max() }

  /// Why there is no value, or only a part.
  package var failure: AnswerFailure? {
    if case .failure(let failure) = result { failure } else { shortfall }
  }

  /// Returns an answer with a value derived from this one's.
  package func map<Other>(_ change: (Value) -> Other) -> PairAnswer<Other> {
    PairAnswer<Other>(
      exchange: exchange, market: market, product: product, pair: pair, result.map(change), requests: requests,
      multiplier: multiplier, explained: explained, shortfall: shortfall, notes: notes, findings: findings,
      conversion: conversion)
  }
}

extension Array {
  /// The name that tells each answer apart: the exchange, with the pair if the exchange occurs twice, and the product if
  /// both do.
  package func sourceNames<Value>() -> [String] where Element == PairAnswer<Value> {
    let names = map { answer in
      [answer.exchange, "\(answer.exchange) \(answer.pair)"]
        + (answer.product.map { ["\(answer.exchange) \(answer.pair) \($0)"] } ?? [])
    }
    return names.map { own in
      own.dropLast().first { name in names.count { $0.contains(name) } == 1 } ?? own[own.count - 1]
    }
  }

  /// Returns for each answer why its price cannot be of the same coin as the others'; nil if it can, or has no price.
  /// Each asset and currency is checked separately.
  ///
  /// - Parameter price: Returns the price to compare; nil for a value that is not checked.
  package func identityFlags<Value>(_ identity: IdentityCheck, price: (Value) -> Decimal?) -> [Flag?]
  where Element == PairAnswer<Value> {
    let prices = map { answer in answer.value.flatMap(price).flatMap(answer.comparablePrice) }
    // One price contradicts no other.
    guard prices.lazy.filter({ $0 != nil }).count > 1 else { return [Flag?](repeating: nil, count: count) }
    let names = sourceNames()
    return flags { indices in identity.findings(indices.map { (names[$0], prices[$0]) }) }
  }

  /// Returns the flags that `check` gives for the answers about each asset in each currency, by their indices.
  private func flags<Value>(_ check: ([Int]) -> [Flag?]) -> [Flag?] where Element == PairAnswer<Value> {
    var flags = [Flag?](repeating: nil, count: count)
    for pair in Set(map(\.comparablePair)) {
      let own = indices.filter { self[$0].comparablePair == pair }
      for (index, flag) in zip(own, check(own)) { flags[index] = flag }
    }
    return flags
  }

  /// Returns for each answer why its candles cannot be of the same coin as the others', judged by their newest common
  /// close; nil if they can.
  package func identityFlags(_ identity: IdentityCheck) -> [Flag?] where Element == PairAnswer<CandleSeries> {
    guard count > 1 else { return [Flag?](repeating: nil, count: count) }
    let names = sourceNames()
    return flags { indices in
      let isOld = indices.contains { self[$0].isConvertedAtLaterRate }
      return (isOld ? identity.ofMultiples : identity).findings(
        indices.map { index in
          let series = self[index].value ?? CandleSeries([], on: CandleGrid(.oneDay))
          return IdentityCheck.Line(names[index], on: series.grid, starts: series.candles.map(\.start)) {
            [answer = self[index]] in answer.comparablePrice(series.candles[$0].close)
          }
        })
    }
  }
}

extension PairAnswer<CandleSeries> {
  /// Whether the candles are converted at a rate that may be far from that of their time.
  fileprivate var isConvertedAtLaterRate: Bool {
    guard let conversion, conversion.currency != pair.payment, let last = value?.candles.last, let arrival else {
      return false
    }
    return last.start.isOld(for: arrival)
  }
}

extension PairAnswer {
  /// The asset, and the currency in which its price is compared with others: the one it is converted to, or its own.
  fileprivate var comparablePair: Pair {
    Pair(asset: pair.asset, payment: conversion?.currency ?? pair.payment)
  }

  /// Returns a price in that currency; nil without a rate.
  fileprivate func comparablePrice(_ price: Decimal) -> Decimal? {
    guard let conversion else { return price.normalized }
    return conversion.converted(price)?.rounded(toSignificantDigits: 12)
  }
}
