import Config
package import Quotes

/// Fills the rows of one answer: what they have in common, and how each of their cells comes about.
struct TickerBuilder {
  /// What all rows have in common.
  let blank: TickerRow
  /// Those of the blank row: by themselves, as a row is large.
  private let bases: Bases
  private let record: RecordPlan<TickerField>
  /// The fields that are read as they stand, and the others, each in the order of the fields.
  private let plainFields: [(field: TickerField, number: PlainNumber)]
  private let otherFields: [(field: TickerField, value: ValuePlan)]
  /// Both of them.
  private let mappedFields: [TickerField]
  /// What rows are held by: the price, or what stands for it.
  private let headline: TickerField?
  private let time: ValuePlan?
  private let plainTime: PlainTime?
  /// The price, where it or an alternative of it names its basis.
  private let priceWithBasis: ValuePlan?
  private let traces: Bool
  private let arrival: Instant?
  private let check: MeaningCheck
  private let changeIsFromOpen: Bool
  private let turnoverIsComputed: Bool

  init(_ plan: TablePlan, _ options: Interpretation, arrival: Instant?) {
    self.init(plan.record, of: plan.spec, plan.market, options, arrival: arrival)
  }

  init(
    _ record: RecordPlan<TickerField>, of spec: TableSpec, _ market: Market, _ options: Interpretation,
    arrival: Instant?
  ) {
    check = options.check.adapted(to: spec)
    self.arrival = arrival
    traces = options.traces
    func basis(_ field: TickerField) -> String? { record[field]?.spec.basis }
    let ticker = Ticker(
      exchange: spec.owner, market: market, symbol: "", pair: Pair(asset: "", payment: ""), arrival: arrival,
      changeBasis: basis(.changePricePercent24).flatMap { ChangeBasis(rawValue: $0) },
      highBasis: basis(.high).flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h,
      lowBasis: basis(.low).flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h,
      timeBasis: basis(.time).flatMap { TimeBasis(rawValue: $0) } ?? .quote)
    blank = TickerRow(ticker: ticker, rank: 0, traces: [])
    bases = Bases(ticker)
    self.record = record
    var plainFields: [(TickerField, PlainNumber)] = []
    var otherFields: [(TickerField, ValuePlan)] = []
    for field in TickerField.allCases where field != .time {
      guard let value = record[field] else { continue }
      if let number = PlainNumber(value, field.kind) {
        plainFields.append((field, number))
      } else {
        otherFields.append((field, value))
      }
    }
    (self.plainFields, self.otherFields) = (plainFields, otherFields)
    mappedFields = plainFields.map(\.0) + otherFields.map(\.0)
    headline = TickerField.headlines.first { record[$0] != nil }
    time = record[.time]
    plainTime = time.flatMap { PlainTime($0) }
    priceWithBasis = record[.price].flatMap { $0.namesBasis ? $0 : nil }
    changeIsFromOpen = record.changeIsFromOpen
    turnoverIsComputed = record.turnoverIsComputed
  }

  /// Fills a blank row that has its names.
  ///
  /// - Parameters:
  ///   - rank: the order of its product in the part.
  ///   - multiplier: how many units of the asset the exchange counts as one.
  func fill<Rows>(
    _ row: inout TickerRow, rank: Int, multiplier: Decimal?, _ reader: ValueReader<Rows>, at place: RowPlace
  ) {
    row.rank = rank
    readFields(of: &row.ticker, reader, at: place)
    if let multiplier { row.ticker.divide(by: multiplier) }
    let flags = check.findings(
      row.ticker, arrival: arrival, changeIsFromOpen: changeIsFromOpen, turnoverIsComputed: turnoverIsComputed)
    if !flags.isEmpty { row.ticker.flags = flags }
    if traces {
      let ticker = row.ticker
      row.traces = reader.traces(record, at: place, multiplier: multiplier) { ticker.explainedText($0) }
    }
  }

  /// What a message says of a row.
  enum Said {
    case nothing
    /// Not the price, and not what stands for it.
    case something
    case price
  }

  /// Lays what a message says of a row over it. A field whose path leads to nothing leaves its cell as it is: the message
  /// does not speak of it.
  ///
  func lay<Rows>(
    over ticker: inout Ticker, arrival: Instant, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> Said {
    let said = layPlain(over: &ticker, reader, at: place) ?? layEdited(over: &ticker, reader, at: place)
    if case .nothing = said { return said }
    ticker.arrival = arrival
    ticker.flags = check.findings(
      ticker, arrival: arrival, changeIsFromOpen: changeIsFromOpen, turnoverIsComputed: turnoverIsComputed)
    return said
  }

  /// The time that a row of a message says; nil where it says none.
  func ownTime<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> Instant? {
    if let plainTime, let instant = reader.plainTime(plainTime, at: place) { return instant }
    return time.flatMap { reader.time($0, at: place).instant }
  }

  /// The way of nearly all messages: numbers as they stand, of a row of single units; nil where a row needs more than that,
  /// and then nothing that is done need be undone.
  private func layPlain<Rows>(
    over ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> Said? {
    guard otherFields.isEmpty, priceWithBasis == nil, time == nil || plainTime != nil, ticker.isAsSent else {
      return nil
    }
    var (says, saysPrice) = (false, false)
    for index in plainFields.indices {
      let (field, number) = plainFields[index]
      if reader.isMissing(number.path, at: place) { continue }
      guard let cell = reader.plainCell(number, at: place) else { return nil }
      ticker[field] = cell
      ticker.take(bases, of: field)
      says = true
      if field == headline { saysPrice = true }
    }
    let said = saysPrice ? Said.price : says ? .something : .nothing
    guard let plainTime, !reader.isMissing(plainTime.path, at: place) else { return said }
    guard let instant = reader.plainTime(plainTime, at: place) else { return nil }
    (ticker.time, ticker.timeMissing, ticker.timeBasis) = (instant, nil, bases.time)
    return said
  }

  private func layEdited<Rows>(
    over ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> Said {
    var said = blank.ticker
    // What is computed from the price has that of one unit to begin with, and is read in so many.
    said.price = ticker.price
    if let price = ticker.price.value, let multiplier = ticker.multiplier {
      said.price = .value(price.scaled(by: multiplier))
    }
    readFields(of: &said, reader, at: place)
    if let multiplier = ticker.multiplier { said.divide(by: multiplier) }
    let isAsSent = said.isAsSent && ticker.isAsSent
    var (says, saysPrice) = (false, false)
    for field in mappedFields {
      let cell = said[field]
      if case .missing(.pathMiss) = cell { continue }
      ticker[field] = cell
      if !isAsSent { ticker.takeWorkings(of: field, from: said) }
      ticker.take(Bases(said), of: field)
      says = true
      if field == headline { saysPrice = true }
    }
    if time != nil, said.timeMissing != .pathMiss {
      (ticker.time, ticker.timeMissing, ticker.timeBasis) = (said.time, said.timeMissing, said.timeBasis)
    }
    return saysPrice ? .price : says ? .something : .nothing
  }

  private func readFields<Rows>(of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace) {
    for index in plainFields.indices {
      let (field, number) = plainFields[index]
      if let cell = reader.plainCell(number, at: place) {
        ticker[field] = cell
      } else {
        readEdited(field, of: &ticker, reader, at: place)
      }
    }
    if !otherFields.isEmpty { readOtherFields(of: &ticker, reader, at: place) }
    if priceWithBasis != nil { readPriceBasis(of: &ticker, reader, at: place) }
    if let plainTime, let instant = reader.plainTime(plainTime, at: place) {
      (ticker.time, ticker.timeMissing) = (instant, nil)
    } else {
      readEditedTime(of: &ticker, reader, at: place)
    }
  }

  @inline(never)
  private func readOtherFields<Rows>(of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace) {
    for index in otherFields.indices {
      let (field, value) = otherFields[index]
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
  private func readPriceBasis<Rows>(of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace) {
    guard let priceWithBasis, let name = reader.basis(priceWithBasis, at: place),
      let basis = PriceBasis(rawValue: name)
    else { return }
    ticker.priceBasis = basis
  }

  @inline(never)
  private func readEditedTime<Rows>(of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace) {
    if let time { (ticker.time, ticker.timeMissing) = reader.time(time, at: place) }
  }

  /// Out of line, to keep the loop over the plain columns short.
  @inline(never)
  private func readEdited<Rows>(
    _ field: TickerField, of ticker: inout Ticker, _ reader: ValueReader<Rows>, at place: RowPlace
  ) {
    if let value = record[field] { ticker.set(field, to: reader.number(value, at: place)) }
  }

  /// (price - open) / open * 100, exact to 38 digits.
  private func change<Rows>(
    to price: Cell, from open: ValuePlan, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> Cell {
    guard let price = price.value else { return price }
    switch reader.number(open, at: place).cell.positive {
    case .missing(let reason): return .missing(reason)
    case .value(let open):
      return ((price - open) * 100).divided(by: open).map { .value($0) } ?? .missing(.zero)
    }
  }
}

/// What the figures of a row are counted from.
private struct Bases {
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

extension RecordPlan<TickerField> {
  /// The change and the open are one and the same fact: comparing them would prove nothing.
  fileprivate var changeIsFromOpen: Bool {
    guard case .fromOpen? = self[.changePricePercent24]?.origin else { return self[.open]?.isComputed ?? false }
    return true
  }

  /// Volume and turnover prove nothing of each other where one of them is computed from the other and the price alone.
  /// Contracts times their size are a figure of their own: held against the turnover they show a wrong size. So is an average
  /// price that the volume is multiplied by: it must be a price of the day.
  fileprivate var turnoverIsComputed: Bool {
    guard let turnover = self[.turnover24], let volume = self[.volume24] else { return false }
    guard turnover.isComputed || volume.isComputed else { return false }
    let others = [self[.price], self[.open], self[.high], self[.low]].compactMap(\.self)
    func places(_ values: [ValuePlan]) -> Set<String> { values.reduce(into: []) { $0.formUnion($1.spec.places) } }
    func proves(_ value: ValuePlan, against other: ValuePlan) -> Bool {
      guard value.isComputed else { return true }
      let (own, theirs, prices) = (value.spec.places, other.spec.places, places(others))
      if own.isSuperset(of: theirs) { return !own.subtracting(theirs).isSubset(of: prices) }
      return own.isDisjoint(with: theirs.union(prices))
    }
    return !proves(turnover, against: volume) || !proves(volume, against: turnover)
  }
}

extension Ticker {
  /// The cell of a field but the time.
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

  /// Sets the cell, and keeps the digits that it has no room for.
  fileprivate mutating func set(_ field: TickerField, to number: ReadNumber) {
    self[field] = field.kind == .positiveNumber ? number.cell.positive : number.cell
    if let exact = number.exactText { exactText[field] = exact }
  }

  /// The digits of a field, or why there are none.
  func explainedText(_ field: TickerField) -> String {
    if field == .time { return time?.iso8601 ?? timeMissing?.code ?? Missing.notOffered.code }
    return text(field) ?? cell(field).missing?.code ?? Missing.notOffered.code
  }

  /// Takes cells of another row of the same pair, and how they were made.
  package mutating func takeCells(_ fields: Set<TickerField>, from other: Ticker) {
    for field in fields {
      self[field] = other[field]
      takeWorkings(of: field, from: other)
      take(Bases(other), of: field)
    }
  }

  fileprivate mutating func take(_ bases: Bases, of field: TickerField) {
    switch field {
    case .price: priceBasis = bases.price
    case .changePricePercent24: changeBasis = bases.change
    case .high: highBasis = bases.high
    case .low: lowBasis = bases.low
    default: break
    }
  }

  /// How the cell of a field was made, from another row that it was taken from.
  fileprivate mutating func takeWorkings(of field: TickerField, from other: Ticker) {
    derived.removeAll { $0 == field }
    quotients.removeAll { $0 == field }
    if other.derived.contains(field) { derived.append(field) }
    if other.quotients.contains(field) { quotients.append(field) }
    exactText[field] = other.exactText[field]
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
  /// A power of ten moves the point and keeps the digits as they are.
  fileprivate func dividedExactly(by factor: Decimal) -> Decimal? {
    factor.powerOfTen.map { scaledByPowerOfTen(-$0) } ?? divided(by: factor)
  }
}
