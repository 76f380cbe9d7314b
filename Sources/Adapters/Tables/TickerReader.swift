import Catalog
import Quotes

/// Turns the rows of one answer into tickers.
struct TickerReader {
  private let plan: TablePlan
  private let options: Interpretation
  private let arrival: Instant?
  private let check: MeaningCheck
  private let symbols: SymbolReader
  /// nil where every row is wanted, or has to be read to know.
  private let sieve: AssetSieve?
  /// What all rows have in common.
  private let template: Ticker
  private let time: ValuePlan?
  private let plainTime: PlainTime?
  private let changeIsFromOpen: Bool
  private let turnoverIsComputed: Bool
  private var table = TickerTable()
  private var dropped = Dropped()

  /// How many rows were left out, by reason.
  private struct Dropped {
    var byCondition = 0
    var bySymbol = 0
    var otherPairs = 0
  }

  /// - Parameter rowCount: how many rows are to come, at most.
  init(plan: TablePlan, options: Interpretation, arrival: Instant?, rowCount: Int) {
    self.plan = plan
    self.options = options
    self.arrival = arrival
    var check = options.check
    if let own = plan.spec.staleAfterMilliseconds { check.staleAfterSeconds = own / 1000 }
    self.check = check
    symbols = SymbolReader(plan: plan.symbol, globalAliases: options.globalAliases)
    sieve =
      options.namesUnsplit
      ? nil
      : options.wanted.flatMap {
        AssetSieve(plan.symbol, wanted: $0.asset, globalAliases: options.globalAliases)
      }
    template = Ticker(
      exchange: plan.spec.owner, market: plan.market ?? .spot, symbol: "", pair: Pair(asset: "", payment: ""),
      changeBasis: plan.field(.changePricePercent24)?.basis.flatMap { ChangeBasis(rawValue: $0) },
      highBasis: plan.field(.high)?.basis.flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h,
      lowBasis: plan.field(.low)?.basis.flatMap { ChangeBasis(rawValue: $0) } ?? .rolling24h,
      timeBasis: plan.field(.time)?.basis.flatMap { TimeBasis(rawValue: $0) } ?? .quote)
    if options.wanted == nil { table.rows.reserveCapacity(rowCount) }
    time = plan.field(.time)
    plainTime = time.flatMap { PlainTime($0) }
    changeIsFromOpen = plan.changeIsFromOpen
    turnoverIsComputed = plan.turnoverIsComputed
  }

  /// The table of the rows read.
  var result: TickerTable {
    var table = table
    let counts = [("where", dropped.byCondition), ("skip", dropped.bySymbol), ("other-pair", dropped.otherPairs)]
    for (reason, count) in counts where count > 0 { table.dropped[reason] = count }
    return table
  }

  mutating func read<Rows>(_ row: Int, _ reader: RowReader<Rows>) {
    var place = RowPlace(index: row)
    if let sieve, let symbol = reader.plainBytes(sieve.path, at: place), !sieve.mayHold(symbol) {
      dropped.otherPairs += 1
      return
    }
    for condition in plan.conditions where !reader.holds(condition, at: place) {
      dropped.byCondition += 1
      return
    }
    guard let symbol = symbol(reader, at: place) else { return }
    if let wanted = options.wanted, symbol.pair != wanted {
      dropped.otherPairs += 1
      return
    }
    place.asset = symbol.asset
    place.payment = symbol.payment
    var ticker = template
    ticker.product = symbol.product
    ticker.symbol = symbol.text ?? symbol.asset + symbol.payment
    ticker.pair = symbol.pair
    readFields(of: &ticker, reader, at: place)
    if let multiplier = symbol.multiplier { ticker.divide(by: multiplier) }
    ticker.flags = check.findings(
      ticker, arrival: arrival, changeIsFromOpen: changeIsFromOpen, turnoverIsComputed: turnoverIsComputed)
    let traces = options.traces ? reader.traces(of: ticker, at: place) : []
    table.rows.append(
      TickerRow(ticker: ticker, rank: options.partIndex * 4096 + symbol.rank, arrival: arrival, traces: traces))
  }

  // MARK: Symbols

  private mutating func symbol<Rows>(_ reader: RowReader<Rows>, at place: RowPlace) -> ReadSymbol? {
    if plan.symbol.isRequest { return symbolOfRequest(reader) }
    // A text of four bytes or more is none of those that stand for nothing.
    if let path = plan.symbol.plainPath, let bytes = reader.plainBytes(path, at: place), bytes.count >= 4 {
      return split(bytes, reader, at: place)
    }
    guard var text = plan.symbol.text.flatMap({ reader.text($0, at: place) }) else {
      return split(nil, reader, at: place)
    }
    return text.withUTF8 { split($0, reader, at: place) }
  }

  private mutating func symbolOfRequest<Rows>(_ reader: RowReader<Rows>) -> ReadSymbol? {
    guard let pair = reader.request.pair else {
      table.unsplit.append(.init(product: plan.symbol.product, symbol: "(the pair asked for)"))
      return nil
    }
    return symbols.symbol(
      of: pair, asset: plan.spec.venueSpelling(pair.asset), payment: plan.spec.venueSpelling(pair.payment))
  }

  private mutating func split<Rows>(
    _ text: UnsafeBufferPointer<UInt8>?, _ reader: RowReader<Rows>, at place: RowPlace
  ) -> ReadSymbol? {
    switch symbols.read(text, value: { reader.text($0, at: place) }) {
    case .pair(let symbol): return symbol
    case .skipped: dropped.bySymbol += 1
    case .unsplit:
      let name = text.map { String(decoding: $0, as: UTF8.self) } ?? reader.rows.key(place.index, in: reader.body)
      table.unsplit.append(.init(product: plan.symbol.product, symbol: name ?? ""))
    }
    return nil
  }

  // MARK: Cells

  private func readFields<Rows>(of ticker: inout Ticker, _ reader: RowReader<Rows>, at place: RowPlace) {
    for column in plan.plainColumns {
      if let decimal = reader.plainNumber(column, at: place) {
        ticker[column.field] = column.mustBePositive && decimal.signum <= 0 ? .missing(.zero) : .value(decimal)
      } else if let value = plan.field(column.field) {
        ticker.set(column.field, to: reader.number(value, at: place))
      }
    }
    for (field, value) in plan.otherFields {
      if case .fromOpen(let open) = value.origin {
        ticker.changePricePercent24 = change(to: ticker.price, from: open, reader, at: place)
        ticker.markComputed(field, isQuotient: true)
        continue
      }
      ticker.set(field, to: reader.number(value, at: place))
      if value.isComputed { ticker.markComputed(field, isQuotient: value.hasQuotient) }
    }
    if plan.priceNamesBasis, let price = plan.field(.price), let name = reader.basis(price, at: place),
      let basis = PriceBasis(rawValue: name)
    {
      ticker.priceBasis = basis
    }
    if let plainTime, let instant = reader.plainTime(plainTime, at: place) {
      (ticker.time, ticker.timeMissing) = (instant, nil)
    } else if let time {
      (ticker.time, ticker.timeMissing) = reader.time(time, at: place)
    }
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

  /// Volume and turnover prove nothing of each other where one of them is computed from the other, or from the price.
  /// Contracts times their size are a figure of their own: held against the turnover they show a wrong size.
  var turnoverIsComputed: Bool {
    guard let turnover = field(.turnover24), let volume = field(.volume24) else { return false }
    guard turnover.isComputed || volume.isComputed else { return false }
    let others = [field(.price), field(.open), field(.high), field(.low)].compactMap(\.self)
    func places(_ values: [ValuePlan]) -> Set<String> { values.reduce(into: []) { $0.formUnion($1.spec.places) } }
    func proves(_ value: ValuePlan, against other: ValuePlan) -> Bool {
      !value.isComputed || value.spec.places.isDisjoint(with: places([other] + others))
    }
    return !proves(turnover, against: volume) || !proves(volume, against: turnover)
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
