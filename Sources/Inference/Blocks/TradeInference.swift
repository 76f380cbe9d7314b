import Config
import Quotes

/// Finds the columns of trades in rows: a price that varies little, a size that yields the value, a monotonic
/// time, the taker's side.
struct TradeInference {
  private let rows: BlockRows
  private let isFutures: Bool
  /// Whether the rows arrived one by one and match their pair's price, in which case a single named one will do.
  private let isStreamed: Bool
  /// When the answer arrived, or a later moment; no trade is after it.
  private let arrival: Instant?
  /// The fields that are known.
  private let given: Set<String>

  init(
    _ rows: BlockRows, isFutures: Bool, isStreamed: Bool = false, arrival: Instant? = nil, given: Set<String> = []
  ) {
    (self.rows, self.isFutures, self.isStreamed, self.arrival) = (rows, isFutures, isStreamed, arrival)
    self.given = given
  }

  func proposal() throws(BlockRefusal) -> BlockProposal {
    guard rows.count >= 2 || isStreamed && rows.columns.contains(where: { Self.priceNames.contains($0.plainName) })
    else { throw BlockRefusal(reason: "one row in \(rows.text) proves nothing") }
    let ids = Set(rows.columns.filter(isCounter).map(\.path))
    let steady = rows.columns.filter { !ids.contains($0.path) && $0.moments == nil && isSteady($0) }
    guard let time else {
      throw BlockRefusal(
        reason: "no column of \(rows.text) is a time in order", nearness: steady.isEmpty ? 0 : 1)
    }
    guard !steady.isEmpty else {
      throw BlockRefusal(reason: "no column of \(rows.text) varies as little as a price", nearness: 1)
    }
    guard let (price, size) = priceAndSize(steady, ids) else {
      throw BlockRefusal(reason: "several columns of \(rows.text) may be the price", nearness: 2)
    }
    let side =
      size.flatMap { isSigned($0.column) ? signSide($0.column) : nil }
      ?? side(price.column, time.moments, taken: size?.column)
    let fields = [price.field, size?.field, time.field, id, side].compactMap(\.self)
    try requireTrades(fields, price: price.column, side, time.moments)
    return BlockProposal(
      kind: .trades, rows: rows.value, rowsText: rows.text, rowCount: rows.count, fields: fields,
      times: time.moments.span,
      unused: rows.unused(beside: fields))
  }

  /// - Throws: if the rows are rather levels of a book or points of a chart, or if too little says that they are trades.
  private func requireTrades(
    _ fields: [BlockField], price: SampleColumn, _ side: BlockField?, _ moments: [Instant]
  ) throws(BlockRefusal) {
    if let side, !isStreamed || Set(moments).count == 1, isBook(side, price) {
      let same = Set(moments).count == 1 ? ", and all have the same time" : ""
      throw BlockRefusal(
        reason: "in \(rows.text), all of one side is below all of the other, as in an order book\(same)", nearness: 2)
    }
    let sure = given.union(fields.filter(\.isSure).map(\.name))
    // A price and a time alone could belong to anything.
    let isCounted = isStreamed && rows.count >= 5 && rows.columns.contains { isCounter($0) && $0.moments == nil }
    guard !isCounted, !sure.contains("side"), !sure.contains("id") else { return }
    guard !isStreamed, rows.count >= 3, ["price", "time", "size"].allSatisfy(sure.contains) else {
      throw BlockRefusal(
        reason: "no column of \(rows.text) is the side of a trade or its id, and too little else is certain",
        nearness: 2)
    }
    guard Self.isEven(moments) else { return }
    let path = fields.first { $0.name == "time" }?.path ?? ""
    throw BlockRefusal(
      reason: "the times at \(path) are evenly spaced, as of a chart; no trade has a side or an id", nearness: 2)
  }

  /// Returns whether all moments are at the same distance from the next; false if they are one and the same.
  private static func isEven(_ moments: [Instant]) -> Bool {
    let steps = Set(zip(moments, moments.dropFirst()).map { $1.nanoseconds(since: $0) })
    return steps.count == 1 && steps.first != 0
  }

  /// Returns whether these are levels: distinct prices, with one side below the other.
  private func isBook(_ side: BlockField, _ price: SampleColumn) -> Bool {
    let prices = zip(side.texts, price.numbers).compactMap { side, price in price.map { (side ?? "", $0) } }
    guard prices.count >= 4, Set(prices.map(\.1)).count == prices.count else { return false }
    let sides = Dictionary(grouping: prices, by: \.0).values.map { $0.map(\.1) }
    guard sides.count == 2, sides.allSatisfy({ $0.count > 1 }) else { return false }
    let (one, other) = (sides[0], sides[1])
    return (one.max() ?? 0) < (other.min() ?? 0) || (other.max() ?? 0) < (one.min() ?? 0)
  }

  // MARK: Time

  private var time: (field: BlockField, moments: [Instant])? {
    var found: [(column: SampleColumn, form: TimeRole.Form, moments: [Instant], digits: Int)] = []
    for column in rows.columns where !Self.isNumber(column.plainName) {
      guard let (form, moments) = column.moments else { continue }
      let digits = moments.contains { $0.nanoseconds % 1_000_000_000 != 0 } ? 1 : 0
      found.append((column, form, moments, digits))
    }
    // If the same time has two units, the finer one is kept.
    let fine = found.filter { $0.digits > 0 }
    found.removeAll { coarse in
      coarse.digits == 0 && fine.contains { Self.isRounded(coarse.moments, $0.moments) }
    }
    guard let first = found.first else { return nil }
    // Of several times the earliest is the trade's, as messages are created later.
    let earliest = found.first { one in
      found.allSatisfy { other in zip(one.moments, other.moments).allSatisfy { $0 <= $1 } }
    }
    let isOne = earliest != nil && found.allSatisfy { Self.isRounded(first.moments, $0.moments) }
    let best = earliest ?? first
    var confidence = found.count == 1 || isOne ? 0.95 : 0.6
    if best.form == .iso8601(saysZone: false), !best.column.saysUTC {
      confidence = 0.6
    }
    var evidence = [TimeRole.evidence(best.form), "rises or falls throughout, in \(rows.count) rows"]
    var zone = 0
    if let clock = best.moments.max().flatMap({ TimeRole.LocalClock($0, best.form, at: arrival, of: "trade") }) {
      (zone, confidence) = (clock.zoneSeconds, 0.5)
      evidence.append(clock.evidence)
    }
    let value = BlockField.time(at: best.column.path.text, best.form, zoneSeconds: zone)
    return (
      BlockField("time", best.column, value: value, confidence, evidence),
      best.moments.map { $0.advanced(by: .seconds(-zone)) }
    )
  }

  /// Returns whether the moments are the same to the second.
  private static func isRounded(_ coarse: [Instant], _ fine: [Instant]) -> Bool {
    zip(coarse, fine).allSatisfy { $1.nanoseconds(since: $0).magnitude < 1_000_000_000 }
  }

  // MARK: Price and size

  static let priceNames = RecordWords.prices.union([
    "tradeprice", "dealprice", "execprice", "matchprice", "fillprice",
  ])
  static let sizeNames = RecordWords.sizes.union([
    "tradevolume", "execqty", "matchamount", "lastqty", "unitstraded", "execsize", "tradesize", "tradeamount",
  ])
  /// Words used for both coins and money.
  private static let openNames: Set<String> = ["amount", "amt", "volume", "vol"]
  private static let idNames: Set<String> = [
    "id", "tid", "tradeid", "execid", "i", "matchid", "fillid", "sequentialid", "uuid", "transid", "transactionid", "a",
  ]
  /// Names of a number that stands for the id if nothing else does.
  private static let sequenceNames: Set<String> = ["seqnum", "seqno"]

  /// Returns whether numbers identify orders or trades, which may look like times.
  private static func isNumber(_ name: String) -> Bool {
    idNames.contains(name) || sequenceNames.contains(name) || name == "sequence" || name.hasSuffix("id")
  }

  /// Returns whether a number counts up or down and is not a price.
  private func isCounter(_ column: SampleColumn) -> Bool {
    // A single letter may as well be that of an amount.
    if Self.idNames.contains(column.plainName), column.plainName.count > 1 || column.isWhole { return true }
    if Self.sequenceNames.contains(column.plainName) { return true }
    guard let numbers = column.allNumbers, column.isWhole, !Self.priceNames.contains(column.plainName) else {
      return false
    }
    return numbers.isStrictlyMonotonic
  }

  private func isSteady(_ column: SampleColumn) -> Bool {
    guard let numbers = column.allNumbers, let least = numbers.min(), let most = numbers.max() else { return false }
    let isNamed = Self.priceNames.contains(column.plainName)
    return least > 0 && most < least * 1.5 && (isNamed || most > least)
  }

  /// A column and the field that is read from it.
  private typealias Found = (field: BlockField, column: SampleColumn)

  /// - Parameters:
  ///   - steady: the columns that vary as little as a price, at least one.
  ///   - ids: those that identify orders or trades.
  /// - Returns: nil if several columns may be the price.
  private func priceAndSize(
    _ steady: [SampleColumn], _ ids: Set<SamplePath>
  ) -> (price: Found, size: Found?)? {
    let amounts = rows.columns.filter { !ids.contains($0.path) && $0.moments == nil && $0.allNumbers != nil }
    let proofs = WorthProof.all(prices: steady, amounts: amounts)
    let named = steady.filter { Self.priceNames.contains($0.plainName) }
    if Set(proofs.map { [$0.price.path, $0.size.path] }).count == 1, let proof = proofs.first,
      named.isEmpty || named.contains(where: { $0.path == proof.price.path })
    {
      let evidence = ["price x size is another column in \(proof.vote.text)"]
      return (
        (BlockField("price", proof.price, 0.97, evidence), proof.price),
        (sizeField(proof.size, 0.97, evidence), proof.size)
      )
    }
    guard named.count <= 1, let price = named.first ?? steady.first else { return nil }
    // What is the price times another column is money, whatever it is called.
    let worths = Set(proofs.map(\.worth.path)).subtracting(proofs.map(\.size.path))
    let sizes = amounts.filter { $0.path != price.path && !worths.contains($0.path) }
    return ((priceField(price, isNamed: !named.isEmpty, isAlone: steady.count == 1), price), size(among: sizes, price))
  }

  private func priceField(_ column: SampleColumn, isNamed: Bool, isAlone: Bool) -> BlockField {
    if isNamed { return BlockField("price", column, 0.95, ["its name", "varies as little as a price"]) }
    // A price that differs in every row is not a count.
    let limit = column.isWhole && rows.count < 5 ? 0.6 : 1
    return BlockField(
      "price", column, min(limit, isAlone && column.title.isEmpty ? 0.85 : 0.4),
      ["varies as little as a price in \(rows.count) rows"])
  }

  /// Returns the size by its name, or the only amount beside the price.
  private func size(among amounts: [SampleColumn], _ price: SampleColumn) -> Found? {
    let rest = amounts.filter { column in
      (Set(column.allNumbers ?? []).count > 1 || Self.sizeNames.contains(column.plainName)) && !Self.isCode(column)
    }
    let named = rest.filter { Self.sizeNames.contains($0.plainName) }
    if named.count == 1 {
      let isOpen = Self.openNames.contains(named[0].plainName)
      return (counted(named[0], price, "its name", isOpen ? 0.6 : 0.85), named[0])
    }
    guard named.isEmpty, rest.count == 1 else { return nil }
    return (counted(rest[0], price, "the only other number", rest[0].title.isEmpty ? 0.8 : 0.6), rest[0])
  }

  /// Returns a size that is not proved by a value beside it.
  private func counted(
    _ column: SampleColumn, _ price: SampleColumn, _ reason: String, _ confidence: Double
  ) -> BlockField {
    let unit = SizeUnit(column, prices: price)
    if let doubt = unit.doubt { return sizeField(column, 0.3, [reason, doubt]) }
    if isFutures { return sizeField(column, 0.6, [reason, SizeUnit.mayBeContracts]) }
    if let asset = unit.asset {
      return sizeField(column, max(confidence, 0.85), [reason, "as money less than a cent in \(asset.text)"])
    }
    let doubt = confidence < RoleProposal.threshold ? ["nothing shows whether it counts the asset or money"] : []
    return sizeField(column, confidence, [reason] + doubt)
  }

  /// Returns whether it consists of small whole numbers that classify rows.
  private static func isCode(_ column: SampleColumn) -> Bool {
    column.isWhole && Set(column.texts).count <= 3 && (column.allNumbers?.allSatisfy { $0.magnitude <= 10 } ?? false)
      && !sizeNames.contains(column.plainName)
  }

  private func isSigned(_ column: SampleColumn) -> Bool {
    column.hasNegatives && column.numbers.contains { ($0 ?? 0) > 0 }
  }

  private func sizeField(_ column: SampleColumn, _ confidence: Double, _ evidence: [String]) -> BlockField {
    let path = column.path.text
    let value: ConfigValue? =
      column.hasNegatives ? .object([("path", .text(path)), ("capture", .text("-?(?<value>.+)"))]) : nil
    return BlockField("size", column, value: value, confidence, evidence)
  }

  private var id: BlockField? {
    let different = rows.columns.filter { column in
      column.texts.allSatisfy { $0?.isEmpty == false } && Set(column.texts).count == column.texts.count
    }
    var named = different.filter { Self.idNames.contains($0.plainName) && $0.plainName != "a" }
    if named.isEmpty { named = different.filter { Self.sequenceNames.contains($0.plainName) } }
    guard let best = named.count == 1 ? named.first : named.first(where: { $0.plainName.contains("trade") }) else {
      return nil
    }
    return BlockField(
      "id", best, value: .text(best.path.text), 0.9, ["its name", "different in each of \(rows.count) rows"])
  }

  // MARK: Side

  /// Returns the side from the sign of the size, which is the taker's.
  private func signSide(_ size: SampleColumn) -> BlockField {
    let path = size.path.text
    let value = ConfigValue.object([
      ("path", .text(path)), ("capture", .text("(?<value>-?).*")), ("missing", .list([])), ("buy", .text("")),
      ("sell", .text("-")),
    ])
    return BlockField("side", size, value: value, 0.85, ["the sign of the size"])
  }

  private func side(_ price: SampleColumn, _ moments: [Instant], taken: SampleColumn?) -> BlockField? {
    var found: [BlockField] = []
    for column in rows.columns where column.isFull && column.path != price.path && column.path != taken?.path {
      let words = Set(column.presentTexts)
      guard (1...2).contains(words.count), let field = side(column, words.sorted(), price, moments) else { continue }
      found.append(field)
    }
    guard let best = found.max(by: { $0.confidence < $1.confidence }) else { return nil }
    // Two members may say the same.
    let buys = Self.buys(best)
    return found.allSatisfy { $0.confidence < best.confidence || Self.buys($0) == buys } ? best : nil
  }

  /// Returns which of the trades are buys according to a side.
  private static func buys(_ side: BlockField) -> [Bool] {
    let word: String? =
      switch side.members.first?.value["buy"] {
      case .text(let text)?, .raw(let text)?: text
      default: nil
      }
    return side.texts.map { $0 == word }
  }

  private func side(_ column: SampleColumn, _ words: [String], _ price: SampleColumn, _ moments: [Instant])
    -> BlockField?
  {
    if words.allSatisfy(SideWords.isSide) { return SideWords(words).map { namedSide(column, $0, price, moments) } }
    let areFlags = words.allSatisfy { ["true", "false"].contains($0.lowercased()) }
    // Where the maker sells, the taker buys. A bare `isMaker` does not say who.
    if areFlags, let isOfMaker = Self.isOfMaker(column), let isSeller = Self.namesSeller(column) {
      let isBuy = isOfMaker == isSeller
      return flaggedSide(column, isBuy: isBuy, flips(column, buy: "\(isBuy)", price, moments))
    }
    // Codes have no meaning by themselves: buys are at the ask, which is never below the bid.
    guard words.count == 2 else { return nil }
    let flips = flips(column, buy: words[0], price, moments)
    guard flips.rows >= 8, flips.share >= 0.9 || flips.share <= 0.1 else { return nil }
    let isFirst = flips.share >= 0.9
    return sideField(
      column, buy: ConfigValue(word: words[isFirst ? 0 : 1]), sell: ConfigValue(word: words[isFirst ? 1 : 0]), 0.85,
      Self.text(isFirst ? flips : flips.opposite))
  }

  private func sideField(
    _ column: SampleColumn, buy: ConfigValue, sell: ConfigValue, _ confidence: Double, _ evidence: [String]
  ) -> BlockField {
    let value = ConfigValue.object([("path", .text(column.path.text)), ("buy", buy), ("sell", sell)])
    return BlockField("side", column, value: value, confidence, evidence)
  }

  private func namedSide(
    _ column: SampleColumn, _ words: SideWords, _ price: SampleColumn, _ moments: [Instant]
  ) -> BlockField {
    let flips = flips(column, buy: words.buy, price, moments)
    let isMaker = Self.isOfMaker(column) == true
    let lean = Self.lean(flips)
    // If both are named, it may be the side of either.
    let isOpen =
      namesBoth && Self.isOfMaker(column) == nil && (flips.rows < 8 || flips.share < 0.75)
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
      column, buy: .raw("\(isBuy)"), sell: .raw("\(!isBuy)"), Self.lean(flips) == .contradicts ? 0.5 : 0.95,
      ["its name"] + Self.text(flips))
  }

  /// Whether there are members for both maker and taker.
  private var namesBoth: Bool {
    let owners = Set(rows.columns.compactMap(Self.isOfMaker))
    return owners.count == 2
  }

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
    let distance = 2 * flips.holds - flips.rows
    guard flips.rows >= 5, distance * distance >= 4 * flips.rows else { return .none }
    return distance > 0 ? .agrees : .contradicts
  }

  private static func text(_ flips: RowRelations.Vote) -> [String] {
    lean(flips) == .none
      ? [] : ["the price rises from a sale to a buy, and falls back, in \(flips.holds) of \(flips.rows)"]
  }

  /// Counts trades where side and price change from the previous one, and how often they do so like buys at the ask.
  private func flips(_ column: SampleColumn, buy: String, _ price: SampleColumn, _ moments: [Instant])
    -> RowRelations.Vote
  {
    var vote = RowRelations.Vote()
    let order = moments.risingIndexes
    for (row, next) in zip(order, order.dropFirst()) {
      guard column.texts[row] != column.texts[next], let before = price.numbers[row], let after = price.numbers[next],
        before != after
      else { continue }
      vote.count((column.texts[next]?.lowercased() == buy.lowercased()) == (after > before))
    }
    return vote
  }
}
