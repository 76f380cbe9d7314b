import Config
import JSONPath
import Quotes

/// How one cell came to be: what `--explain` prints.
package struct FieldTrace: Sendable {
  /// One value that the cell was made of.
  package struct Source: Sendable {
    /// `row`, `response`, `request`, `key`, `constant` or a lookup's name.
    package let from: String
    /// The JSONPath, where there is one.
    package let path: String?
    /// The exchange's own characters; nil when the path led nowhere.
    package let raw: String?
    /// What was done with it before it became a part of the cell; nothing for a cell that is this one value.
    package let steps: [Step]
  }

  /// One thing that was done with the characters, by the key of the config that says so: `scale 100`, `unit ms`.
  package struct Step: Sendable, Hashable {
    package let key: String
    package let value: String
  }

  /// The field's name: `price`.
  package let name: String
  /// `sum`, `product`, `difference`, `quotient`, `from open`, `first of`, `first of: product`; nil for a value that was read
  /// as it is.
  package let operation: String?
  package let sources: [Source]
  /// What was done with the value, in that order.
  package let steps: [Step]
  /// The digits shown, or the reason why there are none.
  package let result: String
}

extension ValueReader {
  /// How each field of the row that is being read came to be.
  ///
  /// - Parameters:
  ///   - multiplier: what the exchange counts the asset in, where that is not one.
  ///   - result: the digits that are shown, or why there are none.
  func traces<Field: RecordField>(
    _ plan: RecordPlan<Field>, at place: RowPlace, multiplier: Decimal?, result: (Field) -> String
  ) -> [FieldTrace] {
    Field.allCases.map { field in
      trace(
        named: field.rawValue, plan[field], at: place, multiplier: field.dependsOnUnit ? multiplier : nil,
        result: result(field))
    }
  }

  /// - Parameter value: nil for a field that the config does not map.
  func trace(
    named name: String, _ value: ValuePlan?, at place: RowPlace, multiplier: Decimal? = nil, result: String
  ) -> FieldTrace {
    let unit = value == nil ? nil : multiplier.map { FieldTrace.Step(key: "multiplier", value: $0.shortest) }
    return FieldTrace(
      name: name, operation: value.flatMap { operation($0, at: place) },
      sources: value.map { sources($0, at: place, isWhole: true) } ?? [],
      steps: (value?.steps ?? []) + [unit].compactMap(\.self), result: result)
  }

  /// Of alternatives the one that was taken; nil where all are missing.
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

  /// - Parameter isWhole: whether the value is the cell, whose own steps are told beside it.
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
    case .around: sources = own("row")
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
  /// What stands in the answer; nil where there is nothing.
  fileprivate var rawText: String? {
    switch self {
    case .missing(.jsonNull): "null"
    case .missing: nil
    case .container(let isArray, _): isArray ? "[…]" : "{…}"
    default: comparedText
    }
  }
}
