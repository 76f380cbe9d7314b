/// The premium of a coin's price in local money (won) over its price in dollars: `(local - dollars * price of a dollar)
/// / (dollars * price of a dollar) * 100`. A negative value is a reverse premium.
package struct LocalPremium: Sendable, Hashable {
  /// The row of the local price.
  package let local: Int
  /// The row of the dollar price.
  package let dollar: Int
  /// Signed and unrounded; a basis without a dollar price has none.
  package let percents: [DollarBasis: Decimal]

  /// Whether one basis gives a premium and the other a discount, as printed; zero agrees with both. Without both, nil.
  package var basesDisagree: Bool? {
    guard percents.count == DollarBasis.allCases.count else { return nil }
    let signs = Set(percents.values.map { $0.rounded(toPlaces: 2).signum })
    return signs.contains(1) && signs.contains(-1)
  }

  /// Returns the premium of one price over another.
  ///
  /// - Parameters:
  ///   - local: The price of one unit in local money.
  ///   - dollars: The price of one unit in dollars.
  ///   - dollarPrice: The price of a dollar in local money.
  /// - Returns: The premium in percent; nil if a figure is zero or less.
  package static func percent(local: Decimal, dollars: Decimal, dollarPrice: Decimal) -> Decimal? {
    guard local.signum > 0, dollars.signum > 0, dollarPrice.signum > 0 else { return nil }
    return local.percent(above: dollars * dollarPrice)
  }

  /// Returns the objection to a premium too large to be of the same coin, or nil if it is plausible.
  package static func objection(to percent: Decimal, limitPercent: Decimal) -> PriceObjection? {
    percent.magnitude > limitPercent ? .identity(percent: percent) : nil
  }
}

/// Each local price compared with each dollar price, on both dollar bases.
package struct LocalPremiumTable: Sendable {
  /// A row that does not count, and why.
  package struct Exclusion: Sendable, Hashable {
    package let exchange: String
    package let pair: Pair
    package let objection: PriceObjection
  }

  /// In the order given.
  package let local: [PricedRow]
  /// In the order given.
  package let dollar: [PricedRow]
  /// The usable pairs of rows, ordered by dollar row, then by local row.
  package let premiums: [LocalPremium]
  /// The rows that do not count, local ones first.
  package let exclusions: [Exclusion]

  /// - Parameters:
  ///   - local: Rows of one asset in local money, in config order.
  ///   - dollar: Rows of that asset in dollars or dollar tokens, each token taken as one dollar.
  ///   - official: The price of a dollar at the official rate; nil if there is none.
  ///   - token: The price of a dollar on each local exchange, as the token that the dollar price is paid in: by
  ///     exchange, then by payment currency.
  ///   - identity: Tells which rows are of another coin than the rest.
  package init(
    local: [PricedRow], dollar: [PricedRow], official: Decimal?, token: [String: [String: Decimal]],
    identity: IdentityCheck
  ) {
    // Without an official rate, a token's price also tells which prices are impossible.
    let tokens = token.values.flatMap(\.values).lowerMedian
    let (local, dollar) = identity.checked(local, dollar, dollarPrice: official ?? tokens)
    self.local = local
    self.dollar = dollar
    exclusions = (local + dollar).compactMap { row in
      guard case .failure(let objection) = row.price else { return nil }
      return Exclusion(exchange: row.ticker.exchange, pair: row.ticker.pair, objection: objection)
    }
    premiums = dollar.indices.flatMap { dollarIndex in
      local.indices.compactMap { localIndex in
        guard let price = try? local[localIndex].price.get(), let dollars = try? dollar[dollarIndex].price.get() else {
          return nil
        }
        var percents: [DollarBasis: Decimal] = [:]
        for basis in DollarBasis.allCases {
          let dollarPrice =
            basis == .official
            ? official : token[local[localIndex].ticker.exchange]?[dollar[dollarIndex].ticker.pair.payment]
          percents[basis] = dollarPrice.flatMap {
            LocalPremium.percent(local: price, dollars: dollars, dollarPrice: $0)
          }
        }
        return LocalPremium(local: localIndex, dollar: dollarIndex, percents: percents)
      }
    }
  }

  private init(_ table: LocalPremiumTable, keeping premiums: [LocalPremium]) {
    (local, dollar, exclusions) = (table.local, table.dollar, table.exclusions)
    self.premiums = premiums
  }

  /// Returns the same rows, with some of the pairs.
  package func keeping(_ isKept: (LocalPremium) -> Bool) -> LocalPremiumTable {
    LocalPremiumTable(self, keeping: premiums.filter(isKept))
  }

  /// Returns the pair of exchanges with the greatest premium on a basis, the first if there are several; nil if none.
  package func best(on basis: DollarBasis) -> LocalPremium? { extreme(on: basis, >) }

  /// Returns the pair of exchanges with the smallest premium on a basis; nil if there are fewer than two.
  package func worst(on basis: DollarBasis) -> LocalPremium? {
    premiums.count { $0.percents[basis] != nil } > 1 ? lowest(on: basis) : nil
  }

  /// Returns the pair of exchanges with the smallest premium on a basis, the last if there are several; nil if none.
  package func lowest(on basis: DollarBasis) -> LocalPremium? { extreme(on: basis, <=) }

  /// - Parameter replaces: Whether a premium takes the place of the one found before it.
  private func extreme(on basis: DollarBasis, _ replaces: (Decimal, Decimal) -> Bool) -> LocalPremium? {
    premiums.reduce(nil) { found, next in
      guard let percent = next.percents[basis] else { return found }
      guard let known = found?.percents[basis] else { return next }
      return replaces(percent, known) ? next : found
    }
  }

  /// Returns the pairs whose local price is below the dollar price on a basis, as printed.
  package func reverse(on basis: DollarBasis) -> [LocalPremium] {
    premiums.filter { ($0.percents[basis]?.rounded(toPlaces: 2).signum ?? 0) < 0 }
  }

  /// The pairs that are a premium on one basis and a discount on the other.
  package var disagreements: [LocalPremium] { premiums.filter { $0.basesDisagree == true } }
}

extension IdentityCheck {
  /// Returns the rows, without the prices of those that cannot be of the same coin as the others.
  ///
  /// - Parameter dollarPrice: The price of a dollar in local money; nil leaves the local rows unchecked.
  fileprivate func checked(
    _ local: [PricedRow], _ dollar: [PricedRow], dollarPrice: Decimal?
  ) -> (local: [PricedRow], dollar: [PricedRow]) {
    let rows = local + dollar
    let dollars = rows.enumerated().map { index, row -> Decimal? in
      guard let price = try? row.price.get() else { return nil }
      return index < local.count ? dollarPrice.flatMap { price.divided(by: $0) } : price
    }
    // Rows of a single exchange are compared with each other.
    let exchanges = Set(zip(rows, dollars).filter { $1 != nil }.map(\.0.ticker.exchange))
    let sources = rows.map { exchanges.count > 1 ? $0.ticker.exchange : "\($0.ticker.pair)" }
    let findings = findings(Array(zip(sources, dollars)))
    // Of two sources, the premium of one over the other decides.
    let isPair = Set(zip(sources, dollars).filter { $1 != nil }.map(\.0)).count == 2
    let checked = rows.indices.map { index -> PricedRow in
      let others = dollars.indices.compactMap { sources[$0] == sources[index] ? nil : dollars[$0] }.sorted()
      guard let price = dollars[index], !others.isEmpty else { return rows[index] }
      let other = Self.median(of: others, nearestTo: price) { $0 }
      let (high, low) = index < local.count ? (price, other) : (other, price)
      let premium = LocalPremium.percent(local: high, dollars: low, dollarPrice: 1)
      let isOdd = isPair ? premium.map { $0.magnitude > limitPercent } ?? false : findings[index] != nil
      guard isOdd, let percent = LocalPremium.percent(local: price, dollars: other, dollarPrice: 1) else {
        return rows[index]
      }
      return PricedRow(rows[index].ticker, price: .failure(.identity(percent: percent)))
    }
    return (Array(checked.prefix(local.count)), Array(checked.dropFirst(local.count)))
  }

  /// Returns what is wrong with the prices of a dollar in local money: one that contradicts the others, of which the
  /// asset's own prices imply one. Two prices do not tell which of them is wrong. An official rate that the asset's prices
  /// imply, too, is right, however many exchanges pay less for a token: it may have lost its dollar everywhere.
  ///
  /// - Parameters:
  ///   - official: The official rate.
  ///   - tokens: The price of a dollar token on each local exchange.
  ///   - local: The asset's prices in local money.
  ///   - dollar: The asset's prices in dollars.
  package func findings(
    official: Decimal?, tokens: [(exchange: String, price: Decimal?)], local: [Decimal], dollar: [Decimal]
  ) -> (official: Flag?, tokens: [Flag?]) {
    findings(
      official: official, tokens: tokens,
      implied: local.flatMap { price in dollar.compactMap { price.divided(by: $0) } }.lowerMedian)
  }

  /// Returns the same for a price of a dollar that is already worked out from those of other coins.
  ///
  /// - Parameter implied: What coins cost in local money over what they cost in dollars; nil if unknown.
  package func findings(
    official: Decimal?, tokens: [(exchange: String, price: Decimal?)], implied: Decimal?
  ) -> (official: Flag?, tokens: [Flag?]) {
    // No exchange has an empty name, or one of blanks.
    let prices = [(exchange: "", price: official), (exchange: " ", price: implied)] + tokens
    guard Set(prices.filter { $0.price != nil }.map(\.exchange)).count > 2 else {
      return (nil, tokens.map { _ in nil })
    }
    if let official, let implied, implied.isWithin(percent: limitPercent, of: official) {
      return (nil, tokens.map { $0.price.flatMap { tokenFinding($0, official: official, implied: implied) } })
    }
    let findings = findings(prices)
    var flag = findings[0]
    if let official, case .far? = flag?.fact, let token = tokens.compactMap(\.price).lowerMedian {
      flag = Flag(.identity, .ratesApart(official: official, token: token))
    }
    return (flag, Array(findings.dropFirst(2)))
  }

  private func tokenFinding(_ token: Decimal, official: Decimal, implied: Decimal) -> Flag? {
    guard ![official, implied].contains(where: { token.isWithin(percent: limitPercent, of: $0) }) else { return nil }
    return Flag(
      .identity,
      token.powerOfTen(over: official).map { .multiple(price: token, factor: $0, of: .official(official)) }
        ?? .ratesApart(official: official, token: token))
  }
}

/// The price of a dollar in local money that a local price and a dollar price are compared with.
///
/// The two differ: the official rate is that of banks, or by night of a daily provider; the token's price is what a dollar
/// costs on the local exchange itself. A premium on one may be a discount on the other.
package enum DollarBasis: String, Sendable, Hashable, CaseIterable {
  /// The official exchange rate: USD/KRW.
  case official
  /// The price of a dollar token on the local exchange itself: USDT/KRW.
  case token
}

/// An exchange's row with the price used in a comparison, or why it is not used.
///
/// The price may differ from the row's own: after a fee, or from walking an order book for a size.
package struct PricedRow: Sendable, Hashable {
  package let ticker: Ticker
  package let price: Result<Decimal, PriceObjection>

  package init(_ ticker: Ticker, price: Result<Decimal, PriceObjection>) { (self.ticker, self.price) = (ticker, price) }

  /// Creates the row at its own price.
  package init(_ ticker: Ticker, rule: HeadlineRule) {
    self.ticker = ticker
    price =
      if let objection = ticker.headlineObjection(rule) {
        .failure(.row(objection))
      } else if let price = ticker.price.value {
        .success(price)
      } else {
        .failure(.row(.missing(.zero)))
      }
  }
}

/// Why a row does not enter a comparison.
package enum PriceObjection: Error, Sendable, Hashable, CustomStringConvertible {
  /// The row itself is unusable: stale, flagged, empty.
  case row(HeadlineObjection)
  /// It is further from the other prices than the same coin would be, in percent of their median, on the official rate
  /// or, without one, on the price of a token.
  case identity(percent: Decimal)
  /// The fee was requested but is not known.
  case feeUnknown
  /// The order book was requested but did not arrive.
  case book(Missing)
  /// The order book is unusable: stale, or far from the exchange's own price.
  case flaggedBook(Flag)
  /// The order book holds less than the size.
  case thinBook

  /// `stale`, `fee-unknown`, `book timeout`, `book stale`, `book-thin`.
  package var code: String {
    switch self {
    case .row(let objection): objection.code
    case .identity: "identity"
    case .feeUnknown: "fee-unknown"
    case .book(let reason): "book \(reason.code)"
    case .flaggedBook(let flag): "book \(flag.code)"
    case .thinBook: "book-thin"
    }
  }

  package var description: String {
    switch self {
    case .row(let objection): objection.explanation
    case .identity(let percent):
      "\(percent.signedPercentText) % from the median of the others: a different coin or a multiplier"
    case .feeUnknown: "the config has no taker fee for it"
    case .book: "no order book"
    case .flaggedBook(let flag): flag.message
    case .thinBook: "the order book is too thin for this size"
    }
  }
}
