import JSON
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
  private let pair: Pair?

  /// - Parameter pair: the pair that the response is about, or one that is in it.
  package init(_ bytes: [UInt8], pair: Pair? = nil) {
    self.bytes = bytes
    self.pair = pair
  }

  /// - Throws: `SampleProblem` where the sample holds no tickers.
  package func proposal() throws(SampleProblem) -> VenueProposal {
    let root = try parsed()
    let found = RowsFinder(root).candidates.map { RowsScore($0, wanted: pair) }
    let ranked = found.sorted { $0.score > $1.score }
    guard let best = ranked.first(where: { $0.score > 0 }) else { throw problem(of: root, ranked.first) }
    let others = ranked.dropFirst().filter {
      $0.score > best.score * 0.6 && $0.rows.nodes.count > 1 && !$0.rows.path.isBelow(best.rows.path)
    }
    let proposal = ProposalWriter(best, root: root, pair: pair).proposal(
      otherRows: others.prefix(3).map(\.rows.pathText))
    if let problem = Self.objection(to: proposal, root) { throw problem }
    return proposal
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
