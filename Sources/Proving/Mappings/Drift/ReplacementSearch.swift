import Config
import Inference
import JSONPath
import Mapping
import Quotes

/// Looks for what stands in the place of lost paths, by name, values, relations and place.
///
/// What was there in the recording already, with other values, is something else: so mostly members that are new are
/// left to choose from.
struct ReplacementSearch {
  let recorded: AnswerColumns
  let current: AnswerColumns
  let pairing: RowPairing
  let slots: [ReadSlot]
  let pair: Pair?
  let arrivals: (recorded: Instant?, current: Instant?)

  /// Candidates whose scores are nearer to each other than this are not chosen between.
  private static let margin = 0.06
  private static let threshold = Replacement.certain

  private struct Lost {
    let slot: ReadSlot
    let values: [Int: AnswerValue]
    /// Its steps with the pair filled in; nil where the path is more than names and indexes.
    let steps: [SingularStep]?
  }

  private struct Scored {
    let steps: [SingularStep]
    let isInRow: Bool
    let score: Double
    let evidence: [String]
    var needsMore = false
  }

  /// The replacements of paths that had a value in the recording and have none now, in their order.
  func replacements(of lost: [ReadSlot]) -> [Replacement] {
    let gone = lost.map {
      Lost(slot: $0, values: recorded.values(at: $0.path, isInRow: $0.isInRow, pair), steps: steps(of: $0))
    }
    let relations = FieldRelations(numbers: currentNumbers)
    let found = gone.map { candidates(for: $0, relations) }
    // A member that fits one path beyond doubt is not what another has lost.
    let owners = found.map { $0.first }
    return zip(gone, found).enumerated().map { index, entry in
      let (lost, candidates) = entry
      let free = candidates.filter { candidate in
        !owners.enumerated().contains { other, best in
          guard other != index, let best, gone[other].steps != lost.steps else { return false }
          return best.steps == candidate.steps && best.isInRow == candidate.isInRow
            && best.score > candidate.score + Self.margin
        }
      }
      return Replacement(
        lost: lost.slot.path.text, places: places(of: lost.slot), isInRow: lost.slot.isInRow,
        candidates: chosen(free).compactMap { written($0, for: lost) })
    }
  }

  /// Those that are too near to the best to be told from it; none where the best is not good enough.
  private func chosen(_ candidates: [Scored]) -> [Scored] {
    guard let best = candidates.first else { return [] }
    if best.score < Self.threshold { return best.score >= Replacement.doubtful ? [best] : [] }
    return Array(candidates.prefix { $0.score > best.score - Self.margin }.prefix(3))
  }

  /// Wherever the mapping writes the path.
  private func places(of slot: ReadSlot) -> [Place] {
    slots.filter { $0.isSamePath(as: slot) }.map(\.path.node.place).unique
  }

  // MARK: Candidates

  private func candidates(for lost: Lost, _ relations: FieldRelations) -> [Scored] {
    let places = [true, false].flatMap { isInRow in
      columns(isInRow).filter { !isRead($0.steps, isInRow: isInRow) && fits($0.steps, lost) }
        .map { (column: $0, isInRow: isInRow) }
    }
    let fresh = places.filter { recorded.column($0.column.steps, isInRow: $0.isInRow) == nil }
    let alone = fresh.count { $0.isInRow == lost.slot.isInRow } == 1
    return places.compactMap { place in
      let isNew = recorded.column(place.column.steps, isInRow: place.isInRow) == nil
      if !isNew { return place.isInRow == lost.slot.isInRow ? twin(place.column, of: lost) : nil }
      return score(place.column, isInRow: place.isInRow, for: lost, relations, isAlone: alone)
    }.sorted { $0.score > $1.score }
  }

  private func columns(_ isInRow: Bool) -> [AnswerColumns.Column] { isInRow ? current.columns : current.around }

  /// A path with a pair in it can only move as a whole.
  private func fits(_ steps: [SingularStep], _ lost: Lost) -> Bool {
    guard let first = lost.slot.path.templates.keys.min(), let old = lost.steps else { return true }
    return steps.suffix(old.count - first) == old.suffix(old.count - first)
  }

  /// A member that stood beside the lost one with the very same values.
  private func twin(_ column: AnswerColumns.Column, of lost: Lost) -> Scored? {
    let isInRow = lost.slot.isInRow
    guard let old = recorded.column(column.steps, isInRow: isInRow)?.values else { return nil }
    let same = lost.values.count { old[$0.key]?.text == $0.value.text }
    let isTelling = Set(lost.values.values.map(\.text)).count > 1 || name(of: column.steps, lost) >= 0.5
    guard isTelling, same * 10 >= lost.values.count * 9, lost.values.count > 0 else { return nil }
    let rows = "\(same) of \(lost.values.count) \(lost.values.count == 1 ? "row" : "rows")"
    // It may mean something else all the same, as the dollar volume of pairs in dollars does.
    return Scored(
      steps: column.steps, isInRow: isInRow, score: Replacement.doubtful,
      evidence: ["it was the same in \(rows) of the recording"])
  }

  private func score(
    _ column: AnswerColumns.Column, isInRow: Bool, for lost: Lost, _ relations: FieldRelations, isAlone: Bool
  ) -> Scored? {
    let name = name(of: column.steps, lost)
    let likeness = likeness(of: column, isInRow: isInRow, lost)
    let role = isInRow ? role(of: column, lost, relations) : nil
    // No pair in common, or a recording of years ago: names and the other fields of the row are all there is.
    guard let likeness, likeness.score >= 0.3 || name > 0.99 && role == nil else {
      return unproved(column, isInRow: isInRow, for: lost, name, role, hasValues: likeness != nil)
    }
    var evidence = [Self.phrase(name)]
    let proof = likeness.isConstant || lost.values.count == 1 ? 0.75 : 1
    var sum = 0.3 * name + 0.5 * likeness.score * proof
    var weight = 0.8
    evidence += [likeness.evidence] + [likeness.remark].compactMap(\.self)
    if let relation = isInRow ? relation(of: column, lost, role) : nil {
      sum += 0.2 * relation.share
      weight += 0.2
      if let text = relation.text { evidence.append(text) }
    }
    var score = sum / weight
    if isAlone, isInRow == lost.slot.isInRow {
      score += 0.08
      evidence.append("no other member is new")
    }
    if isInRow != lost.slot.isInRow { score -= 0.1 }
    if let steps = lost.steps, let old = recorded.column(steps, isInRow: lost.slot.isInRow),
      isInRow == lost.slot.isInRow,
      old.neighbour == column.neighbour
    {
      score += 0.04
      evidence.append("it stands in the same place")
    }
    // Below the threshold it is as good as nothing, and a twin is better.
    guard score >= Self.threshold else { return nil }
    if isDenied(column.steps, lost) {
      score = Replacement.doubtful
      evidence.append("its name says something else")
    }
    return Scored(
      steps: column.steps, isInRow: isInRow, score: min(1, score), evidence: evidence,
      needsMore: likeness.remark != nil)
  }

  /// A candidate whose values cannot be held against recorded ones, or are far from them. All that fit are as good as
  /// each other, whatever their names.
  private func unproved(
    _ column: AnswerColumns.Column, isInRow: Bool, for lost: Lost, _ name: Double, _ role: Role?, hasValues: Bool
  ) -> Scored? {
    let evidence: [String]
    if let role {
      guard role.share >= 0.9, role.count >= (hasValues ? 5 : 2) else { return nil }
      evidence = [
        Self.phrase(name), role.text, hasValues ? "its values have moved far" : "no recorded pair is left to compare",
      ]
    } else {
      guard !hasValues, name >= 0.6 else { return nil }
      evidence = [Self.phrase(name), "its values prove nothing"]
    }
    let score = isDenied(column.steps, lost) ? Replacement.doubtful : 0.5 + 0.05 * name
    return Scored(steps: column.steps, isInRow: isInRow, score: score, evidence: evidence)
  }

  private func isDenied(_ steps: [SingularStep], _ lost: Lost) -> Bool {
    guard let field = lost.slot.field, lost.slot.isWhole, !steps.wholeText.isEmpty else { return false }
    // An exchange whose old name denied it, too, has words of its own.
    guard let old = lost.steps?.wholeText, !NameLikeness.denies(old, field), name(of: steps, lost) < 0.9 else {
      return false
    }
    return NameLikeness.denies(steps.wholeText, field)
  }

  private typealias Role = (share: Double, count: Int, text: String)

  /// How the numbers stand to the fields that are left; nil where that cannot be told.
  private func role(of column: AnswerColumns.Column, _ lost: Lost, _ relations: FieldRelations) -> Role? {
    guard lost.slot.isInRow, lost.slot.isWhole, let field = lost.slot.field else { return nil }
    let scale = lost.slot.value.scale.flatMap { Double($0.description) } ?? 1
    let numbers = column.values.compactMapValues { $0.number.map { $0 * scale } }
    return relations.check(numbers, as: field).map { check in
      (Double(check.kept) / Double(check.of), check.of, "\(check.text) in \(check.kept) of \(check.of)")
    }
  }

  private static func phrase(_ name: Double) -> String {
    switch name {
    case 1: "its name is the same"
    case 0.5...: "its name is near"
    default: "its name is another"
    }
  }

  private func name(of steps: [SingularStep], _ lost: Lost) -> Double {
    guard let old = lost.steps else { return 0 }
    let leaf = NameLikeness.score(old.lastText, steps.lastText)
    // `bid.price` may be what `bidPrice` was.
    let whole = NameLikeness.score(old.wholeText, steps.wholeText)
    return max(leaf == 1 || old.count == 1 && steps.count == 1 ? leaf : leaf * 0.9, whole)
  }

  // MARK: Values

  private func likeness(of column: AnswerColumns.Column, isInRow: Bool, _ lost: Lost) -> ValueLikeness? {
    var pairs: [(AnswerValue?, AnswerValue?)] = []
    if !lost.slot.isInRow {
      pairs = [(lost.values[0], column.values.sorted { $0.key < $1.key }.first?.value)]
    } else {
      pairs = pairing.rows.map { (lost.values[$0.recorded], isInRow ? column.values[$0.current] : column.values[0]) }
    }
    return ValueLikeness(pairs.map(\.0), pairs.map(\.1), of: lost.slot, arrivals: arrivals)
  }

  private func relation(
    of column: AnswerColumns.Column, _ lost: Lost, _ role: Role?
  ) -> (share: Double, text: String?)? {
    guard lost.slot.isInRow else { return nil }
    if let role { return (role.share, role.share >= 0.5 ? role.text : nil) }
    // The ratio of a time to a price says nothing.
    return lost.slot.value.time == nil ? steadiness(of: column, lost).map { ($0, nil) } : nil
  }

  /// How well the ratio to some other member is kept, which most numbers of a ticker have: 1 where it has not moved.
  private func steadiness(of column: AnswerColumns.Column, _ lost: Lost) -> Double? {
    var best: Double?
    for other in current.columns.prefix(60) where other.steps != column.steps {
      guard let old = recorded.column(other.steps, isInRow: true) else { continue }
      let moves = pairing.rows.compactMap { row -> Double? in
        guard let a = lost.values[row.recorded]?.number, let b = old.values[row.recorded]?.number,
          let c = column.values[row.current]?.number, let d = other.values[row.current]?.number,
          a > 0, b > 0, c > 0, d > 0
        else { return nil }
        let ratio = (c / d) / (a / b)
        return max(ratio, 1 / ratio) - 1
      }.sorted()
      guard moves.count * 2 > pairing.rows.count, moves.count > 1 else { continue }
      best = min(best ?? .infinity, moves[moves.count / 2])
    }
    return best.map { max(0, 1 - $0 / 0.05) }
  }

  /// What the answer still has of the fields, by row.
  private var currentNumbers: [TickerField: [Int: Double]] {
    var result: [TickerField: [Int: Double]] = [:]
    for slot in slots where slot.isInRow && slot.isWhole {
      guard let field = slot.field, result[field] == nil else { continue }
      let scale = slot.value.scale.flatMap { Double($0.description) } ?? 1
      let values = current.values(at: slot.path, isInRow: true, pair).compactMapValues { $0.number.map { $0 * scale } }
      if !values.isEmpty { result[field] = values }
    }
    return result
  }

  // MARK: Places

  private func steps(of slot: ReadSlot) -> [SingularStep]? {
    guard let steps = slot.path.query.singularSteps else { return nil }
    return steps.enumerated().map { index, step in
      slot.path.templates[index].map { .member($0.filled(asset: pair?.asset ?? "", payment: pair?.payment ?? "")) }
        ?? step
    }
  }

  private func isRead(_ steps: [SingularStep], isInRow: Bool) -> Bool {
    slots.contains { $0.isInRow == isInRow && self.steps(of: $0) == steps }
  }

  private func written(_ scored: Scored, for lost: Lost) -> Replacement.Candidate? {
    var steps = scored.steps
    if let first = lost.slot.path.templates.keys.min(), let old = lost.slot.path.query.singularSteps {
      steps = steps.dropLast(old.count - first) + old.suffix(old.count - first)
    }
    guard let column = columns(scored.isInRow).first(where: { $0.steps == scored.steps }) else { return nil }
    let example = column.values.min { $0.key < $1.key }?.value.text ?? ""
    return .init(
      path: steps.pathText, example: example.count > 24 ? example.prefix(23) + "…" : example,
      score: (scored.score * 100).rounded() / 100, evidence: scored.evidence, isInRow: scored.isInRow,
      needsMore: scored.needsMore)
  }
}

extension [SingularStep] {
  /// The last name; an index stands for nothing.
  fileprivate var lastText: String {
    if case .member(let name)? = last { name } else { "" }
  }

  fileprivate var wholeText: String {
    compactMap { if case .member(let name) = $0 { name } else { nil } }.joined(separator: "_")
  }
}
