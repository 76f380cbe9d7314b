import Config
import Quotes

/// Chooses the rows of an answer that are read, says which pair each is of, and counts those that are left out.
struct RowSelector {
  private let conditions: [ConditionPlan]
  let symbols: SymbolReader
  /// Rows of other pairs are left out; nil reads every row.
  private let wanted: Pair?
  /// nil where every row is wanted, or has to be read to know.
  private let prefilter: SymbolPrefilter?
  private var leftByCondition = 0
  private var leftBySymbol = 0
  private var leftByPair = 0
  private(set) var unsplit: [TickerTable.Unsplit] = []

  /// - Parameter namesUnsplit: whether every symbol is looked at, so that those that no rule splits can be named.
  init<Field>(
    _ plan: RecordPlan<Field>, wanted: Pair?, globalAliases: [String: String], namesUnsplit: Bool = false
  ) {
    conditions = plan.conditions
    symbols = SymbolReader(plan: plan.symbol, globalAliases: globalAliases)
    self.wanted = wanted
    prefilter =
      namesUnsplit
      ? nil : wanted.flatMap { SymbolPrefilter(plan.symbol, wanted: $0.asset, globalAliases: globalAliases) }
  }

  /// How many rows were left out, by reason.
  var dropped: [DropReason: Int] {
    let counts = [(DropReason.condition, leftByCondition), (.symbolRule, leftBySymbol), (.otherPair, leftByPair)]
    return counts.reduce(into: [:]) { if $1.1 > 0 { $0[$1.0] = $1.1 } }
  }

  /// Whether a row may be of the wanted pair, and its conditions hold.
  @inline(__always)
  mutating func passes<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> Bool {
    if let prefilter, let text = reader.plainBytes(prefilter.path, at: place), !prefilter.mayHold(text) {
      leftByPair += 1
      return false
    }
    // By index: a loop over the array itself would count a reference to it for each row.
    for index in conditions.indices where !reader.holds(conditions[index], at: place) {
      leftByCondition += 1
      return false
    }
    return true
  }

  /// What a row's symbol comes to; nil for a row that is left out.
  mutating func names<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> ReadSymbol? {
    guard let names = read(reader, at: place) else { return nil }
    if let wanted, names.pair != wanted {
      leftByPair += 1
      return nil
    }
    return names
  }

  private mutating func read<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> ReadSymbol? {
    if symbols.plan.isRequest {
      if let pair = reader.request?.pair { return symbols.symbol(of: pair) }
      unsplit.append(.init(product: symbols.plan.product, symbol: "(the pair asked for)"))
      return nil
    }
    // A text of four bytes or more is none of those that stand for nothing.
    if let path = symbols.plan.plainPath, let bytes = reader.plainBytes(path, at: place), bytes.count >= 4 {
      return split(bytes, reader, at: place)
    }
    guard var text = symbols.plan.text.flatMap({ reader.text($0, at: place) }) else {
      return split(nil, reader, at: place)
    }
    return text.withUTF8 { split($0, reader, at: place) }
  }

  /// Out of line: lending the reader to the rules costs a copy of it.
  @inline(never)
  private mutating func split<Rows>(
    _ text: UnsafeBufferPointer<UInt8>?, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> ReadSymbol? {
    switch symbols.read(text, value: { reader.text($0, at: place) }) {
    case .pair(let names): return names
    case .skipped: leftBySymbol += 1
    case .unsplit:
      let name =
        text.map { String(decoding: $0, as: UTF8.self) }
        ?? symbols.plan.text.flatMap { reader.sought($0, at: place) } ?? reader.rows.key(place.index, in: reader.body)
      unsplit.append(.init(product: symbols.plan.product, symbol: name ?? ""))
    }
    return nil
  }
}
