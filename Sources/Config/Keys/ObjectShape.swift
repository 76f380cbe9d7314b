/// An object of the config language: which keys it may have. The reader checks a config against it, and the JSON
/// Schema is written from it, so that the two can never say different things.
package struct ObjectShape: Sendable {
  package let title: String
  package let summary: String
  /// In the order in which a reader wants to meet them.
  package let keys: [KeyShape]
  /// Keys of later versions: allowed, with a warning.
  package let reserved: [String]
  /// The names of `keys`.
  package let names: [String]
  /// Of these keys there is one at least.
  package let needsOneOf: [String]
  /// Keys that may not stand beside others.
  package let excluding: [(name: String, others: [String])]

  init(
    _ title: String, _ summary: String, reserved: [String] = [], needsOneOf: [String] = [],
    excluding: [(name: String, others: [String])] = [], _ keys: [KeyShape]
  ) {
    self.title = title
    self.summary = summary
    self.reserved = reserved
    self.keys = keys
    names = keys.map(\.name)
    self.needsOneOf = needsOneOf
    self.excluding = excluding
  }
}

/// The objects of the language by name: how one names another.
package enum ShapeID: String, CaseIterable, Sendable {
  case config, settings, watchlistEntry, retired
  case exchange, markets, market, tickers, ticker, part, orderbook, bookSide
  case limit, success, request, zip, symbol, symbolRule, lookup, batch, paymentGroup
  case fields, value, timeValue, changeValue, condition, unlistedSign
  case fx, provider, rate, rateFields, refresh, budget, providerTicker, route, routeRule, routeWhen

  package var shape: ObjectShape {
    switch self {
    case .config: .config
    case .settings: .settings
    case .watchlistEntry: .watchlistEntry
    case .retired: .retired
    case .exchange: .exchange
    case .markets: .markets
    case .market: .market
    case .tickers: .tickers
    case .ticker: .ticker
    case .part: .part
    case .orderbook: .orderbook
    case .bookSide: .bookSide
    case .limit: .limit
    case .success: .success
    case .request: .request
    case .zip: .zip
    case .symbol: .symbol
    case .symbolRule: .symbolRule
    case .lookup: .lookup
    case .batch: .batch
    case .paymentGroup: .paymentGroup
    case .fields: .fields
    case .value: .value
    case .timeValue: .timeValue
    case .changeValue: .changeValue
    case .condition: .condition
    case .unlistedSign: .unlistedSign
    case .fx: .fx
    case .provider: .provider
    case .rate: .rate
    case .rateFields: .rateFields
    case .refresh: .refresh
    case .budget: .budget
    case .providerTicker: .providerTicker
    case .route: .route
    case .routeRule: .routeRule
    case .routeWhen: .routeWhen
    }
  }
}
