/// An inconsistency in an order book, in trades or in candles.
package struct DataFinding: Sendable, Hashable {
  /// The kind of check. Raw values are printed and written to JSON, so they never change.
  package enum Kind: String, Sendable, CaseIterable {
    case bookFar = "book-far"
    case bookSize = "book-size"
    case tradeFar = "trade-far"
    case tradeRange = "trade-range"
    case tradeSide = "trade-side"
    case tradeSize = "trade-size"
    case tradeTime = "trade-time"
    case tradeJump = "trade-jump"
    case tradeShape = "trade-shape"
    case candleTime = "candle-time"
    case candleShape = "candle-shape"
    case candleGrid = "candle-grid"
    case candleTwice = "candle-twice"
    case candleStep = "candle-step"
    case candleChain = "candle-chain"
    case candleJump = "candle-jump"
    case candleSpike = "candle-spike"
    case candleTurnover = "candle-turnover"
    case candleVolume = "candle-volume"
    case candleLast = "candle-last"
  }

  package let fact: Fact
  package let advice: Advice?
  /// How many of the `checked` rows fail.
  package let failed: Int
  package let checked: Int
  /// The starts of the candles that it is about, if that cannot be told from each candle by itself.
  package internal(set) var starts: Set<Instant> = []
  /// Whether it is about rows that were received along with those that are shown.
  private var isOfOthers = false

  /// The finding as one about other rows than those shown.
  package var ofOthers: DataFinding {
    var finding = self
    finding.isOfOthers = true
    return finding
  }

  package var kind: Kind { fact.kind }

  package init(_ fact: Fact, advice: Advice? = nil, failed: Int = 1, checked: Int = 1) {
    self.fact = fact
    self.advice = advice
    self.failed = failed
    self.checked = checked
  }

  /// Whether it may be about single candles, which are then told by ``CandleCheck/fault(of:on:)``.
  package var isOfCandles: Bool {
    switch kind {
    case .candleShape, .candleGrid, .candleSpike, .candleTurnover: true
    default: false
    }
  }

  /// Whether so many rows fail that the mapping must be wrong: more than one in a hundred, but for turnovers, which
  /// exchanges get wrong now and then, more than half, and for contradictions one.
  package var indicatesMappingError: Bool {
    switch kind {
    case .candleTurnover: failed * 2 > checked
    case .candleTwice: true
    default: failed * 100 > checked
    }
  }

  /// Whether prices with this inconsistency may be wrong as a whole, so that no figure may be computed from them.
  package var discreditsPrices: Bool {
    guard !isOfOthers else { return false }
    return switch kind {
    case .candleTime, .candleStep, .candleChain, .candleLast: true
    case .candleShape, .candleGrid, .candleJump, .candleSpike: failed * 2 > checked
    // Of those that are not shown only one is counted.
    case .candleTwice: checked > 1 && failed * 2 > checked
    // What was traded.
    case .candleTurnover, .candleVolume: false
    case .bookFar, .tradeFar: true
    case .bookSize, .tradeRange, .tradeSide, .tradeSize, .tradeTime, .tradeJump, .tradeShape: false
    }
  }

  /// The fact, and how many rows it is about if it is about rows.
  package var countedFact: String { checked > 1 ? "\(fact) (\(failed) of \(checked))" : "\(fact)" }

  package var message: String { countedFact + (advice.map { ": \($0.text)" } ?? "") }
}

/// The rows that fail one check, represented by the first.
struct FailedRows {
  private var first: (fact: DataFinding.Fact, advice: DataFinding.Advice?)?
  private(set) var failed = 0
  private(set) var checked = 0

  /// Counts a row.
  ///
  /// - Parameter fact: What is wrong with it; nil if nothing is.
  mutating func add(_ fact: DataFinding.Fact?, advice: @autoclosure () -> DataFinding.Advice? = nil) {
    checked += 1
    guard let fact else { return }
    failed += 1
    if first == nil { first = (fact, advice()) }
  }

  /// nil if all rows pass.
  var finding: DataFinding? {
    first.map { DataFinding($0.fact, advice: $0.advice, failed: failed, checked: checked) }
  }
}

extension Instant {
  /// How far a clock may be ahead, in nanoseconds.
  static let clockTolerance: Int64 = 5 * second

  /// Returns whether a moment is too late to have been in the past when an answer arrived.
  package func isFuture(at arrival: Instant) -> Bool { nanoseconds(since: arrival) > Self.clockTolerance }

  /// Returns what to check if this moment is impossible for something that arrived then. A zone is off by quarters of an
  /// hour at least.
  package func whatToCheck(at arrival: Instant) -> DataFinding.Advice {
    nanoseconds(since: arrival).magnitude < 10 * Self.minute.magnitude ? .clocks : .unitAndZone
  }

  /// Returns whether something that arrived then can have happened at this moment.
  package func isPossible(at arrival: Instant) -> Bool { !isFuture(at: arrival) && !isBeforeCoins }

  /// Whether a moment is before Bitcoin's first block, of 2009-01-03: seconds read as milliseconds fall in 1970.
  package var isBeforeCoins: Bool { nanoseconds < 1_230_940_800_000_000_000 }
}
