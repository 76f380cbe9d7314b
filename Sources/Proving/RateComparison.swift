import Config
import Mapping
import Quotes

/// Compares the rates of all providers: a quotient upside down, a lost number of units or a wrong scale gives rates
/// that are plausible on their own.
package struct RateComparison: Sendable {
  /// The exchanges and providers, with the results of the comparison among their findings.
  package let exchanges: [TestedExchange]

  /// How far two rates of one week may be apart, in percent of the smaller, without a word.
  private static let percent: Decimal = 100
  /// From where on it is a mistake: a currency may have an official rate and one of the street.
  private static let mistakePercent: Decimal = 400
  private static let weekSeconds: Int64 = 604_800
  /// The time in which few currencies lose four fifths of their value. Beyond a week only such differences count, and a
  /// rate that is reversed but for half of it.
  private static let yearsSeconds: Int64 = 94_608_000
  private static let reversedPercentOfYears: Decimal = 50

  /// - Parameters:
  ///   - exchanges: With the results of their own tests.
  ///   - others: Providers that are not tested, but whose rates help to judge.
  package init(_ exchanges: [TestedExchange], beside others: [TestedExchange] = []) {
    let all = exchanges + others
    self.exchanges = exchanges.map { tested in
      guard !tested.rates.isEmpty else { return tested }
      var tested = tested
      let market = RateMarket(all.filter { $0.name != tested.name })
      tested.general += tested.rates.compactMap { Self.finding(on: $0, of: tested.name, market) }
      let alone = tested.rates.filter { $0.isKept && Self.isAlone($0, market) }.map { "\($0.pair)" }
      if !alone.isEmpty {
        tested.general.append(
          Finding(
            .notBeside, .note, "no rate of another provider to compare with: \(alone.shortList)",
            about: .exchange(tested.name)))
      }
      return tested
    }
  }

  private static func isAlone(_ rate: TestedRate, _ market: RateMarket) -> Bool {
    guard let own = rate.reading?.rate, own.signum > 0, let arrival = rate.arrival else { return false }
    return market.verdict(on: own, of: rate.pair, near: arrival, withinSeconds: yearsSeconds, percent) == nil
  }

  private static func finding(on rate: TestedRate, of name: String, _ market: RateMarket) -> Finding? {
    guard let own = rate.reading?.rate, own.signum > 0, let arrival = rate.arrival else { return nil }
    func verdict(_ seconds: Int64, _ percent: Decimal) -> RateMarket.Verdict? {
      market.verdict(on: own, of: rate.pair, near: arrival, withinSeconds: seconds, percent)
    }
    let ofWeek = verdict(weekSeconds, percent)
    guard case .contradiction(let other, let names)? = ofWeek ?? verdict(yearsSeconds, mistakePercent) else {
      return nil
    }
    let reversed: Decimal = ofWeek == nil ? reversedPercentOfYears : 5
    let isMistake = isReversed(own, other, reversed) || isFar(own, other, mistakePercent)
    let text = "\(rate.pair): the rate is \(words(own)) here, and \(words(other)) by \(names.shortList)"
    return Finding(
      .failedCheck, isMistake ? .error : .note, text, about: .exchange(name), help: help(own, other, reversed))
  }

  /// Returns whether two rates of one pair are near enough to each other, and neither is the reverse of the other.
  fileprivate static func agree(_ one: Decimal, _ other: Decimal, _ percent: Decimal? = nil) -> Bool {
    !isFar(one, other, percent ?? Self.percent) && !isReversed(one, other)
  }

  private static func isFar(_ one: Decimal, _ other: Decimal, _ percent: Decimal) -> Bool {
    max(one, other) * 100 > min(one, other) * (100 + percent)
  }

  /// Currencies of similar value are not far apart when reversed, but then the reverse fits closely.
  ///
  /// - Parameter percent: How far it may be from fitting.
  private static func isReversed(_ own: Decimal, _ other: Decimal, _ percent: Decimal = 5) -> Bool {
    guard let inverse = Decimal(1).divided(by: own) else { return false }
    return isFar(own, other, percent * 2) && !isFar(inverse, other, percent)
  }

  private static func help(_ own: Decimal, _ other: Decimal, _ reversed: Decimal) -> String {
    if isReversed(own, other, reversed) {
      return "it is the rate of the reversed pair: swap the two of its \"quotient\""
    }
    for power in [-4, -3, -2, -1] where !isFar(own.scaledByPowerOfTen(power), other, 30) {
      let factor = Decimal(1).scaledByPowerOfTen(-power).shortest
      return "is it for \(factor) units (\"units\"), or is its \"scale\" wrong?"
    }
    return "check its path, \"scale\" and \"units\""
  }

  private static func words(_ rate: Decimal) -> String { rate.rounded(toSignificantDigits: 6).shortest }
}

/// The rates of several providers, as a net of currencies.
private struct RateMarket {
  /// A rate between two currencies.
  struct Quote {
    let name: String
    let rate: Decimal
    let arrival: Instant
  }

  private var quotes: [Pair: [Quote]] = [:]
  /// The providers, in the order of the config.
  private let names: [String]

  /// A rate, and whose it is.
  private typealias Found = (rate: Decimal, names: [String])

  init(_ providers: [TestedExchange]) {
    names = providers.map(\.name)
    for provider in providers {
      for rate in provider.rates {
        guard let value = rate.reading?.rate, value.signum > 0, let arrival = rate.arrival,
          let inverse = Decimal(1).divided(by: value)
        else { continue }
        let (asset, payment) = (rate.pair.asset, rate.pair.payment)
        quotes[rate.pair, default: []].append(Quote(name: provider.name, rate: value, arrival: arrival))
        quotes[Pair(asset: payment, payment: asset), default: []]
          .append(Quote(name: provider.name, rate: inverse, arrival: arrival))
      }
    }
  }

  enum Verdict: Hashable {
    case agreement
    case contradiction(rate: Decimal, names: [String])
  }

  /// Returns whether a provider's own rate is contradicted: by more providers of the pair than agree with it, or else by
  /// the shortest way over other currencies; nil if nothing is known. Of two providers alone, each contradicts the other.
  ///
  /// - Parameter percent: How far rates may be apart.
  func verdict(
    on own: Decimal, of pair: Pair, near arrival: Instant, withinSeconds seconds: Int64, _ percent: Decimal
  ) -> Verdict? {
    func verdict(_ found: Found) -> Verdict { .contradiction(rate: found.rate, names: found.names) }
    func near(_ pair: Pair) -> [Quote] {
      (quotes[pair] ?? []).filter { arrival.nanoseconds(since: $0.arrival).magnitude / 1_000_000_000 <= seconds }
    }
    let direct = near(pair)
    if direct.isEmpty {
      return way(of: pair, by: near).map { RateComparison.agree(own, $0.rate, percent) ? .agreement : verdict($0) }
    }
    let rivals = direct.filter { !RateComparison.agree(own, $0.rate, percent) }
    let most = rivals.map { camp(of: $0, in: rivals) }.largest
    let allies = direct.count - rivals.count
    return most.isEmpty || most.count <= allies ? .agreement : verdict(rate(of: most))
  }

  /// Returns the quotes that agree with one, itself included.
  private func camp(of quote: Quote, in all: [Quote]) -> [Quote] {
    all.filter { RateComparison.agree(quote.rate, $0.rate) }
  }

  /// Returns the median of quotes that agree, and whose they are.
  private func rate(of camp: [Quote]) -> Found {
    let rates = camp.map(\.rate).sorted()
    return (rates[rates.count / 2], names.filter { name in camp.contains { $0.name == name } })
  }

  /// Returns a rate by the shortest way over other currencies. A step whose providers contradict each other, as many
  /// on one side as on the other, leads nowhere.
  private func way(of pair: Pair, by near: (Pair) -> [Quote]) -> Found? {
    func step(_ pair: Pair) -> Found? {
      let all = near(pair)
      let most = all.map { camp(of: $0, in: all) }.largest
      return most.count * 2 > all.count ? rate(of: most) : nil
    }
    var known: [String: Found] = [pair.asset: (1, [])]
    var currencies = [pair.asset]
    while !currencies.isEmpty, known[pair.payment] == nil {
      var next: [String] = []
      for from in currencies {
        guard let way = known[from] else { continue }
        for payment in quotes.keys.filter({ $0.asset == from }).map(\.payment).sorted() where known[payment] == nil {
          guard let step = step(Pair(asset: from, payment: payment)) else { continue }
          let rate = (way.rate * step.rate).rounded(toSignificantDigits: 12)
          known[payment] = (rate, (way.names + step.names).unique)
          next.append(payment)
        }
      }
      currencies = next
    }
    return known[pair.payment]
  }
}

extension [[RateMarket.Quote]] {
  /// The first of the largest; empty if there are none.
  fileprivate var largest: [RateMarket.Quote] { reduce([]) { $1.count > $0.count ? $1 : $0 } }
}
