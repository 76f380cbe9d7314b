import Config
import Inference
import JSON
import JSONPath
import Mapping
import Quotes

/// Searches for rows that have moved: the place in an answer with the members and names of the recorded rows.
struct MovedRows {
  let recorded: AnswerColumns
  let current: AnswerColumns
  let mapping: MappedAnswer

  private struct Place {
    let steps: [SingularStep]
    /// `[*]`, `.*`, or empty for a row that is not in a list.
    let ending: String
    let nodes: [JSONNode]
    var keys: [String] = []
  }

  private static let depthLimit = 6
  private static let placeLimit = 4000
  private static let sampleLimit = 40

  /// The replacement for the rows' path; nil if the path finds rows, or never did.
  var replacement: Replacement? {
    guard case .path(let path) = mapping.rows, !recorded.rows.isEmpty else { return nil }
    let isGone = current.roots.allSatisfy { leadsNowhere(path, in: $0) }
    // `$.*` finds something in any object, so it depends on what it finds.
    guard isGone || current.roots.allSatisfy({ hasNothing(in: $0) }) else { return nil }
    var places: [Place] = []
    Self.visit(current.roots[0], [], &places)
    let members = Set(recorded.columns.filter(\.isInRow).map(\.steps))
    // Numbers are not names: they occur anywhere.
    let names = Set(
      mapping.names(recorded).compactMap { $0.map(Spelling.folded) }.filter { $0.contains(where: \.isLetter) })
    let isList = path.query.singularSteps == nil
    let scored = places.filter { place in
      isList == !place.ending.isEmpty && !mapping.taken.contains(place.steps.pathText + place.ending)
    }
    .compactMap { score($0, members, names, old: path) }
    .sorted { ($1.score, $0.path.utf8.count) < ($0.score, $1.path.utf8.count) }
    let best = scored.first?.score ?? 0
    guard best >= (isGone ? 0.35 : 0.6) || isGone else { return nil }
    let near = best >= 0.35 ? Array(scored.prefix { $0.score > best - 0.05 }.prefix(3)) : []
    return Replacement(lost: path.text, places: [path.node.place], isInRow: false, candidates: near)
  }

  /// Returns whether there is no list at all in place of the rows. An empty one has not moved.
  private func leadsNowhere(_ path: PathSpec, in root: JSONNode) -> Bool {
    guard let container = path.query.rowContainerSteps else { return path.query.nodes(in: root).isEmpty }
    return root.reached(by: container).map { $0.kind != .array && $0.kind != .object } ?? true
  }

  /// Returns whether nothing found there has anything that the mapping reads, although the recorded rows had.
  private func hasNothing(in root: JSONNode) -> Bool {
    let inRows = mapping.paths.filter {
      $0.isInRow && $0.path.templates.isEmpty && $0.path.query.singularSteps?.isEmpty == false
    }
    let rows = (try? TreeRow.rows(of: mapping.rows, in: root.document)) ?? []
    return !inRows.isEmpty && !rows.isEmpty
      && inRows.allSatisfy { path in rows.allSatisfy { (try? $0.nodes(at: path.path))?.isEmpty != false } }
  }

  // MARK: Places

  private static func visit(_ node: JSONNode, _ steps: [SingularStep], _ places: inout [Place]) {
    guard steps.count <= depthLimit, places.count < placeLimit else { return }
    switch node.kind {
    case .array:
      let elements = Array(node.elements)
      if !elements.isEmpty { places.append(Place(steps: steps, ending: "[*]", nodes: elements)) }
      places.append(Place(steps: steps, ending: "", nodes: [node]))
      for (index, element) in elements.prefix(3).enumerated() { visit(element, steps + [.index(index)], &places) }
    case .object:
      let members = Array(node.members)
      let rows = members.filter { $0.value.kind == .object || $0.value.kind == .array }
      if !rows.isEmpty {
        places.append(Place(steps: steps, ending: ".*", nodes: rows.map(\.value), keys: rows.map(\.name)))
      }
      places.append(Place(steps: steps, ending: "", nodes: [node]))
      // Of hundreds of pairs by name, the first ones are representative.
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
      node.visitScalars { value, steps in
        if index < Self.sampleLimit { found.insert(steps) }
        if value.kind == .string, let text = value.string, text.utf8.count < 40 { texts.insert(Spelling.folded(text)) }
      }
    }
    let inRow = mapping.paths.filter(\.isInRow)
    let read = Set(inRow.map(\.path.text))
    let readKept = Set(
      inRow.filter { path in sample.contains { (try? path.path.nodes(in: $0, RowPlace(index: 0)))?.isEmpty == false } }
        .map(\.path.text)
    )
    let named = names.intersection(texts).count
    func share(_ count: Int, _ all: Int) -> Double? { all == 0 ? nil : Double(count) / Double(all) }
    let shares = [
      (0.45, share(readKept.count, read.count)),
      (0.25, share(found.intersection(members).count, members.count)),
      (0.3, share(named, names.count)), (0.15, nameLikeness(place.steps, old)),
    ].compactMap { weight, share in share.map { (weight, $0) } }
    let total = shares.reduce(0) { $0 + $1.0 }
    guard total > 0 else { return nil }
    // Rows mixed with others score lower than a list of only rows.
    let purity = share(sample.count { $0.kind == kind }, sample.count) ?? 0
    let score = shares.reduce(0) { $0 + $1.0 * $1.1 } / total * (0.7 + 0.3 * purity)
    var evidence: [String] = []
    if !read.isEmpty { evidence.append("\(readKept.count) of \(read.count) paths of the mapping lead somewhere there") }
    if !names.isEmpty { evidence.append("\(named) of \(names.count) recorded names are there") }
    if !place.keys.isEmpty, old.text.hasSuffix("[*]") { evidence.append("its rows are members by name now") }
    return .init(
      path: place.steps.pathText + place.ending,
      example: place.nodes.count.counted("row"), score: score, evidence: evidence,
      isInRow: false)
  }

  /// Returns nil if the rows had no name, or have none.
  private func nameLikeness(_ steps: [SingularStep], _ old: PathSpec) -> Double? {
    guard case .member(let name)? = (old.query.singularSteps ?? old.query.rowContainerSteps ?? []).last,
      case .member(let other)? = steps.last
    else { return nil }
    return NameLikeness.score(name, other)
  }
}
