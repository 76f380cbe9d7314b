import Config
import Quotes

/// Turns the rows of one answer into tickers.
struct TickerReader {
  private let plan: TablePlan
  private let options: Interpretation
  private let symbols: SymbolReader
  /// nil where every row is wanted, or has to be read to know.
  private let sieve: AssetSieve?
  private let recipe: RowRecipe
  /// The path of a symbol that may be read the usual way; -1 where none may.
  private let usualPath: Int
  /// Blank rows are made all at once, and filled where they lie: a row has some 400 bytes.
  private var rows: [TickerRow]
  private var filledCount = 0
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
    symbols = SymbolReader(plan: plan.symbol, globalAliases: options.globalAliases)
    sieve =
      options.namesUnsplit
      ? nil
      : options.wanted.flatMap {
        AssetSieve(plan.symbol, wanted: $0.asset, globalAliases: options.globalAliases)
      }
    recipe = RowRecipe(plan, options, arrival: arrival)
    let isUsual = options.wanted == nil && !plan.fillsPaths && !plan.symbol.isRequest
    usualPath = isUsual ? plan.symbol.plainPath ?? -1 : -1
    // Of a table that is searched for one pair nearly no row stays.
    rows = Array(repeating: recipe.blank, count: options.wanted == nil ? rowCount : 0)
  }

  /// The table of the rows read.
  var result: TickerTable {
    var table = table
    table.rows = rows
    table.rows.removeLast(rows.count - filledCount)
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
    // By index: a loop over the array itself would count a reference to it for each row.
    for index in plan.conditions.indices where !reader.holds(plan.conditions[index], at: place) {
      dropped.byCondition += 1
      return
    }
    if readUsual(reader, at: place) { return }
    guard let symbol = symbol(reader, at: place) else { return }
    if let wanted = options.wanted, symbol.pair != wanted {
      dropped.otherPairs += 1
      return
    }
    if plan.fillsPaths {
      place.asset = symbol.asset
      place.payment = symbol.payment
    }
    if filledCount == rows.count { rows.append(recipe.blank) }
    symbol.name(&rows[filledCount].ticker)
    recipe.fill(&rows[filledCount], rank: symbol.rank, multiplier: symbol.multiplier, reader, at: place)
    filledCount += 1
  }

  /// The way of nearly all rows of a table that is read as a whole; false where a row needs more than that.
  @inline(__always)
  private mutating func readUsual<Rows>(_ reader: RowReader<Rows>, at place: RowPlace) -> Bool {
    guard usualPath >= 0, filledCount < rows.count, let bytes = reader.plainBytes(usualPath, at: place),
      bytes.count >= 4, let rank = symbols.readUsual(bytes, into: &rows[filledCount].ticker)
    else { return false }
    recipe.fill(&rows[filledCount], rank: rank, multiplier: nil, reader, at: place)
    filledCount += 1
    return true
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
      of: pair, asset: plan.spec.exchangeSpelling(pair.asset), payment: plan.spec.exchangeSpelling(pair.payment))
  }

  /// Out of line: lending the reader to the rules costs a copy of it.
  @inline(never)
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
