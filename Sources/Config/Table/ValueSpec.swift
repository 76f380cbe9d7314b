import JSON
package import JSONPath
package import Quotes

/// A value of the language: its origin and the operations applied to it.
package struct ValueSpec: Sendable {
  /// The object that `$` refers to.
  package enum Source: Sendable, Hashable {
    /// The row; within a lookup's own `key` and `where`, the lookup's row.
    case row
    case response
    /// The member name or index that led to the row, or to what contains it: see ``ValueSpec/levelsUp``.
    case key
    /// The request's `set` names, `asset`, `payment`, `keys` and `date`.
    case request
    case lookup(String)
    /// The row that contains the one that `$` refers to, such as the asset of a network.
    case parentRow
  }

  package indirect enum Origin: Sendable {
    case constant(String)
    case path(PathSpec?, from: Source)
    /// The first value that is not missing.
    case first([ValueSpec])
    case sum([ValueSpec])
    case product([ValueSpec])
    case difference([ValueSpec])
    case quotient([ValueSpec])
    case join([ValueSpec], with: String)
    /// A text filled in with the requested pair; only in a lookup's `match`.
    case template(Template)
    /// The change in percent from this open to the row's price.
    case fromOpen(ValueSpec)
  }

  /// The way a text is read as a point in time.
  package enum TimeReading: Sendable {
    case unit(TimeUnit, offsetSeconds: Int)
    case iso8601(offsetSeconds: Int)
    case format(TimeFormat, offsetSeconds: Int)

    /// The values of `unit`.
    static let units = TimeUnit.allCases.map(\.rawValue) + ["iso8601"]

    /// Returns the moment given by a text; nil if it is not one.
    package func instant(_ text: String) -> Instant? {
      switch self {
      case .unit(let unit, let offset):
        // With a zone, the count is of local time there, so the offset is subtracted.
        guard let wall = Decimal(text).flatMap({ Instant($0, unit: unit) }) else { return nil }
        let (time, isOutside) = wall.nanoseconds.subtractingReportingOverflow(Int64(offset) * 1_000_000_000)
        return isOutside ? nil : Instant(nanoseconds: time)
      case .iso8601(let offset): return Instant.iso8601(text, defaultOffsetSeconds: offset)
      case .format(let format, let offset): return format.parse(text, offsetSeconds: offset)
      }
    }
  }

  package var origin: Origin
  /// For a value from the key: how many levels above the row; 0 for its own name.
  package var levelsUp = 0
  /// Must match the entire text; the `value` group is kept.
  package var capture: IRegexp?
  /// Characters to remove anywhere in the text.
  package var strip: String?
  /// Texts that mean "no value".
  package var missing: [String] = ValueSpec.defaultMissing
  /// The number of places to move the decimal point to the left.
  package var decimals: [ValueSpec] = []
  package var scale: Decimal?
  /// As written; the field decides which bases are allowed.
  package var basis: String?
  package var time: TimeReading?
  /// The words that mean that the taker bought or sold.
  package var side: SideWords?
  package let node: ConfigNode

  package static let defaultMissing = ["", "nan", "NaN", "N/A"]

  init(_ origin: Origin, node: ConfigNode) { (self.origin, self.node) = (origin, node) }

  /// The values that this one is made of, excluding itself.
  package var parts: [ValueSpec] {
    let own: [ValueSpec] =
      switch origin {
      case .constant, .path, .template: []
      case .first(let values), .sum(let values), .product(let values), .difference(let values),
        .quotient(let values), .join(let values, _):
        values
      case .fromOpen(let value): [value]
      }
    return own + decimals
  }

  /// The value and everything it is made of.
  package var withParts: [ValueSpec] { [self] + parts.flatMap(\.withParts) }

  /// The templates in its own text or path.
  package var templates: [Template] {
    switch origin {
    case .template(let template): [template]
    case .path(let path, _): path.map { Array($0.templates.values) } ?? []
    default: []
    }
  }

  /// Returns the scale that takes a factor out of the numbers as well; nil if it is zero.
  package func scaleCorrecting(_ factor: Decimal) -> Decimal? { (scale ?? 1).divided(by: factor) }

  /// Where the value and its parts are read from: the source and path of each.
  package var places: Set<String> {
    var places = parts.reduce(into: Set<String>()) { $0.formUnion($1.places) }
    if case .path(let path, let source) = origin { places.insert("\(source) \(path?.text ?? "$")") }
    return places
  }

  /// The lookups that this value or its parts read.
  package var lookupNames: Set<String> {
    var names = parts.reduce(into: Set<String>()) { $0.formUnion($1.lookupNames) }
    if case .path(_, .lookup(let name)) = origin { names.insert(name) }
    return names
  }
}

/// A JSONPath in the config, parsed.
package struct PathSpec: Sendable {
  package let query: JSONPathQuery
  /// Member names that contain a template (`$['vol_{asset|lower}']`), by the index of their segment; filled in once a
  /// row's pair is known. Only singular paths have them.
  package let templates: [Int: Template]
  package let node: ConfigNode

  package var text: String { query.text }

  package init(query: JSONPathQuery, templates: [Int: Template], node: ConfigNode) {
    (self.query, self.templates, self.node) = (query, templates, node)
  }

  /// Returns the path `$`, for where none is written.
  package static func root(at node: ConfigNode) -> PathSpec? {
    (try? JSONPathQuery("$")).map { PathSpec(query: $0, templates: [:], node: node) }
  }
}

extension ValueSpec {
  package static let operations = ObjectShape.operations.map(\.name)
}

extension SpecReader {
  /// The use of a value, which decides the constants and keys it may have.
  enum ValueUse {
    case text
    case number
    /// Any scalar, compared as text.
    case condition
    case time
    /// The words that tell who the taker was.
    case side

    /// Returns the use of the values that this value is made of.
    fileprivate func ofParts(in operation: String) -> ValueUse {
      switch operation {
      case "first": self == .number ? .number : .text
      case "join": .text
      default: .number
      }
    }
  }

  /// Reads what a lookup looks for, in which a string may contain templates.
  mutating func readMatch(_ node: ConfigNode, names: [String], lookups: [String]) -> ValueSpec? {
    matchNames = names
    defer { matchNames = nil }
    return readValue(node, as: .text, lookups: lookups)
  }

  /// - Parameter extraKeys: keys of the object that the caller reads itself.
  mutating func readValue(
    _ node: ConfigNode, as use: ValueUse, extraKeys: [String] = [], lookups: [String]
  ) -> ValueSpec? {
    switch node.json.kind {
    case .string where node.json.string?.hasPrefix("$") == true:
      return readPath(node).map { ValueSpec(.path($0, from: .row), node: node) }
    case .string:
      let text = node.json.string ?? ""
      if use == .number, Decimal(text) == nil { return rejected(.textForNumber(text, at: node)) }
      if let matchNames, text.contains("{") {
        return readTemplate(node, known: matchNames).map { ValueSpec(.template($0), node: node) }
      }
      return ValueSpec(.constant(text), node: node)
    case .number:
      return ValueSpec(.constant(node.json.numberText ?? ""), node: node)
    case .object:
      return readValueObject(node, as: use, extraKeys: extraKeys, lookups: lookups)
    default:
      return rejected(.wrongType("a path, a constant or an object", at: node))
    }
  }

  private mutating func readValueObject(
    _ node: ConfigNode, as use: ValueUse, extraKeys: [String], lookups: [String]
  ) -> ValueSpec? {
    let shape: ObjectShape =
      switch use {
      case .time: .timeValue
      case .side: .sideValue
      default: .value
      }
    guard checkKeys(node, known: shape.names + extraKeys) else { return nil }
    guard let origin = readOrigin(node, as: use, extraKeys: extraKeys, lookups: lookups) else { return nil }
    var value = ValueSpec(origin, node: node)
    if let up = node["up"] {
      guard case .path(_, .key) = origin else {
        return rejected(.misplacedSource(node["from"]?.json.string ?? "row", in: "a value with 'up'", at: up))
      }
      value.levelsUp = readInteger(up, in: IntegerRange.levelsUp) ?? 0
    }
    if let capture = node["capture"] { value.capture = readCapture(capture) }
    if let strip = node["strip"] {
      value.strip = readText(strip)
      if use == .number { checkNumberKeeps(strip) }
    }
    // A condition tests what is there: `"is": "empty"` must see an empty string.
    if use == .condition { value.missing = [] }
    if let missing = node["missing"] { value.missing = readTexts(missing) ?? [] }
    if let scale = node["scale"] { value.scale = readPositiveDecimal(scale) }
    if let basis = node["basis"] { value.basis = readText(basis) }
    if let decimals = node["decimals"], let places = readValue(decimals, as: .number, lookups: lookups) {
      value.decimals = [places]
    }
    if use == .time { value.time = readTimeReading(node) }
    if use == .side { value.side = readSideWords(node) }
    return value
  }

  /// Reports characters that a number loses although they are a part of it. A point may separate thousands.
  private mutating func checkNumberKeeps(_ strip: ConfigNode) {
    let lost = (strip.json.string ?? "").filter { $0.isNumber || $0 == "-" }
    if !lost.isEmpty { report(.strippedNumber(lost, at: strip)) }
  }

  private mutating func readSideWords(_ node: ConfigNode) -> SideWords? {
    func words(_ key: String) -> [String]? {
      guard let node = node[key] else { return nil }
      let nodes = node.json.kind == .array ? node.elements : [node]
      let texts = nodes.compactMap(\.json.scalarText)
      return texts.count == nodes.count && !texts.isEmpty ? texts : nil
    }
    guard let buy = words("buy"), let sell = words("sell") else {
      return rejected(.sideWithoutWords(["buy", "sell"].filter { words($0) == nil }, at: node))
    }
    if let both = buy.first(where: { word in sell.contains { $0.lowercased() == word.lowercased() } }) {
      return rejected(.meansBoth(both, "buy", "sell", at: node))
    }
    return SideWords(buy: buy, sell: sell)
  }

  private mutating func readOrigin(
    _ node: ConfigNode, as use: ValueUse, extraKeys: [String], lookups: [String]
  ) -> ValueSpec.Origin? {
    let present = ValueSpec.operations.filter { !extraKeys.contains($0) && node[$0] != nil }
    let sources = ["path", "from"].filter { node[$0] != nil }
    if extraKeys.contains("fromOpen"), let open = node["fromOpen"] {
      guard present.isEmpty, sources.isEmpty else {
        return rejected(.conflictingKeys(["fromOpen"] + present + sources, at: node))
      }
      return readValue(open, as: .number, lookups: lookups).map { .fromOpen($0) }
    }
    guard let operation = present.first, let operands = node[operation] else {
      if sources.isEmpty, use == .number || use == .time {
        return rejected(.missingKey("path", in: "this value", at: node))
      }
      return readSource(node, lookups: lookups)
    }
    guard present.count == 1, sources.isEmpty else {
      return rejected(
        present.count == 1 && sources == ["from"]
          ? .sourceBesideParts(operation, at: node) : .conflictingKeys(present + sources, at: node))
    }
    guard let elements = readElements(operands) else { return nil }
    let needsTwo = operation == "difference" || operation == "quotient"
    guard needsTwo ? elements.count == 2 : !elements.isEmpty else {
      return rejected(.wrongType(needsTwo ? "two values" : "at least one value", at: operands))
    }
    let values = elements.map { readValue($0, as: use.ofParts(in: operation), lookups: lookups) }
    guard !values.contains(where: { $0 == nil }) else { return nil }
    let parts = values.compactMap(\.self)
    switch operation {
    case "first": return .first(parts)
    case "sum": return .sum(parts)
    case "product": return .product(parts)
    case "difference": return .difference(parts)
    case "quotient": return .quotient(parts)
    default: return .join(parts, with: node["with"].flatMap { readText($0) } ?? "")
    }
  }

  private mutating func readSource(_ node: ConfigNode, lookups: [String]) -> ValueSpec.Origin? {
    var source = ValueSpec.Source.row
    if let from = node["from"] {
      guard let name = readText(from) else { return nil }
      switch name {
      case "response": source = .response
      case "key": source = .key
      case "request": source = .request
      case "row" where rowIsNamed: source = .parentRow
      case _ where lookups.contains(name): source = .lookup(name)
      default:
        return rejected(.unknownSource(name, lookups: lookups, at: from))
      }
    }
    guard let path = node["path"] else { return .path(nil, from: source) }
    if let text = path.json.string, !text.hasPrefix("$") {
      return rejected(.invalidPath("a path begins with $", at: path.place))
    }
    guard let read = readPath(path) else { return nil }
    if source == .key, read.query.singularSteps?.isEmpty != true {
      return rejected(.invalidPath("a row's key is a string with nothing below it", at: path.place))
    }
    return .path(read, from: source)
  }

  private mutating func readTimeReading(_ node: ConfigNode) -> ValueSpec.TimeReading? {
    let offset = node["zone"].flatMap { readZone($0) } ?? 0
    if let unit = node["unit"], node["format"] != nil { report(.conflictingKeys(["unit", "format"], at: unit)) }
    if let format = node["format"] { return readTimeFormat(format).map { .format($0, offsetSeconds: offset) } }
    guard let unit = node["unit"] else { return rejected(.timeWithoutUnit(at: node)) }
    if unit.json.string == "iso8601" { return .iso8601(offsetSeconds: offset) }
    guard let text = readText(unit) else { return nil }
    guard let value = TimeUnit(rawValue: text) else {
      return rejected(.unknownValue(ValueSpec.TimeReading.units, found: text, at: unit))
    }
    return .unit(value, offsetSeconds: offset)
  }
}
