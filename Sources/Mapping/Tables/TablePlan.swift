package import Config
import JSON
import JSONPath
package import Quotes

/// A table's mapping, compiled: paths numbered, symbols' endings sorted, and, where all of its paths are simple, one scan
/// that reads every row in a single pass over the bytes.
package struct TablePlan: Sendable {
  package let spec: TableSpec
  package let market: Market?
  let book: PathBook
  /// nil where a tree is needed.
  let scan: ScanPlan?
  let success: [ConditionPlan]
  let conditions: [ConditionPlan]
  let symbol: SymbolPlan
  let fields: [ValuePlan?]
  /// The fields that are read as they stand, and the others, each in the order of the fields.
  let plainColumns: [PlainColumn]
  let otherFields: [(field: TickerField, value: ValuePlan)]
  /// Whether the price, or an alternative of it, names its basis.
  let priceNamesBasis: Bool
  let lookups: [LookupPlan]
  /// The place among the scan's row paths of the one row itself, for a mapping without a list of rows.
  let singleRowPath: Int?
  /// The name or index at the end of that row's path.
  let singleRowKey: String?

  /// - Parameters:
  ///   - market: nil for a table of rates.
  ///   - fields: the names of the fields, in the order in which cells are numbered.
  ///   - usesScan: false reads every answer through a tree, whatever its paths: the two must agree, and a test holds them
  ///     against each other.
  package init(_ spec: TableSpec, market: Market?, fields names: [String], usesScan: Bool = true) {
    self.spec = spec
    self.market = market
    var book = PathBook()
    let lookupNames = spec.lookups.map(\.name)
    success = spec.success.conditions.map {
      ConditionPlan($0.overResponse, book: &book, lookups: [])
    }
    conditions = spec.conditions.map { ConditionPlan($0, book: &book, lookups: lookupNames) }
    symbol = SymbolPlan(spec, market: market, book: &book, lookups: lookupNames)
    fields = names.map { name in spec.fields[name].map { ValuePlan($0, book: &book, lookups: lookupNames) } }
    let ticker = market == nil ? [] : TickerField.allCases.filter { $0 != .time }
    let values = fields
    plainColumns = ticker.compactMap { field in values[field.index].flatMap { PlainColumn(field, $0) } }
    priceNamesBasis = market != nil && values[TickerField.price.index]?.namesBasis ?? false
    let plain = Set(plainColumns.map(\.field))
    otherFields = ticker.compactMap { field in
      plain.contains(field) ? nil : values[field.index].map { (field, $0) }
    }
    lookups = spec.lookups.map { LookupPlan($0, book: &book, lookups: lookupNames) }
    self.book = book
    let needsTree = spec.lookups.contains { $0.request == nil }
    scan = usesScan && !needsTree ? book.scanPlan(rows: spec.rows) : nil
    if case .path(let path) = spec.rows, path.query.rowContainerSteps == nil {
      singleRowPath = book.row.count
      singleRowKey = path.query.singularSteps?.lastName
    } else {
      singleRowPath = nil
      singleRowKey = nil
    }
  }

  /// True where the mapping reads an answer in one pass.
  package var isScanned: Bool { scan != nil }

  /// Whether a path may have to be filled with the row's own pair: none that a scan follows, but those of lookups.
  var fillsPaths: Bool { scan == nil || !lookups.isEmpty }

  /// The lookups without which there are no rows: those that conditions, symbols and batches read, and those that such a
  /// lookup needs for its own match.
  package var requiredLookups: Set<String> {
    var names = Set(spec.conditions.flatMap { $0.value.lookupNames })
    if case .rules(let text, let rules) = spec.symbol {
      names.formUnion(text?.lookupNames ?? [])
      for rule in rules {
        names.formUnion(rule.asset?.lookupNames ?? [])
        names.formUnion(rule.payment?.lookupNames ?? [])
      }
    }
    if let batch = spec.batch { names.insert(batch.lookup) }
    return closure(of: names)
  }

  /// The lookups that these fields read.
  package func lookups(for fields: some Sequence<String>) -> Set<String> {
    closure(of: fields.reduce(into: []) { $0.formUnion(spec.fields[$1]?.lookupNames ?? []) })
  }

  private func closure(of names: Set<String>) -> Set<String> {
    var result = names
    for lookup in spec.lookups.reversed() where result.contains(lookup.name) {
      result.formUnion(lookup.match.lookupNames)
    }
    return result == names ? result : closure(of: result)
  }
}

extension ConditionSpec {
  /// The same condition with the whole answer as `$`: how `success` reads.
  var overResponse: ConditionSpec { ConditionSpec(value: value.overResponse, test: test) }
}

extension ValueSpec {
  fileprivate var overResponse: ValueSpec {
    var value = self
    value.decimals = decimals.map(\.overResponse)
    switch origin {
    case .path(let path, .row): value.origin = .path(path, from: .response)
    case .path, .constant: break
    case .first(let values): value.origin = .first(values.map(\.overResponse))
    case .sum(let values): value.origin = .sum(values.map(\.overResponse))
    case .product(let values): value.origin = .product(values.map(\.overResponse))
    case .difference(let values): value.origin = .difference(values.map(\.overResponse))
    case .quotient(let values): value.origin = .quotient(values.map(\.overResponse))
    case .join(let values, let separator): value.origin = .join(values.map(\.overResponse), with: separator)
    case .fromOpen(let open): value.origin = .fromOpen(open.overResponse)
    }
    return value
  }
}
