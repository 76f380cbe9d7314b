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

  package let kind: Kind
  /// One sentence with the numbers, in lower case without a final period.
  package let fact: String
  /// The likely cause.
  package let advice: String?
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

  init(_ kind: Kind, _ fact: String, advice: String? = nil, failed: Int = 1, checked: Int = 1) {
    self.kind = kind
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
  package var countedFact: String { checked > 1 ? "\(fact) (\(failed) of \(checked))" : fact }

  package var message: String { countedFact + (advice.map { ": \($0)" } ?? "") }
}

/// The rows that fail one check, represented by the first.
struct FailedRows {
  private var first: (fact: String, advice: String?)?
  private(set) var failed = 0
  private(set) var checked = 0

  mutating func check(_ holds: Bool, _ fact: @autoclosure () -> String, advice: @autoclosure () -> String? = nil) {
    checked += 1
    guard !holds else { return }
    failed += 1
    if first == nil { first = (fact(), advice()) }
  }

  func finding(_ kind: DataFinding.Kind) -> DataFinding? {
    first.map { DataFinding(kind, $0.fact, advice: $0.advice, failed: failed, checked: checked) }
  }
}

extension Instant {
  /// How far a clock may be ahead, in nanoseconds.
  static let clockTolerance: Int64 = 5 * second

  /// Returns whether a moment is too late to have been in the past when an answer arrived.
  package func isFuture(at arrival: Instant) -> Bool { nanoseconds(since: arrival) > Self.clockTolerance }

  /// Returns what to check if this moment is impossible for something that arrived then. A zone is off by quarters of an
  /// hour at least.
  package func whatToCheck(at arrival: Instant) -> String {
    nanoseconds(since: arrival).magnitude < 10 * Self.minute.magnitude ? "check both clocks" : "check unit and zone"
  }

  /// Returns whether something that arrived then can have happened at this moment.
  package func isPossible(at arrival: Instant) -> Bool { !isFuture(at: arrival) && !isBeforeCoins }

  /// Whether a moment is before Bitcoin's first block, of 2009-01-03: seconds read as milliseconds fall in 1970.
  package var isBeforeCoins: Bool { nanoseconds < 1_230_940_800_000_000_000 }
}
