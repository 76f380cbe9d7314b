package import Config
import JSON
import JSONPath
package import Quotes

/// Infers from one saved answer how the order book, the trades or the candles of a pair are read.
///
///     let proposal = try BlockInference(.candles, bytes).proposal()
///     proposal["open"]?.path  // "$[1]"
///     proposal.interval       // .oneHour
///
/// Whatever neither numbers nor names prove is uncertain and left out.
package struct BlockInference {
  private let kind: BlockKind
  private let bytes: [UInt8]
  private let facts: BlockFacts

  package init(
    _ kind: BlockKind, _ bytes: [UInt8], isFutures: Bool = false, arrival: Instant? = nil, day: DayAmounts? = nil,
    given: Set<String> = [], payments: Set<String> = []
  ) {
    (self.kind, self.bytes) = (kind, bytes)
    facts = BlockFacts(isFutures: isFutures, arrival: arrival, day: day, given: given, payments: payments)
  }

  /// - Throws: `SampleProblem` if the answer is not of this kind.
  package func proposal() throws(SampleProblem) -> BlockProposal {
    let root: JSONNode
    do throws(SampleProblem) { root = try ExchangeInference(bytes).parsed() } catch {
      switch error {
      case .empty: throw .unreadable(kind, "empty")
      case .html: throw .unreadable(kind, SampleProblem.page)
      default: throw error
      }
    }
    if let failure = SuccessProposal.failure(of: root) { throw failure }
    switch kind {
    case .candles: return try candles(root)
    case .trades: return try trades(root)
    case .orderbook: return try BookInference(root, facts).proposal()
    }
  }

  private func candles(_ root: JSONNode) throws(SampleProblem) -> BlockProposal {
    var nearest = Best<BlockRefusal>()
    for rows in BlockRows.allWithInnerLists(in: root) where !rows.areOfSeveralPairs {
      do { return try CandleInference(rows, facts).proposal() } catch {
        nearest.take(error, rank: [error.nearness])
      }
    }
    throw problem(root, nearest.value?.reason)
  }

  private func trades(_ root: JSONNode) throws(SampleProblem) -> BlockProposal {
    if let candles = try? candles(root), candles.unproved.isEmpty {
      throw .noBlock(kind, "it looks like candles, at \(candles.rowsText)")
    }
    var nearest = Best<BlockRefusal>()
    for rows in BlockRows.all(in: root) where !rows.areOfSeveralPairs {
      do throws(BlockRefusal) {
        let proposal = try TradeInference(rows, facts).proposal()
        if let book = book(with: proposal, in: root) {
          throw BlockRefusal(reason: "\(rows.text) is one side of an order book: \(book)", nearness: 3)
        }
        return SidedTrades(proposal, in: root)?.joined(proposal) ?? proposal
      } catch { nearest.take(error, rank: [error.nearness]) }
    }
    throw problem(root, nearest.value?.reason)
  }

  /// Returns the sides of the book that rows without a side or an id are one side of; nil if there is none. Its levels may
  /// have times.
  private func book(with trades: BlockProposal, in root: JSONNode) -> String? {
    func first(_ path: String?) -> Range<Int>? {
      path.flatMap { (try? JSONPathQuery($0))?.nodes(in: root).first?.byteRange }
    }
    guard !trades.sure.contains(where: { ["side", "id"].contains($0.name) }), let row = first(trades.rowsText),
      let book = try? BookInference(root, BlockFacts(isFutures: facts.isFutures)).proposal(),
      ["bids", "asks"].contains(where: { first(book[$0]?.path) == row })
    else { return nil }
    return book.rowsText
  }

  private func problem(_ root: JSONNode, _ reason: String?) -> SampleProblem {
    SuccessProposal.errorAnswer(root) ?? .noBlock(kind, reason ?? "it has no list of rows")
  }
}

/// What is known of an exchange and of an answer beside the answer itself.
struct BlockFacts {
  /// Whether sizes may be numbers of contracts.
  var isFutures = false
  /// When the answer arrived, or a later moment, after which nothing in it begins; nil if unknown.
  var arrival: Instant?
  /// The pair's day according to the ticker of the exchange; nil to take amounts by their names and numbers alone.
  var day: DayAmounts?
  /// The fields that are known, so that nothing need show them.
  var given: Set<String> = []
  /// The currencies that the pairs of the market are paid in; empty if unknown.
  var payments: Set<String> = []
}

/// Why rows are not proposed as a block.
struct BlockRefusal: Error {
  let reason: String
  /// How close to the block they came; compared among rows of the same kind.
  var nearness = 0
}
