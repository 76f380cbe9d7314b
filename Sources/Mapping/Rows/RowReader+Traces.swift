import Config
import Quotes

extension RowReader {
  /// How each cell of the row that is being read came to be.
  func traces(of ticker: Ticker, at place: RowPlace) -> [FieldTrace] {
    TickerField.allCases.map { field in
      let value = plan.field(field)
      let result: String
      if field == .time, let time = ticker.time {
        result = time.iso8601
      } else {
        result = ticker.text(field) ?? ticker.cell(field).missing?.code ?? Missing.notOffered.code
      }
      return FieldTrace(
        field: field, operation: value?.operation, sources: value.map { sources($0, at: place) } ?? [],
        scale: value?.scale?.description, result: result)
    }
  }

  private func sources(_ value: ValuePlan, at place: RowPlace) -> [FieldTrace.Source] {
    let own: [FieldTrace.Source]
    switch value.origin {
    case .first(let values), .sum(let values), .product(let values), .difference(let values),
      .quotient(let values), .join(let values, _):
      own = values.flatMap { sources($0, at: place) }
    case .fromOpen(let open): own = sources(open, at: place)
    case .constant(let text): own = [.init(from: "constant", path: nil, raw: text)]
    case .row, .response, .key, .request, .lookup:
      own = [.init(from: value.sourceName(in: plan), path: value.pathText, raw: scalar(value, at: place).rawText)]
    }
    return own + value.decimals.flatMap { sources($0, at: place) }
  }
}

extension ValuePlan {
  fileprivate var operation: String? {
    switch origin {
    case .first: "first of"
    case .sum: "sum"
    case .product: "product"
    case .difference: "difference"
    case .quotient: "quotient"
    case .join: "joined"
    case .fromOpen: "from open"
    default: nil
    }
  }

  fileprivate var pathText: String? {
    guard case .path(let path, _) = spec.origin else { return nil }
    return path?.text
  }

  fileprivate func sourceName(in plan: TablePlan) -> String {
    switch origin {
    case .response: "response"
    case .key: "key"
    case .request: "request"
    case .lookup(let index, _): plan.lookups[index].spec.name
    default: "row"
    }
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
