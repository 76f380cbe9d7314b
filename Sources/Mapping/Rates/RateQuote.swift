package import Quotes

/// The usable rate of a pair, and everything that needs to be known about it.
package struct RateQuote: Sendable, Hashable {
  package let pair: Pair
  /// The amount of payment currency per unit of the asset; above zero.
  package let rate: Decimal
  /// The basis of the change; above zero, or the reason why it is unknown.
  package private(set) var open: Cell
  /// In the payment currency.
  package private(set) var change: Cell
  package private(set) var changePercent: Cell
  /// The provider's name in the config: `OpenExchangeRates`; both names for a product: `Dunamu, OpenExchangeRates`.
  package let provider: String
  /// The quoting institution, as named by the provider: `하나은행`. External text: sanitize it before showing it.
  package var quotedBy: String?
  /// The provider of the open, if different.
  package var openProvider: String?
  /// When the open was quoted: after an outage, a close may be days old.
  package var openTime: Instant?
  /// When the rate was quoted.
  package var time: Instant?
  /// The day of the rate, as written by the provider. External text.
  package var date: String?
  /// When the response arrived.
  package var arrival: Instant?
  package var labels: [RateLabel] = []

  /// Creates a quote with the open and change that the provider reports, computing whatever is missing. No currency of
  /// ours moves by a fifth in a day, so an open that is as far away is none.
  package init(_ reading: RateReading, provider: String) {
    pair = reading.pair
    rate = reading.rate
    self.provider = provider
    quotedBy = reading.quotedBy
    time = reading.time
    date = reading.date
    let open = reading.open ?? reading.change.map { reading.rate - $0 }.flatMap { $0.signum > 0 ? $0 : nil }
    if open.map({ RateDecision.isFar($0, from: reading.rate) }) ?? reading.isFarByPercent {
      (self.open, change, changePercent) = (.missing(.implausible), .missing(.implausible), .missing(.implausible))
      return
    }
    self.open = Self.cell(open, .openUnknown)
    change = Self.cell(open.map { reading.change ?? reading.rate - $0 }, .openUnknown)
    changePercent =
      if let said = reading.changePercent, let open,
        !MeaningCheck.isChange(said, from: open, to: reading.rate)
      {
        .missing(.contradictory)
      } else {
        // What a percentage is measured from must be known, whatever the provider says.
        Self.cell(open.flatMap { reading.changePercent ?? reading.rate.percent(above: $0) }, .openUnknown)
      }
  }

  /// Creates a quote whose change is measured from a given open.
  package init(_ pair: Pair, _ rate: Decimal, since open: Decimal?, provider: String) {
    self.pair = pair
    self.rate = rate
    self.provider = provider
    self.open = Self.cell(open, .openUnknown)
    change = Self.cell(open.map { rate - $0 }, .openUnknown)
    changePercent = Self.cell(open.flatMap { rate.percent(above: $0) }, .openUnknown)
  }

  /// Returns the age of the rate at a moment, in nanoseconds; nil if it has no time. Never negative, even if clocks
  /// differ.
  package func age(at now: Instant) -> Int64? { time.map { max(0, now.nanoseconds(since: $0)) } }

  /// The days after which a provider that publishes one rate a day must have a new one: a weekend and a holiday pass
  /// without.
  static let oldDays = 4

  /// Returns whether a rate of this age, in nanoseconds, is old: after six hours, or four days if its provider is daily.
  static func isOld(_ age: Int64, isDaily: Bool) -> Bool {
    age > (isDaily ? Int64(oldDays) * Instant.day : 6 * Instant.hour)
  }

  /// Returns whether it is older than its provider's schedule explains, whether or not it was labeled so.
  package func isOld(at now: Instant) -> Bool {
    labels.contains(.old) || age(at: now).map { Self.isOld($0, isDaily: labels.contains(.daily)) } ?? false
  }

  /// Whether it is far from the last known rate, and no other provider agrees.
  package var isUnconfirmed: Bool {
    labels.contains { if case .unconfirmed = $0 { true } else { false } }
  }

  /// The inverse pair: one divided by the rate.
  package var inverted: RateQuote? {
    guard let rate = Decimal(1).divided(by: rate) else { return nil }
    var result = RateQuote(
      Pair(asset: pair.payment, payment: pair.asset), rate,
      since: open.value.flatMap { Decimal(1).divided(by: $0) }, provider: provider)
    result.take(origin: self)
    result.takeDoubts(of: self)
    result.labels = labelsOfPair + [.inverse]
    return result
  }

  /// Returns the product of two pairs: EUR/USD times USD/KRW is EUR/KRW. It is as old as the older of the two.
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
    result.takeDoubts(of: self)
    result.takeDoubts(of: other)
    result.labels =
      labelsOfPair + other.labelsOfPair.filter { !labelsOfPair.contains($0) } + [.crossed(pair.payment)]
    return result
  }

  /// Takes over why the open or the change of a rate that this one is made of is not believed.
  private mutating func takeDoubts(of other: RateQuote) {
    if let reason = other.open.missing, reason != .openUnknown { open = .missing(reason) }
    if let reason = other.changePercent.missing, reason != .openUnknown {
      (change, changePercent) = (.missing(reason), .missing(reason))
    }
  }

  /// The labels for a rate of another pair that is made of this one, which name this pair where they name a rate.
  private var labelsOfPair: [RateLabel] {
    labels.map { label in
      guard case .unconfirmed(let rate, let provider, let pair) = label else { return label }
      return .unconfirmed(since: rate, by: provider, of: pair ?? self.pair)
    }
  }

  private mutating func take(origin: RateQuote) {
    (quotedBy, openProvider, openTime, time, date, arrival) = (
      origin.quotedBy, origin.openProvider, origin.openTime, origin.time, origin.date, origin.arrival
    )
  }

  private static func cell(_ value: Decimal?, _ reason: Missing) -> Cell {
    value.map { .value($0) } ?? .missing(reason)
  }
}

/// A remark to show next to a rate.
package enum RateLabel: Sendable, Hashable {
  /// The provider publishes one rate a day.
  case daily
  /// The provider's newest response could not be fetched: this is the previous rate.
  case kept(AnswerFailure)
  /// More than six hours old, or four days from a provider that publishes one rate a day.
  case old
  /// Without a readable time or date, so its age is unknown.
  case undated
  /// Implied by an exchange's price of a stablecoin, including its premium.
  case implied
  /// The product of two rates through this currency.
  case crossed(String)
  /// One divided by the rate of the inverse pair.
  case inverse
  /// Far from the last known rate, but confirmed by this provider.
  case confirmed(String)
  /// More than 3 % away from this one, and no other provider agrees.
  ///
  /// - by: The provider of the other rate; nil if it is the last known.
  case unconfirmed(since: Decimal, by: String? = nil, of: Pair? = nil)
  /// There is no earlier rate to check it against.
  case unchecked

  /// The stable code used in JSON and CSV: `daily`, `last-known timeout`.
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
    case .unconfirmed: "unconfirmed"
    case .unchecked: "unchecked"
    }
  }
}

extension RateReading {
  /// Whether a change that is only known in percent is more than a fifth.
  fileprivate var isFarByPercent: Bool { change == nil && changePercent.map { $0.magnitude > 20 } == true }
}
