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

  /// - Parameters:
  ///   - exchanges: with the results of their own tests.
  ///   - others: providers that are not tested, but whose rates help to judge.
  package init(_ exchanges: [TestedExchange], beside others: [TestedExchange] = []) {
    let all = exchanges + others
    self.exchanges = exchanges.map { tested in
      guard !tested.rates.isEmpty else { return tested }
      var tested = tested
      let market = RateMarket(all.filter { $0.name != tested.name })
      tested.general += tested.rates.compactMap { rate in
        Self.fact(rate, market).map { fact in
          Finding(.failedCheck, fact.severity, fact.text, about: .exchange(tested.name), help: fact.help)
        }
      }
      return tested
    }
  }

  private static func fact(
    _ rate: TestedRate, _ market: RateMarket
  ) -> (severity: Finding.Severity, text: String, help: String)? {
    guard let own = rate.reading?.rate, own.signum > 0, let arrival = rate.arrival,
      let other = market.rate(contradicting: own, of: rate.pair, near: arrival, withinSeconds: weekSeconds)
    else { return nil }
    let text = "\(rate.pair): the rate is \(words(own)) here, and \(words(other.rate)) by \(other.names.shortList)"
    let isMistake = isReversed(own, other.rate) || isFar(own, other.rate, mistakePercent)
    return (isMistake ? .error : .note, text, help(own, other.rate))
  }

  /// Returns whether two rates of one pair are near enough to each other, and neither is the reverse of the other.
  fileprivate static func agree(_ one: Decimal, _ other: Decimal) -> Bool {
    !isFar(one, other, percent) && !isReversed(one, other)
  }

  private static func isFar(_ one: Decimal, _ other: Decimal, _ percent: Decimal) -> Bool {
    max(one, other) * 100 > min(one, other) * (100 + percent)
  }

  /// Currencies of similar value are not far apart when reversed, but then the reverse fits closely.
  private static func isReversed(_ own: Decimal, _ other: Decimal) -> Bool {
    guard let inverse = Decimal(1).divided(by: own) else { return false }
    return isFar(own, other, 10) && !isFar(inverse, other, 5)
  }

  private static func help(_ own: Decimal, _ other: Decimal) -> String {
    if isReversed(own, other) { return "it is the rate of the reversed pair: swap the two of its \"quotient\"" }
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

  /// Returns the rate that contradicts a provider's own: that of more providers of the pair than agree with it, or else
  /// by the shortest way over other currencies; nil if as many agree with it, or nothing is known. Of two providers
  /// alone, each contradicts the other.
  func rate(
    contradicting own: Decimal, of pair: Pair, near arrival: Instant, withinSeconds seconds: Int64
  ) -> (rate: Decimal, names: [String])? {
    func near(_ pair: Pair) -> [Quote] {
      (quotes[pair] ?? []).filter { abs(arrival.nanoseconds(since: $0.arrival)) / 1_000_000_000 <= seconds }
    }
    let direct = near(pair)
    if direct.isEmpty {
      return way(of: pair, by: near).flatMap { RateComparison.agree(own, $0.rate) ? nil : $0 }
    }
    let rivals = direct.filter { !RateComparison.agree(own, $0.rate) }
    let most = rivals.map { camp(of: $0, in: rivals) }.largest
    let allies = direct.count - rivals.count
    return most.isEmpty || most.count <= allies ? nil : rate(of: most)
  }

  /// Returns the quotes that agree with one, itself included.
  private func camp(of quote: Quote, in all: [Quote]) -> [Quote] {
    all.filter { RateComparison.agree(quote.rate, $0.rate) }
  }

  /// Returns the median of quotes that agree, and whose they are.
  private func rate(of camp: [Quote]) -> (rate: Decimal, names: [String]) {
    let rates = camp.map(\.rate).sorted()
    return (rates[rates.count / 2], names.filter { name in camp.contains { $0.name == name } })
  }

  /// Returns a rate by the shortest way over other currencies. A step whose providers contradict each other, as many
  /// on one side as on the other, leads nowhere.
  private func way(of pair: Pair, by near: (Pair) -> [Quote]) -> (rate: Decimal, names: [String])? {
    func step(_ pair: Pair) -> (rate: Decimal, names: [String])? {
      let all = near(pair)
      let most = all.map { camp(of: $0, in: all) }.largest
      return most.count * 2 > all.count ? rate(of: most) : nil
    }
    var known: [String: (rate: Decimal, names: [String])] = [pair.asset: (1, [])]
    var currencies = [pair.asset]
    while !currencies.isEmpty, known[pair.payment] == nil {
      var next: [String] = []
      for from in currencies {
        guard let way = known[from] else { continue }
        for payment in quotes.keys.filter({ $0.asset == from }).map(\.payment).sorted() where known[payment] == nil {
          guard let step = step(Pair(asset: from, payment: payment)) else { continue }
          known[payment] = (
            (way.rate * step.rate).rounded(toSignificantDigits: 12), (way.names + step.names).unique
          )
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
