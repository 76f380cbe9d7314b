import Config
import JSONPath
import Quotes

/// The explanation of a cell, which `--explain` prints.
package struct FieldTrace: Sendable {
  /// One value that the cell was made from.
  package struct Source: Sendable {
    /// `row`, `response`, `request`, `key`, `constant` or a lookup's name; if it is computed `price`, `rate`, `spot` or
    /// `lowest`, which a lookup may be called, too.
    package let from: String
    /// Whether it is another cell, or a rate, and not a part of an answer.
    package let isComputed: Bool
    /// The JSONPath, if there is one; if it is computed, the pair of the rate, or the exchange.
    package let path: String?
    /// The exchange's own characters; nil if the path led nowhere.
    package let raw: String?
    /// The steps applied before it became part of the cell; empty for a cell that is this one value.
    package let steps: [Step]

    package init(from: String, path: String?, raw: String?, steps: [Step] = []) {
      (self.from, self.path, self.raw, self.steps) = (from, path, raw, steps)
      isComputed = false
    }

    /// - Parameter raw: The digits of the cell or rate.
    package init(computed from: String, path: String?, raw: String?) {
      (self.from, self.path, self.raw, steps) = (from, path, raw, [])
      isComputed = true
    }
  }

  /// One step applied to the characters, by its key in the config: `scale 100`, `unit ms`.
  package struct Step: Sendable, Hashable {
    package let key: String
    package let value: String
  }

  /// The field's name: `price`.
  package let name: String
  /// `sum`, `product`, `difference`, `quotient`, `from open`, `first of`, `first of: product`, of a computed cell also
  /// `percent above`; nil for a value that was read unchanged.
  package let operation: String?
  package let sources: [Source]
  /// The steps applied to the value, in order.
  package let steps: [Step]
  /// The digits shown, or the reason why there are none.
  package let result: String

  package init(name: String, operation: String?, sources: [Source], steps: [Step] = [], result: String) {
    (self.name, self.operation, self.sources) = (name, operation, sources)
    (self.steps, self.result) = (steps, result)
  }
}

extension FieldTrace {
  /// Creates the explanation of the sum of several values that were read in the same way.
  ///
  /// - Parameter parts: Not empty; each with the result of the sum.
  init(sumOf parts: [FieldTrace]) {
    self.init(
      name: parts[0].name, operation: ["sum", parts[0].operation].compactMap(\.self).joined(separator: ": "),
      sources: parts.flatMap(\.sources), steps: parts[0].steps, result: parts[0].result)
  }
}

extension ValueReader {
  /// Explains each field of the row being read.
  ///
  /// - Parameters:
  ///   - multiplier: the number of units that the exchange counts as one, if not 1.
  ///   - result: returns the digits shown, or why there are none.
  func traces<Field: RecordField>(
    _ plan: RecordPlan<Field>, at place: RowPlace, multiplier: Decimal?, result: (Field) -> String
  ) -> [FieldTrace] {
    Field.allCases.map { field in
      trace(
        named: field.rawValue, plan[field], at: place, multiplier: field.dependsOnUnit ? multiplier : nil,
        result: result(field))
    }
  }

  /// - Parameter value: nil for an unmapped field.
  func trace(
    named name: String, _ value: ValuePlan?, at place: RowPlace, multiplier: Decimal? = nil, result: String
  ) -> FieldTrace {
    let unit = value == nil ? nil : multiplier.map { FieldTrace.Step(key: "multiplier", value: $0.shortest) }
    return FieldTrace(
      name: name, operation: value.flatMap { operation($0, at: place) },
      sources: value.map { sources($0, at: place, isWhole: true) } ?? [],
      steps: (value?.steps ?? []) + [unit].compactMap(\.self), result: result)
  }

  /// Returns the alternative that was used; nil if all are missing.
  private func taken(_ alternatives: [ValuePlan], at place: RowPlace) -> ValuePlan? {
    alternatives.first { value in
      if case .missing = edited(value, at: place) { false } else { true }
    }
  }

  private func operation(_ value: ValuePlan, at place: RowPlace) -> String? {
    guard case .first(let values) = value.origin, let taken = taken(values, at: place),
      let inner = operation(taken, at: place)
    else { return value.operation }
    return [value.operation, inner].compactMap(\.self).joined(separator: ": ")
  }

  /// - Parameter isWhole: whether the value is the cell itself, whose steps are listed separately.
  private func sources(_ value: ValuePlan, at place: RowPlace, isWhole: Bool = false) -> [FieldTrace.Source] {
    func own(_ from: String) -> [FieldTrace.Source] {
      [
        .init(
          from: from, path: value.pathText, raw: scalar(value, at: place).rawText, steps: isWhole ? [] : value.steps)
      ]
    }
    func constant(_ text: String?) -> [FieldTrace.Source] {
      [.init(from: "constant", path: nil, raw: text, steps: [])]
    }
    let sources: [FieldTrace.Source]
    switch value.origin {
    case .first(let values):
      sources = (taken(values, at: place).map { [$0] } ?? values).flatMap { self.sources($0, at: place) }
    case .arithmetic(_, let values), .join(let values, _):
      sources = values.flatMap { self.sources($0, at: place) }
    case .fromOpen(let open): sources = self.sources(open, at: place)
    case .template: sources = constant(scalar(value, at: place).rawText)
    case .constant(let text): sources = constant(text)
    case .row: sources = own("row")
    case .response: sources = own("response")
    case .parent: sources = own("row")
    case .key: sources = own("key")
    case .request: sources = own("request")
    case .lookup(let index, _): sources = own(lookups.indices.contains(index) ? lookups[index].plan.name : "lookup")
    }
    return sources + (value.decimals.map { self.sources($0, at: place) } ?? [])
  }
}

extension ValuePlan {
  fileprivate var operation: String? {
    switch origin {
    case .first: "first of"
    case .arithmetic(let operation, _): operation.rawValue
    case .join: "joined"
    case .fromOpen: "from open"
    default: nil
    }
  }

  fileprivate var pathText: String? {
    guard case .path(let path, _) = spec.origin else { return nil }
    return path?.text
  }

  fileprivate var steps: [FieldTrace.Step] {
    var steps: [FieldTrace.Step] = []
    func add(_ key: String, _ value: String?) {
      if let value { steps.append(FieldTrace.Step(key: key, value: value)) }
    }
    func add(zone seconds: Int) { add("zone", seconds == 0 ? nil : ClockZone(offsetSeconds: seconds).offset) }
    add("capture", spec.capture?.pattern)
    add("strip", spec.strip)
    add("scale", spec.scale?.description)
    switch spec.time {
    case .unit(let unit, let offset)?:
      add("unit", unit.rawValue)
      add(zone: offset)
    case .iso8601(let offset)?:
      add("unit", "iso8601")
      add(zone: offset)
    case .format(let format, let offset)?:
      add("format", format.pattern)
      add(zone: offset)
    case nil: break
    }
    if let basis = spec.basis.flatMap({ CandleTimeBasis(rawValue: $0) }) { add("basis", basis.rawValue) }
    if let side = spec.side {
      add("buy", side.buyWords.joined(separator: ", "))
      add("sell", side.sellWords.joined(separator: ", "))
    }
    return steps
  }
}

extension Scalar {
  /// The text in the response; nil if there is none.
  fileprivate var rawText: String? {
    switch self {
    case .missing(.jsonNull): "null"
    case .missing: nil
    case .container(let isArray, _): isArray ? "[…]" : "{…}"
    default: comparedText
    }
  }
}
