package import Quotes

/// The bases of a row's figures.
struct Bases {
  let price: PriceBasis
  let change: ChangeBasis?
  let high: ChangeBasis?
  let low: ChangeBasis?
  let time: TimeBasis

  init(_ ticker: Ticker) {
    (price, change, high, low) = (ticker.priceBasis, ticker.changeBasis, ticker.highBasis, ticker.lowBasis)
    time = ticker.timeBasis
  }
}

extension Ticker {
  /// The cell of any field except the time.
  package subscript(_ field: TickerField) -> Cell {
    get { cell(field) }
    set {
      switch field {
      case .price: price = newValue
      case .changePricePercent24: changePricePercent24 = newValue
      case .volume24: volume24 = newValue
      case .turnover24: turnover24 = newValue
      case .open: open = newValue
      case .high: high = newValue
      case .low: low = newValue
      case .bid: bid = newValue
      case .ask: ask = newValue
      case .time: break
      }
    }
  }

  /// Sets the cell, and keeps the digits that do not fit into it.
  mutating func set(_ field: TickerField, to number: ReadNumber) {
    self[field] = field.kind == .positiveNumber ? number.cell.positive : number.cell
    if let exact = number.exactText { exactText[field] = exact }
  }

  /// Returns the digits of a field, or why there are none.
  func explainedText(_ field: TickerField) -> String {
    if field == .time { return time?.iso8601 ?? timeMissing?.code ?? Missing.notOffered.code }
    return text(field) ?? cell(field).missing?.code ?? Missing.notOffered.code
  }

  /// Takes cells from another row of the same pair, including how they were derived.
  package mutating func takeCells(_ fields: [TickerField], from other: Ticker) {
    for field in fields {
      self[field] = other[field]
      takeWorkings(of: field, from: other)
      take(Bases(other), of: field)
    }
  }

  /// Replaces figures by the reason that they are too old: those of a day that has ended.
  package mutating func expire(_ fields: TickerFields) {
    for field in fields.fields { self[field] = .missing(.stale) }
  }

  mutating func take(_ bases: Bases, of field: TickerField) {
    switch field {
    case .price: priceBasis = bases.price
    case .changePricePercent24: changeBasis = bases.change
    case .high: highBasis = bases.high
    case .low: lowBasis = bases.low
    default: break
    }
  }

  /// Takes a field's derivation from another row.
  mutating func takeWorkings(of field: TickerField, from other: Ticker) {
    derived.removeAll { $0 == field }
    quotients.removeAll { $0 == field }
    if other.derived.contains(field) { derived.append(field) }
    if other.quotients.contains(field) { quotients.append(field) }
    exactText[field] = other.exactText[field]
  }

  /// In percent; nil if price or open is missing.
  private var changeFromOpen: Decimal? {
    guard let price = price.value, let open = open.value else { return nil }
    return price.percent(above: open)
  }

  /// Whether the change is that of the price from the open beside it, as far as the digits that exchanges send show.
  package var isChangeFromOpen: Bool {
    guard let change = changePricePercent24.value, let own = changeFromOpen else { return false }
    return (own - change).magnitude <= Decimal(mantissa: 1, exponent: -2)
  }

  /// Computes the change from the open again, for a price that is newer than the change.
  package mutating func renewChange() {
    guard changePricePercent24.value != nil, let new = changeFromOpen else { return }
    let field = TickerField.changePricePercent24
    changePricePercent24 = .value(new)
    derived.removeAll { $0 == field }
    quotients.removeAll { $0 == field }
    exactText[field] = nil
    markComputed(field, isQuotient: true)
  }

  mutating func markComputed(_ field: TickerField, isQuotient: Bool) {
    derived.append(field)
    if isQuotient { quotients.append(field) }
  }

  /// Converts a row per multiple (1000PEPE) to single units: prices are divided by the factor, the volume is
  /// multiplied.
  mutating func divide(by factor: Decimal) {
    multiplier = factor
    for field in [TickerField.price, .open, .high, .low, .bid, .ask] {
      guard let value = self[field].value, let quotient = value.dividedExactly(by: factor) else { continue }
      self[field] = Cell(workedOut: quotient)
      if !derived.contains(field) { derived.append(field) }
      if factor.powerOfTen == nil, !quotients.contains(field) { quotients.append(field) }
      exactText[field] = nil
    }
    if let volume = volume24.value {
      volume24 = Cell(workedOut: volume.scaled(by: factor))
      if !derived.contains(.volume24) { derived.append(.volume24) }
      exactText[.volume24] = nil
    }
  }
}

extension Decimal {
  /// Divides exactly; a power of ten moves the decimal point and keeps the digits.
  fileprivate func dividedExactly(by factor: Decimal) -> Decimal? {
    factor.powerOfTen.map { scaledByPowerOfTen(-$0) } ?? divided(by: factor)
  }
}
