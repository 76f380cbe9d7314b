import Config
import JSON
import JSONPath
import Quotes

/// Infers from messages how an order book is sent: as a whole each time, or once as a whole and then as changes.
///
/// A message without one of the sides, or with an empty level, is a change; one that repeats most of the previous one
/// is a whole book. Changes are applied to the whole book, which must never cross.
struct StreamBookInference {
  private let rows: StreamRowsOfPairs
  private let facts: BlockFacts

  init(_ rows: StreamRowsOfPairs, _ facts: BlockFacts) { (self.rows, self.facts) = (rows, facts) }

  /// Levels by price.
  private struct Sides {
    var bids: [Double: Double] = [:]
    var asks: [Double: Double] = [:]

    var count: Int { bids.count + asks.count }
    var hasBoth: Bool { !bids.isEmpty && !asks.isEmpty }
    /// Whether it lacks a side, or removes a level, as no whole book does.
    var isChange: Bool { !hasBoth || bids.values.contains(0) || asks.values.contains(0) }
    var isCrossed: Bool {
      guard let bid = bids.keys.max(), let ask = asks.keys.min() else { return false }
      return bid >= ask
    }

    /// Returns the share of levels that are identical in another message.
    func share(in other: Sides) -> Double {
      let same = bids.count { other.bids[$0.key] == $0.value } + asks.count { other.asks[$0.key] == $0.value }
      return count == 0 ? 0 : Double(same) / Double(count)
    }

    mutating func take(_ changes: Sides, keeping limit: Int?) {
      bids.merge(changes.bids) { $1 }
      asks.merge(changes.asks) { $1 }
      (bids, asks) = (bids.filter { $0.value != 0 }, asks.filter { $0.value != 0 })
      guard let limit else { return }
      for price in bids.keys.sorted(by: >).dropFirst(limit) { bids[price] = nil }
      for price in asks.keys.sorted().dropFirst(limit) { asks[price] = nil }
    }
  }

  /// How the levels of a row are read.
  private struct Shape {
    struct Side {
      let rows: JSONPathQuery
      let price: JSONPathQuery
      let size: JSONPathQuery
      /// For levels in a list shared with the other side.
      var word: (path: JSONPathQuery, text: String)?
    }

    let bids: Side
    let asks: Side

    /// Returns nil if a side is more than a path.
    ///
    /// - Parameter names: the pair's, for paths with templates.
    init?(_ fields: [BlockField], of names: PairNames? = nil) {
      var block = ConfigValue.object([])
      for (place, value) in fields.flatMap(\.members) { block.set(place[...], to: value) }
      func query(_ value: ConfigValue?) -> JSONPathQuery? {
        guard case .text(let text)? = value ?? nil else { return nil }
        return try? JSONPathQuery(names?.filled(text) ?? text)
      }
      func side(_ name: String) -> Side? {
        guard let rows = query(block[[name, "rows"]] ?? block[name]),
          let price = query(block[[name, "price"]] ?? block["price"]),
          let size = query(block[[name, "size"]] ?? block["size"])
        else { return nil }
        return Side(rows: rows, price: price, size: size)
      }
      guard let bids = side("bids"), let asks = side("asks") else { return nil }
      (self.bids, self.asks) = (bids, asks)
    }

    init?(_ levels: SidedLevels) {
      guard case .text(let path) = levels.rows.value, let rows = try? JSONPathQuery(path),
        let side = try? JSONPathQuery(levels.side.path.text), let price = try? JSONPathQuery(levels.price.path.text),
        let size = try? JSONPathQuery(levels.size.path.text)
      else { return nil }
      bids = Side(rows: rows, price: price, size: size, word: (side, levels.bidWord))
      asks = Side(rows: rows, price: price, size: size, word: (side, levels.askWord))
    }

    /// Returns nil if a level has no price or size, or the row has no levels.
    func sides(of row: JSONNode) -> Sides? {
      guard let bids = Self.levels(bids, row), let asks = Self.levels(asks, row) else { return nil }
      return bids.isEmpty && asks.isEmpty ? nil : Sides(bids: bids, asks: asks)
    }

    private static func levels(_ side: Side, _ row: JSONNode) -> [Double: Double]? {
      var levels: [Double: Double] = [:]
      for level in side.rows.nodes(in: row) {
        if let word = side.word, word.path.nodes(in: level).first?.scalarText != word.text { continue }
        guard let price = number(side.price, level), let size = number(side.size, level) else { return nil }
        levels[price] = size
      }
      return levels
    }

    private static func number(_ path: JSONPathQuery, _ level: JSONNode) -> Double? {
      path.nodes(in: level).first?.scalarText.flatMap(SampleColumn.number)
    }
  }

  // MARK: Levels

  func content() throws(BlockRefusal) -> BlockContent {
    let found = try levels()
    do { return try content(found) } catch { throw BlockRefusal(reason: error.reason, nearness: 2) }
  }

  /// Returns the levels of the fullest row, and its pair.
  private func levels() throws(BlockRefusal) -> (proposal: BlockProposal, pair: Int?) {
    var reason: String?
    var found: (proposal: BlockProposal, pair: Int?)?
    // The fullest of the first rows is the most informative.
    for row in rows.rows.prefix(30) {
      do throws(SampleProblem) {
        let pair = rows.symbol.known[row]
        let known = pair.flatMap { rows.prices[$0] }
        let proposal = try BookInference(rows.table.nodes[row], facts, near: known).proposal()
        if proposal.rowCount > found?.proposal.rowCount ?? 0 { found = (proposal, pair) }
      } catch {
        if case .noBlock(_, let text) = error { reason = reason ?? text }
      }
    }
    if let found { return found }
    // Something like levels is closer to a book than rows without any.
    throw BlockRefusal(reason: reason ?? "no message has two lists of levels", nearness: reason == nil ? 0 : 1)
  }

  private func content(_ found: (proposal: BlockProposal, pair: Int?)) throws(BlockRefusal) -> BlockContent {
    let names = Set(BlockProposal.needed(of: .orderbook))
    let literal = found.proposal.fields.filter { names.contains($0.name) }
    if let name = found.proposal.unproved.first {
      let why = found.proposal[name]?.evidence.last.map { ": \($0)" } ?? ""
      throw BlockRefusal(reason: "nothing proves the \(name) of a level\(why)")
    }
    let fields = ofAnyPair(literal, found.pair)
    let pairs = Set(rows.rows.compactMap { rows.symbol.known[$0] })
    let shapes = pairs.reduce(into: [Int: Shape]()) { $0[$1] = Shape(fields, of: rows.names[$1]) }
    guard !shapes.isEmpty else { throw BlockRefusal(reason: "the levels are not a plain list") }
    return try content(fields, shapes)
  }

  /// Returns fields with templates for the currencies that members of the levels are named after, unless other pairs
  /// have members of the same names.
  ///
  /// - Parameter pair: that of the levels.
  private func ofAnyPair(_ fields: [BlockField], _ pair: Int?) -> [BlockField] {
    guard let pair else { return fields }
    var isNamed = false
    let general = fields.map { field -> BlockField in
      guard ["price", "size"].contains(field.name), field.members.count == 1,
        case .text(let path)? = field.members.first?.value, let template = rows.names[pair].template(of: path)
      else { return field }
      isNamed = true
      return BlockField(
        field.name, path: template, members: [(field.members[0].place, .text(template))], example: field.example,
        field.confidence, field.evidence, texts: field.texts)
    }
    guard isNamed, let literal = Shape(fields) else { return fields }
    let isShared = rows.rows.contains { row in
      rows.symbol.known[row] != pair && literal.sides(of: rows.table.nodes[row]) != nil
    }
    return isShared ? fields : general
  }

  /// - Parameter shapes: how the levels are read, by pair.
  private func content(_ fields: [BlockField], _ shapes: [Int: Shape]) throws(BlockRefusal) -> BlockContent {
    let sides = sides(of: rows.rows) { rows.symbol.known[$0].flatMap { shapes[$0] } }
    let others = rows.rows.filter { sides[$0] == nil }
    let byPair = pairs(with: sides)
    guard let most = byPair.max(by: { $0.count < $1.count }), let first = sides[most[0]] else {
      throw BlockRefusal(reason: "no message has two lists of levels")
    }
    // The first message of a book that changes may have one side only.
    guard rows.isPrice(Array(first.bids.keys) + Array(first.asks.keys), of: most[0]) else {
      throw BlockRefusal(reason: "the levels are not near the price of the table")
    }
    if let content = try declaredChanges(fields, sides, byPair, others) { return content }
    if sides.values.contains(where: \.isChange) {
      throw BlockRefusal(
        reason: "the messages change a book, but nothing identifies the whole book that they begin with")
    }
    guard most.count >= 2 else {
      throw BlockRefusal(reason: "one book of a pair does not show whether the next one is complete")
    }
    let books = most.map { sides[$0] }
    let steps = bothKnown(books, books.dropFirst())
    let sizes = Set(books.compactMap(\.self).flatMap { [$0.bids.count, $0.asks.count] })
    let repeated = steps.count { old, new in (0.2..<1).contains(new.share(in: old)) }
    // Changes never make a book cross, nor are they as many on both sides in message after message.
    let crossing = steps.count { old, new in
      var book = old
      book.take(new, keeping: nil)
      return book.isCrossed
    }
    let isRepeated = repeated > 0 && repeated * 2 >= steps.count
    let isReplaced = sizes.count == 1 && (sizes.first ?? 0) >= 5 && (crossing > 0 || most.count >= 10)
    guard isRepeated || isReplaced else {
      throw BlockRefusal(reason: "nothing shows whether a message is a whole book or changes the last one")
    }
    var content = BlockContent(fields: fields, rows: rows.rows.filter { sides[$0] != nil })
    // Even if named whole, there may be changes that were not recorded.
    if let named = WholeBookMark.common(to: marked(byPair, sides)) {
      content.fields.append(wholeField(named, ["all messages have it, and each is a whole book"]))
    }
    return content
  }

  /// Returns the levels of the rows that have any.
  ///
  /// - Parameter shape: returns how those of a row are read.
  private func sides(of rows: [Int], by shape: (Int) -> Shape?) -> [Int: Sides] {
    rows.reduce(into: [:]) { sides, row in
      if let shape = shape(row) { sides[row] = shape.sides(of: self.rows.table.nodes[row]) }
    }
  }

  /// Returns the rows with levels of each pair, most rows first.
  private func pairs(with sides: [Int: Sides]) -> [[Int]] {
    rows.byPair.map { $0.filter { sides[$0] != nil } }.filter { !$0.isEmpty }
  }

  // MARK: Snapshots and changes

  private func marked(_ byPair: [[Int]], _ sides: [Int: Sides]) -> WholeBookMark.Messages {
    WholeBookMark.Messages(rows: rows, byPair: byPair, changes: Set(sides.filter(\.value.isChange).keys))
  }

  private func wholeField(_ mark: WholeBookMark, _ evidence: [String]) -> BlockField {
    BlockField("whole", path: mark.path, value: .list([mark.condition]), 0.9, evidence)
  }

  /// Infers a book sent once as a whole and then as changes; nil if the messages do not show that.
  private func declaredChanges(
    _ fields: [BlockField], _ sides: [Int: Sides], _ byPair: [[Int]], _ others: [Int]
  ) throws(BlockRefusal) -> BlockContent? {
    var (fields, sides, byPair) = (fields, sides, byPair)
    // Rows without the whole book's lists may be changes in another form.
    if !others.isEmpty, let levels = changeLevels(sides, others), let shape = Shape(levels) {
      let changes = self.sides(of: others) { _ in shape }
      if !changes.isEmpty {
        sides.merge(changes) { old, _ in old }
        byPair = pairs(with: sides)
        let members = levels.fields(isFutures: false).flatMap(\.members).map { (["changes"] + $0.place, $0.value) }
        fields.append(
          BlockField("changes", path: levels.rows.text, members: members, levels.confidence, levels.evidence))
      }
    }
    guard let mark = WholeBookMark.distinguishing(marked(byPair, sides)) else { return nil }
    let hasChanges = byPair.flatMap(\.self).contains { mark.isWhole[$0] == false && sides[$0]?.isChange == true }
    // A member that only the first message has may name its occasion, where all are whole books.
    guard hasChanges || mark.isNamed && !mark.texts.isEmpty else { return nil }
    let (count, limit) = try appliedChanges(byPair, sides, mark)
    guard count > 0 else { return nil }
    let text = "\(count.counted("change")) applied to a whole book never cross it"
    fields.append(wholeField(mark, [text] + (mark.isNamed ? ["its words"] : [])))
    if let limit {
      fields.append(
        BlockField(
          "count", path: "\(limit)", value: .number("\(limit)"), 0.9,
          ["a whole book has \(limit) levels, and dropped levels are not reported"]))
    }
    if let most = byPair.max(by: { $0.count < $1.count }) {
      fields += SequenceNumbers(rows.table, rows: most, isWhole: mark.isWhole).fields
    }
    var content = BlockContent(fields: fields, rows: rows.rows.filter { sides[$0] != nil })
    content.mark = condition(mark, of: content.rows)
    return content
  }

  /// Returns how many changes apply to whole books, and how many levels these keep if the dropped ones are not reported.
  ///
  /// - Throws: if a book crosses.
  private func appliedChanges(
    _ byPair: [[Int]], _ sides: [Int: Sides], _ mark: WholeBookMark
  ) throws(BlockRefusal) -> (count: Int, limit: Int?) {
    let all = applied(byPair, sides, mark, keeping: nil)
    guard all.isCrossed else { return (all.count, nil) }
    let whole = byPair.flatMap(\.self).filter { mark.isWhole[$0] == true }.compactMap { sides[$0] }
    let depths = Set(whole.flatMap { [$0.bids.count, $0.asks.count] })
    // An exchange that keeps this many levels may not report which of them drop out.
    if depths.count == 1, let depth = depths.first, depth >= 5 {
      let kept = applied(byPair, sides, mark, keeping: depth)
      if !kept.isCrossed { return (kept.count, depth) }
    }
    throw BlockRefusal(reason: "applied to the whole book, the changes make it cross")
  }

  /// Returns the condition for both the whole book and its changes, if the mark of the whole also names the kind.
  private func condition(_ mark: WholeBookMark, of taken: [Int]) -> ConfigValue? {
    guard mark.isText else { return nil }
    let messages = Set(taken.map { rows.table.messages[$0] })
    let column = rows.columns.first { $0.steps.pathText == mark.path }
    let isTaken = column.map { column in
      !column.nodes.indices.contains { index in
        !messages.contains(index) && column.nodes[index]?.scalarText.map(mark.texts.contains) == true
      }
    }
    // Words such as `update` occur in other channels as well.
    let isKind = mark.texts.contains { text in ["book", "l2", "depth"].contains { text.lowercased().contains($0) } }
    guard isTaken == true, isKind else { return nil }
    return .object([("path", .text(mark.path)), ("in", .list(mark.texts.map { .text($0) }))])
  }

  /// Returns levels with a word for their side, from a list in the row or the row itself.
  private func changeLevels(_ sides: [Int: Sides], _ others: [Int]) -> SidedLevels? {
    let whole = sides.values.filter(\.hasBoth)
    guard let least = whole.compactMap({ $0.bids.keys.min() }).min(),
      let most = whole.compactMap({ $0.asks.keys.max() }).max(), least < most
    else { return nil }
    let nodes = others.map { rows.table.nodes[$0] }
    let lists = Set(nodes.flatMap { node in node.members.filter { $0.value.kind == .array }.map(\.name) })
    for name in lists.sorted() {
      let levels = nodes.flatMap { $0[name].map { Array($0.elements) } ?? [] }
      guard !levels.isEmpty, levels.allSatisfy({ [.array, .object].contains($0.kind) }) else { continue }
      let rows = BlockRows(levels, at: [SingularStep.member(name)].pathText + "[*]")
      if let found = SidedLevels(rows, near: least...most) { return found }
    }
    return SidedLevels(BlockRows(nodes, at: "$"), near: least...most)
  }

  /// Applies changes to whole books, until one crosses.
  ///
  /// - Parameter limit: how many levels of each side a book keeps; nil for all.
  /// - Returns: whether one crosses, and the number of changes.
  private func applied(
    _ byPair: [[Int]], _ sides: [Int: Sides], _ mark: WholeBookMark, keeping limit: Int?
  ) -> (isCrossed: Bool, count: Int) {
    var count = 0
    for pair in byPair {
      var book: Sides?
      for row in pair {
        guard let said = sides[row] else { continue }
        if mark.isWhole[row] == true {
          book = said
        } else if book != nil {
          book?.take(said, keeping: limit)
          count += 1
        }
        if book?.isCrossed == true { return (true, count) }
      }
    }
    return (false, count)
  }
}
