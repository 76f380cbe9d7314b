package import Config
package import HTTP
import JSON
package import JSONPath
package import Mapping

/// Which members an answer has, and which of them a mapping reads.
package struct AnswerShape: Sendable {
  package struct Member: Sendable, Hashable {
    /// Below a row; else below the whole answer.
    package let isInRow: Bool
    package let steps: [SingularStep]
    /// The first value, cut where it is long. Text of an exchange.
    package let example: String
    /// How many of the rows that were looked at have it.
    package var rows: Int
    package let isRead: Bool

    /// As a config would write it: `$.lastPr`.
    package var path: String { steps.pathText }
    /// The last name of the path; nil where it ends with an index.
    package var name: String? {
      if case .member(let name)? = steps.last { name } else { nil }
    }
  }

  /// In the order of the answer, those of rows first.
  package let members: [Member]
  /// How many rows were looked at.
  package let rowCount: Int

  /// Rows beyond these say nothing new.
  private static let rowLimit = 300
  private static let memberLimit = 200

  /// - Returns: nil where the answer is no JSON or has no rows.
  package init?(_ answer: HTTPResponse, of spec: TableSpec, hooks: HookRegistry) {
    var values = Array(spec.fields.values) + spec.conditions.map(\.value) + spec.lookups.map(\.match)
    if case .rules(let text, let rules) = spec.symbol {
      values += [text].compactMap(\.self) + rules.flatMap { [$0.asset, $0.payment].compactMap(\.self) }
    }
    self.init(
      answer, hook: spec.hook, hooks: hooks, rows: spec.rows, rowPaths: values.flatMap { $0.paths(from: .row) },
      responsePaths: values.flatMap { $0.paths(from: .response) } + spec.success.paths)
  }

  /// - Returns: nil where the answer is no JSON or has no rows.
  package init?(_ answer: HTTPResponse, of lookup: LookupSpec, in spec: TableSpec, hooks: HookRegistry) {
    let readers = Array(spec.fields.values) + spec.conditions.map(\.value) + spec.lookups.map(\.match)
    var symbols: [ValueSpec] = []
    if case .rules(let text, let rules) = spec.symbol {
      symbols = [text].compactMap(\.self) + rules.flatMap { [$0.asset, $0.payment].compactMap(\.self) }
    }
    let own = [lookup.key] + lookup.conditions.map(\.value)
    self.init(
      answer, hook: lookup.hook, hooks: hooks, rows: lookup.rows,
      rowPaths: own.flatMap { $0.paths(from: .row) }
        + (readers + symbols).flatMap { $0.paths(from: .lookup(lookup.name)) },
      responsePaths: lookup.success.paths)
  }

  private init?(
    _ answer: HTTPResponse, hook: String?, hooks: HookRegistry, rows spec: RowsSpec, rowPaths: [PathSpec],
    responsePaths: [PathSpec]
  ) {
    guard let bytes = try? AnswerReader.json(answer, hook: hook, hooks: hooks),
      let document = try? JSONDocument(parsing: bytes), let rows = try? TreeRow.rows(of: spec, in: document),
      !rows.isEmpty
    else { return nil }
    var collector = Collector(read: rowPaths.compactMap { ReadPath($0) }, isInRow: true)
    for row in rows.prefix(Self.rowLimit) { MemberWalk(isInRow: true).visit(row: row) { collector.take($0, $1) } }
    var around = Collector(read: responsePaths.compactMap { ReadPath($0) }, isInRow: false)
    let passed = Set(rows.flatMap(\.nodes).map { $0.byteRange.lowerBound })
    MemberWalk(isInRow: false, passed: passed).visit(document.root) { around.take($0, $1) }
    members = Array((collector.members + around.members).prefix(Self.memberLimit))
    rowCount = min(rows.count, Self.rowLimit)
  }
}

/// Gathers the scalar members below nodes.
private struct Collector {
  let read: [ReadPath]
  let isInRow: Bool
  private(set) var members: [AnswerShape.Member] = []
  private var places: [[SingularStep]: Int] = [:]

  init(read: [ReadPath], isInRow: Bool) {
    self.read = read
    self.isInRow = isInRow
  }

  mutating func take(_ node: JSONNode, _ steps: [SingularStep]) {
    if let place = places[steps] {
      members[place].rows += 1
      return
    }
    guard members.count < 200 else { return }
    places[steps] = members.count
    let text = node.scalarText ?? "null"
    members.append(
      .init(
        isInRow: isInRow, steps: steps, example: text.count > 24 ? text.prefix(23) + "…" : text, rows: 1,
        isRead: read.contains { $0.covers(steps) }))
  }
}

extension SuccessSpec {
  fileprivate var paths: [PathSpec] {
    let signs = unlisted.flatMap(\.self).compactMap(\.condition)
    let values = (conditions + signs).map(\.value) + [code].compactMap(\.self)
    return values.flatMap { $0.paths(from: .row) + $0.paths(from: .response) } + messages
  }
}
