import Config
import Quotes

/// Finds the columns of trades in rows: a price that varies little, a size that yields the value, a monotonic
/// time, the taker's side.
struct TradeInference {
  private let rows: BlockRows
  private let facts: BlockFacts
  /// Whether the rows arrived one by one and match their pair's price, in which case a single named one will do.
  private let isStreamed: Bool
  /// Why there is no amount of the day, with which a reader would compare the sizes; nil if there is one.
  private let silence: String?

  init(_ rows: BlockRows, _ facts: BlockFacts, isStreamed: Bool = false, lacksVolume: Bool = false) {
    (self.rows, self.facts, self.isStreamed) = (rows, facts, isStreamed)
    silence = lacksVolume ? SizeUnit.unprovedWithoutVolume : facts.day?.silence
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
    try requirePublic(price.column)
    let side =
      size.flatMap { isSigned($0.column) ? signSide($0.column) : nil }
      ?? TradeSides(rows, price.column, time.moments).side(beside: size?.column)
    let fields = [price.field, size?.field, time.field, id, side].compactMap(\.self)
    try requireTrades(fields, price: price.column, side, time.moments)
    return BlockProposal(
      kind: .trades, rows: rows.value, rowsText: rows.text, rowCount: rows.count, fields: fields,
      times: time.moments.span,
      unused: rows.unused(beside: fields))
  }

  /// - Throws: if the rows are an account's own orders or trades.
  private func requirePublic(_ price: SampleColumn) throws(BlockRefusal) {
    let signs = OwnRecords.signs(rows.columns.filter { $0.path.steps.dropLast() == price.path.steps.dropLast() })
    guard signs.isEmpty else {
      let names = signs.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
      throw BlockRefusal(reason: "\(rows.text) has an account's own orders or trades: \(names)", nearness: 3)
    }
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
    let sure = facts.given.union(fields.filter { $0.isSure || $0.isSureButForUnit }.map(\.name))
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

  private typealias Times = (column: SampleColumn, form: TimeRole.Form, moments: [Instant])

  /// The columns of times. If the same time has two units, the finer one is kept.
  private var times: [Times] {
    let found = rows.columns.filter { !Self.isNumber($0.plainName) }.compactMap { column -> Times? in
      column.moments.map { form, moments in (column, form, moments) }
    }
    func isFine(_ times: Times) -> Bool { times.moments.contains { $0.nanoseconds % Instant.second != 0 } }
    let fine = found.filter(isFine)
    return found.filter { times in
      isFine(times) || !fine.contains { Self.isRounded(times.moments, $0.moments) }
    }
  }

  private var time: (field: BlockField, moments: [Instant])? {
    let found = times
    // Of several times the earliest is the trade's, as messages are created later.
    let earliest = found.first { one in
      found.allSatisfy { other in zip(one.moments, other.moments).allSatisfy { $0 <= $1 } }
    }
    guard let first = found.first, let best = earliest ?? found.first else { return nil }
    let isOne = earliest != nil && found.allSatisfy { Self.isRounded(first.moments, $0.moments) }
    let isOfZone = best.form != .iso8601(saysZone: false) || best.column.saysUTC
    var confidence = isOfZone && (found.count == 1 || isOne) ? 0.95 : 0.6
    var evidence = [TimeRole.evidence(best.form), "rises or falls throughout, in \(rows.count) rows"]
    var zone = 0
    if let clock = best.moments.max().flatMap({ TimeRole.LocalClock($0, best.form, at: facts.arrival, of: "trade") }) {
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
    zip(coarse, fine).allSatisfy { $1.nanoseconds(since: $0).magnitude < Instant.second }
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
    let near = steady.filter { !NameLikeness.denies($0.title, .price) && facts.day?.isPrice($0.presentNumbers) == true }
    let isNear = near.count == 1
    guard named.count <= 1, let price = named.first ?? (isNear ? near : steady).first else { return nil }
    // What is the price times another column is money, whatever it is called.
    let worths = Set(proofs.map(\.worth.path)).subtracting(proofs.map(\.size.path))
    let sizes = amounts.filter { $0.path != price.path && !worths.contains($0.path) }
    let field = priceField(price, isNamed: !named.isEmpty, isNear: isNear, isAlone: steady.count == 1)
    return ((field, price), size(among: sizes, price))
  }

  /// - Parameters:
  ///   - isNear: Whether no other column that varies as little is near the ticker's price, or they are other prices.
  ///   - isAlone: Whether no other column varies as little.
  private func priceField(_ column: SampleColumn, isNamed: Bool, isNear: Bool, isAlone: Bool) -> BlockField {
    if isNamed { return BlockField("price", column, 0.95, ["its name", "varies as little as a price"]) }
    if isNear {
      return BlockField("price", column, 0.85, ["near the price of the ticker", "varies as little as a price"])
    }
    // A price that differs in every row is not a count.
    let limit = column.isWhole && rows.count < 5 ? 0.6 : 1
    return BlockField(
      "price", column, min(limit, isAlone && column.title.isEmpty ? 0.85 : 0.4),
      ["varies as little as a price in \(rows.count) rows"])
  }

  /// Returns the size by its name, or the only amount beside the price.
  private func size(among amounts: [SampleColumn], _ price: SampleColumn) -> Found? {
    // Beside a price, a rate is one of funding.
    let rest = amounts.filter { column in
      (Set(column.allNumbers ?? []).count > 1 || Self.sizeNames.contains(column.plainName)) && !Self.isCode(column)
        && !Self.priceNames.contains(column.plainName)
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
    if facts.isFutures { return sizeField(column, 0.6, [reason, SizeUnit.mayBeContracts]) }
    if let asset = unit.asset {
      return sizeField(column, max(confidence, 0.85), [reason, "as money less than a cent in \(asset.text)"])
    }
    if let silence {
      var field = sizeField(column, min(confidence, 0.7), [reason, silence])
      field.isSureButForUnit = confidence >= RoleProposal.threshold
      return field
    }
    let doubt = confidence < RoleProposal.threshold ? [SizeUnit.unproved] : []
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
    if named.isEmpty, let counted = different.first(where: countsTrades) {
      return BlockField(
        "id", counted, value: .text(counted.path.text), 0.85,
        ["it rises by one from trade to trade in \(rows.count) rows"])
    }
    guard let best = named.count == 1 ? named.first : named.first(where: { $0.plainName.contains("trade") }) else {
      return nil
    }
    return BlockField(
      "id", best, value: .text(best.path.text), 0.9, ["its name", "different in each of \(rows.count) rows"])
  }

  /// Returns whether an element without a name numbers the trades one by one; numbers from the first on are those of rows,
  /// and a time may rise by a second from trade to trade.
  private func countsTrades(_ column: SampleColumn) -> Bool {
    guard column.title.isEmpty, rows.count >= 3, column.moments == nil, let numbers = column.allNumbers, column.isWhole,
      let least = numbers.min(), least > Double(rows.count)
    else { return false }
    let steps = Set(zip(numbers, numbers.dropFirst()).map { $1 - $0 })
    return steps == [1] || steps == [-1]
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
}
