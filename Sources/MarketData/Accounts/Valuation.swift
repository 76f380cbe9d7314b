import Mapping
package import Quotes

/// What a balance is worth in one currency, and by which price.
package struct ValuedBalance: Sendable {
  /// How the price was found.
  package enum Source: Sendable, Hashable {
    /// The asset is the currency.
    case itself
    /// The exchange's own pair of the two.
    case ownPair
    /// The exchange's own pair with dollars, or a token of it, and the rate.
    case ownDollars(String)
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

  package init(exchange: String, balance: Balance, value: Cell, price: Decimal? = nil, source: Source?) {
    self.exchange = exchange
    self.balance = balance
    self.value = value
    self.price = price
    self.source = source
  }
}

/// Prices that balances are valued with: what the exchanges' own tables say, and the rate of the dollar.
package struct Valuation: Sendable {
  private let currency: String
  private let dollarTokens: [String]
  /// Prices of pairs, by exchange.
  private let prices: [String: [Pair: Decimal]]
  /// The currency for one dollar; nil where there is no rate.
  private let rateOfDollar: Decimal?

  /// - Parameters:
  ///   - reports: tables of spot markets.
  ///   - rateOfDollar: the currency for one dollar.
  package init(
    in currency: String, _ reports: [ExchangeReport], rateOfDollar: Decimal?, dollarTokens: [String]
  ) {
    self.currency = currency
    self.rateOfDollar = currency == "USD" ? 1 : rateOfDollar
    self.dollarTokens = dollarTokens
    var prices: [String: [Pair: Decimal]] = [:]
    for report in reports where report.market == .spot {
      for row in report.table.rows where row.ticker.headlineObjection() == nil {
        guard let price = row.ticker.price.value, prices[report.exchange]?[row.ticker.pair] == nil else { continue }
        prices[report.exchange, default: [:]][row.ticker.pair] = price
      }
    }
    self.prices = prices
  }

  package func valued(_ balance: Balance, of exchange: String) -> ValuedBalance {
    let found = price(of: balance.asset, at: exchange)
    func result(_ value: Cell) -> ValuedBalance {
      ValuedBalance(exchange: exchange, balance: balance, value: value, price: found?.price, source: found?.source)
    }
    guard case .value(let total) = balance.total else { return result(balance.total) }
    guard let price = found?.price else { return result(.missing(.noPrice)) }
    // The product of two numbers with many digits says more than either of them.
    return result(.value((total * price).rounded(toSignificantDigits: 15)))
  }

  /// The currency for one unit of an asset.
  package func price(of asset: String, at exchange: String) -> (price: Decimal, source: ValuedBalance.Source)? {
    if asset == currency { return (1, .itself) }
    if let price = prices[exchange]?[Pair(asset: asset, payment: currency)] { return (price, .ownPair) }
    if let (price, payment) = inDollars(asset, at: exchange), let rateOfDollar {
      return (price * rateOfDollar, .ownDollars(payment))
    }
    let others = prices.keys.filter { $0 != exchange }.sorted().compactMap { other -> Decimal? in
      prices[other]?[Pair(asset: asset, payment: currency)]
        ?? inDollars(asset, at: other).flatMap { price, _ in rateOfDollar.map { price * $0 } }
    }
    if let median = Self.median(others) { return (median, .median(of: others.count)) }
    if isDollar(asset), let rateOfDollar { return (rateOfDollar, .rate) }
    return nil
  }

  private func inDollars(_ asset: String, at exchange: String) -> (price: Decimal, payment: String)? {
    for payment in ["USD"] + dollarTokens {
      if let price = prices[exchange]?[Pair(asset: asset, payment: payment)] { return (price, payment) }
    }
    return nil
  }

  private func isDollar(_ asset: String) -> Bool { asset == "USD" || dollarTokens.contains(asset) }

  /// Of an even number the mean of the two in the middle.
  private static func median(_ values: [Decimal]) -> Decimal? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    let middle = sorted.count / 2
    guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
    return (sorted[middle - 1] + sorted[middle]).divided(by: 2)
  }
}
