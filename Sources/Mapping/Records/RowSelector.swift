import Config
import Quotes

/// A filter that selects the rows of a response, determines their pairs, and counts those dropped.
struct RowSelector {
  private let conditions: [ConditionPlan]
  let symbols: SymbolReader
  /// Rows of other pairs are dropped; nil reads every row.
  private let wanted: Pair?
  /// The pairs of which rows that conditions drop are named.
  private let sought: Set<Pair>
  /// nil if every row is wanted, or has to be read to find out.
  private let prefilter: SymbolPrefilter?
  private var leftByCondition = 0
  /// How many of these are certainly of the wanted pair, which is listed.
  private(set) var leftOfWanted = 0
  /// Those of the sought pairs that have such a row.
  private(set) var leftOfSought: Set<Pair> = []
  private var leftBySymbol = 0
  private var leftByPair = 0
  private(set) var unsplit: [TickerTable.Unsplit] = []

  /// - Parameter namesUnsplit: whether to look at every symbol, so that those that no rule splits can be reported.
  init<Field>(
    _ plan: RecordPlan<Field>, wanted: Pair?, sought: Set<Pair> = [], globalAliases: [String: String],
    namesUnsplit: Bool = false
  ) {
    conditions = plan.conditions
    symbols = SymbolReader(plan: plan.symbol, globalAliases: globalAliases)
    self.wanted = wanted
    self.sought = sought
    prefilter =
      namesUnsplit
      ? nil : wanted.flatMap { SymbolPrefilter(plan.symbol, wanted: $0.asset, globalAliases: globalAliases) }
  }

  /// The number of dropped rows, by reason.
  var dropped: [DropReason: Int] {
    let counts = [(DropReason.condition, leftByCondition), (.symbolRule, leftBySymbol), (.otherPair, leftByPair)]
    return counts.reduce(into: [:]) { if $1.1 > 0 { $0[$1.0] = $1.1 } }
  }

  /// Returns whether a row may belong to the wanted pair and meets its conditions.
  @inline(__always)
  mutating func passes<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace) -> Bool {
    if let prefilter, let text = reader.plainBytes(prefilter.path, at: place), !prefilter.mayHold(text) {
      leftByPair += 1
      return false
    }
    // By index: iterating over the array itself would retain and release it for each row.
    for index in conditions.indices where !reader.holds(conditions[index], at: place) {
      leave(reader, at: place, isHalted: !conditions[index].marksUnlisted)
      return false
    }
    return true
  }

  /// Counts a row that conditions drop, by its pair: of the wanted one, of another, or of an unknown one, if no rule splits
  /// its symbol. A row that a symbol rule skips belongs to none.
  ///
  /// - Parameter isHalted: whether its pair is listed, but not traded now.
  @inline(never)
  private mutating func leave<Rows>(_ reader: ValueReader<Rows>, at place: RowPlace, isHalted: Bool) {
    func reading(_ text: UnsafeBufferPointer<UInt8>?) -> SymbolReading {
      symbols.read(text, value: { reader.text($0, at: place) })
    }
    var isWanted: Bool?
    if symbols.plan.isRequest {
      isWanted = wanted == nil ? nil : true
    } else if wanted != nil || !sought.isEmpty {
      var text = symbols.plan.text.flatMap { reader.text($0, at: place) }
      switch text?.withUTF8(reading) ?? reading(nil) {
      case .pair(let names):
        isWanted = wanted.map { $0 == names.pair }
        if isHalted, sought.contains(names.pair) { leftOfSought.insert(names.pair) }
      case .skipped: isWanted = wanted == nil ? nil : false
      case .unsplit: break
      }
    }
    switch isWanted {
    case false?: leftByPair += 1
    case true?:
      leftByCondition += 1
      if isHalted { leftOfWanted += 1 }
    case nil: leftByCondition += 1
    }
  }

  /// Returns the names of a row; nil if it is dropped.
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
      unsplit.append(.init(product: symbols.plan.product, symbol: "(the requested pair)", lack: nil))
      return nil
    }
    // Texts that mean "missing" are shorter than four bytes.
    if let path = symbols.plan.plainPath, let bytes = reader.plainBytes(path, at: place), bytes.count >= 4 {
      return split(bytes, reader, at: place)
    }
    guard var text = symbols.plan.text.flatMap({ reader.text($0, at: place) }) else {
      return split(nil, reader, at: place)
    }
    return text.withUTF8 { split($0, reader, at: place) }
  }

  /// Not inlined: passing the reader to the rules costs a copy of it.
  @inline(never)
  private mutating func split<Rows>(
    _ text: UnsafeBufferPointer<UInt8>?, _ reader: ValueReader<Rows>, at place: RowPlace
  ) -> ReadSymbol? {
    switch symbols.read(text, value: { reader.text($0, at: place) }) {
    case .pair(let names): return names
    case .skipped: leftBySymbol += 1
    case .unsplit:
      let found =
        text.map { String(decoding: $0, as: UTF8.self) }
        ?? symbols.plan.text.flatMap { reader.sought($0, at: place) }
      let name = found ?? reader.rows.key(place.index, levelsUp: 0, in: reader.body)
      let lack = found == nil ? symbols.plan.text.map { reader.lack(of: $0, at: place) } : nil
      unsplit.append(.init(product: symbols.plan.product, symbol: name ?? "", lack: lack))
    }
    return nil
  }
}
