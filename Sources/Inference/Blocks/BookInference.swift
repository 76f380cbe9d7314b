import Config
import JSON
import JSONPath
import Quotes

/// Finds the two sides of an order book, with all bids below all asks, whatever the sides are called.
struct BookInference {
  private let root: JSONNode
  private let facts: BlockFacts
  /// The price of the pair, if known.
  private let known: Double?

  init(_ root: JSONNode, _ facts: BlockFacts, near known: Double? = nil) {
    (self.root, self.facts, self.known) = (root, facts, known)
  }

  /// Whether the sides are known, whatever their names.
  private var hasSides: Bool { facts.given.isSuperset(of: ["bids", "asks"]) }

  func proposal() throws(SampleProblem) -> BlockProposal {
    var proposal = try foundLevels()
    guard let day = facts.day, !facts.isFutures,
      let place = proposal.fields.firstIndex(where: { $0.name == "size" })
    else { return proposal }
    if let silence = day.silence {
      doubtUnproved(&proposal.fields[place], because: silence)
      return proposal
    }
    var size = proposal.fields[place]
    let numbers = size.texts.compactMap { $0.flatMap(SampleColumn.number) }.filter { $0 > 0 }
    guard let doubt = numbers.median.flatMap(day.doubt) else { return proposal }
    // Money has cents; what is counted in whole numbers may be contracts.
    let areWhole = numbers.allSatisfy { $0 == $0.rounded() }
    size.confidence = min(size.confidence, 0.3)
    let unit = areWhole ? "contracts or money" : size.unit == .money ? "money" : "money or a small unit"
    size.evidence.append("counts \(unit): \(doubt)")
    if size.unit != .money { size.unit = areWhole ? .contractsOrMoney : .moneyOrSmallUnit }
    proposal.fields[place] = size
    return proposal
  }

  /// Lowers the confidence in sizes that nothing but their name says are of the asset, where no ticker has amounts to
  /// compare them with.
  private func doubtUnproved(_ size: inout BlockField, because reason: String) {
    guard size.unit != .asset, size.confidence > 0.7 else { return }
    size.confidence = 0.7
    size.evidence.append(reason)
  }

  private func foundLevels() throws(SampleProblem) -> BlockProposal {
    var reason: String?
    let finder = BookSideFinder(root)
    for (first, second) in finder.pairs {
      if let sign = Self.lendingSign(first, second) {
        reason = reason ?? "\(first.text) and \(second.text) are offers of loans: '\(sign)'"
        continue
      }
      guard let levels = BookLevels(first, second, near: known) else {
        reason = reason ?? refusal(first, second)
        continue
      }
      guard levels.bids.isBids != false || hasSides else {
        reason =
          reason ?? "the prices of \(levels.bids.text) are below those of \(levels.asks.text), against their names"
        continue
      }
      return proposal(
        levels.fields + (levels.size(isFutures: facts.isFutures).map { [$0] } ?? []),
        at: "\(levels.bids.text) and \(levels.asks.text)", count: levels.bids.levelCount + levels.asks.levelCount)
    }
    let lists = BlockRows.all(in: root)
    if let shared = lists.lazy.compactMap(SharedLevels.init).first {
      return proposal(shared.fields(isFutures: facts.isFutures), at: shared.rows.text, count: shared.rows.count)
    }
    for rows in lists {
      // Trades have sides as well, but each has its own time.
      guard rows.count >= 4, !rows.areOfSeveralPairs, !rows.columns.contains(where: Self.isTimeOfRows),
        let levels = SidedLevels(rows)
      else { continue }
      return proposal(levels.fields(isFutures: facts.isFutures), at: rows.text, count: rows.count)
    }
    throw SuccessProposal.errorAnswer(root) ?? reason.map { .noBlock(.orderbook, $0) }
      ?? finder.emptySide.map { .emptySide(path: $0) } ?? .noLevels
  }

  private func proposal(_ fields: [BlockField], at text: String, count: Int) -> BlockProposal {
    BlockProposal(
      kind: .orderbook, rows: nil, rowsText: text, rowCount: count, fields: fields + once(beside: fields))
  }

  /// Says why two lists are not the sides of a book.
  private func refusal(_ first: BookSide, _ second: BookSide) -> String {
    guard let best = BookLevels.farOffers(first, second) else {
      return "no column is below on one side and above on the other in \(first.text) and \(second.text)"
    }
    let offers = "the best offers are far apart, \(best.bid) and \(best.ask), and"
    guard BookLevels.mayBe(best, around: known) else {
      return "\(offers) the price of the table, \(known ?? 0), is not between them"
    }
    return "\(offers) too few levels in \(first.text) and \(second.text) show that they are one book"
  }

  /// Returns the name that only levels of loans have; nil if there is none. Their prices are interest rates.
  private static func lendingSign(_ first: BookSide, _ second: BookSide) -> String? {
    let names = Set(first.columns.map(\.plainName)).intersection(second.columns.map(\.plainName))
    return names.contains("rate") ? ["frr", "period", "term", "days"].first(where: names.contains) : nil
  }

  private static func isTimeOfRows(_ column: SampleColumn) -> Bool {
    let texts = Set(column.presentTexts)
    return texts.count > 1 && TimeRole.form(of: Array(texts)) != nil
  }

  static let sequenceNames: Set<String> = [
    "lastupdateid", "sequence", "seq", "seqid", "seqnum", "seqno", "snapshotseqno", "version", "nonce", "changeid",
    "updateid", "sequenceid",
  ]

  /// Returns the time and sequence number of the whole book, which is rather the one beside its sides than the answer's.
  ///
  /// - Parameter fields: those of its levels.
  private func once(beside fields: [BlockField]) -> [BlockField] {
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
    let sides = fields.filter { ["bids", "asks"].contains($0.name) }.map(\.path)
    return [times, numbers].compactMap { Self.one($0, beside: sides) }
  }

  /// Returns the only one of some fields, or the only one of those farthest in on the way to the sides; an unsure one if
  /// there are several, and nil if there are none.
  private static func one(_ found: [BlockField], beside sides: [String]) -> BlockField? {
    func isBelow(_ path: String, _ container: String) -> Bool {
      path.hasPrefix(container + ".") || path.hasPrefix(container + "[")
    }
    // A level's own is not the book's.
    let found = found.filter { field in !sides.contains { isBelow(field.path, $0.replacing("[*]", with: "")) } }
    guard found.count > 1 else { return found.first }
    func container(_ field: BlockField) -> [SingularStep] { SamplePath(field.path)?.steps.dropLast() ?? [] }
    let around = found.filter { field in sides.contains { isBelow($0, container(field).pathText) } }
    let depth = around.map { container($0).count }.max()
    let nearest = around.filter { container($0).count == depth }
    guard nearest.count != 1 else { return nearest[0] }
    var open = nearest.first ?? found[0]
    open.confidence = 0.5
    let others = (nearest.isEmpty ? found : nearest).dropFirst().map(\.path)
    open.evidence = ["it may also be \(others.joined(separator: ", "))"]
    return open
  }

  /// Returns the time of the book, which is hardly older than the answer: without a zone it is of UTC if that makes it
  /// so.
  private func time(_ text: String, _ form: TimeRole.Form, at path: String) -> BlockField {
    let moment = TimeRole.moment(text, form)
    let clock = moment.flatMap { TimeRole.LocalClock($0, form, at: facts.arrival, of: "book") }
    let distance = facts.arrival.flatMap { arrival in moment?.nanoseconds(since: arrival).magnitude }
    let isOfUTC = form.saysZone || distance.map { $0 <= Instant.minute } ?? false
    let evidence = ["its name", TimeRole.evidence(form)] + (clock.map { [$0.evidence] } ?? [])
    return BlockField(
      "time", path: path, value: BlockField.time(at: path, form, zoneSeconds: clock?.zoneSeconds ?? 0), example: text,
      isOfUTC ? 0.85 : clock == nil ? 0.6 : 0.5, evidence, texts: [text])
  }
}
