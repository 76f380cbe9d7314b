/// The fields of one kind of record: a ticker, an exchange rate, an order book level, a trade.
///
/// Each record kind declares its fields once, by their names in `exchanges.json`. A field's kind determines how it is
/// read and which values count as missing.
package protocol RecordField: RawRepresentable<String>, CaseIterable, Hashable, Sendable where AllCases == [Self] {
  var kind: FieldKind { get }

  /// Whether the number depends on the unit in which the exchange counts the asset (1000PEPE): prices and sizes do,
  /// money and percentages do not.
  var dependsOnUnit: Bool { get }

  /// The index among all fields, from zero. It is used for every row, so for long answers implement it as a `switch`.
  var index: Int { get }
}

extension RecordField {
  package var dependsOnUnit: Bool { false }

  package var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What a field holds.
package enum FieldKind: Sendable, Hashable {
  case number
  /// A number above zero: anything else counts as missing.
  case positiveNumber
  case text
  case time
  /// The side of the taker: buy or sell.
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

package enum RateField: String, RecordField {
  /// The price of `units` of the asset in the payment currency.
  case rate
  /// The amount of the asset that rate, change and open refer to; one if missing.
  case units
  /// The value that the change is measured from.
  case open
  /// In the payment currency.
  case change
  case changePercent
  /// The date of the rate, in the provider's own words.
  case date
  /// When the rate was quoted.
  case time
  /// The institution that quotes, in the provider's own words.
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

/// The fields of an order book level. Levels of zero or less are padding, so zero is a value here.
package enum LevelField: String, RecordField {
  /// In the payment currency, for one unit of the asset.
  case price
  /// In the asset.
  case size

  package var kind: FieldKind { .number }

  package var dependsOnUnit: Bool { true }

  package var index: Int { self == .price ? 0 : 1 }
}

package enum TradeField: String, RecordField {
  /// In the payment currency, for one unit of the asset.
  case price
  /// In the asset.
  case size
  /// Whether the taker bought or sold.
  case side
  case time
  /// The exchange's own trade ID.
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

package enum CandleField: String, RecordField {
  /// When it starts or, depending on its basis, when it ends or any moment within it.
  case time
  /// The first price; all four are in the payment currency for one unit of the asset.
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
