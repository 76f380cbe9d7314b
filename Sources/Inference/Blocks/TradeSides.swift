import Config
import Quotes

/// Finds which column of trades is the taker's side, by its words or by how the price moves with it.
struct TradeSides {
  private let rows: BlockRows
  private let price: SampleColumn
  /// The indexes of rows from oldest to newest.
  private let order: [Int]

  init(_ rows: BlockRows, _ price: SampleColumn, _ moments: [Instant]) {
    (self.rows, self.price, order) = (rows, price, moments.risingIndexes)
  }

  /// - Parameter taken: the size.
  func side(beside taken: SampleColumn?) -> BlockField? {
    var found: [BlockField] = []
    for column in rows.columns where column.isFull && column.path != price.path && column.path != taken?.path {
      let words = Set(column.presentTexts)
      guard (1...2).contains(words.count), let field = side(column, words.sorted()) else { continue }
      found.append(field)
    }
    guard let best = found.max(by: { $0.confidence < $1.confidence }) else { return nil }
    // Two members may say the same.
    let buys = Self.buys(best)
    return found.allSatisfy { $0.confidence < best.confidence || Self.buys($0) == buys } ? best : nil
  }

  /// Returns which of the trades are buys according to a side.
  private static func buys(_ side: BlockField) -> [Bool] {
    let word = side.members.first?.value["buy"]?.scalarText
    return side.texts.map { $0 == word }
  }

  private func side(_ column: SampleColumn, _ words: [String]) -> BlockField? {
    if words.allSatisfy(SideWords.isSide) { return SideWords(words).map { namedSide(column, $0) } }
    let areFlags = words.allSatisfy { ["true", "false"].contains($0.lowercased()) }
    // Where the maker sells, the taker buys. A bare `isMaker` does not say who.
    if areFlags, let isOfMaker = Self.isOfMaker(column), let isSeller = Self.namesSeller(column) {
      let isBuy = isOfMaker == isSeller
      return flaggedSide(column, isBuy: isBuy, flips(column, buy: "\(isBuy)"))
    }
    return codedSide(column, words)
  }

  /// Returns the side of trades with codes, which have no meaning by themselves: buys are at the ask, which is never below
  /// the bid. Words for a rise and a fall, or a name of a tick, are about the price.
  private func codedSide(_ column: SampleColumn, _ words: [String]) -> BlockField? {
    guard words.count == 2, !column.namesDirections, !column.leafName.has(.step) else { return nil }
    let flips = flips(column, buy: words[0])
    guard Self.isBeyondChance(flips), flips.share >= 0.9 || flips.share <= 0.1 else { return nil }
    let isFirst = flips.share >= 0.9
    let (buy, sell) = isFirst ? (words[0], words[1]) : (words[1], words[0])
    // Of buys in a row some are below the one before.
    let moves = moves(column, buy: buy)
    let isOfPrice = moves.share >= 0.95
    return sideField(
      column, buy: ConfigValue(word: buy), sell: ConfigValue(word: sell), isOfPrice ? 0.5 : 0.85,
      isOfPrice
        ? ["follows the price in \(moves.holds) of \(moves.rows) moves, so it may be the direction of the last one"]
        : Self.text(isFirst ? flips : flips.opposite))
  }

  private func sideField(
    _ column: SampleColumn, buy: ConfigValue, sell: ConfigValue, _ confidence: Double, _ evidence: [String]
  ) -> BlockField {
    let value = ConfigValue.object([("path", .text(column.path.text)), ("buy", buy), ("sell", sell)])
    return BlockField("side", column, value: value, confidence, evidence)
  }

  private func namedSide(_ column: SampleColumn, _ words: SideWords) -> BlockField {
    let flips = flips(column, buy: words.buy)
    let isMaker = Self.isOfMaker(column) == true
    let lean = Self.lean(flips)
    // If both are named, it may be the side of either.
    let isOpen = namesBoth && Self.isOfMaker(column) == nil && (flips.rows < 8 || flips.share < 0.75)
    return sideField(
      column, buy: .text(isMaker ? words.sell : words.buy), sell: .text(isMaker ? words.buy : words.sell),
      lean == (isMaker ? .agrees : .contradicts) || isOpen ? 0.5 : lean == .none ? 0.8 : 0.85,
      ["its words"] + (isOpen ? ["it may be the maker's"] : []) + Self.text(isMaker ? flips.opposite : flips)
        + (lean == .none && !isMaker && !isOpen ? ["taken for the taker's, as on nearly all exchanges"] : []))
  }

  /// Returns the side of trades with true or false for one of their sides.
  ///
  /// - Parameters:
  ///   - isBuy: which of the two is a buy.
  ///   - flips: those of the buys.
  private func flaggedSide(_ column: SampleColumn, isBuy: Bool, _ flips: RowRelations.Vote) -> BlockField {
    sideField(
      column, buy: .bool(isBuy), sell: .bool(!isBuy), Self.lean(flips) == .contradicts ? 0.5 : 0.95,
      ["its name"] + Self.text(flips))
  }

  /// Whether there are members for both maker and taker.
  private var namesBoth: Bool { Set(rows.columns.compactMap(Self.isOfMaker)).count == 2 }

  /// A name for "the buyer is the maker".
  private static let buyerIsMaker = "bm"

  /// Returns whether a member is about the maker of a trade, whose order was there first, or about the taker; nil if its
  /// name and those of the objects around it do not say.
  private static func isOfMaker(_ column: SampleColumn) -> Bool? {
    let names = column.path.names.map(Spelling.folded)
    func has(_ words: [String]) -> Bool { names.contains { name in words.contains { name.contains($0) } } }
    // An order that hits the ask buys; `bm` is "buyer is maker".
    if has(["maker", "passive", "resting"]) || ["hit", buyerIsMaker].contains(column.plainName) { return true }
    return has(["taker", "aggress"]) ? false : nil
  }

  /// Returns whether a flag's name means the one who sells, or the one who buys; nil if neither.
  private static func namesSeller(_ column: SampleColumn) -> Bool? {
    let isSeller = ["sell", "ask"].contains { column.plainName.contains($0) }
    let isBuyer = ["buy", "bid"].contains { column.plainName.contains($0) } || column.plainName == buyerIsMaker
    return isSeller == isBuyer ? nil : isSeller
  }

  /// What price moves say about a side.
  private enum Lean { case agrees, none, contradicts }

  /// Two standard deviations from the half expected of a fair coin; less is inconclusive.
  private static func lean(_ flips: RowRelations.Vote) -> Lean {
    guard flips.rows >= 5, isUneven(flips, by: 2) else { return .none }
    return flips.share > 0.5 ? .agrees : .contradicts
  }

  /// Three of them: where nothing else speaks for a side, any two codes of a row may be tried.
  private static func isBeyondChance(_ flips: RowRelations.Vote) -> Bool { isUneven(flips, by: 3) }

  /// Returns whether a vote is at least so many standard deviations from that of a fair coin.
  private static func isUneven(_ vote: RowRelations.Vote, by deviations: Int) -> Bool {
    let distance = 2 * vote.holds - vote.rows
    return vote.rows > 0 && distance * distance >= deviations * deviations * vote.rows
  }

  private static func text(_ flips: RowRelations.Vote) -> [String] {
    lean(flips) == .none
      ? [] : ["the price rises from a sale to a buy, and falls back, in \(flips.holds) of \(flips.rows)"]
  }

  /// Counts trades where side and price change from the previous one, and how often they do so like buys at the ask.
  private func flips(_ column: SampleColumn, buy: String) -> RowRelations.Vote {
    vote(column, buy: buy) { column.texts[$0] != column.texts[$1] }
  }

  /// Counts trades where the price changes from the previous one, and how often it rises to a buy or falls to a sale.
  private func moves(_ column: SampleColumn, buy: String) -> RowRelations.Vote {
    vote(column, buy: buy) { _, _ in true }
  }

  /// - Parameter counts: Returns whether a row counts, given the one before it and its own index.
  private func vote(
    _ column: SampleColumn, buy: String, where counts: (_ row: Int, _ next: Int) -> Bool
  ) -> RowRelations.Vote {
    var vote = RowRelations.Vote()
    for (row, next) in zip(order, order.dropFirst()) {
      guard counts(row, next), let before = price.numbers[row], let after = price.numbers[next], before != after else {
        continue
      }
      vote.count((column.texts[next]?.lowercased() == buy.lowercased()) == (after > before))
    }
    return vote
  }
}
