package import Mapping
package import Quotes

/// The candles of a pair, and how far back the answers reached.
package struct CandleList: Sendable, Hashable {
  package internal(set) var series: CandleSeries
  /// The start of the first wanted candle; nil if unknown.
  package let wantedStart: Instant?
  /// The completed, wanted intervals after the newest candle that have no candle.
  package let tail: CandleSeries.Gap?
  /// The start of a candle that lay in the future on arrival and was dropped.
  package let future: Instant?
  /// Two candles with the same start in one answer; nil if there are none.
  package private(set) var contradiction: CandleSeries.Contradiction?
  /// Inconsistencies in everything that was received: candles outside of the requested time, and those that these were
  /// built from, in units of the asset. nil if only these candles are known.
  package let receivedFindings: [DataFinding]?
  /// Why older candles are missing: the exchange does not offer them, or a page failed. nil if everything wanted was
  /// requested.
  package let shortfall: Shortfall?
  /// The number of rows without a time or a price.
  package let incomplete: Int
  /// The time of the exchange by the answer's date, if this machine's clock is ahead of it or behind. If it is ahead, that
  /// decides which candles are complete; if it is behind, only if `series.whole` is known.
  package internal(set) var clock: ClockReading?

  /// Why the candles do not reach as far back as wanted.
  package enum Shortfall: Sendable, Hashable {
    /// One request returns no more, and there is no other.
    case notOffered
    /// A replay lacks a recording of the page, and played that of another.
    case notRecorded
    /// The page failed that would have contained the candle before the oldest one here.
    case page(AnswerFailure)
  }

  package init(
    _ series: CandleSeries, wantedStart: Instant? = nil, tail: CandleSeries.Gap? = nil, future: Instant? = nil,
    contradiction: CandleSeries.Contradiction? = nil, receivedFindings: [DataFinding]? = nil,
    shortfall: Shortfall? = nil, incomplete: Int = 0
  ) {
    self.series = series
    self.wantedStart = wantedStart
    self.tail = tail
    self.future = future
    self.contradiction = contradiction
    self.receivedFindings = receivedFindings
    self.shortfall = shortfall
    self.incomplete = incomplete
  }

  /// Why a page of older candles failed; nil if none has.
  package var missingPage: AnswerFailure? { if case .page(let failure)? = shortfall { failure } else { nil } }

  func scaled(by factor: Decimal) -> CandleList {
    var list = self
    list.series = series.with(series.candles.map { $0.scaled(by: factor) })
    list.contradiction = contradiction?.map { $0.scaled(by: factor) }
    return list
  }

  /// Returns inconsistencies in the candles, and in all that were received with them.
  ///
  /// - Parameters:
  ///   - series: These candles joined with others; nil for these alone.
  ///   - answered: Those of them that answers contained: one of a stream between them would hide their step. nil if all
  ///     are.
  ///   - ticker: The ticker of the same pair; nil if unavailable.
  ///   - identityPercent: How far apart two prices of the same pair may be.
  ///   - arrival: When the answer arrived; nil if unknown.
  package func findings(
    in series: CandleSeries? = nil, answered: CandleSeries? = nil, ticker: Ticker? = nil,
    identityPercent: Decimal = 100, arrival: Instant?
  ) -> [DataFinding] {
    let check = CandleCheck(series ?? self.series, future: future, contradiction: contradiction)
    let isBuilt = self.series.source != nil
    // What holds for all of them holds for some.
    if series == nil, !isBuilt, receivedFindings?.isEmpty == true {
      return check.findings(besides: ticker, identityPercent: identityPercent, arrival: arrival)
    }
    var own = check.findings(ticker: ticker, identityPercent: identityPercent, arrival: arrival)
    if let step = answered.flatMap({ CandleCheck($0).step }), !own.contains(where: { $0.kind == step.kind }) {
      own.append(step)
    }
    let received = receivedFindings ?? []
    // Faults of the source candles are hardly visible in built ones. Otherwise what is shown decides if it is to be
    // believed.
    if isBuilt { return received + own.filter { finding in !received.contains { $0.kind == finding.kind } } }
    return own + received.filter { finding in !own.contains { $0.kind == finding.kind } }.map(\.ofOthers)
  }
}
