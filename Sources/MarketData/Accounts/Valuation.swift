import Mapping
package import Quotes

/// What a balance is worth in one currency, and by which price.
package struct ValuedBalance: Sendable {
  /// How the price was found.
  package enum Source: Sendable, Hashable {
    /// The asset is the currency.
    case itself
    /// The exchange's own pair of the two. Old: nobody has traded it for minutes, and the price is true all the same.
    case ownPair(isOld: Bool)
    /// The exchange's own pair with other money, or a token of it; converted by a rate, unless the two count as one.
    case ownOther(payment: String, isByRate: Bool, isOld: Bool)
    /// The middle one of so many other exchanges.
    case median(of: Int)
    /// Money of a state, or a dollar token that no pair prices, by the rate.
    case rate
  }

  package let exchange: String
  package let balance: Balance
  /// Of the total.
  package let value: Cell
  /// Of one unit; nil where there is none.
  package let price: Decimal?
  /// nil where there is no value.
  package let source: Source?
  /// By which rates the price came to be; where there is no price, those that are missing.
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

/// Prices that balances are valued with: what the exchanges' own tables say, and the rates between moneys.
package struct Valuation: Sendable {
  /// What one unit of an asset costs in the currency, or why nobody knows.
  package enum Price: Sendable {
    case found(Decimal, ValuedBalance.Source, [Conversion])
    /// With the rates that are missing.
    case missing(Missing, [Conversion])

    /// Whether it is what other exchanges say, or could be: the more of them are asked the better.
    package var hangsOnOthers: Bool {
      switch self {
      case .found(_, .median, _), .found(_, .rate, _): true
      case .found, .missing(.noRate, _): false
      case .missing: true
      }
    }
  }

  private let currency: String
  private let dollars: [String]
  private let identity: IdentityCheck
  /// By asset, then by exchange: what it costs in each payment currency.
  private let prices: [String: [String: [String: Quote]]]
  /// By asset, then by exchange: why a price that there is may not be used.
  private let unusable: [String: [String: Missing]]
  /// Why an exchange that was asked has said nothing; nil for one that has.
  private let answers: [String: Missing?]
  /// How money comes to the currency, by its name.
  private var conversions: [String: Conversion]

  private struct Quote {
    let price: Decimal
    /// Whether it may stand for what the asset costs elsewhere, too.
    let isRecent: Bool
  }

  /// The price of a trade that was long ago is still the last one of its exchange.
  private static let rule = HeadlineRule(maximumTradeAgeSeconds: nil)

  /// - Parameters:
  ///   - reports: tables of spot markets.
  ///   - rateOfDollar: between the dollar and the currency; nil where the currency is the dollar, or no rate is asked for.
  ///   - identity: tells prices that can be of one coin from others.
  package init(
    in currency: String, _ reports: [ExchangeReport], rateOfDollar: RateReport?, dollarTokens: [String],
    identity: IdentityCheck = IdentityCheck(), at moment: Instant
  ) {
    self.currency = currency
    self.identity = identity
    dollars = ["USD"] + dollarTokens.filter { $0 != "USD" }
    conversions = dollars.reduce(into: [:]) { all, payment in
      guard payment != currency else { return }
      all[payment] = Conversion(
        from: payment, to: currency, by: rateOfDollar, dollarTokens: dollarTokens, at: moment)
    }
    answers = reports.reduce(into: [:]) { answers, report in
      if let known = answers[report.exchange], known == nil { return }
      answers[report.exchange] = .some(report.status == .failed ? report.failures.first?.failure.reason : nil)
    }
    var prices: [String: [String: [String: Quote]]] = [:]
    var unusable: [String: [String: Missing]] = [:]
    for report in reports where report.market == .spot {
      for row in report.table.rows {
        let pair = row.ticker.pair
        guard prices[pair.asset]?[report.exchange]?[pair.payment] == nil else { continue }
        if let price = row.ticker.headlinePrice(Self.rule) {
          let quote = Quote(price: price, isRecent: row.ticker.headlineObjection() == nil)
          prices[pair.asset, default: [:]][report.exchange, default: [:]][pair.payment] = quote
        } else {
          unusable[pair.asset, default: [:]][report.exchange] = row.ticker.headlineObjection(Self.rule)?.missing
        }
      }
    }
    (self.prices, self.unusable) = (prices, unusable)
  }

  /// Takes in how other money comes to the currency.
  package mutating func take(_ conversions: [Conversion]) {
    for conversion in conversions { self.conversions[conversion.payment] = conversion }
  }

  /// The money beside the dollar whose rate an asset's value hangs on: itself, or what its own exchange prices it in alone.
  package func money(for asset: String, at exchange: String) -> Set<String> {
    if FiatCurrency.codes.contains(asset) { return Set([asset]).subtracting([currency, "USD"]) }
    let own = prices[asset]?[exchange] ?? [:]
    guard own[currency] == nil, !dollars.contains(where: { own[$0] != nil }), !countsAsCurrency(asset) else {
      return []
    }
    return FiatCurrency.codes.intersection(own.keys)
  }

  package func valued(_ balance: Balance, of exchange: String) -> ValuedBalance {
    let (value, price, source, conversions): (Cell, Decimal?, ValuedBalance.Source?, [Conversion]) =
      switch self.price(of: balance.asset, at: exchange) {
      // The product of two numbers with many digits says more than either of them.
      case .found(let price, let source, let conversions):
        (balance.total.times(price), price, source, balance.total.value == nil ? [] : conversions)
      case .missing(let reason, let conversions):
        (balance.total.value == nil ? balance.total : .missing(reason), nil, nil, conversions)
      }
    return ValuedBalance(
      exchange: exchange, balance: balance, value: value, price: price, source: source, conversions: conversions)
  }

  /// The currency for one unit of an asset.
  ///
  /// Money of a state has its rate. All else has the price of its own exchange, in whatever money that is: another
  /// exchange may call another coin by the same name. Only where the own exchange has none do others count.
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
    for isOld in [false, true] {
      switch own(asset, exchange, isOld: isOld) {
      case .value(let price, nil): return .found(price, .ownPair(isOld: isOld), [])
      case .value(let price, let conversion?):
        let source = ValuedBalance.Source.ownOther(
          payment: conversion.payment, isByRate: conversion.rate != nil, isOld: isOld)
        return .found(price, source, [conversion])
      case .lacking(let conversion): lacking.append(conversion)
      case nil: break
      }
    }
    // Its own exchange prices it, and nothing leads from there: what others call so may be another coin.
    guard lacking.isEmpty || isMoney else { return .missing(.noRate, lacking) }
    var others: [(exchange: String, price: Decimal?)] = []
    var used: [Conversion] = []
    for other in (prices[asset] ?? [:]).keys.filter({ $0 != exchange }).sorted() {
      switch own(asset, other, isOld: false) {
      case .value(let price, let conversion):
        others.append((other, price))
        if let conversion { used.append(conversion) }
      case .lacking(let conversion): lacking.append(conversion)
      case nil: break
      }
    }
    let findings = identity.findings(others)
    let alike = zip(others, findings).compactMap { $1 == nil ? $0.price : nil }
    if let median = Self.median(alike) { return .found(median, .median(of: alike.count), used) }
    if !others.isEmpty { return .missing(.identity, []) }
    if !isMoney, let price = byRate() { return price }
    return .missing(lacking.isEmpty ? silence(of: exchange, on: asset) : .noRate, lacking)
  }

  /// Why nobody says what an asset costs: what its own exchange says may not be used, or it did not answer, or none of the
  /// others did.
  private func silence(of exchange: String, on asset: String) -> Missing {
    if let reason = unusable[asset]?[exchange] { return reason }
    if let reason = answers[exchange] ?? nil { return reason }
    let others = answers.filter { $0.key != exchange }
    guard !others.isEmpty, others.values.allSatisfy({ $0 != nil }) else { return .noPrice }
    return others.min { $0.key < $1.key }?.value ?? .noPrice
  }

  /// Whether an asset is a token of the currency, and counts as it: then what it costs in other money is no price of it.
  private func countsAsCurrency(_ asset: String) -> Bool { dollars.contains(currency) && dollars.contains(asset) }

  private enum Own {
    /// In the currency; nil: of a pair with it.
    case value(Decimal, Conversion?)
    /// There is a price, and no rate.
    case lacking(Conversion)
  }

  /// What an exchange's own pairs say: of the one with the currency, else with dollars, else with other money.
  ///
  /// - Parameter isOld: whether those count that nobody has traded for minutes, rather than the others.
  private func own(_ asset: String, _ exchange: String, isOld: Bool) -> Own? {
    guard let all = prices[asset]?[exchange] else { return nil }
    let own = all.filter { $0.value.isRecent != isOld }.mapValues(\.price)
    if let price = own[currency] { return .value(price, nil) }
    var lacking: Conversion?
    let others = countsAsCurrency(asset) ? [] : own.keys.filter { !dollars.contains($0) }.sorted()
    for payment in dollars + others {
      guard let price = own[payment], let conversion = conversions[payment] else { continue }
      if let value = conversion.figure(price) { return .value(value, conversion) }
      lacking = lacking ?? conversion
    }
    return lacking.map { .lacking($0) }
  }

  /// Of an even number the mean of the two in the middle.
  private static func median(_ values: [Decimal]) -> Decimal? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
    return (sorted[middle - 1] + sorted[middle]).divided(by: 2)
  }
}

extension HeadlineObjection {
  /// The reason for an empty cell.
  fileprivate var missing: Missing {
    switch self {
    case .missing(let reason): reason
    case .basis: .noPrice
    case .oldTrade: .stale
    case .flagged(let flag):
      switch flag.kind {
      case .stale, .time, .dead: .stale
      case .identity: .identity
      case .range, .change, .turnover, .duplicate, .bidAsk, .malformed: .contradictory
      }
    }
  }
}

extension Cell {
  /// An amount at a price; what is missing stays missing.
  fileprivate func times(_ price: Decimal) -> Cell {
    guard case .value(let amount) = self else { return self }
    return .value((amount * price).rounded(toSignificantDigits: 15))
  }
}
