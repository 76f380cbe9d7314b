import Config
import JSONPath
import Quotes

/// One path that a mapping reads, and what for.
struct ReadSlot {
  /// In words: `price`, `symbol`, `where`, `success`.
  let use: String
  let field: TickerField?
  let value: ValueSpec
  let path: PathSpec
  /// In the row; else in the answer around it.
  let isInRow: Bool

  /// The slots of a table, those of the symbol first: the rows are known by it.
  static func slots(of spec: TableSpec) -> [ReadSlot] {
    var slots = symbolValues(of: spec.symbol).flatMap { Self.slots(of: $0, "symbol") }
    for name in spec.fields.keys.sorted() {
      guard let value = spec.fields[name] else { continue }
      slots += Self.slots(of: value, name, TickerField(rawValue: name))
    }
    slots += spec.conditions.flatMap { Self.slots(of: $0.value, "where") }
    slots += spec.lookups.flatMap { Self.slots(of: $0.match, "match of the lookup \"\($0.name)\"") }
    return slots + Self.slots(of: spec.success)
  }

  /// What a table reads of the answer of a lookup.
  static func slots(of lookup: LookupSpec, in spec: TableSpec) -> [ReadSlot] {
    let name = "lookup \"\(lookup.name)\""
    var slots = Self.slots(of: lookup.key, "key of the \(name)")
    slots += lookup.conditions.flatMap { Self.slots(of: $0.value, "where of the \(name)") }
    func reading(_ value: ValueSpec, _ use: String) -> [ReadSlot] {
      value.readings(from: .lookup(lookup.name)).map {
        ReadSlot(use: use, field: nil, value: $0.value, path: $0.path, isInRow: true)
      }
    }
    for name in spec.fields.keys.sorted() { slots += spec.fields[name].map { reading($0, name) } ?? [] }
    slots += symbolValues(of: spec.symbol).flatMap { reading($0, "symbol") }
    slots += spec.conditions.flatMap { reading($0.value, "where") }
    slots += spec.lookups.flatMap { reading($0.match, "match of the lookup \"\($0.name)\"") }
    return slots + (lookup.request == nil ? [] : Self.slots(of: lookup.success))
  }

  /// What is read of each level of one side of an order book.
  static func slots(of side: BookSpec.Side, _ name: String) -> [ReadSlot] {
    slots(of: side.price, "price of the \(name)") + slots(of: side.size, "size of the \(name)")
  }

  /// What tells a good answer from an error.
  static func slots(of success: SuccessSpec) -> [ReadSlot] {
    let values =
      success.conditions.map { ("success", $0.value) } + [success.code].compactMap(\.self).map { ("code", $0) }
    return values.flatMap { use, value in
      [ValueSpec.Source.row, .response].flatMap { value.readings(from: $0) }.map {
        ReadSlot(use: use, field: nil, value: $0.value, path: $0.path, isInRow: false)
      }
    }
  }

  private static func slots(of value: ValueSpec, _ use: String, _ field: TickerField? = nil) -> [ReadSlot] {
    func slots(_ source: ValueSpec.Source, isInRow: Bool) -> [ReadSlot] {
      value.readings(from: source).map {
        ReadSlot(use: use, field: field, value: $0.value, path: $0.path, isInRow: isInRow)
      }
    }
    return slots(.row, isInRow: true) + slots(.response, isInRow: false)
  }

  private static func symbolValues(of symbol: SymbolSpec) -> [ValueSpec] {
    guard case .rules(let text, let rules) = symbol else { return [] }
    return [text].compactMap(\.self) + rules.flatMap { [$0.asset, $0.payment].compactMap(\.self) }
  }
}

extension ReadSlot {
  /// Whether the value is nothing but what stands at the path, with its scale: then the field's own checks speak of it.
  var isWhole: Bool { if case .path = value.origin { true } else { false } }
}

extension ValueSpec {
  /// The paths that the value and its parts read from one source, each with the part that reads it.
  func readings(from wanted: Source) -> [(value: ValueSpec, path: PathSpec)] {
    var result: [(ValueSpec, PathSpec)] = []
    if case .path(let path?, let source) = origin, source == wanted { result.append((self, path)) }
    // The parts of a time's text, or of a change, are read as the whole is.
    return result
      + parts.flatMap { part in
        part.readings(from: wanted).map { found in
          var value = found.value
          if case .first = origin { value.scale = value.scale ?? scale }
          if case .first = origin { value.time = value.time ?? time }
          return (value, found.path)
        }
      }
  }
}
