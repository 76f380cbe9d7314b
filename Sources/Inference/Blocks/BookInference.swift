import Config
import JSON
import JSONPath
import Quotes

/// Finds the two sides of an order book, with all bids below all asks, whatever the sides are called.
struct BookInference {
  private let root: JSONNode
  private let isFutures: Bool
  /// The price of the pair, if known.
  private let known: Double?
  /// When the answer arrived; nil if unknown.
  private let arrival: Instant?
  /// The pair's day according to the ticker of the exchange; nil if unknown.
  private let day: DayAmounts?
  /// Whether the sides are known, whatever their names.
  private let hasSides: Bool

  /// - Parameter given: the fields that are known.
  init(
    _ root: JSONNode, isFutures: Bool, near known: Double? = nil, arrival: Instant? = nil, day: DayAmounts? = nil,
    given: Set<String> = []
  ) {
    (self.root, self.isFutures, self.known) = (root, isFutures, known)
    (self.arrival, self.day) = (arrival, day)
    hasSides = given.isSuperset(of: ["bids", "asks"])
  }

  /// The levels of one side: their location and columns.
  private struct Side {
    let rows: ConfigValue
    let text: String
    let columns: [SampleColumn]
    /// Which side its name says it is: true for bids; nil if it has no name.
    let isBids: Bool?
    /// Whether prices are member names, and sizes the members' values.
    var isKeyed = false

    var levelCount: Int { columns.first?.texts.count ?? 0 }

    func column(_ path: SamplePath) -> SampleColumn? { columns.first { $0.path == path } }
  }

  func proposal() throws(SampleProblem) -> BlockProposal {
    var proposal = try foundLevels()
    guard let day, !isFutures, let place = proposal.fields.firstIndex(where: { $0.name == "size" }) else {
      return proposal
    }
    if day.isSilent {
      doubtUnproved(&proposal.fields[place])
      return proposal
    }
    var size = proposal.fields[place]
    let numbers = size.texts.compactMap { $0.flatMap(SampleColumn.number) }.filter { $0 > 0 }
    guard let doubt = numbers.median.flatMap(day.doubt) else { return proposal }
    // Money has cents; what is counted in whole numbers may be contracts.
    let areWhole = numbers.allSatisfy { $0 == $0.rounded() }
    size.confidence = min(size.confidence, 0.3)
    size.mayCountSmallUnits = !areWhole && !size.countsMoney
    let unit = areWhole ? "contracts or money" : size.mayCountSmallUnits ? "money or a small unit" : "money"
    size.evidence.append("counts \(unit): \(doubt)")
    size.countsContracts = areWhole && !size.countsMoney
    size.countsMoney = !size.countsContracts
    proposal.fields[place] = size
    return proposal
  }

  /// Lowers the confidence in sizes that nothing but their name says are of the asset, where the ticker has no amounts to
  /// compare them with.
  private func doubtUnproved(_ size: inout BlockField) {
    guard !size.isOfAsset, size.confidence > 0.7 else { return }
    size.confidence = 0.7
    size.evidence.append("nothing shows whether it counts the asset or money: the ticker has no volume")
  }

  private func foundLevels() throws(SampleProblem) -> BlockProposal {
    var finder = SideFinder()
    finder.visit(root, SamplePath(), depth: 0)
    var reason: String?
    for (first, second) in finder.pairs {
      guard let levels = Levels(first, second, near: known) else {
        reason =
          reason ?? "no column is below on one side and above on the other in \(first.text) and \(second.text)"
        continue
      }
      guard levels.bids.isBids != false || hasSides else {
        reason =
          reason ?? "the prices of \(levels.bids.text) are below those of \(levels.asks.text), against their names"
        continue
      }
      return proposal(of: levels)
    }
    if let row = SharedRows(root) { return proposal(of: row) }
    for rows in BlockRows.all(in: root) {
      // Trades have sides as well, but each has its own time.
      guard rows.count >= 4, !rows.areOfSeveralPairs, !rows.columns.contains(where: Self.isTimeOfRows),
        let levels = SidedLevels(rows)
      else { continue }
      let fields = levels.fields(isFutures: isFutures)
      return BlockProposal(
        kind: .orderbook, rows: nil, rowsText: rows.text, rowCount: rows.count, fields: fields + once)
    }
    throw SuccessProposal.errorAnswer(root) ?? reason.map { .noBlock(.orderbook, $0) } ?? .noLevels
  }

  private static func isTimeOfRows(_ column: SampleColumn) -> Bool {
    let texts = Set(column.presentTexts)
    return texts.count > 1 && TimeRole.form(of: Array(texts)) != nil
  }

  // MARK: Two lists

  private struct SideFinder {
    var pairs: [(Side, Side)] = []
    private var visits = 0

    private static let names: [(bids: String, asks: String)] = [
      ("bids", "asks"), ("bid", "ask"), ("b", "a"), ("buy", "sell"), ("buys", "sells"), ("buyorders", "sellorders"),
      ("orderbookbids", "orderbookasks"),
    ]

    /// Returns names that differ only in the word for the side: `buyquote` and `sellquote`.
    private static func longerNames(_ members: [String]) -> [(bids: String, asks: String)] {
      let known = Set(names.map(\.bids))
      return members.filter { !known.contains($0) }.compactMap { bids in
        [("bid", "ask"), ("buy", "sell")].lazy.filter { bids.contains($0.0) }
          .map { bids.replacing($0.0, with: $0.1, maxReplacements: 1) }
          .first(where: members.contains).map { (bids, $0) }
      }
    }

    mutating func visit(_ node: JSONNode, _ path: SamplePath, depth: Int) {
      visits += 1
      guard depth < 6, visits < 100 else { return }
      switch node.kind {
      case .object:
        let members = Array(node.members.prefix(60))
        for (bids, asks) in Self.names + Self.longerNames(members.map { Spelling.folded($0.name) }) {
          guard let bid = members.first(where: { Spelling.folded($0.name) == bids }),
            let ask = members.first(where: { Spelling.folded($0.name) == asks }),
            let first = Self.side(bid.value, path.appending(.member(bid.name)), isBids: true),
            let second = Self.side(ask.value, path.appending(.member(ask.name)), isBids: false)
          else { continue }
          pairs.append((first, second))
        }
        for member in members where [.object, .array].contains(member.value.kind) {
          visit(member.value, path.appending(.member(member.name)), depth: depth + 1)
        }
      case .array where node.count <= 3:
        let elements = Array(node.elements)
        if elements.count == 2, elements.allSatisfy({ $0.kind == .array }),
          let first = Self.side(elements[0], path.appending(.index(0)), isBids: nil),
          let second = Self.side(elements[1], path.appending(.index(1)), isBids: nil)
        {
          pairs.append((first, second))
        }
        for (index, element) in elements.enumerated() {
          visit(element, path.appending(.index(index)), depth: depth + 1)
        }
      default: break
      }
    }

    private static func side(_ node: JSONNode, _ path: SamplePath, isBids: Bool?) -> Side? {
      if node.kind == .object { return BookInference.keyed(node, path, isBids: isBids) }
      guard node.kind == .array, node.count > 0 else { return nil }
      let elements = Array(node.elements)
      if elements.allSatisfy({ $0.kind == .array || $0.kind == .object }), elements.allSatisfy({ $0.count > 1 }) {
        let rows = SampleRows(path: path.list, shape: .arrayOfArrays, nodes: elements)
        return Side(rows: .text(path.list.text), text: path.list.text, columns: rows.columns, isBids: isBids)
      }
      // Alternating prices and sizes.
      guard elements.count >= 4, elements.count % 2 == 0, elements.allSatisfy({ $0.scalarText != nil }) else {
        return nil
      }
      func every(_ first: Int) -> [JSONNode?] { stride(from: first, to: elements.count, by: 2).map { elements[$0] } }
      let columns = [
        SampleColumn(path: SamplePath([.index(0)]), nodes: every(0)),
        SampleColumn(path: SamplePath([.index(1)]), nodes: every(1)),
      ]
      let paths = ["[::2]", "[1::2]"].map { ConfigValue.text(path.text + $0) }
      return Side(rows: .object([("zip", .list(paths))]), text: "\(path.text)[::2]", columns: columns, isBids: isBids)
    }
  }

  /// `{"65000.50": "0.1"}`
  private static func keyed(_ node: JSONNode, _ path: SamplePath, isBids: Bool?) -> Side? {
    let members = Array(node.members)
    let names = JSONValue.texts(members.map(\.name)).written()
    guard members.count >= 2,
      members.allSatisfy({ Double($0.name) != nil && $0.value.scalarText.flatMap(Double.init) != nil }),
      let prices = try? JSONDocument(parsing: names).root
    else { return nil }
    let columns = [
      SampleColumn(path: Self.keyPath, nodes: Array(prices.elements)),
      SampleColumn(path: SamplePath(), nodes: members.map(\.value)),
    ]
    let rows = path.text + ".*"
    return Side(rows: .text(rows), text: rows, columns: columns, isBids: isBids, isKeyed: true)
  }

  /// The path of prices that are member names.
  private static let keyPath = SamplePath([.member("key")])

  /// Two sides and the columns of their levels.
  private struct Levels {
    var bids: Side
    var asks: Side
    let price: SamplePath
    let priceConfidence: Double
    var priceEvidence: [String]

    private static let priceNames = RecordWords.prices.union(["orderprice", "limitprice"])

    init?(_ first: Side, _ second: Side, near known: Double?) {
      func bounds(_ side: Side, _ path: SamplePath) -> (least: Double, most: Double)? {
        guard let numbers = side.column(path)?.allNumbers else { return nil }
        // Padding levels have no price.
        let prices = numbers.filter { $0 > 0 }
        guard prices.count == numbers.count(where: { $0 != 0 }), let least = prices.min(), let most = prices.max()
        else {
          return nil
        }
        return (least, most)
      }
      var found: [(path: SamplePath, isFirstLower: Bool, isSorted: Bool)] = []
      // Prices in a small currency may look like times, and rise as these do.
      for looksLikeTime in [false, true] where found.isEmpty {
        for column in first.columns where (column.moments != nil) == looksLikeTime {
          guard let one = bounds(first, column.path), let other = bounds(second, column.path) else { continue }
          guard one.most < other.least || other.most < one.least else { continue }
          let isFirstLower = one.most < other.least
          let (best, next) = isFirstLower ? (one.most, other.least) : (other.most, one.least)
          guard next < best * 1.5 else { continue }
          let isSorted = [first, second].allSatisfy { side in
            (side.column(column.path)?.allNumbers?.filter { $0 > 0 } ?? []).isMonotonic
          }
          found.append((column.path, isFirstLower, isSorted))
        }
      }
      let named = found.filter { Self.priceNames.contains(Spelling.folded($0.path.names.last ?? "")) }
      let near = known.map { known in
        found.filter { column in
          [first, second].allSatisfy { side in
            bounds(side, column.path).map { known * 0.67 <= $0.least && $0.most <= known * 1.5 } ?? false
          }
        }
      }
      let isNear = near?.count == 1 && found.count == 1
      let sorted = found.filter(\.isSorted)
      guard let best = named.first ?? (sorted.count == 1 ? sorted.first : found.count == 1 ? found.first : sorted.first)
      else { return nil }
      price = best.path
      (bids, asks) = best.isFirstLower ? (first, second) : (second, first)
      let levels = first.levelCount + second.levelCount
      let isProved = levels >= 6 && best.isSorted && sorted.count == 1
      priceConfidence = !named.isEmpty ? 0.97 : isProved ? 0.95 : isNear ? 0.9 : 0.6
      priceEvidence =
        (isNear ? ["near the price of the table"] : []) + ["all bids below all asks in \(levels) levels"]
        + (best.isSorted ? ["in order"] : [])
    }

    func columns(at path: SamplePath) -> [SampleColumn] { [bids, asks].compactMap { $0.column(path) } }

    /// Returns what the numbers of a column reveal of their unit as sizes.
    func unit(of path: SamplePath) -> SizeUnit {
      SizeUnit(
        [bids, asks].compactMap { side in
          side.column(path).flatMap { sizes in side.column(price).map { (sizes, $0) } }
        })
    }
  }

  private func proposal(of levels: Levels) -> BlockProposal {
    let texts = levels.bids.column(levels.price)?.texts ?? []
    let (confidence, evidence) = (levels.priceConfidence, levels.priceEvidence)
    let (path, price): (String, ConfigValue) =
      levels.bids.isKeyed
      ? ("the names of members", .object([("from", .text("key"))]))
      : (levels.price.text, BlockField.value(of: levels.columns(at: levels.price)))
    var fields = [
      BlockField("bids", path: levels.bids.text, value: levels.bids.rows, confidence, evidence),
      BlockField("asks", path: levels.asks.text, value: levels.asks.rows, confidence, evidence),
      BlockField(
        "price", path: path, value: price, example: texts.first.flatMap(\.self) ?? "", confidence, evidence,
        texts: texts),
    ]
    if let size = size(levels) { fields.append(size) }
    fields += once
    return BlockProposal(
      kind: .orderbook, rows: nil, rowsText: "\(levels.bids.text) and \(levels.asks.text)",
      rowCount: levels.bids.levelCount + levels.asks.levelCount, fields: fields)
  }

  private static let sizeNames = RecordWords.sizes.union(["s", "orderquantity"])

  /// Returns whether the numbers of both sides are monotonic from level to level, in enough levels to rule out chance.
  private static func areTotals(_ sides: [SampleColumn?]) -> Bool {
    let numbers = sides.compactMap { $0?.allNumbers }
    guard numbers.count == 2, numbers.allSatisfy({ $0.count > 1 && $0.isStrictlyMonotonic }) else { return false }
    return RunningTotals.orders(of: numbers) >= 10_000
  }

  /// Returns which columns are the price times another one in the levels of both sides.
  private func worthProofs(
    _ levels: Levels, _ columns: [SampleColumn]
  ) -> [(size: SamplePath, worth: SamplePath, vote: RowRelations.Vote)] {
    columns.flatMap { size in
      columns.filter { $0.path != size.path }.compactMap { worth in
        var vote = RowRelations.Vote()
        for side in [levels.bids, levels.asks] {
          guard let price = side.column(levels.price), let sizes = side.column(size.path),
            let worths = side.column(worth.path)
          else { return nil }
          vote.add(WorthProof.vote(price, sizes, worths))
        }
        return vote.rows >= 4 && vote.share >= 0.95 ? (size.path, worth.path, vote) : nil
      }
    }
  }

  /// Returns the columns that may be sizes, without those that are the sum of another one up to the level.
  private func amounts(of levels: Levels) -> [SampleColumn] {
    let all = levels.bids.columns.filter { column in
      guard column.path != levels.price, column.moments == nil, let bids = column.allNumbers,
        let asks = levels.asks.column(column.path)?.allNumbers
      else { return false }
      return (bids + asks).allSatisfy { $0 >= 0 } && (bids + asks).contains { $0 > 0 }
    }
    return all.filter { total in
      !all.contains { part in
        part.path != total.path
          && [levels.bids, levels.asks].allSatisfy { side in
            side.column(total.path)?.isRunningSum(of: side.column(part.path)) == true
          }
      }
    }
  }

  private func size(_ levels: Levels) -> BlockField? {
    let rest = amounts(of: levels)
    let named = rest.filter { Self.sizeNames.contains($0.plainName) }
    let broken = rest.filter { !$0.isWhole || levels.asks.column($0.path)?.isWhole == false }
    let best: (column: SampleColumn, confidence: Double, evidence: String)?
    let proofs = worthProofs(levels, rest)
    let worths = Set(proofs.map(\.worth))
    let sizes = Set(proofs.map(\.size))
    if sizes.count == 1, let proof = proofs.first, !worths.contains(proof.size),
      let column = rest.first(where: { $0.path == proof.size })
    {
      var field = BlockField(
        "size", column, at: ["size"], value: BlockField.value(of: levels.columns(at: column.path)), 0.97,
        ["price x size is another column in \(proof.vote.text)"])
      field.isOfAsset = true
      return field
    }
    if named.count == 1, !worths.contains(named[0].path) {
      best = (named[0], 0.9, "its name")
    } else if rest.count == 1 {
      best = (rest[0], 0.9, "the only other number of a level")
    } else if broken.count == 1, named.isEmpty {
      best = (broken[0], 0.8, "the only other number with a fraction")
    } else {
      best = rest.first.map { ($0, 0.5, "the first of \(rest.count) numbers") }
    }
    guard var best else { return nil }
    var remarks = isFutures ? [SizeUnit.mayBeContracts] : []
    let unit = levels.unit(of: best.column.path)
    if let doubt = unit.doubt {
      best.confidence = 0.3
      remarks.append(doubt)
    }
    if Self.areTotals([best.column, levels.asks.column(best.column.path)]) {
      best = (best.column, min(0.5, best.confidence), RunningTotals.evidence)
    }
    var field = BlockField(
      "size", best.column, at: ["size"], value: BlockField.value(of: levels.columns(at: best.column.path)),
      isFutures ? min(0.6, best.confidence) : best.confidence, [best.evidence] + remarks)
    field.countsMoney = unit.doubt != nil
    field.isOfAsset = unit.asset != nil
    return field
  }

  // MARK: One list

  /// Levels with members for both sides.
  private struct SharedRows {
    let rows: BlockRows
    var columns: [String: SampleColumn] = [:]

    init?(_ root: JSONNode) {
      for rows in BlockRows.all(in: root) where rows.count >= 2 {
        var columns: [String: SampleColumn] = [:]
        for (side, part) in [("bids", "bid"), ("asks", "ask")] {
          for (key, words) in [
            ("price", ["price", "px", "rate"]), ("size", ["size", "qty", "quantity", "amount", "volume", "vol"]),
          ] {
            let named = rows.columns.filter { column in
              let name = column.plainName
              return name.contains(part) && words.contains(where: name.contains) && column.allNumbers != nil
            }
            if named.count == 1 { columns["\(side).\(key)"] = named[0] }
          }
        }
        guard columns.count == 4, let bids = columns["bids.price"]?.allNumbers,
          let asks = columns["asks.price"]?.allNumbers,
          let most = bids.max(), let least = asks.min(), most < least, least < most * 1.5
        else { continue }
        // Rows of many pairs have nearby offers in each row, but in no order.
        guard bids.isOrdered(by: >=), asks.isOrdered(by: <=) else { continue }
        self.rows = rows
        self.columns = columns
        return
      }
      return nil
    }
  }

  private func proposal(of shared: SharedRows) -> BlockProposal {
    let evidence = ["its name", "all bids below all asks in \(shared.rows.count) rows", "bids fall and asks rise"]
    var fields: [BlockField] = []
    for side in ["bids", "asks"] {
      fields.append(
        BlockField(side, path: shared.rows.text, members: [([side, "rows"], shared.rows.value)], 0.97, evidence))
    }
    for key in ["price", "size"] {
      let columns = ["bids", "asks"].compactMap { side in shared.columns["\(side).\(key)"].map { (side, $0) } }
      let prices = ["bids", "asks"].compactMap { shared.columns["\($0).price"] }
      let unit = key == "size" ? SizeUnit(Array(zip(columns.map(\.1), prices))) : nil
      let doubt = unit?.doubt
      let areTotals = key == "size" && Self.areTotals(columns.map(\.1))
      let isUnsure = key == "size" && isFutures
      fields.append(
        BlockField(
          key, path: columns.map(\.1.path.text).joined(separator: " and "),
          members: columns.map { side, column in ([side, key], BlockField.value(of: column)) },
          example: columns.first?.1.example ?? "", doubt != nil ? 0.3 : areTotals ? 0.5 : isUnsure ? 0.6 : 0.97,
          (areTotals ? [RunningTotals.evidence] : isUnsure ? [SizeUnit.mayBeContracts] : evidence)
            + (doubt.map { [$0] } ?? []),
          texts: columns.first?.1.texts ?? []))
      fields[fields.count - 1].isOfAsset = unit?.asset != nil
    }
    return BlockProposal(
      kind: .orderbook, rows: nil, rowsText: shared.rows.text, rowCount: shared.rows.count, fields: fields + once)
  }

  static let sequenceNames: Set<String> = [
    "lastupdateid", "sequence", "seq", "seqid", "seqnum", "version", "nonce", "changeid", "updateid", "sequenceid",
  ]

  /// The time and sequence number of the whole book, located beside its sides.
  private var once: [BlockField] {
    var (times, updates): ([BlockField], [BlockField]) = ([], [])
    var numbers: [BlockField] = []
    root.visitScalars(isInRow: false) { node, steps in
      guard let text = node.scalarText, case .member(let name)? = steps.last else { return }
      let path = steps.pathText
      let plain = Spelling.folded(name)
      // A small one is the version of the interface.
      let isVersion = plain == "version" && text.utf8.count < 5
      if Self.sequenceNames.contains(plain), !isVersion, SampleColumn.number(text) != nil {
        numbers.append(
          BlockField("sequence", path: path, value: .text(path), example: text, 0.8, ["its name"], texts: [text]))
      } else if let form = TimeRole.form(of: [text]) {
        let field = time(text, form, at: path)
        if ["time", "timestamp", "ts", "t"].contains(plain) {
          times.append(field)
        } else if FieldName(name).has(.updated), FieldLexicon.score(.time, FieldName(name)) >= 0.8 {
          updates.append(field)
        }
      }
    }
    if times.isEmpty { times = updates }
    return (times.count == 1 ? times : []) + (numbers.count == 1 ? numbers : [])
  }

  /// Returns the time of the book, which is hardly older than the answer: without a zone it is of UTC if that makes it
  /// so.
  private func time(_ text: String, _ form: TimeRole.Form, at path: String) -> BlockField {
    let moment = TimeRole.moment(text, form)
    let clock = moment.flatMap { TimeRole.LocalClock($0, form, at: arrival, of: "book") }
    let distance = arrival.flatMap { arrival in moment?.nanoseconds(since: arrival).magnitude }
    let isOfUTC = form.saysZone || distance.map { $0 <= TimeRole.LocalClock.minute } ?? false
    let evidence = ["its name", TimeRole.evidence(form)] + (clock.map { [$0.evidence] } ?? [])
    return BlockField(
      "time", path: path, value: BlockField.time(at: path, form, zoneSeconds: clock?.zoneSeconds ?? 0), example: text,
      isOfUTC ? 0.85 : clock == nil ? 0.6 : 0.5, evidence, texts: [text])
  }
}
