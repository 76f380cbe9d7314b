package import Config
package import HTTP
import JSON
import Quotes

/// A response indexed by key.
package struct LookupTable: Sendable {
  /// In response order.
  package private(set) var keys: [String] = []
  private var rows: [TreeRow] = []
  private var places: [String: Int] = [:]
  /// What the rows are that no claim takes (``LookupSpec/claims``) and nothing in the config names; one for each row.
  package private(set) var unknownKinds: [String] = []
  /// Keys that occur in two rows, neither of which can be trusted.
  private var ambiguous: Set<String> = []

  static let emptyMessage = "the lookup has no rows"

  enum Result {
    case row(TreeRow)
    case missing
    case ambiguous
  }

  subscript(_ key: String) -> Result {
    if ambiguous.contains(key) { return .ambiguous }
    return places[key].map { .row(rows[$0]) } ?? .missing
  }

  /// Creates a table without rows.
  init() {}

  /// - Throws: `AnswerFailure` if the response is an error or lacks such rows.
  ///
  /// - Parameter isLate: returns whether the time for reading is over.
  package init(
    _ spec: LookupSpec, answer: HTTPResponse, hooks: HookRegistry, isLate: @escaping @Sendable () -> Bool = { false }
  ) throws(AnswerFailure) {
    let document = try AnswerReader.tree(answer, hook: spec.hook, hooks: hooks, success: spec.success)
    try self.init(spec, document: document, answer, isLate)
  }

  /// - Parameter answer: nil for a lookup over a response that has already been read.
  init(
    _ spec: LookupSpec, document: JSONDocument, _ answer: HTTPResponse? = nil,
    _ isLate: @escaping @Sendable () -> Bool = { false }
  ) throws(AnswerFailure) {
    let plan = RecordPlan<NameField>(RecordSpec(spec), usesScan: false)
    var context = ReadingContext()
    context.isLate = isLate
    self = try plan.readTree(document, answer, context) { (rows, reader) throws(AnswerFailure) in
      let records = try plan.records(of: reader, NamedRows(field: .key))
      if records.all.isEmpty, records.incomplete > 0 { throw AnswerFailure(.emptyAnswer, "no row of it has a key") }
      var table = LookupTable(rows.rows, keys: records.all)
      for index in rows.rows.indices where !plan.claims.isEmpty {
        guard case .unknown(let kind) = reader.claim(ofAll: plan.claims, at: RowPlace(index: index)) else { continue }
        table.unknownKinds.append(kind)
      }
      return table
    }
  }

  private init(_ rows: [TreeRow], keys named: [(name: String, row: Int)]) {
    self.rows = rows
    for (key, row) in named {
      if places.updateValue(row, forKey: key) == nil { keys.append(key) } else { ambiguous.insert(key) }
    }
  }

  /// Adds a row; it replaces one with the same key.
  ///
  /// - Parameter most: the maximum number of rows; others are not added.
  mutating func add(_ row: TreeRow, key: String, most: Int) {
    if let known = places[key] {
      rows[known] = row
    } else if rows.count < most {
      places[key] = rows.count
      rows.append(row)
      keys.append(key)
    }
  }
}

/// The field that identifies a row of a lookup, or of a table of wallets.
enum NameField: String, RecordField {
  case key, asset

  var kind: FieldKind { .text }
}

struct NamedRows: RecordBuilder {
  let field: NameField

  func record<Rows>(_ row: RecordRow<Rows, NameField>) -> (name: String, row: Int)? {
    row.text(field).map { ($0, row.place.index) }
  }
}

/// A lookup as read by the values of a mapping.
struct LookupPlan: Sendable {
  let name: String
  /// The row's value to look up; its paths are the mapping's.
  let match: ValuePlan
  /// The paths into the lookup's rows.
  let paths: PathList
  /// Whether conditions that read it are met if it fails.
  let isOptional: Bool

  init(_ spec: LookupSpec, match: ValuePlan, paths: PathList) {
    (name, isOptional) = (spec.name, spec.isOptional)
    (self.match, self.paths) = (match, paths)
  }
}

/// The state of a lookup while rows are read.
package enum LookupState: Sendable {
  case table(LookupTable)
  /// It was requested without success.
  case failed(AnswerFailure)
  /// No requested cell needs it.
  case notRequested
}

extension TableSpec {
  /// Returns whether a pair's key is in none of these lookups, as far as the pair's names alone give it: of lookups of
  /// one request, each may have some of its rows, so that all of these lack it.
  package func lacksKey(of pair: StreamPair, in states: [String: LookupState]) -> Bool {
    /// Whether all lookups of a request lack it, by the request's text.
    var isMissing: [String: Bool] = [:]
    for lookup in lookups {
      guard case .table(let table)? = states[lookup.name], let request = lookup.request,
        let key = lookup.match.withParts.lazy.flatMap(\.templates).compactMap({ $0.filled(pair.spelling, self.set) })
          .first
      else { continue }
      let isMissingHere = if case .missing = table[key] { true } else { false }
      let text = "\(lookup.baseURLs) \(request.node.json.text)"
      isMissing[text] = isMissingHere && isMissing[text] != false
    }
    return isMissing.values.contains(true)
  }
}

/// A lookup and its state.
struct ResolvedLookup {
  let plan: LookupPlan
  let state: LookupState
}
