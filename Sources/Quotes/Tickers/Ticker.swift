/// One row of an exchange: its data on one pair.
package struct Ticker: Sendable, Hashable {
  package var exchange: String
  package var market: Market
  /// The exchange's group of futures (USDT-margined, coin-margined); nil if there is none.
  package var product: String?
  /// The pair's name in the exchange's spelling.
  package var symbol: String
  package var pair: Pair

  package var price: Cell
  package var changePricePercent24: Cell
  package var volume24: Cell
  package var turnover24: Cell
  package var open: Cell
  package var high: Cell
  package var low: Cell
  package var bid: Cell
  package var ask: Cell
  /// As the exchange sent it. Ages are counted from `timeByClock`.
  package var time: Instant?
  /// How far our clock was set back since that time was read.
  private var heldBack = Duration.zero
  /// Why there is no time; nil if there is one.
  package var timeMissing: Missing?
  /// When the answer with this row arrived; nil if unknown (a saved file).
  package var arrival: Instant?
  /// When its price arrived, or what stands for it, if not with the row: a message may have other figures alone, and an
  /// answer may have had the price again since.
  package var otherPriceArrival: Instant?

  /// nil if unknown.
  package var changeBasis: ChangeBasis?
  /// nil if unknown, which is treated as different from the rolling 24 hours.
  package var highBasis: ChangeBasis?
  /// nil if unknown, which is treated as different from the rolling 24 hours.
  package var lowBasis: ChangeBasis?
  package var priceBasis: PriceBasis
  package var timeBasis: TimeBasis

  package var flags: [Flag]

  /// How the values were obtained, if they were not simply read.
  private var workings: Workings { didSet { isAsSent = workings.isEmpty } }

  /// Whether each value is the exchange's own, digit by digit. Stored, since a call from another module copies the row.
  package private(set) var isAsSent: Bool

  /// Creates a row without values; each cell is `notOffered` until it is set.
  package init(
    exchange: String, market: Market, product: String? = nil, symbol: String, pair: Pair,
    price: Cell = .missing(.notOffered), changePricePercent24: Cell = .missing(.notOffered),
    volume24: Cell = .missing(.notOffered), turnover24: Cell = .missing(.notOffered),
    open: Cell = .missing(.notOffered), high: Cell = .missing(.notOffered), low: Cell = .missing(.notOffered),
    bid: Cell = .missing(.notOffered), ask: Cell = .missing(.notOffered),
    time: Instant? = nil, timeMissing: Missing? = nil, arrival: Instant? = nil,
    changeBasis: ChangeBasis? = nil, highBasis: ChangeBasis? = nil, lowBasis: ChangeBasis? = nil,
    priceBasis: PriceBasis = .last, timeBasis: TimeBasis = .quote,
    multiplier: Decimal? = nil, flags: [Flag] = []
  ) {
    self.exchange = exchange
    self.market = market
    self.product = product
    self.symbol = symbol
    self.pair = pair
    self.price = price
    self.changePricePercent24 = changePricePercent24
    self.volume24 = volume24
    self.turnover24 = turnover24
    self.open = open
    self.high = high
    self.low = low
    self.bid = bid
    self.ask = ask
    self.time = time
    self.timeMissing = time == nil ? timeMissing ?? .notOffered : nil
    self.arrival = arrival
    self.changeBasis = changeBasis
    self.highBasis = highBasis
    self.lowBasis = lowBasis
    self.priceBasis = priceBasis
    self.timeBasis = timeBasis
    self.flags = flags
    workings = Workings(Details(multiplier: multiplier))
    isAsSent = workings.isEmpty
  }

  /// Details that only a few rows have.
  private struct Details: Sendable, Hashable {
    var multiplier: Decimal?
    var derived: [TickerField] = []
    var quotients: [TickerField] = []
    var exactText: [TickerField: String] = [:]
  }

  /// The details boxed behind one word, which is empty in most rows: rows are copied by the thousand.
  private indirect enum Workings: Sendable, Hashable {
    case none
    case some(Details)

    init(_ details: Details) { self = details == Details() ? .none : .some(details) }

    var isEmpty: Bool { if case .none = self { true } else { false } }
  }

  private var details: Details {
    get { if case .some(let details) = workings { details } else { Details() } }
    set { workings = Workings(newValue) }
  }

  /// The unit in which the exchange counts the asset (1000 for `1000PEPE`). Prices and volume are already per single
  /// unit.
  package var multiplier: Decimal? {
    get { details.multiplier }
    set { details.multiplier = newValue }
  }

  /// The fields that were computed rather than read.
  package var derived: [TickerField] {
    get { details.derived }
    set { details.derived = newValue }
  }

  /// The derived fields that involve a division; they are shown with 12 significant digits.
  package var quotients: [TickerField] {
    get { details.quotients }
    set { details.quotients = newValue }
  }

  /// The exchange's digits of values that have more than 38.
  package var exactText: [TickerField: String] {
    get { details.exactText }
    set { details.exactText = newValue }
  }
}

/// The identity of a row. Two rows with the same key cannot be told apart.
package struct RowKey: Sendable, Hashable {
  package let exchange: String
  package let market: Market
  package let pair: Pair
  package let product: String?
}

extension Ticker {
  /// The row's age on arrival, by its own time; nil if either is missing. Negative only for a time further in the
  /// future than clocks differ.
  package var ageNanoseconds: Int64? { lastArrival.flatMap { ageNanoseconds(at: $0) } }

  /// Returns the same for another moment.
  package func ageNanoseconds(at moment: Instant) -> Int64? {
    guard let time = timeByClock else { return nil }
    let age = moment.nanoseconds(since: time)
    return time.isFuture(at: moment) ? age : max(0, age)
  }

  /// When its price arrived, or what stands for it; nil if unknown.
  package var priceArrival: Instant? { otherPriceArrival ?? arrival }

  /// When any of it last arrived: an answer may have had its price after the message with the other figures; nil if
  /// unknown.
  package var lastArrival: Instant? { arrival.map { max($0, otherPriceArrival ?? $0) } }

  /// Its time, counted from a clock that may have been set back since, if that is the time of its last trade, which stays as
  /// old as it was.
  package var timeByClock: Instant? {
    timeBasis == .trade ? time?.advanced(by: .zero - heldBack) : time
  }

  /// Takes the time of another row, and why there is none.
  package mutating func takeTime(from other: Ticker) {
    (time, timeMissing, timeBasis, heldBack) = (other.time, other.timeMissing, other.timeBasis, other.heldBack)
  }

  /// Counts its arrival from a clock that was set back, and the age of its last trade.
  package mutating func follow(setBack span: Duration) {
    arrival?.follow(setBack: span)
    otherPriceArrival?.follow(setBack: span)
    heldBack += span
  }

  /// Whether it arrived later than a clock shows that was set back since.
  package func isLate(by now: Instant) -> Bool { max(arrival ?? now, otherPriceArrival ?? now) > now }

  /// Returns the row as it arrived by a clock that shows `now`: what arrived later by it did before it was set back.
  package func arrived(by now: Instant) -> Ticker {
    guard isLate(by: now) else { return self }
    var row = self
    row.heldBack += .nanoseconds(max(0, priceArrival?.nanoseconds(since: now) ?? 0))
    row.arrival = arrival.map { min($0, now) }
    row.otherPriceArrival = otherPriceArrival.map { min($0, now) }
    return row
  }

  package var key: RowKey { RowKey(exchange: exchange, market: market, pair: pair, product: product) }
}
