package import Mapping
package import Quotes

/// What one market of an exchange answered about a pair: its order book, its newest trades, or its candles.
package struct PairAnswer<Value: Sendable>: Sendable {
  package let exchange: String
  package let market: Market
  package let pair: Pair
  /// Why there is no value, where there is none.
  package let result: Result<Value, TableFailure>
  /// What was asked for it, in the order of the answers.
  package let requests: [RequestReport]
  /// What the exchange counts the asset in, where that is not one; prices and sizes are those of one unit.
  package let multiplier: Decimal?
  /// How the records that matter most came to be; only where that was asked for.
  package var explained: [ExplainedRecord]
  /// Why a part of what was asked for is missing, as where an older page failed; nil where nothing is.
  package var shortfall: TableFailure?
  /// What the reader should know of it: sentences of ours.
  package var notes: [String]
  /// The prices in another currency, where one was asked for.
  package var conversion: Conversion?

  package init(
    exchange: String, market: Market, pair: Pair, _ result: Result<Value, TableFailure>,
    requests: [RequestReport] = [], multiplier: Decimal? = nil, explained: [ExplainedRecord] = [],
    shortfall: TableFailure? = nil, notes: [String] = [], conversion: Conversion? = nil
  ) {
    self.exchange = exchange
    self.market = market
    self.pair = pair
    self.result = result
    self.requests = requests
    self.multiplier = multiplier
    self.explained = explained
    self.shortfall = shortfall
    self.notes = notes
    self.conversion = conversion
  }

  package var value: Value? { try? result.get() }

  /// Why there is nothing, or not all.
  package var failure: TableFailure? {
    if case .failure(let failure) = result { failure } else { shortfall }
  }

  /// The same question with another value, made of this one.
  package func map<Other>(_ change: (Value) -> Other) -> PairAnswer<Other> {
    PairAnswer<Other>(
      exchange: exchange, market: market, pair: pair, result.map(change), requests: requests, multiplier: multiplier,
      explained: explained, shortfall: shortfall, notes: notes, conversion: conversion)
  }
}

extension Array {
  /// Of each answer, why its price cannot be of the coin that the others are of; nil where it can, or there is none. Each asset and
  /// currency is looked at for itself.
  ///
  /// - Parameter price: what a value is held by; nil for one that is not looked at.
  package func identityFlags<Value>(_ identity: IdentityCheck, price: (Value) -> Decimal?) -> [Flag?]
  where Element == PairAnswer<Value> {
    let prices = map { answer -> (pair: Pair, price: Decimal)? in
      guard let price = answer.value.flatMap(price) else { return nil }
      guard let conversion = answer.conversion else { return (answer.pair, price.normalized) }
      return conversion.converted(price).map {
        (Pair(asset: answer.pair.asset, payment: conversion.currency), $0.rounded(toSignificantDigits: 12))
      }
    }
    var flags = [Flag?](repeating: nil, count: count)
    // One price contradicts no other.
    guard prices.lazy.filter({ $0 != nil }).count > 1 else { return flags }
    for pair in Set(prices.compactMap { $0?.pair }) {
      let found = identity.findings(zip(self, prices).map { ($0.exchange, $1?.pair == pair ? $1?.price : nil) })
      for (index, flag) in found.enumerated() where flag != nil { flags[index] = flag }
    }
    return flags
  }

  /// The answers, those whose price cannot be of the others' coin with a note that says so.
  package func noting<Value>(_ identity: IdentityCheck, price: (Value) -> Decimal?) -> [PairAnswer<Value>]
  where Element == PairAnswer<Value> {
    var answers = self
    for (index, flag) in identityFlags(identity, price: price).enumerated() {
      if let flag { answers[index].notes.append("\(flag.code): \(flag.message)") }
    }
    return answers
  }
}

/// The newest trades of a pair.
package struct TradeList: Sendable, Hashable {
  /// Oldest first.
  package let trades: [Trade]
  /// How many rows of the answer lacked a price or a time.
  package let incomplete: Int

  package init(_ trades: [Trade], incomplete: Int = 0) {
    self.trades = trades
    self.incomplete = incomplete
  }

  /// The trades in units of the asset.
  ///
  /// - Parameter factor: what the exchange counts as one.
  func scaled(by factor: Decimal) -> TradeList {
    TradeList(trades.map { $0.scaled(by: factor) }, incomplete: incomplete)
  }
}

/// The candles of a pair, and how far the answers reached.
package struct CandleList: Sendable, Hashable {
  package let series: CandleSeries
  /// The start of the first candle that was wanted; nil where nobody knows.
  package let wantedStart: Instant?
  /// The intervals behind the newest candle that are over, were wanted, and have none.
  package let tail: CandleSeries.Gap?
  /// The start of a candle that had not begun when it came, and was left out.
  package let future: Instant?
  /// Two candles of one start that one of the answers held; nil without such.
  package let contradiction: CandleSeries.Contradiction?
  /// What does not fit together in the candles that these were built of; empty where they were not.
  package let sourceFindings: [DataFinding]
  /// Why older candles are missing: the exchange does not offer them, or a page failed. nil where all that was wanted
  /// was asked for.
  package let shortfall: Shortfall?
  /// How many rows of the answers lacked a time or a price.
  package let incomplete: Int

  /// Why the candles do not reach as far back as was wanted.
  package enum Shortfall: Sendable, Hashable {
    /// One request brings no more, and there is no other.
    case notOffered
    /// A replay has no recording of the page, and played that of another.
    case notRecorded
    /// The page failed that would have held the candle before the oldest one here.
    case page(TableFailure)
  }

  package init(
    _ series: CandleSeries, wantedStart: Instant? = nil, tail: CandleSeries.Gap? = nil, future: Instant? = nil,
    contradiction: CandleSeries.Contradiction? = nil, sourceFindings: [DataFinding] = [],
    shortfall: Shortfall? = nil, incomplete: Int = 0
  ) {
    self.series = series
    self.wantedStart = wantedStart
    self.tail = tail
    self.future = future
    self.contradiction = contradiction
    self.sourceFindings = sourceFindings
    self.shortfall = shortfall
    self.incomplete = incomplete
  }

  /// The candles in units of the asset.
  ///
  /// - Parameter factor: what the exchange counts as one.
  func scaled(by factor: Decimal) -> CandleList {
    CandleList(
      series.with(series.candles.map { $0.scaled(by: factor) }), wantedStart: wantedStart, tail: tail,
      future: future,
      contradiction: contradiction.map {
        CandleSeries.Contradiction($0.first.scaled(by: factor), $0.second.scaled(by: factor))
      },
      sourceFindings: sourceFindings, shortfall: shortfall, incomplete: incomplete)
  }

  /// What does not fit together in the candles, or in those that they were built of.
  ///
  /// - Parameters:
  ///   - series: these candles with others beside them; nil for these alone.
  ///   - ticker: of the same pair; nil where none is at hand.
  ///   - identityPercent: how far two prices of one pair may lie apart.
  ///   - arrival: when the answer came; nil where that is not known.
  package func findings(
    in series: CandleSeries? = nil, ticker: Ticker? = nil, identityPercent: Decimal = 100, arrival: Instant?
  ) -> [DataFinding] {
    let own = CandleCheck(series ?? self.series, future: future, contradiction: contradiction)
      .findings(ticker: ticker, identityPercent: identityPercent, arrival: arrival)
    return sourceFindings + own.filter { finding in !sourceFindings.contains { $0.kind == finding.kind } }
  }
}
