import Mapping
package import Quotes

/// The value of a balance in one currency, and the price it is based on.
package struct ValuedBalance: Sendable {
  /// How the price was found.
  package enum Source: Sendable, Hashable {
    /// The asset is the currency.
    case itself
    /// The exchange's own pair of the two. If old, it has not been traded for minutes, but the price is still valid.
    case ownPair(isOld: Bool)
    /// The exchange's own pair in another currency or a token of it, converted by a rate unless the two count as one.
    case ownOther(payment: String, isByRate: Bool, isOld: Bool)
    /// The median of the given number of other exchanges.
    case median(of: Int)
    /// The rate of a fiat currency, or of a dollar token that no pair prices.
    case rate
  }

  package let exchange: String
  package let balance: Balance
  /// The value of the total.
  package let value: Cell
  /// The price of one unit; nil if there is none.
  package let price: Decimal?
  /// nil if there is no value.
  package let source: Source?
  /// The rates used for the price; if there is no price, those that are missing.
  package let conversions: [Conversion]

  package init(
    exchange: String, balance: Balance, value: Cell, price: Decimal? = nil, source: Source?,
    conversions: [Conversion] = []
  ) {
    self.exchange = exchange
    self.balance = balance
    self.value = value
    self.price = price
    self.source = source
    self.conversions = conversions
  }
}

/// The prices for valuing balances: those of the exchanges' own tables, and the rates between currencies.
package struct Valuation: Sendable {
  /// The price of one unit of an asset in the currency, or why it is unknown.
  package enum Price: Sendable {
    case found(Decimal, ValuedBalance.Source, [Conversion])
    /// Includes the rates that are missing.
    case missing(Missing, [Conversion])
    /// Its own exchange has, or may have, a price, for which no other stands in.
    case ownMissing(Missing)

    /// Whether it depends, or could depend, on other exchanges, so that asking more of them helps.
    package var hangsOnOthers: Bool {
      switch self {
      case .found(_, .median, _), .found(_, .rate, _): true
      // The last two are reasons of the own price.
      case .found, .ownMissing, .missing(.noRate, _), .missing(.stale, _), .missing(.contradictory, _): false
      case .missing: true
      }
    }
  }

  private let currency: String
  private let dollars: [String]
  private let identity: IdentityCheck
  /// By asset, then by exchange.
  private var listings: [String: [String: Listing]] = [:]
  /// By exchange: why not all of its prices arrived, so that a missing one does not mean that it has none.
  private let gaps: [String: Missing]
  /// By exchange asked: why there is no answer; nil if there is one.
  private let answers: [String: Missing?]
  /// The exchanges whose own prices were requested; of any other it is not known which pairs it has.
  private let asked: Set<String>
  /// The conversions into the currency, by the name of the other currency.
  private var conversions: [String: Conversion]

  /// What one exchange says about the price of an asset, by payment currency.
  fileprivate struct Listing {
    var prices: [String: Quote] = [:]
    /// Prices that are not last trades: they value nothing, but tell one coin from another.
    var estimates: [String: Decimal] = [:]
    /// Why an existing price in the currency, dollars or other fiat is unusable; nil if none is.
    var unusable: Missing?
  }

  fileprivate struct Quote {
    let price: Decimal
    /// Whether it may also represent the asset's price elsewhere.
    let isRecent: Bool
  }

  /// - Parameters:
  ///   - reports: Tables of spot markets.
  ///   - asked: The exchanges whose own prices were requested, even if they have no spot market.
  ///   - rateOfDollar: The rate between the dollar and the currency; nil if that is the dollar, or no rate is wanted.
  ///   - identity: Tells whether prices can be of the same coin.
  package init(
    in currency: String, _ reports: [ExchangeReport], asked: Set<String>, rateOfDollar: RateReport?,
    dollarTokens: [String], identity: IdentityCheck, at moment: Instant
  ) {
    self.currency = currency
    self.asked = asked
    self.identity = identity
    dollars = ["USD"] + dollarTokens.filter { $0 != "USD" }
    conversions = [:]
    // A pair that is not listed was not requested, and one that is halted has no price either.
    answers = reports.filter { !$0.status.isAbsence }.reduce(into: [:]) { answers, report in
      if let known = answers[report.exchange], known == nil { return }
      answers[report.exchange] = .some(report.status == .failed ? report.failures.first?.failure.reason : nil)
    }
    gaps = Self.gaps(in: reports)
    let payments = FiatCurrency.codes.union(dollars).union([currency])
    for report in reports where report.market == .spot {
      for row in report.table.rows {
        listings[row.ticker.pair.asset, default: [:]][report.exchange, default: Listing()].take(row.ticker, payments)
      }
    }
    let rate = rateOfDollar?.checked(contradiction)
    for payment in dollars where payment != currency {
      conversions[payment] = Conversion(
        from: payment, to: currency, by: rate, dollarTokens: dollarTokens, at: moment)
    }
  }

  /// Returns why tables of all pairs failed or lack a part, by exchange; none for an exchange that gave one in full.
  private static func gaps(in reports: [ExchangeReport]) -> [String: Missing] {
    var gaps: [String: Missing] = [:]
    var complete: Set<String> = []
    for report in reports where report.market == .spot && report.pair == nil {
      if let part = report.table.failures.first(where: { !$0.failure.reason.isAbsence }) {
        gaps[report.exchange] = gaps[report.exchange] ?? part.failure.reason
      } else if report.status == .ok {
        complete.insert(report.exchange)
      }
    }
    return gaps.filter { !complete.contains($0.key) }
  }

  /// Adds conversions from other currencies, without a rate that prices on exchanges contradict.
  package mutating func take(_ conversions: [Conversion]) {
    for conversion in conversions {
      let checked = conversion.rate.map { rate in
        Conversion(
          from: conversion.payment, to: currency, by: rate.checked(contradiction), dollarTokens: dollars,
          at: rate.moment)
      }
      self.conversions[conversion.payment] = checked ?? conversion
    }
  }

  /// Returns what is wrong with a rate, as `premium` finds it: the price of one money in another, beside what exchanges
  /// charge for it or for its tokens, and what the prices of everything else in both imply. Two prices do not tell which
  /// of them is wrong.
  private func contradiction(_ rate: Decimal, of pair: Pair) -> Flag? {
    func names(_ money: String) -> [String] { money == "USD" ? dollars : [money] }
    let (sold, paid) = (names(pair.asset), names(pair.payment))
    func charges(for assets: [String], in payments: [String]) -> [(exchange: String, price: Decimal)] {
      assets.flatMap { asset in
        (listings[asset] ?? [:]).sorted { $0.key < $1.key }.flatMap { exchange, listing in
          listing.recent(payments).map { (exchange, $0) }
        }
      }
    }
    let direct: [(exchange: String, price: Decimal?)] = charges(for: sold, in: paid).map { ($0.exchange, $0.price) }
    let inverse = charges(for: paid, in: sold).map { ($0.exchange, Decimal(1).divided(by: $0.price)) }
    let others = listings.filter { !sold.contains($0.key) && !paid.contains($0.key) }.values
    let implied = others.compactMap { listings -> Decimal? in
      func median(_ payments: [String]) -> Decimal? { listings.values.flatMap { $0.recent(payments) }.lowerMedian }
      guard let price = median(paid), let other = median(sold) else { return nil }
      return price.divided(by: other)
    }.lowerMedian
    return identity.findings(official: rate, tokens: direct + inverse, implied: implied).official
  }

  /// Returns the fiat currencies but the dollar whose rate an asset needs: itself, or the only ones it is priced in.
  package func money(for asset: String, at exchange: String) -> Set<String> {
    if FiatCurrency.codes.contains(asset) { return Set([asset]).subtracting([currency, "USD"]) }
    let own = listings[asset]?[exchange]?.prices ?? [:]
    guard own[currency] == nil, !dollars.contains(where: { own[$0] != nil }), !dollars.contains(asset) else {
      return []
    }
    return FiatCurrency.codes.intersection(own.keys)
  }

  package func valued(_ balance: Balance, of exchange: String) -> ValuedBalance {
    let (value, price, source, conversions): (Cell, Decimal?, ValuedBalance.Source?, [Conversion]) =
      switch self.price(of: balance.asset, at: exchange) {
      // The product of two numbers with many digits would suggest more precision than either has.
      case .found(let price, let source, let conversions):
        (balance.total.times(price), price, source, balance.total.value == nil ? [] : conversions)
      case .missing(let reason, let conversions):
        (balance.total.value == nil ? balance.total : .missing(reason), nil, nil, conversions)
      case .ownMissing(let reason):
        (balance.total.value == nil ? balance.total : .missing(reason), nil, nil, [])
      }
    return ValuedBalance(
      exchange: exchange, balance: balance, value: value, price: price, source: source, conversions: conversions)
  }

  /// Returns the price of one unit of an asset in the currency.
  ///
  /// Fiat currencies have their rate. Everything else has the price of its own exchange, in any payment currency, as
  /// the name may mean another coin elsewhere. Other exchanges only count if its own has no pair of it, or prices that
  /// are not last trades; if its own price is unusable, did not arrive, or was never requested, or the rate for it was
  /// not, that is the reason. Fiat and dollar tokens are the same everywhere.
  package func price(of asset: String, at exchange: String) -> Price {
    if asset == currency { return .found(1, .itself, []) }
    let isMoney = FiatCurrency.codes.contains(asset)
    var lacking: [Conversion] = []
    func byRate() -> Price? {
      guard let conversion = conversions[asset] else { return nil }
      guard let price = conversion.figure(1) else {
        lacking.append(conversion)
        return nil
      }
      return .found(price, .rate, [conversion])
    }
    if isMoney, let price = byRate() { return price }
    if let price = ownPrice(of: asset, at: exchange, &lacking) { return price }
    // Its own exchange has a price that cannot be converted; elsewhere the name may mean a different coin.
    guard lacking.isEmpty || isMoney else { return .missing(.noRate, lacking) }
    let isSameEverywhere = isMoney || dollars.contains(asset)
    if !isSameEverywhere, let reason = objection(to: asset, at: exchange) { return .ownMissing(reason) }
    let elsewhere = elsewhere(asset, exchange)
    let others = elsewhere.prices
    if !isSameEverywhere, let estimates = listings[asset]?[exchange]?.estimates {
      switch own(asset, estimates) {
      case .value(let price, _)? where identity.findings([(exchange, price)] + others)[0] != nil:
        return .missing(.identity, [])
      case .lacking(let conversion)?: return .missing(.noRate, [conversion])
      default: break
      }
    }
    lacking += elsewhere.lacking
    let findings = identity.findings(others)
    let alike = zip(others, findings).compactMap { $1 == nil ? $0.price : nil }
    if let median = alike.meanMedian { return .found(median, .median(of: alike.count), elsewhere.used) }
    if !others.isEmpty { return .missing(.identity, []) }
    if !isMoney, let price = byRate() { return price }
    return .missing(lacking.isEmpty ? silence(of: exchange, on: asset) : .noRate, lacking)
  }

  /// Returns why prices of other exchanges do not stand in for one of its own; nil if it has none.
  private func objection(to asset: String, at exchange: String) -> Missing? {
    if let reason = listings[asset]?[exchange]?.unusable ?? gaps[exchange] { return reason }
    let lacksRate = money(for: asset, at: exchange).contains { conversions[$0] == nil }
    return lacksRate || !asked.contains(exchange) ? .notRequested : nil
  }

  /// Returns the price of an exchange's own pairs, those traded lately before the others; nil if it has none.
  ///
  /// - Parameter lacking: Gets the rates that are missing.
  private func ownPrice(of asset: String, at exchange: String, _ lacking: inout [Conversion]) -> Price? {
    for isOld in [false, true] {
      let own = own(asset, exchange, isOld: isOld)
      if case .value(let price, _)? = own, contradicts(price, asset, exchange) { return .missing(.identity, []) }
      switch own {
      case .value(let price, nil): return .found(price, .ownPair(isOld: isOld), [])
      case .value(let price, let conversion?):
        let source = ValuedBalance.Source.ownOther(
          payment: conversion.payment, isByRate: conversion.rate != nil, isOld: isOld)
        return .found(price, source, [conversion])
      case .lacking(let conversion): lacking.append(conversion)
      case nil: break
      }
    }
    return nil
  }

  /// The prices of an asset on other exchanges, with the rates used, and those that are missing.
  private typealias Elsewhere = (
    prices: [(exchange: String, price: Decimal?)], used: [Conversion], lacking: [Conversion]
  )

  private func elsewhere(_ asset: String, _ exchange: String) -> Elsewhere {
    var found: Elsewhere = ([], [], [])
    for other in (listings[asset] ?? [:]).keys.filter({ $0 != exchange }).sorted() {
      switch own(asset, other, isOld: false) {
      case .value(let price, let conversion):
        found.prices.append((other, price))
        if let conversion { found.used.append(conversion) }
      case .lacking(let conversion): found.lacking.append(conversion)
      case nil: break
      }
    }
    return found
  }

  /// Returns whether an exchange's own price cannot be of the same coin as those of others, of which at least two agree:
  /// a price like that stays out of every comparison, and is not worth more in a sum.
  private func contradicts(_ price: Decimal, _ asset: String, _ exchange: String) -> Bool {
    let others = elsewhere(asset, exchange).prices
    guard others.count >= 2 else { return false }
    let findings = identity.findings([(exchange, price)] + others)
    return findings[0] != nil && findings.dropFirst().count { $0 == nil } >= 2
  }

  /// Returns why an asset has no price: that of its own exchange is unusable, that exchange did not answer, or none of
  /// the others did.
  private func silence(of exchange: String, on asset: String) -> Missing {
    if let reason = listings[asset]?[exchange]?.unusable { return reason }
    if let reason = answers[exchange] ?? nil { return reason }
    let others = answers.filter { $0.key != exchange }
    guard !others.isEmpty, others.values.allSatisfy({ $0 != nil }) else { return .noPrice }
    return others.min { $0.key < $1.key }?.value ?? .noPrice
  }

  private enum Own {
    /// The price in the currency; the conversion is nil for a pair with that currency.
    case value(Decimal, Conversion?)
    /// There is a price but no rate.
    case lacking(Conversion)
  }

  /// Returns the price from an exchange's own pairs: the one with the currency, else with dollars, else with others.
  ///
  /// - Parameter isOld: Whether to consider the pairs not traded for minutes, rather than the others.
  private func own(_ asset: String, _ exchange: String, isOld: Bool) -> Own? {
    guard let listing = listings[asset]?[exchange] else { return nil }
    return own(asset, listing.prices.filter { $0.value.isRecent != isOld }.mapValues(\.price))
  }

  /// Returns the price of an asset that has these, by payment currency.
  private func own(_ asset: String, _ own: [String: Decimal]) -> Own? {
    if let price = own[currency] { return .value(price, nil) }
    var lacking: Conversion?
    // A dollar is worth what it costs elsewhere, or counts as one, rather than what its price in liras is worth.
    let others = dollars.contains(asset) ? [] : own.keys.filter { !dollars.contains($0) }.sorted()
    for payment in dollars + others {
      guard let price = own[payment], let conversion = conversions[payment] else { continue }
      if let value = conversion.figure(price) { return .value(value, conversion) }
      lacking = lacking ?? conversion
    }
    return lacking.map { .lacking($0) }
  }
}

extension Valuation.Listing {
  /// However old a trade is, its price is still the last one on its exchange.
  private static let rule = HeadlineRule(allowsAnyPriceBasis: false, maximumTradeAgeMilliseconds: nil)

  /// Returns the prices in some currencies that may also represent those elsewhere.
  fileprivate func recent(_ payments: [String]) -> [Decimal] {
    payments.compactMap { prices[$0].flatMap { $0.isRecent ? $0.price : nil } }
  }

  /// Takes a row of the asset, unless another one has told the price.
  ///
  /// - Parameter payments: The currencies in which an unusable price is noted.
  fileprivate mutating func take(_ row: Ticker, _ payments: Set<String>) {
    let payment = row.pair.payment
    guard prices[payment] == nil else { return }
    switch row.headlineObjection(Self.rule) {
    case nil:
      if let price = row.price.value {
        prices[payment] = Valuation.Quote(price: price, isRecent: row.headlineObjection(.standard) == nil)
      }
    case .basis?: estimates[payment] = row.price.value
    case let objection? where payments.contains(payment): unusable = unusable ?? objection.missing
    default: break
    }
  }
}

extension Cell {
  /// Multiplies an amount by a price; a missing amount remains missing. A price may be a quotient of many digits: of
  /// those behind the point, no more are kept than make 15 significant digits.
  fileprivate func times(_ price: Decimal) -> Cell {
    guard case .value(let amount) = self else { return self }
    let product = amount * price
    let isLarge = product.magnitude >= Decimal(mantissa: 1, exponent: 15)
    return .value(isLarge ? product.rounded(toPlaces: 0) : product.rounded(toSignificantDigits: 15))
  }
}
