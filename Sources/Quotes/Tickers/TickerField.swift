/// The fields that an exchange may provide for a pair, by their names in `exchanges.json`.
package enum TickerField: String, Sendable, Hashable, CaseIterable {
  /// The price of one unit of the asset, in the payment currency.
  case price
  /// The price change in percent; see ``ChangeBasis`` for the moment from which it is measured.
  case changePricePercent24
  /// The amount traded in 24 hours, in the asset.
  case volume24
  /// The amount traded in 24 hours, in the payment currency.
  case turnover24
  /// The price from which the change is measured.
  case open
  case high
  case low
  case bid
  case ask
  /// When the price was quoted or traded; see ``TimeBasis``.
  case time

  /// The members of a pair in `dataFromAsset`, in the order in which they are written.
  package static let ofDataFromAsset: [TickerField] = [.price, .changePricePercent24, .turnover24, .volume24]

  /// The fields of a row as a record, in the order in which they are written: all but the time.
  package static let figures: [TickerField] = allCases.filter { $0 != .time }

  /// The candidates for a row's headline field: the first one that the exchange provides is used.
  package static let headlines: [TickerField] = [.price, .bid, .ask]

  /// The index among all fields, from zero.
  package var index: Int {
    switch self {
    case .price: 0
    case .changePricePercent24: 1
    case .volume24: 2
    case .turnover24: 3
    case .open: 4
    case .high: 5
    case .low: 6
    case .bid: 7
    case .ask: 8
    case .time: 9
    }
  }
}

/// A set of row fields. One is made for each message, so it is a word of bits.
package struct TickerFields: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }
  /// The empty set. `[]` means the same, but takes longer than all the rest of a message.
  package init() { rawValue = 0 }
  package init(_ field: TickerField) { rawValue = 1 << field.index }
  package init(_ fields: [TickerField]) { self.init(fields.map { TickerFields($0) }) }

  /// Bid and ask.
  package static let offers = TickerFields([.bid, .ask])

  package var isEmpty: Bool { rawValue == 0 }

  /// Its members in the order of all fields.
  package var fields: [TickerField] { TickerField.allCases.filter { contains(TickerFields($0)) } }
}

extension Ticker {
  /// Returns the cell of a field. That of the time holds the seconds since 1970, with nine decimals.
  package func cell(_ field: TickerField) -> Cell {
    switch field {
    case .price: price
    case .changePricePercent24: changePricePercent24
    case .volume24: volume24
    case .turnover24: turnover24
    case .open: open
    case .high: high
    case .low: low
    case .bid: bid
    case .ask: ask
    case .time:
      if let time {
        .value(Decimal(mantissa: Int128(time.nanoseconds), exponent: -9))
      } else {
        .missing(timeMissing ?? .notOffered)
      }
    }
  }

  /// Returns the digits of a field as shown and written, or nil if there is no value.
  ///
  /// The exchange's own digits with the exponent expanded; a computed value in its shortest exact form, or with 12
  /// significant digits if it involves a division; the change always signed with two decimals; the time in ISO 8601,
  /// UTC.
  package func text(_ field: TickerField) -> String? {
    if field == .changePricePercent24 { return changePricePercent24.value?.signedPercentText }
    return digits(field)
  }

  /// Returns a field with all its digits, even for percentages, or nil if there is no value.
  package func digits(_ field: TickerField) -> String? {
    if field == .time { return time?.iso8601 }
    guard let value = cell(field).value else { return nil }
    if isAsSent { return value.description }
    if let exact = exactText[field] { return Decimal.plainNotation(exact) ?? exact }
    if quotients.contains(field) { return value.rounded(toSignificantDigits: 12).shortest }
    return derived.contains(field) ? value.shortest : value.description
  }
}

extension TickerField {
  /// Writes what ``Ticker/text(_:)`` returns for a value that is as sent, without creating a `String`.
  ///
  /// - Parameter buffer: `Decimal.writtenLength` bytes or more.
  /// - Returns: The number of bytes written; nil, with nothing useful written, if the text is more than the digits.
  package func write(_ value: Decimal, to buffer: UnsafeMutablePointer<UInt8>) -> Int? {
    switch self {
    case .time: nil
    case .changePricePercent24: value.writeSignedPercent(to: buffer)
    default: value.write(to: buffer)
    }
  }
}
