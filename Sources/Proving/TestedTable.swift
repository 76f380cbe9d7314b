package import Config
import HTTP
import JSON
import JSONPath
import Mapping
package import MarketData
package import Quotes

/// A tested table of an exchange: all pairs of a part, or one pair from its own request.
package final class TestedTable: Sendable {
  package let market: Market
  /// nil for all pairs.
  package let pair: Pair?
  /// What distinguishes the parts of a market: `category=linear`, or else the payment currencies; empty for one part.
  let part: String
  package let spec: TableSpec
  package let gathered: GatheredTable
  let counts: TableCounts
  /// The requests and answers, including lookups.
  let answers: [CapturedAnswer]
  /// The answer; nil if it has no rows.
  let columns: AnswerColumns?
  /// The same for each lookup that was answered.
  let lookupColumns: [String: AnswerColumns]
  private let hooks: HookRegistry

  /// The number of rows beyond which no other members are expected.
  private static let rowLimit = 300

  init(
    _ market: Market, part: String, pair: Pair?, _ spec: TableSpec, _ gathered: GatheredTable,
    _ answers: [CapturedAnswer], hooks: HookRegistry
  ) {
    (self.market, self.part, self.pair, self.spec, self.gathered) = (market, part, pair, spec, gathered)
    (self.answers, self.hooks) = (answers, hooks)
    counts = TableCounts(gathered.table.rows, of: spec)
    func columns(_ lookup: LookupSpec?) -> AnswerColumns? {
      let response = answers.first { $0.isAbout(lookup) && $0.response != nil }?.response
      let body = response.flatMap { $0.json(hook: lookup == nil ? spec.hook : lookup?.hook, hooks) }
      let found = body.flatMap { AnswerColumns([$0], rows: lookup?.rows ?? spec.rows, limit: Self.rowLimit) }
      return found.flatMap { $0.rows.isEmpty ? nil : $0 }
    }
    self.columns = columns(nil)
    let lookups = spec.lookups.filter { $0.request != nil }.map { ($0.name, columns($0)) }
    lookupColumns = Dictionary(lookups.compactMap { name, found in found.map { (name, $0) } }) { first, _ in first }
  }

  /// The table's name in messages: `spot`, `futures category=linear`, `spot BTC/USDT`.
  package var name: String {
    [market.rawValue, part, pair.map { "\($0)" } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  func subject(_ field: TickerField? = nil) -> Finding.Subject {
    .table(
      exchange: spec.owner, market: market.rawValue, part: part, pair: pair.map { "\($0)" }, field: field?.rawValue)
  }

  /// Returns a finding about it, or one of its fields.
  func finding(
    _ code: FindingCode, _ severity: Finding.Severity, _ text: String, on field: TickerField? = nil, help: String? = nil
  ) -> Finding {
    Finding(code, severity, text, about: subject(field), help: help)
  }

  var rows: [TickerRow] { gathered.table.rows }
  var failures: [AnswerFailure] { gathered.table.failures.map(\.failure) }
  /// Whether the exchange has answered that it does not list the pair, or does not trade it.
  var isAbsent: Bool {
    rows.isEmpty && !failures.isEmpty && failures.allSatisfy(\.reason.isAbsence)
  }

  /// Whether it is of all pairs, instead of one from its own request.
  var isWhole: Bool { pair == nil }

  /// Returns whether it is from the same part of the same market.
  func isPart(of other: TestedTable) -> Bool { market == other.market && part == other.part }

  // MARK: Answers

  /// The table's own answer as JSON; nil if there is none.
  var body: [UInt8]? { answers.first { $0.isAbout(nil) }?.response?.json(hook: spec.hook, hooks) }

  /// Returns the answers for the table, or for one of its lookups.
  func bodies(of lookup: LookupSpec? = nil) -> AnswerBodies {
    AnswerBodies(
      answers.filter { $0.isAbout(lookup) }.compactMap(\.response), hook: lookup == nil ? spec.hook : lookup?.hook,
      hooks)
  }

  /// The exchange's error code and message if there is no row.
  var refusal: (code: String?, message: String?)? {
    guard let document = body.flatMap({ AnswerReader.document($0) }), document.root.kind == .object else { return nil }
    let texts = spec.success.messages.lazy.compactMap { $0.query.nodes(in: document.root).first?.scalarText }
    return (spec.success.code.flatMap { TreeValue($0).text(of: TreeRow(document.root)) }, texts.first { !$0.isEmpty })
  }

  // MARK: Members

  var unreadColumns: [AnswerColumns.Column] {
    let paths = MappedPath.paths(of: spec)
    return (columns?.members ?? []).filter { column in
      !paths.contains { $0.reads(column) } && !spec.success.readsOnRefusal(column)
    }
  }

  /// What no path reads in the answer and the lookups' answers.
  var unreadMembers: [(name: String, example: String)] {
    var result = unreadColumns.map { ($0.isInRow ? $0.path : "response \($0.path)", $0.example) }
    for lookup in spec.lookups.sorted(by: { $0.name < $1.name }) {
      let paths = MappedPath.paths(of: lookup, in: spec)
      let unread = (lookupColumns[lookup.name]?.members ?? []).filter { column in
        column.isInRow && !paths.contains { $0.reads(column) }
      }
      result += unread.map { ("\(lookup.name) \($0.path)", $0.example) }
    }
    return result
  }

  // MARK: Kept rows

  /// A line for each row, and for each failure.
  var keptLines: [String] {
    let asked = [pair.map { "\($0)" } ?? "*", part].filter { !$0.isEmpty }.joined(separator: " ")
    var cells = rows.map { row -> [String] in
      let ticker = row.ticker
      return [ticker.symbol, "\(ticker.pair)", ticker.product ?? ""]
        + TickerField.allCases.map { Self.cell($0, of: ticker) } + [ticker.flags.codes.joined(separator: " ")]
    }
    let dropped = gathered.table.dropped.sorted { $0.key < $1.key }
    cells += dropped.map { ["(dropped by \($0.key))", "\($0.value)"] }
    cells += gathered.table.unsplit.map { ["(not split) \($0.symbol)"] }
    for failure in failures {
      let refusal = isAbsent ? refusal : nil
      let words = refusal.map { [$0.code, $0.message].compactMap(\.self).joined(separator: " ") } ?? failure.message
      cells.append(["(failed)", failure.reason.code + (words.map { ": \($0)" } ?? "")])
    }
    return cells.map { KeptRows.line([market.rawValue, asked] + $0) }
  }

  private static func cell(_ field: TickerField, of ticker: Ticker) -> String {
    if field == .time { return ticker.time?.iso8601 ?? "(\(ticker.timeMissing?.code ?? ""))" }
    switch ticker.cell(field) {
    case .value(let value): return ticker.exactText[field] ?? "\(value)"
    case .missing(let reason): return "(\(reason.code))"
    }
  }
}

extension [TestedTable] {
  /// The rows of the tables of all pairs.
  var wholeRows: [TickerRow] { filter(\.isWhole).flatMap(\.rows) }
}
