import JSON
import JSONPath
package import Quotes

/// Infers from one saved response how the tickers of a venue are to be read.
///
///     let proposal = try VenueInference(bytes, pair: Pair(asset: "BTC", payment: "KRW")).proposal()
///     proposal.rows            // "$.data[*]"
///     proposal[.bid]?.path     // "$.bidPr"
///     proposal[.bid]?.evidence // ["its name", "bid <= ask in 130 of 130 rows", …]
///
/// Nothing in here knows a venue: names propose, relations between the numbers of all rows decide, and what they leave
/// open is said to be unsure.
package struct VenueInference {
  private let bytes: [UInt8]
  private let hints: SampleHints

  /// - Parameter hints: what is known of the sample; it goes before all that is inferred.
  package init(_ bytes: [UInt8], _ hints: SampleHints = SampleHints()) {
    self.bytes = bytes
    self.hints = hints
  }

  /// - Parameter pair: the pair that the response is about, or one that is in it.
  package init(_ bytes: [UInt8], pair: Pair) { self.init(bytes, SampleHints(pair: pair)) }

  /// - Throws: `SampleProblem` where the sample holds no tickers.
  package func proposal() throws(SampleProblem) -> VenueProposal {
    let root = try parsed()
    let ranked = Self.withoutRows(try scored(root).sorted { $0.score > $1.score })
    guard var best = ranked.first(where: { $0.score > 0 }) else { throw problem(of: root, ranked.first) }
    let others = ranked.dropFirst().filter {
      $0.score > best.score * 0.6 && $0.rows.nodes.count > 1 && !$0.rows.path.isBelow(best.rows.path)
    }
    let forced = try forcedColumns(&best.rows, root)
    let proposal = ProposalWriter(
      best, root: root, forced: forced, timePath: forced[.time] == nil ? hints.paths[.time] : nil
    ).proposal(
      otherRows: others.prefix(3).map(\.rows.pathText))
    if hints.paths[.price] != nil { return proposal }
    let pairs = proposal.symbol?.pairs.compactMap(\.self) ?? []
    if let other = OtherTable.name(of: best.rows, hasPairs: !pairs.isEmpty) { throw .noTicker(other) }
    if let problem = Self.objection(to: proposal, root) { throw problem }
    return proposal
  }

  private func scored(_ root: JSONNode) throws(SampleProblem) -> [RowsScore] {
    guard let path = hints.rows else {
      // Names that somebody gives tell the rows from all other lists.
      return RowsFinder(root).candidates.map { RowsScore(withHinted($0), hints) }
    }
    guard let rows = SampleRows(at: path, in: root) else { throw .nothingAt(what: "rows", path: path) }
    return [RowsScore(withHinted(rows), hints, isGiven: true)]
  }

  /// A row of a table is no table: one that is full ranks above the many that are not.
  private static func withoutRows(_ ranked: [RowsScore]) -> [RowsScore] {
    ranked.filter { one in
      guard one.rows.shape == .single, let name = one.rows.path.steps.last else { return true }
      let above = Array(one.rows.path.steps.dropLast())
      return !ranked.contains { table in
        guard table.score > 0, table.rows.nodes.count > 1, table.rows.path.steps == above + [.all] else { return false }
        if case .member(let member) = name { return table.rows.keys.contains(member) }
        return true
      }
    }
  }

  /// The rows with a column for each path of the pair that somebody gives.
  private func withHinted(_ rows: SampleRows) -> SampleRows {
    var rows = rows
    for path in [hints.symbol.path, hints.symbol.asset, hints.symbol.payment].compactMap(\.self) where path != "key" {
      _ = rows.column(at: path)
    }
    return rows
  }

  /// The columns of the roles whose paths are given.
  private func forcedColumns(_ rows: inout SampleRows, _ root: JSONNode) throws(SampleProblem) -> [Role: Int] {
    var columns: [Role: Int] = [:]
    for (role, path) in hints.paths {
      let column = rows.column(at: path)
      if role == .time, column == nil, responseValue(at: path, root) != nil { continue }
      guard let column, role == .time || rows.columns[column].hasNumbers else {
        throw .nothingAt(what: role.rawValue, path: path)
      }
      columns[role] = column
    }
    for path in [hints.symbol.path, hints.symbol.asset, hints.symbol.payment].compactMap(\.self) where path != "key" {
      guard rows.column(at: path) != nil else { throw .nothingAt(what: "pair", path: path) }
    }
    return columns
  }

  private func responseValue(at path: String, _ root: JSONNode) -> String? {
    (try? JSONPathQuery(path))?.nodes(in: root).first?.scalarText
  }

  private func parsed() throws(SampleProblem) -> JSONNode {
    guard let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }) else {
      throw .empty
    }
    if first == UInt8(ascii: "<") { throw .html }
    do {
      return try JSONDocument(parsing: bytes).root
    } catch {
      if case .nestingTooDeep = error.problem { throw .nestedTooDeep }
      throw .notJSON(error)
    }
  }

  private func problem(of root: JSONNode, _ best: RowsScore?) -> SampleProblem {
    if let text = SuccessProposal.errorText(of: root) { return .errorAnswer(Self.shortened(text)) }
    guard let best, !best.rows.columns.isEmpty else { return .emptyAnswer }
    if let empty = root.members.first(where: { $0.value.kind == .array && $0.value.count == 0 }) {
      return .emptyList(SamplePath(steps: [.member(empty.name)]).text)
    }
    return .noTicker("no field of \(best.rows.pathText) looks like a price")
  }

  private static func shortened(_ text: String) -> String {
    text.count > 120 ? text.prefix(119) + "…" : text
  }

  private static func objection(to proposal: VenueProposal, _ root: JSONNode) -> SampleProblem? {
    if let price = proposal[.price], price.confidence >= 0.25 {
      let pairs = proposal.symbol?.pairs.compactMap(\.self) ?? []
      let isTrades = pairs.count >= 5 && Set(pairs).count * 2 < pairs.count
      let hasMore = Role.allCases.contains { $0 != .price && $0 != .time && $0 != .volume && proposal[$0] != nil }
      if isTrades, !hasMore {
        return .noTicker("\(pairs.count) rows hold \(Set(pairs).count) pairs: trades, it seems")
      }
      return nil
    }
    if let text = SuccessProposal.errorText(of: root), proposal.isSingle { return .errorAnswer(shortened(text)) }
    return .noTicker("no field of \(proposal.rows) looks like a price")
  }
}
