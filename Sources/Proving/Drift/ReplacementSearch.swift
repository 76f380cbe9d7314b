import Config
import Inference
import JSON
import JSONPath
import Quotes

/// Finds replacements for lost paths, by name, values, relations and place.
///
/// What the recording already had, with other values, is something else, so the candidates are mostly new members.
struct ReplacementSearch {
  private typealias Reading = Comparison.Reading
  private typealias Column = AnswerColumns.Column
  private typealias Relation = (vote: RowRelations.Vote, text: String)

  private let comparison: Comparison
  /// The members of the answer that the mapping does not read.
  private let unread: [Column]
  private let relations: FieldRelations

  private var recorded: AnswerColumns { comparison.recorded }

  /// The score difference below which there is no choice between candidates.
  private static let margin = 0.06

  private struct Scored {
    let column: Column
    let score: Double
    let evidence: [String]
    var needsMore = false
  }

  init(_ comparison: Comparison) {
    self.comparison = comparison
    unread = comparison.current.columns.filter { column in
      !comparison.readings.contains { $0.isInRow == column.isInRow && $0.steps == column.steps }
    }
    var numbers: [TickerField: [Int: Double]] = [:]
    for path in comparison.readings.flatMap(\.all) where path.isInRow && path.isWhole {
      guard let field = path.field, numbers[field] == nil,
        let reading = comparison.readings.first(where: { $0.path.isSame(as: path) })
      else { continue }
      let values = reading.new.compactMapValues { $0.number.map { $0 * path.scale } }
      if !values.isEmpty { numbers[field] = values }
    }
    relations = FieldRelations(numbers)
  }

  /// Returns the replacements, in order, of paths that had a value in the recording but have none now.
  func replacements(of lost: [Comparison.Reading]) -> [Replacement] {
    let found = lost.map { candidates(for: $0) }
    return lost.indices.map { index in
      // A member that certainly fits one path is not what another has lost.
      let free = found[index].filter { candidate in
        !lost.indices.contains { other in
          guard other != index, let best = found[other].first, lost[other].steps != lost[index].steps else {
            return false
          }
          return best.column.steps == candidate.column.steps && best.column.isInRow == candidate.column.isInRow
            && best.score > candidate.score + Self.margin
        }
      }
      return Replacement(
        lost: lost[index].path.path.text, places: lost[index].places, isInRow: lost[index].isInRow,
        candidates: chosen(free).map { written($0, for: lost[index]) })
    }
  }

  /// Returns the candidates too close to the best to be distinguished; none if the best is not good enough.
  private func chosen(_ candidates: [Scored]) -> [Scored] {
    guard let best = candidates.first else { return [] }
    if best.score < Replacement.certain { return best.score >= Replacement.doubtful ? [best] : [] }
    return Array(candidates.prefix { $0.score > best.score - Self.margin }.prefix(3))
  }

  /// Returns a candidate in config form: a path with a pair in it keeps its templates.
  private func written(_ scored: Scored, for lost: Reading) -> Replacement.Candidate {
    var steps = scored.column.steps
    if let first = lost.path.path.templates.keys.min(), let old = lost.path.path.query.singularSteps {
      steps = steps.dropLast(old.count - first) + old.suffix(old.count - first)
    }
    return .init(
      path: steps.pathText, example: scored.column.example, score: scored.score, evidence: scored.evidence,
      isInRow: scored.column.isInRow, needsMore: scored.needsMore)
  }

  // MARK: Candidates

  private func candidates(for lost: Reading) -> [Scored] {
    let places = unread.filter { fits($0.steps, lost) }
    func isNew(_ column: Column) -> Bool { recorded.column(column.steps, isInRow: column.isInRow) == nil }
    let isAlone = places.count { $0.isInRow == lost.isInRow && isNew($0) } == 1
    return places.compactMap { column in
      if isNew(column) { return score(column, for: lost, isAlone: isAlone && column.isInRow == lost.isInRow) }
      return column.isInRow == lost.isInRow ? twin(column, of: lost) : nil
    }.sorted { $0.score > $1.score }
  }

  /// Returns whether steps fit: a path with a pair in it can only move as a whole.
  private func fits(_ steps: [SingularStep], _ lost: Reading) -> Bool {
    guard let first = lost.path.path.templates.keys.min(), let old = lost.steps else { return true }
    return steps.suffix(old.count - first) == old.suffix(old.count - first)
  }

  /// Returns a member that was beside the lost one with exactly the same values.
  private func twin(_ column: Column, of lost: Reading) -> Scored? {
    guard let old = recorded.column(column.steps, isInRow: lost.isInRow)?.values else { return nil }
    let same = lost.old.count { old[$0.key]?.text == $0.value.text }
    let isTelling = Set(lost.old.values.map(\.text)).count > 1 || name(of: column.steps, lost) >= 0.5
    guard isTelling, same * 10 >= lost.old.count * 9, lost.old.count > 0 else { return nil }
    // It may still have another meaning, like the dollar volume for pairs in dollars.
    return Scored(
      column: column, score: Replacement.doubtful,
      evidence: [
        "it was the same in \(same) of \(lost.old.count.counted("row")) of the recording"
      ])
  }

  private func score(_ column: Column, for lost: Reading, isAlone: Bool) -> Scored? {
    let name = name(of: column.steps, lost)
    let role = column.isInRow ? role(of: column, lost) : nil
    let likeness = likeness(of: column, lost)
    // Without a common pair, or with a very old recording, only names and the row's other fields are left.
    guard let likeness, likeness.score >= 0.3 || name > 0.99 && role == nil else {
      return unproved(column, for: lost, name, role, hasValues: likeness != nil)
    }
    var evidence = [Self.phrase(name), likeness.evidence] + [likeness.remark].compactMap(\.self)
    var score = 0.3 * name + 0.5 * likeness.score * (likeness.isConstant || lost.old.count == 1 ? 0.75 : 1)
    if let role {
      score += 0.2 * role.vote.share
      if role.vote.share >= 0.5 { evidence.append(role.text) }
    } else if let steadiness = steadiness(of: column, lost) {
      score += 0.2 * steadiness
    } else {
      score /= 0.8
    }
    if isAlone {
      score += 0.08
      evidence.append("no other member is new")
    }
    if column.isInRow != lost.isInRow { score -= 0.1 }
    if let steps = lost.steps, let old = recorded.column(steps, isInRow: lost.isInRow), column.isInRow == lost.isInRow,
      old.neighbor == column.neighbor
    {
      score += 0.04
      evidence.append("it is in the same place")
    }
    // Below the threshold it is useless, and a twin is better.
    guard score >= Replacement.certain else { return nil }
    if isDenied(column.steps, lost) {
      score = Replacement.doubtful
      evidence.append("its name says something else")
    }
    return Scored(column: column, score: min(1, score), evidence: evidence, needsMore: likeness.remark != nil)
  }

  /// Returns a candidate whose values have no recorded ones to compare with, or differ widely. All that fit rank
  /// equally, whatever their names.
  private func unproved(
    _ column: Column, for lost: Reading, _ name: Double, _ role: Relation?, hasValues: Bool
  ) -> Scored? {
    let evidence: [String]
    if let role {
      guard role.vote.share >= 0.9, role.vote.rows >= (hasValues ? 5 : 2) else { return nil }
      evidence = [role.text, hasValues ? "its values have moved far" : "no recorded pair is left to compare"]
    } else {
      guard !hasValues, name >= 0.6 else { return nil }
      evidence = ["its values prove nothing"]
    }
    let score = isDenied(column.steps, lost) ? Replacement.doubtful : 0.5 + 0.05 * name
    return Scored(column: column, score: score, evidence: [Self.phrase(name)] + evidence)
  }

  // MARK: Names

  private static func phrase(_ name: Double) -> String {
    switch name {
    case 1: "its name is the same"
    case 0.5...: "its name is similar"
    default: "its name is different"
    }
  }

  private func name(of steps: [SingularStep], _ lost: Reading) -> Double {
    guard let old = lost.steps else { return 0 }
    let leaf = NameLikeness.score(old.lastName, steps.lastName)
    // `bid.price` may be what `bidPrice` was.
    let whole = NameLikeness.score(old.wholeName, steps.wholeName)
    return max(leaf == 1 || old.count == 1 && steps.count == 1 ? leaf : leaf * 0.9, whole)
  }

  private func isDenied(_ steps: [SingularStep], _ lost: Reading) -> Bool {
    guard let field = lost.path.field, lost.path.isWhole, !steps.wholeName.isEmpty,
      // An exchange whose old name did not match the field either uses words in its own way.
      let old = lost.steps?.wholeName, !NameLikeness.denies(old, field), name(of: steps, lost) < 0.9
    else { return false }
    return NameLikeness.denies(steps.wholeName, field)
  }

  // MARK: Values

  private func likeness(of column: Column, _ lost: Reading) -> ValueLikeness? {
    let current = column.values.min { $0.key < $1.key }?.value
    let pairs: [(old: AnswerValue?, new: AnswerValue?)] =
      lost.isInRow
      ? comparison.pairing.rows.map { row in
        (lost.old[row.recorded], column.isInRow ? column.values[row.current] : column.values[0])
      } : [(lost.old[0], current)]
    return ValueLikeness(pairs, of: lost.path, arrivals: comparison.arrivals)
  }

  /// Returns how the numbers relate to the remaining fields; nil if that is unclear.
  private func role(of column: Column, _ lost: Reading) -> Relation? {
    guard lost.isInRow, lost.path.isWhole, let field = lost.path.field else { return nil }
    return relations.check(column.values.compactMapValues { $0.number.map { $0 * lost.path.scale } }, as: field)
  }

  /// Returns how constant the ratio to some other member is, as for most ticker numbers: 1 if unchanged; nil if
  /// nothing is comparable. The ratio of a time to a price is meaningless.
  private func steadiness(of column: Column, _ lost: Reading) -> Double? {
    guard column.isInRow, lost.isInRow, lost.path.value.time == nil else { return nil }
    var best: Double?
    for other in comparison.current.columns.prefix(60) where other.isInRow && other.steps != column.steps {
      guard let old = recorded.column(other.steps, isInRow: true) else { continue }
      let moves = comparison.pairing.rows.compactMap { row -> Double? in
        guard let a = lost.old[row.recorded]?.number, let b = old.values[row.recorded]?.number,
          let c = column.values[row.current]?.number, let d = other.values[row.current]?.number,
          a > 0, b > 0, c > 0, d > 0
        else { return nil }
        let ratio = (c / d) / (a / b)
        return max(ratio, 1 / ratio) - 1
      }
      guard moves.count * 2 > comparison.pairing.rows.count, moves.count > 1, let move = moves.median else { continue }
      best = min(best ?? .infinity, move)
    }
    return best.map { max(0, 1 - $0 / 0.05) }
  }
}

extension [SingularStep] {
  /// The last name; empty for an index.
  fileprivate var lastName: String { if case .member(let name)? = last { name } else { "" } }

  fileprivate var wholeName: String { names.joined(separator: "_") }
}
