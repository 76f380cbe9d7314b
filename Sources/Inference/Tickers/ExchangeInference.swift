import Config
import JSON
import Quotes

/// Infers from one saved response how the tickers of an exchange are read.
///
///     let proposal = try ExchangeInference(bytes, SampleHints(pair: Pair("BTC/KRW"))).proposal()
///     proposal.rows            // "$.data[*]"
///     proposal[.bid]?.path     // "$.bidPr"
///     proposal[.bid]?.evidence // ["its name", "bid <= ask in 130 of 130 rows", …]
///
/// It has no knowledge of particular exchanges: names propose, relations between the numbers of all rows decide, and
/// the rest is reported as uncertain.
package struct ExchangeInference {
  private let bytes: [UInt8]
  private let hints: SampleHints

  /// - Parameter hints: known facts about the sample, which take precedence over inference.
  package init(_ bytes: [UInt8], _ hints: SampleHints = SampleHints()) {
    (self.bytes, self.hints) = (bytes, hints)
  }

  /// - Throws: `SampleProblem` if the sample contains no tickers.
  package func proposal() throws(SampleProblem) -> ExchangeProposal {
    let root = try parsed()
    var ranked = Self.withoutRows(try scored(root).sorted { $0.score > $1.score })
    if ranked.allSatisfy({ $0.score <= 0 || $0.symbol == nil && $0.rows.shape == .single }) {
      let readByNumbers = try scored(root, readsNumbers: true).sorted { $0.score > $1.score }
      if readByNumbers.contains(where: { $0.score > 0 && $0.symbol != nil }) { ranked = readByNumbers }
    }
    guard var best = ranked.first(where: { $0.score > 0 }) else {
      for one in ranked { if let problem = Self.decimalCommas(in: one.rows.columns, .price) { throw problem } }
      throw problem(of: root, ranked)
    }
    if hints.paths[.price] == nil, let problem = Self.decimalCommas(in: best.rows.columns, .price) { throw problem }
    let others = ranked.dropFirst().filter {
      $0.score > best.score * 0.6 && $0.rows.nodes.count > 1 && !$0.rows.path.isBelow(best.rows.path)
    }
    let forced = try forcedColumns(&best.rows, root)
    var proposal = ProposalWriter(best, root: root, forced: forced, hints)
      .proposal(otherRows: others.prefix(3).map(\.rows.pathText))
    let whole = best.rows.isJoined ? nil : ranked.first { $0.rows.isJoined && best.rows.path.isBelow($0.rows.path) }
    proposal.unread = whole.map { ($0.rows.pathText, $0.rows.count - best.rows.count) }
    if hints.paths[.price] != nil || hints.whole.contains(.price) { return proposal }
    if let sign = RowsKind(best.rows, proposal.symbol).sign { throw .otherKind(sign.kind, sign.reason) }
    if let problem = Self.objection(to: proposal, root) { throw problem }
    if proposal.rowCount == 1, hints.pair == nil { throw .oneRow(path: proposal.rows) }
    return proposal
  }

  private func scored(_ root: JSONNode, readsNumbers: Bool = false) throws(SampleProblem) -> [RowsScore] {
    guard let path = hints.rows else {
      return RowsFinder(root).candidates.map { RowsScore($0.selected(hints), hints, readsNumbers: readsNumbers) }
    }
    guard let rows = SampleRows(at: path, in: root) else { throw .nothingAt(what: "rows", path: path) }
    return [RowsScore(rows.selected(hints), hints, isGiven: true)]
  }

  /// Removes rows of tables and anything within them, since a complete row would rank above many incomplete ones.
  private static func withoutRows(_ ranked: [RowsScore]) -> [RowsScore] {
    ranked.filter { one in
      guard one.rows.shape == .single else { return true }
      return !ranked.contains { table in
        guard table.score > 0, table.rows.nodes.count > 1, table.rows.path.isList else { return false }
        let container = table.rows.path.steps
        let steps = one.rows.path.steps
        guard steps.count > container.count, steps.starts(with: container) else { return false }
        if case .member(let member) = steps[container.count] { return table.rows.keys.contains(member) }
        return true
      }
    }
  }

  private func forcedColumns(_ rows: inout SampleRows, _ root: JSONNode) throws(SampleProblem) -> [Role: Int] {
    var columns: [Role: Int] = [:]
    for role in Role.allCases {
      guard let path = hints.paths[role] else { continue }
      let column = rows.column(at: path)
      if role == .time, column == nil, root.scalar(at: path) != nil { continue }
      if let column, hints.whole.contains(role), !rows.columns[column].hasNumbers, role != .time { continue }
      if let column, role != .time, let problem = Self.decimalCommas(in: [rows.columns[column]]) { throw problem }
      guard let column, role == .time || rows.columns[column].hasNumbers else {
        throw .nothingAt(what: role.rawValue, path: path)
      }
      columns[role] = column
    }
    return columns
  }

  /// Returns the problem of columns, or of a role's column, whose commas are not thousands separators.
  private static func decimalCommas(in columns: [SampleColumn], _ role: Role? = nil) -> SampleProblem? {
    let column = columns.first { $0.hasDecimalCommas && (role.map($0.nameScore) ?? 1) >= 0.8 }
    let example = column?.texts.lazy.compactMap(\.self).first { DigitGroups($0, by: ",") != nil }
    return column.map { .decimalCommas(path: $0.path.text, example: (example ?? "").shortened(to: 120)) }
  }

  func parsed() throws(SampleProblem) -> JSONNode {
    guard let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }) else {
      throw .empty
    }
    if first == UInt8(ascii: "<") { throw .html }
    if bytes.starts(with: [0x1F, 0x8B]) { throw .encoded("compressed by gzip; unpack it first") }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.prefix(2).contains(0) {
      throw .encoded("UTF-16; give it as UTF-8")
    }
    do {
      return try JSONDocument(parsing: bytes).root
    } catch {
      if case .nestingTooDeep = error.problem { throw .nestedTooDeep }
      if isSeveral(error) { throw .severalValues }
      throw .notJSON(error)
    }
  }

  /// Returns whether another object or list begins where the first value ends.
  private func isSeveral(_ error: JSONSyntaxError) -> Bool {
    guard bytes.indices.contains(error.offset), [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(bytes[error.offset])
    else { return false }
    return (try? JSONDocument(parsing: Array(bytes[..<error.offset]))) != nil
  }

  /// Returns why no part of the sample can be rows.
  ///
  /// - Parameter ranked: the places that were tried, best first.
  private func problem(of root: JSONNode, _ ranked: [RowsScore]) -> SampleProblem {
    if let problem = SuccessProposal.errorAnswer(root) { return problem }
    if let sign = NamesKind(root).sign { return .otherKind(sign.kind, sign.reason) }
    guard let best = ranked.first, !best.rows.columns.isEmpty else {
      return RowsFinder(root).isCutOff ? .nestedTooDeep : .emptyAnswer
    }
    let empty = root.members.first { member in
      member.value.kind == .array && member.value.count == 0 && !SuccessProposal.isRemark(member.name)
    }
    if let empty {
      return .emptyList(SamplePath([.member(empty.name)]).text)
    }
    return .noTicker(Self.reasonForNoPrice((ranked.first { LetterNames.areOpen($0.rows.columns) } ?? best).rows))
  }

  /// Returns why no column of rows is taken for the price.
  private static func reasonForNoPrice(_ rows: SampleRows) -> String {
    if LetterNames.areOpen(rows.columns) {
      return "the names in \(rows.pathText) are single letters, and the numbers do not show what they mean"
    }
    return timeNamedPrice(rows) ?? "no field of \(rows.pathText) looks like a price"
  }

  /// Returns that a column with the name of a price has times, as a cursor called `last` may; nil if none has.
  private static func timeNamedPrice(_ rows: SampleRows) -> String? {
    let column = rows.columns.first { column in
      column.leafName.hasAny([.last, .close, .price]) && column.nameScore(.price) >= 0.8 && column.isTimeLike
    }
    return column.map {
      "\($0.path.text) may be a time, \($0.example ?? ""), and nothing beside it shows that it is a price"
    }
  }

  /// Returns what contradicts a proposal as a whole.
  private static func objection(to proposal: ExchangeProposal, _ root: JSONNode) -> SampleProblem? {
    let price = proposal[.price]
    if let failure = SuccessProposal.failure(of: root) { return failure }
    if let price, let problem = deadPrices(price, proposal, root) { return problem }
    if let price, price.isSure || isNamedLast(price) { return nil }
    let rows = price == nil ? SampleRows(at: proposal.rows, in: root) : nil
    if let reason = rows.flatMap(timeNamedPrice) { return .noTicker(reason) }
    let isTable = proposal.symbol?.isSure == true && proposal.rowCount >= 2
    let others = [Role.high, .low, .bid, .ask, .volume, .change].filter { (proposal[$0]?.confidence ?? 0) >= 0.4 }
    let ofDay = [Role.high, .low, .volume].filter { (proposal[$0]?.confidence ?? 0) >= 0.4 }
    if price == nil, isTable, ofDay.count >= 2, NamesKind(root).sign?.kind == .offers {
      return .noPrice(rows: proposal.rows)
    }
    // A table of pairs with an uncertain price is worth asking about, unless it is clearly something else. So is a price
    // beside offers, of which a list has none.
    let isAmongOffers = price.map { $0.confidence >= 0.25 } ?? false
    if let sign = NamesKind(root).sign,
      !isTable && !(sign.kind == .offers && isAmongOffers) || price == nil
        || others.count < 2 && !sign.kind.mayHaveLastPrices
    {
      return .otherKind(sign.kind, sign.reason)
    }
    if let price, price.confidence >= 0.25 { return nil }
    if proposal.isSingle, let problem = SuccessProposal.errorAnswer(root) { return problem }
    return .noTicker(rows.map(reasonForNoPrice) ?? "no field of \(proposal.rows) looks like a price")
  }

  /// Detects prices that are zero or equal in all rows, as in no real market.
  private static func deadPrices(_ price: RoleProposal, _ proposal: ExchangeProposal, _ root: JSONNode)
    -> SampleProblem?
  {
    guard proposal.rowCount >= 2, let rows = SampleRows(at: proposal.rows, in: root),
      let column = rows.columns.first(where: { $0.path.text == price.path })
    else { return nil }
    let values = column.presentNumbers
    guard values.count >= 2, let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    if first == 0 { return .noTicker("\(price.path) is 0 in every row") }
    guard values.count >= 3, Set(proposal.symbol?.knownPairs ?? []).count >= 3 else { return nil }
    return .noTicker("\(price.path) is \(price.example) in every row")
  }

  private static func isNamedLast(_ price: RoleProposal) -> Bool {
    let name = FieldName(SamplePath(price.path)?.names.last ?? "")
    return name.has(.last) && FieldLexicon.score(.price, name) >= 0.9
  }
}
