import Config
import HTTP
import JSON

/// Compiled values that are read from single places of a response, outside any table, with the lookups they may use.
struct PlaceReading: Sendable {
  let paths: PathList
  private let lookups: [LookupPlan]
  let values: [ValuePlan?]
  let conditions: [[ConditionPlan]]

  /// - Parameters:
  ///   - values: the values, read by index; nil stays nil.
  ///   - conditions: lists of conditions, by index.
  init(_ table: TableSpec, values: [ValueSpec?], conditions: [[ConditionSpec]]) {
    var compiler = ValueCompiler(lookups: table.lookups.map(\.name), constants: table.set)
    self.values = values.map { value in value.map { compiler.value($0) } }
    self.conditions = conditions.map { list in list.map { compiler.condition($0) } }
    lookups = compiler.lookups(table.lookups)
    paths = compiler.paths
  }

  /// Reads one place.
  ///
  /// - Parameter parent: the row that contains it; nil if it stands for itself.
  func read<Value>(
    _ row: TreeRow, parent: TreeRow? = nil, _ context: ReadingContext, asset: String = "",
    _ read: (ValueReader<TreeRows>, RowPlace) -> Value
  ) -> Value {
    let document = row.nodes[0].document
    let rows = TreeRows(document, [row], paths: paths, parent: parent ?? row)
    var place = RowPlace(index: 0)
    place.asset = asset
    let scope = ValueScope(lookups, states: context.lookups, request: context.request, isLate: context.isLate)
    return document.bytes.withUnsafeBufferPointer { read(ValueReader(rows: rows, body: $0, scope), place) }
  }
}

extension ValueReader {
  /// Returns whether a condition holds; nil if its path leads to nothing and the test does not handle that, or to a value
  /// of neither state.
  func decision(_ condition: ConditionPlan, at place: RowPlace) -> Bool? {
    let value = condition.value
    let scalar = value.isUntouched ? scalar(value, at: place) : edited(value, at: place)
    if scalar.isNothing, !condition.test.knowsNothing, condition.closed?.contains(nil) != true { return nil }
    if condition.test.holds(for: scalar) { return true }
    guard let closed = condition.closed else { return false }
    return ConditionSpec.Test.isIn(closed).holds(for: scalar) ? false : nil
  }

  /// Returns whether all conditions hold.
  func decision(_ conditions: [ConditionPlan], at place: RowPlace) -> Bool? {
    conditions.map { decision($0, at: place) }.all
  }
}

extension [Bool?] {
  /// Whether all are true. One that is false takes precedence over an unknown one.
  var all: Bool? {
    if contains(false) { return false }
    return contains(nil) ? nil : true
  }
}

extension ConditionSpec.Test {
  /// Whether the test accepts a missing value as input.
  fileprivate var knowsNothing: Bool {
    switch self {
    case .shape, .equals(nil): true
    case .isIn(let texts), .notIn(let texts): texts.contains(nil)
    default: false
    }
  }
}
