import Config
import Quotes

/// How the rows of one answer are filled: what they have in common, and how each of their cells comes about.
struct RowRecipe {
  /// What all rows have in common.
  let blank: TickerRow
  private let plan: TablePlan
  private let options: Interpretation
  private let arrival: Instant?
  private let check: MeaningCheck
  private let time: ValuePlan?
  private let plainTime: PlainTime?
  private let changeIsFromOpen: Bool
  private let turnoverIsComputed: Bool

  init(_ plan: TablePlan, _ options: Interpretation, arrival: Instant?) {
    self.plan = plan
    self.options = options
    self.arrival = arrival
    var check = options.check
    if let own = plan.spec.staleAfterMilliseconds { check.staleAfterSeconds = own / 1000 }
    self.check = check
    let ticker = Ticker(
      exchange: plan.spec.owner, market: plan.market ?? .spot, symbol: "", pair: Pair(asset: "", payment: ""),
      changeBasis: plan.field(.changePricePercent24)?.basis.flatMap { ChangeBasis(rawValue: $0) },
      highBasis: plan.field(.high)?.basis.flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h,
      lowBasis: plan.field(.low)?.basis.flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h,
      timeBasis: plan.field(.time)?.basis.flatMap { TimeBasis(rawValue: $0) } ?? .quote)
    blank = TickerRow(ticker: ticker, rank: 0, arrival: arrival, traces: [])
    time = plan.field(.time)
    plainTime = time.flatMap { PlainTime($0) }
    changeIsFromOpen = plan.changeIsFromOpen
    turnoverIsComputed = plan.turnoverIsComputed
  }

  /// Fills a blank row that has its names.
  ///
  /// - Parameters:
  ///   - rank: the order of its product in the part.
  ///   - multiplier: how many units of the asset the exchange counts as one.
  func fill<Rows>(
    _ row: inout TickerRow, rank: Int, multiplier: Decimal?, _ reader: RowReader<Rows>, at place: RowPlace
  ) {
    row.rank = options.partIndex * 4096 + rank
    readFields(of: &row.ticker, reader, at: place)
    if let multiplier { row.ticker.divide(by: multiplier) }
    let flags = check.findings(
      row.ticker, arrival: arrival, changeIsFromOpen: changeIsFromOpen, turnoverIsComputed: turnoverIsComputed)
    if !flags.isEmpty { row.ticker.flags = flags }
    if options.traces { row.traces = reader.traces(of: row.ticker, at: place) }
  }

  private func readFields<Rows>(of ticker: inout Ticker, _ reader: RowReader<Rows>, at place: RowPlace) {
    for index in plan.plainColumns.indices {
      let column = plan.plainColumns[index]
      if let cell = reader.plainCell(column, at: place) {
        ticker[column.field] = cell
      } else {
        readRare(column.field, of: &ticker, reader, at: place)
      }
    }
    if !plan.otherFields.isEmpty { readOtherFields(of: &ticker, reader, at: place) }
    if plan.priceNamesBasis { readPriceBasis(of: &ticker, reader, at: place) }
    if let plainTime, let instant = reader.plainTime(plainTime, at: place) {
      (ticker.time, ticker.timeMissing) = (instant, nil)
    } else {
      readRareTime(of: &ticker, reader, at: place)
    }
  }

  @inline(never)
  private func readOtherFields<Rows>(of ticker: inout Ticker, _ reader: RowReader<Rows>, at place: RowPlace) {
    for index in plan.otherFields.indices {
      let (field, value) = plan.otherFields[index]
      if case .fromOpen(let open) = value.origin {
        ticker.changePricePercent24 = change(to: ticker.price, from: open, reader, at: place)
        ticker.markComputed(field, isQuotient: true)
        continue
      }
      ticker.set(field, to: reader.number(value, at: place))
      if value.isComputed { ticker.markComputed(field, isQuotient: value.hasQuotient) }
    }
  }

  @inline(never)
  private func readPriceBasis<Rows>(of ticker: inout Ticker, _ reader: RowReader<Rows>, at place: RowPlace) {
    guard let price = plan.field(.price), let name = reader.basis(price, at: place),
      let basis = PriceBasis(rawValue: name)
    else { return }
    ticker.priceBasis = basis
  }

  @inline(never)
  private func readRareTime<Rows>(of ticker: inout Ticker, _ reader: RowReader<Rows>, at place: RowPlace) {
    if let time { (ticker.time, ticker.timeMissing) = reader.time(time, at: place) }
  }

  /// Out of line, to keep the loop over the plain columns short.
  @inline(never)
  private func readRare<Rows>(
    _ field: TickerField, of ticker: inout Ticker, _ reader: RowReader<Rows>, at place: RowPlace
  ) {
    if let value = plan.field(field) { ticker.set(field, to: reader.number(value, at: place)) }
  }

  /// (price - open) / open * 100, exact to 38 digits.
  private func change<Rows>(
    to price: Cell, from open: ValuePlan, _ reader: RowReader<Rows>, at place: RowPlace
  ) -> Cell {
    guard let price = price.value else { return price }
    switch reader.number(open, at: place).cell.positive {
    case .missing(let reason): return .missing(reason)
    case .value(let open):
      return ((price - open) * 100).divided(by: open).map { .value($0) } ?? .missing(.zero)
    }
  }
}

extension TickerField {
  /// Where zero or less is no value but a sign of something dead.
  var mustBePositive: Bool {
    switch self {
    case .price, .open, .high, .low, .bid, .ask: true
    case .changePricePercent24, .volume24, .turnover24, .time: false
    }
  }
}

extension Cell {
  /// The same cell, with the reason `zero` for a number that is not above zero.
  var positive: Cell {
    if case .value(let number) = self, number.signum <= 0 { return .missing(.zero) }
    return self
  }
}

extension Ticker {
  /// The cell of a field but the time.
  subscript(_ field: TickerField) -> Cell {
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

  /// Sets the cell, and keeps the digits that it has no room for.
  fileprivate mutating func set(_ field: TickerField, to number: ReadNumber) {
    self[field] = field.mustBePositive ? number.cell.positive : number.cell
    if let exact = number.exactText { exactText[field] = exact }
  }

  mutating func markComputed(_ field: TickerField, isQuotient: Bool) {
    derived.append(field)
    if isQuotient { quotients.append(field) }
  }

  /// Turns a row of so many units (1000PEPE) into a row of one: prices by the factor down, the volume up.
  mutating func divide(by factor: Decimal) {
    multiplier = factor
    for field in [TickerField.price, .open, .high, .low, .bid, .ask] {
      guard let value = self[field].value, let quotient = value.dividedExactly(by: factor) else { continue }
      self[field] = .value(quotient)
      if !derived.contains(field) { derived.append(field) }
      if factor.powerOfTen == nil, !quotients.contains(field) { quotients.append(field) }
      exactText[field] = nil
    }
    if let volume = volume24.value {
      volume24 = .value(volume.scaled(by: factor))
      if !derived.contains(.volume24) { derived.append(.volume24) }
      exactText[.volume24] = nil
    }
  }
}

extension Decimal {
  /// A power of ten moves the point and keeps the digits as they are.
  fileprivate func dividedExactly(by factor: Decimal) -> Decimal? {
    factor.powerOfTen.map { scaledByPowerOfTen(-$0) } ?? divided(by: factor)
  }
}
