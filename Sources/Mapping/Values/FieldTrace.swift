import Config
package import Quotes

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
  }

  package let field: TickerField
  /// `sum`, `product`, `difference`, `quotient`, `from open`; nil for a value that was read as it is.
  package let operation: String?
  package let sources: [Source]
  package let scale: String?
  /// The digits shown, or the reason why there are none.
  package let result: String
}

extension ValueReader {
  /// How each cell of the row that is being read came to be.
  ///
  /// - Parameter values: by the field's index.
  func traces(of ticker: Ticker, _ values: [ValuePlan?], at place: RowPlace) -> [FieldTrace] {
    TickerField.allCases.map { field in
      let value = values[field.index]
      let result: String
      if field == .time, let time = ticker.time {
        result = time.iso8601
      } else {
        result = ticker.text(field) ?? ticker.cell(field).missing?.code ?? Missing.notOffered.code
      }
      return FieldTrace(
        field: field, operation: value?.operation, sources: value.map { sources($0, at: place) } ?? [],
        scale: value?.spec.scale?.description, result: result)
    }
  }

  private func sources(_ value: ValuePlan, at place: RowPlace) -> [FieldTrace.Source] {
    func own(_ from: String) -> [FieldTrace.Source] {
      [.init(from: from, path: value.pathText, raw: scalar(value, at: place).rawText)]
    }
    let sources: [FieldTrace.Source]
    switch value.origin {
    case .first(let values), .arithmetic(_, let values), .join(let values, _):
      sources = values.flatMap { self.sources($0, at: place) }
    case .fromOpen(let open): sources = self.sources(open, at: place)
    case .template: sources = [.init(from: "constant", path: nil, raw: scalar(value, at: place).rawText)]
    case .constant(let text): sources = [.init(from: "constant", path: nil, raw: text)]
    case .row: sources = own("row")
    case .response: sources = own("response")
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
