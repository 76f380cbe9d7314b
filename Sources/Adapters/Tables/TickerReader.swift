import Catalog
import Quotes

/// Turns the rows of one answer into tickers.
struct TickerReader {
  private let plan: TablePlan
  private let options: Interpretation
  private let arrival: Instant?
  private let symbols: SymbolReader
  private let changeBasis: ChangeBasis?
  private let highBasis: ChangeBasis?
  private let lowBasis: ChangeBasis?
  private let timeBasis: TimeBasis
  private let time: ValuePlan?
  private let changeIsFromOpen: Bool
  private let turnoverIsComputed: Bool
  private(set) var table = TickerTable()

  /// - Parameter rowCount: how many rows are to come, at most.
  init(plan: TablePlan, options: Interpretation, arrival: Instant?, rowCount: Int) {
    self.plan = plan
    self.options = options
    self.arrival = arrival
    symbols = SymbolReader(plan: plan.symbol, globalAliases: options.globalAliases)
    changeBasis = plan.field(.changePricePercent24)?.basis.flatMap { ChangeBasis(rawValue: $0) }
    highBasis = plan.field(.high)?.basis.flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h
    lowBasis = plan.field(.low)?.basis.flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h
    if options.wanted == nil { table.rows.reserveCapacity(rowCount) }
    time = plan.field(.time)
    changeIsFromOpen = plan.changeIsFromOpen
    turnoverIsComputed = plan.turnoverIsComputed
    timeBasis = plan.field(.time)?.basis.flatMap { TimeBasis(rawValue: $0) } ?? .quote
  }

  mutating func read<Rows>(_ row: Int, _ reader: RowReader<Rows>) {
    var place = RowPlace(index: row)
    for condition in plan.conditions where !reader.holds(condition, at: place) { return drop("where") }
    let text = plan.symbol.text.flatMap { reader.text($0, at: place) }
    guard let symbol = symbol(text, reader, at: place) else { return }
    if let wanted = options.wanted, symbol.pair != wanted { return drop("other-pair") }
    place.asset = symbol.asset
    place.payment = symbol.payment
    let ticker = ticker(symbol, text, reader, at: place)
    let traces = options.traces ? reader.traces(of: ticker, at: place) : []
    table.rows.append(
      TickerRow(ticker: ticker, rank: options.partIndex * 4096 + symbol.rank, arrival: arrival, traces: traces))
  }

  private mutating func drop(_ reason: String) {
    table.dropped[reason, default: 0] += 1
  }

  private mutating func symbol<Rows>(
    _ text: String?, _ reader: RowReader<Rows>, at place: RowPlace
  ) -> ReadSymbol? {
    if plan.symbol.isRequest {
      guard let pair = reader.request.pair else {
        table.unsplit.append(.init(product: plan.symbol.product, symbol: "(the pair asked for)"))
        return nil
      }
      let product = plan.symbol.usesProducts ? plan.symbol.product : nil
      return ReadSymbol(
        pair: pair, asset: plan.spec.venueSpelling(pair.asset), payment: plan.spec.venueSpelling(pair.payment),
        product: product, rank: 0)
    }
    switch symbols.read(text, value: { reader.text($0, at: place) }) {
    case .pair(let symbol): return symbol
    case .skipped: drop("skip")
    case .unsplit:
      table.unsplit.append(
        .init(product: plan.symbol.product, symbol: text ?? reader.rows.key(place.index, in: reader.body) ?? ""))
    }
    return nil
  }

  // MARK: Cells

  private func ticker<Rows>(
    _ symbol: ReadSymbol, _ text: String?, _ reader: RowReader<Rows>, at place: RowPlace
  ) -> Ticker {
    var ticker = Ticker(
      exchange: plan.spec.owner, market: plan.market ?? .spot, product: symbol.product,
      symbol: text ?? symbol.asset + symbol.payment, pair: symbol.pair)
    ticker.changeBasis = changeBasis
    ticker.highBasis = highBasis
    ticker.lowBasis = lowBasis
    ticker.timeBasis = timeBasis
    for column in plan.plainColumns {
      let number = reader.number(column, at: place)
      ticker[column.field] = column.mustBePositive ? number.cell.positive : number.cell
      if let exact = number.exactText { ticker.exactText[column.field] = exact }
    }
    for (field, value) in plan.otherFields {
      if case .fromOpen(let open) = value.origin {
        ticker.changePricePercent24 = change(to: ticker.price, from: open, reader, at: place)
        ticker.markComputed(field, isQuotient: true)
        continue
      }
      let number = reader.number(value, at: place)
      ticker[field] = field.mustBePositive ? number.cell.positive : number.cell
      if let exact = number.exactText { ticker.exactText[field] = exact }
      if value.isComputed { ticker.markComputed(field, isQuotient: value.hasQuotient) }
    }
    if let price = plan.field(.price), price.namesBasis, let name = reader.basis(price, at: place),
      let basis = PriceBasis(rawValue: name)
    {
      ticker.priceBasis = basis
    }
    if let time {
      (ticker.time, ticker.timeMissing) = reader.time(time, at: place)
    }
    if let multiplier = symbol.multiplier { ticker.divide(by: multiplier) }
    ticker.flags = options.check.findings(
      ticker, arrival: arrival, changeIsFromOpen: changeIsFromOpen, turnoverIsComputed: turnoverIsComputed)
    return ticker
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

extension TablePlan {
  func field(_ field: TickerField) -> ValuePlan? { fields[field.index] }

  /// The change and the open are one and the same fact: comparing them would prove nothing.
  var changeIsFromOpen: Bool {
    guard case .fromOpen? = field(.changePricePercent24)?.origin else { return field(.open)?.isComputed ?? false }
    return true
  }

  var turnoverIsComputed: Bool {
    (field(.turnover24)?.isComputed ?? false) || (field(.volume24)?.isComputed ?? false)
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
