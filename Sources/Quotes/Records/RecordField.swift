/// The fields of one kind of record: a ticker, an exchange rate, a level of an order book, a trade.
///
/// A kind declares its fields once, by the names of `exchanges.json`. How a field is read, and which values count as
/// none, follows from its kind.
package protocol RecordField: RawRepresentable<String>, CaseIterable, Hashable, Sendable where AllCases == [Self] {
  var kind: FieldKind { get }

  /// Whether the number changes with the unit that the exchange counts the asset in (1000PEPE): prices and sizes do, money
  /// and percentages do not.
  var dependsOnUnit: Bool { get }

  /// The place among all fields, from zero. It is asked for in every row: long answers want it as a `switch`.
  var index: Int { get }
}

extension RecordField {
  package var dependsOnUnit: Bool { false }

  package var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What a field holds.
package enum FieldKind: Sendable, Hashable {
  case number
  /// A number above zero: zero or less stands for nothing.
  case positiveNumber
  case text
  case time
  /// Who took the offer: the buyer or the seller.
  case side
}

extension TickerField: RecordField {
  package var kind: FieldKind {
    switch self {
    case .price, .open, .high, .low, .bid, .ask: .positiveNumber
    case .changePricePercent24, .volume24, .turnover24: .number
    case .time: .time
    }
  }

  package var dependsOnUnit: Bool { kind == .positiveNumber || self == .volume24 }
}

/// What a provider says of one exchange rate.
package enum RateField: String, RecordField {
  /// The payment currency for `units` of the asset.
  case rate
  /// Rate, change and open are for so many of the asset; one where it is missing.
  case units
  /// What the change is measured from.
  case open
  /// In the payment currency.
  case change
  case changePercent
  /// The day that the rate is of, in the provider's own words.
  case date
  /// When the rate was quoted.
  case time
  /// Who quotes, in the provider's own words.
  case provider

  package var kind: FieldKind {
    switch self {
    case .rate, .open: .positiveNumber
    case .units, .change, .changePercent: .number
    case .date, .provider: .text
    case .time: .time
    }
  }
}

/// One level of an order book. Levels of zero or less are padding, so zero is a value here.
package enum LevelField: String, RecordField {
  /// In the payment currency, for one unit of the asset.
  case price
  /// In the asset.
  case size

  package var kind: FieldKind { .number }

  package var dependsOnUnit: Bool { true }

  package var index: Int { self == .price ? 0 : 1 }
}

/// One trade.
package enum TradeField: String, RecordField {
  /// In the payment currency, for one unit of the asset.
  case price
  /// In the asset.
  case size
  /// Whether the taker bought or sold.
  case side
  case time
  /// The exchange's own number of the trade.
  case id

  package var kind: FieldKind {
    switch self {
    case .price, .size: .positiveNumber
    case .side: .side
    case .time: .time
    case .id: .text
    }
  }

  package var dependsOnUnit: Bool { kind == .positiveNumber }

  package var index: Int {
    switch self {
    case .price: 0
    case .size: 1
    case .side: 2
    case .time: 3
    case .id: 4
    }
  }
}

/// One candle.
package enum CandleField: String, RecordField {
  /// When it begins, or by its basis ends, or any moment within it.
  case time
  /// The first price, in the payment currency for one unit of the asset, as the other three.
  case open, high, low, close
  /// In the asset.
  case volume
  /// In the payment currency.
  case turnover

  package var kind: FieldKind {
    switch self {
    case .open, .high, .low, .close: .positiveNumber
    case .volume, .turnover: .number
    case .time: .time
    }
  }

  package var dependsOnUnit: Bool { kind == .positiveNumber || self == .volume }

  package var index: Int {
    switch self {
    case .time: 0
    case .open: 1
    case .high: 2
    case .low: 3
    case .close: 4
    case .volume: 5
    case .turnover: 6
    }
  }
}
