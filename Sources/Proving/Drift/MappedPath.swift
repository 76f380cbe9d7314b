import Config
import JSON
import JSONPath
import Mapping
import Quotes

/// A path read by a mapping, and its use.
struct MappedPath: Sendable {
  enum Use: Hashable, Sendable {
    case symbol
    /// A field of a row, or of an exchange rate.
    case field(String)
    case condition
    /// Any other, as the report names it: `price of the bids`.
    case other(String)

    var text: String {
      switch self {
      case .symbol: "symbol"
      case .field(let name), .other(let name): name
      case .condition: "where"
      }
    }
  }

  let use: Use
  /// The value, or a part of one, that reads the path.
  private(set) var value: ValueSpec
  let path: PathSpec
  /// Whether it is in the row; otherwise in the answer around it.
  let isInRow: Bool
  /// Whether the field is computed from it.
  private(set) var isOperand = false

  var field: TickerField? { if case .field(let name) = use { TickerField(rawValue: name) } else { nil } }

  /// Whether the value is just the one at the path, with its scale, so that the field's own checks cover it.
  var isWhole: Bool { if case .path = value.origin { !isOperand } else { false } }

  /// The multiplier for numbers at this path.
  var scale: Double { value.scale.flatMap { Double($0.description) } ?? 1 }

  func isSame(as other: MappedPath) -> Bool { isInRow == other.isInRow && path.text == other.path.text }

  func reads(_ column: AnswerColumns.Column) -> Bool { column.isInRow == isInRow && path.covers(column.steps) }

  // MARK: Paths of a mapping

  /// Returns the paths of a table.
  static func paths(of spec: TableSpec) -> [MappedPath] {
    spec.values.flatMap { paths($0.value, $0.use) } + paths(of: spec.success)
  }

  /// Returns what a table reads from a lookup's answer.
  static func paths(of lookup: LookupSpec, in spec: TableSpec) -> [MappedPath] {
    paths(lookup.key, .other("key of the lookup \"\(lookup.name)\""))
      + lookup.conditions.flatMap { paths($0.value, .other("where of the lookup \"\(lookup.name)\"")) }
      + spec.values.flatMap { paths($0.value, $0.use, from: .lookup(lookup.name), isInRow: true) }
      + (lookup.request == nil ? [] : paths(of: lookup.success))
  }

  /// Returns what is read from each level of one side of an order book.
  static func paths(of side: BookSpec.Side, _ name: String) -> [MappedPath] {
    paths(side.price, .other("price of the \(name)")) + paths(side.size, .other("size of the \(name)"))
      + side.conditions.flatMap { paths($0.value, .condition) }
  }

  /// Returns the paths of a channel: those for messages are around its rows, or in the row if a message is one.
  static func paths(of spec: StreamSpec) -> [MappedPath] {
    var isRow = false
    if case .path(let path) = spec.table.rows { isRow = path.query.singularSteps?.isEmpty ?? false }
    var symbols = spec.table.symbol.values
    if case .spelled(let value) = spec.symbol { symbols = [value] }
    let once = [
      ("time", spec.book?.time), ("sequence", spec.book?.sequence), ("previous sequence", spec.book?.previous),
    ]
    var result: [MappedPath] = []
    for condition in spec.conditions + (spec.whole ?? []) {
      result += paths(condition.value, .other("when"), from: .row, isInRow: isRow)
    }
    for symbol in symbols { result += paths(symbol, .symbol) }
    for (name, value) in spec.table.fields.sorted(by: { $0.key < $1.key }) { result += paths(value, .field(name)) }
    for (name, value) in once { result += value.map { paths($0, .other(name)) } ?? [] }
    return result
  }

  /// Returns the paths that distinguish a good answer from an error.
  private static func paths(of success: SuccessSpec) -> [MappedPath] {
    let values = success.conditions.map { ("success", $0.value) } + (success.code.map { [("code", $0)] } ?? [])
    return values.flatMap { use, value in
      [ValueSpec.Source.row, .response].flatMap { paths(value, .other(use), from: $0, isInRow: false) }
    }
  }

  private static func paths(_ value: ValueSpec, _ use: Use) -> [MappedPath] {
    paths(value, use, from: .row, isInRow: true) + paths(value, use, from: .response, isInRow: false)
  }

  private static func paths(
    _ value: ValueSpec, _ use: Use, from source: ValueSpec.Source, isInRow: Bool
  ) -> [MappedPath] {
    var result: [MappedPath] = []
    if case .path(let path?, source) = value.origin {
      result.append(MappedPath(use: use, value: value, path: path, isInRow: isInRow))
    }
    for part in value.parts {
      for var found in paths(part, use, from: source, isInRow: isInRow) {
        // Alternatives are read like the whole.
        if case .first = value.origin {
          found.value.scale = found.value.scale ?? value.scale
          found.value.time = found.value.time ?? value.time
        } else {
          found.isOperand = true
        }
        result.append(found)
      }
    }
    return result
  }
}

extension TableSpec {
  /// The values with their uses, starting with those of the symbol, which identifies the rows.
  fileprivate var values: [(use: MappedPath.Use, value: ValueSpec)] {
    symbol.values.map { (.symbol, $0) } + fields.sorted { $0.key < $1.key }.map { (.field($0.key), $0.value) }
      + conditions.map { (.condition, $0.value) }
      + lookups.map { (.other("match of the lookup \"\($0.name)\""), $0.match) }
  }
}

extension SuccessSpec {
  /// Returns whether a place in an answer is only read to find out why there is no row.
  func readsOnRefusal(_ column: AnswerColumns.Column) -> Bool {
    let signs = signConditions.flatMap { condition -> [PathSpec] in
      if case .path(let path?, .row) = condition.value.origin { return [path] }
      if case .path(let path?, .response) = condition.value.origin { return [path] }
      return []
    }
    return !column.isInRow && (messages + signs).contains { $0.covers(column.steps) }
  }
}

extension PathSpec {
  /// Returns whether it leads to a place or to one that contains it. A template step covers any name; a path with a
  /// wildcard or filter covers nothing, as what it reads is not known beforehand.
  func covers(_ place: [SingularStep]) -> Bool {
    guard let steps = query.singularSteps, steps.count <= place.count else { return false }
    return zip(steps, place).enumerated().allSatisfy { index, step in templates[index] != nil || step.0 == step.1 }
  }

  /// Returns the steps with a pair filled in; nil if the path is more than names and indexes.
  func steps(filledWith pair: Pair?) -> [SingularStep]? {
    query.singularSteps?.enumerated().map { index, step in
      templates[index].map { .member($0.filled(asset: pair?.asset ?? "", payment: pair?.payment ?? "")) } ?? step
    }
  }
}
