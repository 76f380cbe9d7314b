package import Quotes

/// The rate of a pair as it may be used, and all that has to be known of it.
package struct RateQuote: Sendable, Hashable {
  package let pair: Pair
  /// The payment currency for one unit of the asset; above zero.
  package let rate: Decimal
  /// What the change is measured from; above zero, or why it is not known.
  package let open: Cell
  /// In the payment currency.
  package let change: Cell
  package let changePercent: Cell
  /// The provider's name in the config: `OpenExchangeRates`; two of a product: `Dunamu, OpenExchangeRates`.
  package let provider: String
  /// Who quotes, in the provider's own words: `하나은행`. Text from outside: clean it before it is shown.
  package var quotedBy: String?
  /// Whose rate the open is, where that is another provider's.
  package var openProvider: String?
  /// When that rate was quoted: after an outage a close may be days old.
  package var openTime: Instant?
  /// When the rate was quoted.
  package var time: Instant?
  /// The day of the rate, in the provider's own words. Text from outside.
  package var date: String?
  /// When the answer came.
  package var arrival: Instant?
  package var labels: [RateLabel] = []

  /// A rate with what its provider says of open and change; what it leaves out is worked out from the rest.
  package init(_ reading: RateReading, provider: String) {
    pair = reading.pair
    rate = reading.rate
    self.provider = provider
    let open = reading.open ?? reading.change.map { reading.rate - $0 }.flatMap { $0.signum > 0 ? $0 : nil }
    self.open = Self.cell(open, .openUnknown)
    change = Self.cell(open.map { reading.change ?? reading.rate - $0 }, .openUnknown)
    changePercent =
      if let said = reading.changePercent, let open,
        !MeaningCheck.isChange(said, from: open, to: reading.rate)
      {
        .missing(.contradictory)
      } else if open == nil, reading.change != nil {
        // A change that leaves nothing of the open: what is said in percent is not to be believed either.
        .missing(.openUnknown)
      } else {
        Self.cell(reading.changePercent ?? open.flatMap { Self.percent(reading.rate, $0) }, .openUnknown)
      }
    quotedBy = reading.quotedBy
    time = reading.time
    date = reading.date
  }

  /// A rate whose change is measured from a given open.
  package init(_ pair: Pair, _ rate: Decimal, since open: Decimal?, provider: String) {
    self.pair = pair
    self.rate = rate
    self.provider = provider
    self.open = Self.cell(open, .openUnknown)
    change = Self.cell(open.map { rate - $0 }, .openUnknown)
    changePercent = Self.cell(open.flatMap { Self.percent(rate, $0) }, .openUnknown)
  }

  /// How old the rate is at a moment, in nanoseconds; nil where it says no time. Never below zero: clocks differ.
  package func age(at now: Instant) -> Int64? { time.map { max(0, now.nanoseconds(since: $0)) } }

  /// What is older, in nanoseconds, has to be labelled, where the provider is no daily one.
  static let oldAge: Int64 = 6 * 3600 * 1_000_000_000

  /// Whether it says what held hours ago, of a provider that has something new more often than once a day: by its label, or
  /// since it was labelled.
  package func isOld(at now: Instant) -> Bool {
    labels.contains(.old) || !labels.contains(.daily) && age(at: now).map { $0 > Self.oldAge } ?? false
  }

  /// The pair the other way round: one divided by the rate.
  package var inverted: RateQuote? {
    guard let rate = Decimal(1).divided(by: rate) else { return nil }
    var result = RateQuote(
      Pair(asset: pair.payment, payment: pair.asset), rate,
      since: open.value.flatMap { Decimal(1).divided(by: $0) }, provider: provider)
    result.take(origin: self)
    result.labels = labels + [.inverse]
    return result
  }

  /// The rate of a pair that two pairs make: EUR/USD times USD/KRW is EUR/KRW, as old as the older of the two.
  package func crossed(with other: RateQuote) -> RateQuote {
    let open = open.value.flatMap { first in other.open.value.map { first * $0 } }
    let names = provider == other.provider ? provider : "\(provider), \(other.provider)"
    var result = RateQuote(
      Pair(asset: pair.asset, payment: other.pair.payment), rate * other.rate, since: open, provider: names)
    let times = [time, other.time].compactMap(\.self)
    let older = times.count < 2 ? (time == nil ? self : other) : (times[0] <= times[1] ? self : other)
    result.take(origin: older)
    let words = [quotedBy ?? provider, other.quotedBy ?? other.provider]
    result.quotedBy = words[0] == words[1] ? words[0] : words.joined(separator: ", ")
    result.labels = labels + other.labels.filter { !labels.contains($0) } + [.crossed(pair.payment)]
    return result
  }

  private mutating func take(origin: RateQuote) {
    (quotedBy, openProvider, openTime, time, date, arrival) = (
      origin.quotedBy, origin.openProvider, origin.openTime, origin.time, origin.date, origin.arrival
    )
  }

  private static func cell(_ value: Decimal?, _ reason: Missing) -> Cell {
    value.map { .value($0) } ?? .missing(reason)
  }

  private static func percent(_ rate: Decimal, _ open: Decimal) -> Decimal? {
    (rate - open).scaledByPowerOfTen(2).divided(by: open)
  }
}

/// What has to be said beside a rate.
package enum RateLabel: Sendable, Hashable {
  /// The provider names one rate a day.
  case daily
  /// The provider's newest answer could not be fetched: this is the one before.
  case kept(TableFailure)
  /// More than six hours old, of a provider that has something new more often than once a day.
  case old
  /// It says neither time nor date, or none that can be read: nobody knows how old it is.
  case undated
  /// What an exchange's price of a stablecoin implies, its premium included.
  case implied
  /// The product of two rates, through this currency.
  case crossed(String)
  /// One divided by the rate of the pair the other way round.
  case inverse
  /// Far from the last known rate, and confirmed by this provider.
  case confirmed(String)
  /// There is no earlier rate to hold it against.
  case unchecked

  /// The stable word of JSON and csv: `daily`, `last-known timeout`.
  package var code: String {
    switch self {
    case .daily: "daily"
    case .kept(let failure): "last-known \(failure.reason.code)"
    case .old: "old"
    case .undated: "undated"
    case .implied: "implied"
    case .crossed(let currency): "via \(currency)"
    case .inverse: "inverse"
    case .confirmed(let provider): "confirmed \(provider)"
    case .unchecked: "unchecked"
    }
  }
}
