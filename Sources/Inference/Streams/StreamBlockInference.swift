package import Config
import JSON
import JSONPath
import Quotes

/// Infers from recorded messages how a channel of trades, order books or candles is read.
///
/// The table provides the pairs and their prices; columns are identified by the relations of the numbers in a pair's
/// rows, as for the rows of an answer.
extension StreamInference {
  /// - Parameters:
  ///   - isFutures: whether sizes may be numbers of contracts.
  ///   - given: the fields of trades and candles that are known.
  /// - Throws: `SampleProblem` if no message contains a pair of the table, or if their subject is unclear.
  package func proposal(
    of kind: BlockKind, isFutures: Bool, given: Set<String> = []
  ) throws(SampleProblem) -> StreamBlockProposal {
    guard !roots.isEmpty else { throw .noStream("no message is JSON") }
    var best = Best<StreamBlockProposal>()
    var refusal = Best<String>()
    for place in places + siblingPlaces {
      guard let table = RowTable(place, in: roots, around: around) else { continue }
      for symbol in symbols(of: table, hasInterval: kind == .candles) {
        for rows in alike(table, symbol, kind, given) {
          do {
            let content = try rows.content(kind, isFutures)
            guard let proposal = proposal(kind, place, symbol, rows, content) else { continue }
            let sure = proposal.fields.count(where: \.isSure)
            // The most messages, then the most certain fields; among equals, the place closest to the numbers.
            best.take(
              proposal, rank: [proposal.frame.takenCount, sure, place.steps.count, symbol.isInRow ? 1 : 0])
          } catch {
            // The refusal of the rows that came closest, or have the most numbers of their own, is the most relevant.
            let own = rows.blockRows(rows.rows).columns.count(where: \.hasNumbers)
            refusal.take(error.reason, rank: [error.nearness, own, rows.rows.count])
          }
        }
      }
    }
    guard let found = best.value else {
      throw .noBlock(kind, refusal.value ?? "no message names a pair of the table in a row of numbers")
    }
    return found
  }

  private func proposal(
    _ kind: BlockKind, _ place: Place, _ symbol: FoundSymbol, _ rows: StreamRowsOfPairs, _ content: BlockContent
  ) -> StreamBlockProposal? {
    let open = BlockProposal.needed(of: kind).filter { name in
      !rows.given.contains(name) && !content.fields.contains { $0.name == name && $0.isSure }
    }
    guard open.isEmpty else { return nil }
    let taken = Set(content.rows.map { rows.table.messages[$0] })
    // A pair missing in the table may have rows of the same kind.
    let others = roots.indices.filter { message in
      let nodes = place.nodes(in: roots[message])
      return !taken.contains(message) && !nodes.isEmpty && !nodes.contains { RowShape($0, kind) == rows.shape }
    }
    let numbers = content.fields.compactMap { JSONPathQuery.steps(of: $0.path) }
    let passed = numbers.flatMap { steps -> [[SingularStep]] in
      place.heads.flatMap { head in [0, 1].map { head + place.steps(toRow: $0) + steps } }
    }
    let conditions =
      content.mark.map { [$0] }
      ?? conditions(
        of: taken, place, symbol, channel: kind.channel, others: others, passing: passed)
    return StreamBlockProposal(
      kind: kind, frame: frame(place, symbol, taken, conditions), fields: content.fields)
  }

  /// Returns the rows of known pairs grouped by shape, largest group first. The changes of a book may have another
  /// shape.
  private func alike(
    _ table: RowTable, _ symbol: FoundSymbol, _ kind: BlockKind, _ given: Set<String>
  ) -> [StreamRowsOfPairs] {
    let known = table.messages.indices.filter { symbol.known[$0] != nil }
    let groups = Dictionary(grouping: known) { RowShape(table.nodes[$0], kind) }
    let sorted = groups.sorted { one, other in
      one.value.count == other.value.count
        ? (one.value.first ?? 0) < (other.value.first ?? 0) : one.value.count > other.value.count
    }
    return sorted.prefix(3).map { shape, rows in
      StreamRowsOfPairs(
        table: table, symbol: symbol, shape: shape, rows: rows, prices: self.rows.map { $0.numbers[.price] },
        names: self.rows.map { PairNames(asset: $0.asset, payment: $0.payment) }, columns: columns, given: given,
        lacksVolume: lacksVolume)
    }
  }
}

extension JSONPathQuery {
  /// Returns the steps of a path below a row; nil if it is not a plain path.
  fileprivate static func steps(of path: String) -> [SingularStep]? {
    (try? JSONPathQuery(path))?.singularSteps.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// The common structure of rows of one kind.
struct RowShape: Hashable {
  private let names: Set<String>
  private let count: Int

  init(_ node: JSONNode, _ kind: BlockKind) {
    // The changes of a book have other members than the whole book.
    names = kind == .orderbook ? [] : Set(node.members.map(\.name))
    count = kind == .orderbook || node.kind == .object ? 0 : node.count
  }
}

/// The content found in the rows of pairs, and which rows these are.
struct BlockContent {
  var fields: [BlockField]
  /// The rows' indexes in the table.
  let rows: [Int]
  /// What distinguishes the messages from others, if known.
  var mark: ConfigValue?
}

/// Rows of known pairs at the same place of all messages.
struct StreamRowsOfPairs {
  let table: StreamInference.RowTable
  let symbol: StreamInference.FoundSymbol
  let shape: RowShape
  /// Their indexes in the table.
  let rows: [Int]
  let prices: [Double?]
  let names: [PairNames]
  let columns: [ScalarColumn]
  /// The fields of trades and candles that are known.
  let given: Set<String>
  /// Whether the table has no amount of the day.
  let lacksVolume: Bool

  func content(_ kind: BlockKind, _ isFutures: Bool) throws(BlockRefusal) -> BlockContent {
    switch kind {
    case .orderbook: try StreamBookInference(self, BlockFacts(isFutures: isFutures)).content()
    case .candles: try candles()
    case .trades: try trades(isFutures)
    }
  }

  /// The rows of each pair, most rows first.
  var byPair: [[Int]] {
    let groups = Dictionary(grouping: rows) { symbol.known[$0] ?? -1 }
    return groups.values.sorted { $0.count == $1.count ? $0[0] < $1[0] : $0.count > $1.count }
  }

  func blockRows(_ rows: [Int]) -> BlockRows {
    BlockRows(rows.map { table.nodes[$0] }, at: "the messages")
  }

  /// Returns whether numbers are the pair's prices: the table's price is some seconds older, but not off by half.
  func isPrice(_ column: [Double?], of row: Int) -> Bool {
    guard let pair = symbol.known[row], let known = prices[pair], known > 0 else { return true }
    return column.compactMap(\.self).median.map { (0.67...1.5).contains($0 / known) } ?? false
  }

  private func candles() throws(BlockRefusal) -> BlockContent {
    guard let own = byPair.first else { throw BlockRefusal(reason: "there are no rows") }
    let payments = Set(names.map { $0.payment.uppercased() })
    let inference = CandleInference(blockRows(own), BlockFacts(payments: payments), isRunning: true)
    return try checked(try inference.proposal(), "close", own)
  }

  private func trades(_ isFutures: Bool) throws(BlockRefusal) -> BlockContent {
    guard let own = byPair.first else { throw BlockRefusal(reason: "there are no rows") }
    if (try? candles()) != nil { throw BlockRefusal(reason: "the messages look like candles") }
    // The newest of a message may come first.
    let turned = Dictionary(grouping: own) { table.messages[$0] }.sorted { $0.key < $1.key }
      .flatMap { $0.value.reversed() }
    func proposal(_ rows: [Int]) throws(BlockRefusal) -> BlockProposal {
      let facts = BlockFacts(isFutures: isFutures, given: given)
      return try TradeInference(blockRows(rows), facts, isStreamed: true, lacksVolume: lacksVolume).proposal()
    }
    if let proposal = try? proposal(own) { return try checked(proposal, "price", own) }
    return try checked(try proposal(turned), "price", own)
  }

  private func checked(_ proposal: BlockProposal, _ price: String, _ own: [Int]) throws(BlockRefusal) -> BlockContent {
    if let name = proposal.unproved.first(where: { !given.contains($0) }) {
      throw BlockRefusal(reason: Self.reason(for: name, proposal[name]), nearness: 3)
    }
    let numbers = proposal[price]?.texts.map { $0.flatMap(SampleColumn.number) } ?? []
    guard given.contains(price) || isPrice(numbers, of: own[0]) else {
      throw BlockRefusal(reason: "\(proposal[price]?.path ?? "") is not near the price of the table", nearness: 3)
    }
    return BlockContent(fields: proposal.fields, rows: rows)
  }

  /// Says what speaks for a field that nothing proves, and what is missing.
  private static func reason(for name: String, _ field: BlockField?) -> String {
    guard let field else { return "nothing proves which is the \(name)" }
    let missing = name == "price" ? ["its name does not say so, and no column is it times another one"] : []
    return "nothing proves which is the \(name): \(field.path): " + (field.evidence + missing).joined(separator: "; ")
  }
}
