import Config
import Inference
import JSON
import JSONPath
import Mapping
import Quotes

/// Looks for rows that are not where they were: the place of an answer whose members and names are those of the
/// recorded rows.
struct MovedRows {
  let recorded: AnswerColumns
  let spec: RowsSpec
  let slots: [ReadSlot]
  /// How the mapping names a row.
  let name: (AnswerColumns) -> [String?]

  private struct Place {
    let steps: [SingularStep]
    /// `[*]`, `.*`, or nothing for a row that is no list.
    let ending: String
    let nodes: [JSONNode]
    let keys: [String]
  }

  private static let depthLimit = 6
  private static let placeLimit = 4000
  private static let sampleLimit = 40

  /// What may be written in the place of the rows' path; nil where the path leads to rows, or never did.
  ///
  /// - Parameter taken: places that are read for something else.
  func replacement(in bodies: [[UInt8]], taken: [String] = []) -> Replacement? {
    guard case .path(let path) = spec, !recorded.rows.isEmpty else { return nil }
    let roots = bodies.compactMap { try? JSONDocument(parsing: $0).root }
    guard let root = roots.first else { return nil }
    let isGone = roots.allSatisfy { leadsNowhere(path, in: $0) }
    // `$.*` leads to something in any object: what it leads to tells.
    guard isGone || roots.allSatisfy({ hasNothing(path, in: $0) }) else { return nil }
    var places: [Place] = []
    Self.visit(root, [], &places)
    let members = Set(recorded.columns.map(\.steps))
    // Numbers are no names: they are anywhere.
    let names = Set(name(recorded).compactMap { $0.map(Spelling.folded) }.filter { $0.contains(where: \.isLetter) })
    let isList = path.query.singularSteps == nil
    let scored = places.filter { isList == !$0.ending.isEmpty && !taken.contains($0.steps.pathText + $0.ending) }
      .compactMap { score($0, members, names, old: path) }
      .sorted { ($1.score, $0.path.utf8.count) < ($0.score, $1.path.utf8.count) }
    guard let best = scored.first, best.score >= (isGone ? 0.35 : 0.6) else {
      guard isGone else { return nil }
      return Replacement(lost: path.text, places: [path.node.place], isInRow: false, candidates: [])
    }
    let near = scored.prefix { $0.score > best.score - 0.05 }.prefix(3)
    return Replacement(lost: path.text, places: [path.node.place], isInRow: false, candidates: Array(near))
  }

  /// Whether there is no list at all where the rows were. An empty one has not moved.
  private func leadsNowhere(_ path: PathSpec, in root: JSONNode) -> Bool {
    if let container = path.query.rowContainerSteps {
      return root.reached(by: container).map { $0.kind != .array && $0.kind != .object } ?? true
    }
    return path.query.nodes(in: root).isEmpty
  }

  /// Whether none of what is found there has anything that the mapping reads, though the recorded rows had.
  private func hasNothing(_ path: PathSpec, in root: JSONNode) -> Bool {
    let inRows = slots.filter {
      $0.isInRow && $0.path.templates.isEmpty && $0.path.query.singularSteps?.isEmpty == false
    }
    let rows = (try? TreeRow.rows(of: spec, in: root.document)) ?? []
    return !inRows.isEmpty && !rows.isEmpty
      && inRows.allSatisfy { slot in rows.allSatisfy { $0.nodes(at: slot.path).isEmpty } }
  }

  // MARK: Places

  private static func visit(_ node: JSONNode, _ steps: [SingularStep], _ places: inout [Place]) {
    guard steps.count <= depthLimit, places.count < placeLimit else { return }
    switch node.kind {
    case .array:
      let elements = Array(node.elements)
      if !elements.isEmpty { places.append(Place(steps: steps, ending: "[*]", nodes: elements, keys: [])) }
      places.append(Place(steps: steps, ending: "", nodes: [node], keys: []))
      for (index, element) in elements.prefix(3).enumerated() { visit(element, steps + [.index(index)], &places) }
    case .object:
      let members = Array(node.members)
      let rows = members.filter { $0.value.kind == .object || $0.value.kind == .array }
      if !rows.isEmpty {
        places.append(Place(steps: steps, ending: ".*", nodes: rows.map(\.value), keys: rows.map(\.name)))
      }
      places.append(Place(steps: steps, ending: "", nodes: [node], keys: []))
      // Of hundreds of pairs by name the first stand for all.
      for member in members.prefix(40) { visit(member.value, steps + [.member(member.name)], &places) }
    default: break
    }
  }

  // MARK: Scores

  private func score(
    _ place: Place, _ members: Set<[SingularStep]>, _ names: Set<String>, old: PathSpec
  ) -> Replacement.Candidate? {
    let sample = place.nodes.prefix(Self.sampleLimit)
    let kind = recorded.rows[0].nodes.first?.kind
    guard recorded.rows[0].nodes.count > 1 || sample.contains(where: { $0.kind == kind }) else { return nil }
    var found: Set<[SingularStep]> = []
    var texts: Set<String> = Set(place.keys.map(Spelling.folded))
    for (index, node) in place.nodes.enumerated() {
      guard index < Self.sampleLimit || names.count > 1 else { break }
      MemberWalk(isInRow: true).visit(node) { value, steps in
        if index < Self.sampleLimit { found.insert(steps) }
        if value.kind == .string, let text = value.string, text.utf8.count < 40 { texts.insert(Spelling.folded(text)) }
      }
    }
    let kept = found.intersection(members).count
    let read = Set(slots.filter(\.isInRow).map(\.path.text))
    let led = slots.filter { slot in
      slot.isInRow && sample.contains { node in !slot.path.nodes(in: node, RowPlace(index: 0)).isEmpty }
    }
    let readKept = Set(led.map(\.path.text)).count
    let named = names.intersection(texts).count
    let shares = [
      (0.45, share(readKept, read.count)), (0.25, share(kept, members.count)),
      (0.3, names.isEmpty ? nil : share(named, names.count)), (0.15, nameLikeness(place.steps, old)),
    ].compactMap { weight, share in share.map { (weight, $0) } }
    let total = shares.reduce(0) { $0 + $1.0 }
    guard total > 0 else { return nil }
    // Rows among others are worth less than a list of nothing else.
    let purity = share(sample.count { $0.kind == kind }, sample.count) ?? 0
    let score = shares.reduce(0) { $0 + $1.0 * $1.1 } / total * (0.7 + 0.3 * purity)
    var evidence: [String] = []
    if !read.isEmpty { evidence.append("\(readKept) of \(read.count) paths of the mapping lead somewhere there") }
    if !names.isEmpty { evidence.append("\(named) of \(names.count) recorded names are there") }
    if !place.keys.isEmpty, old.text.hasSuffix("[*]") { evidence.append("its rows are members by name now") }
    let text = place.steps.pathText + place.ending
    let example = "\(place.nodes.count) \(place.nodes.count == 1 ? "row" : "rows")"
    return .init(
      path: text, example: example, score: (score * 100).rounded() / 100, evidence: evidence, isInRow: false)
  }

  /// nil where the rows had no name, or have none.
  private func nameLikeness(_ steps: [SingularStep], _ old: PathSpec) -> Double? {
    guard case .member(let name)? = (old.query.singularSteps ?? old.query.rowContainerSteps ?? []).last,
      case .member(let other)? = steps.last
    else { return nil }
    return NameLikeness.score(name, other)
  }

  private func share(_ count: Int, _ of: Int) -> Double? { of == 0 ? nil : Double(count) / Double(of) }
}
