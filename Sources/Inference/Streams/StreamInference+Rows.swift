import JSON
import JSONPath
import Quotes

/// The places of messages that may have rows.
extension StreamInference {
  /// A place that may have rows.
  struct Place: Hashable {
    enum Rows: String {
      case one = ""
      case elements = "[*]"
      /// Each is named after its pair.
      case members = ".*"
      /// Each list is named after its pair.
      case elementsOfMembers = ".*[*]"
    }

    let steps: [SingularStep]
    let rows: Rows
    /// The members below of which each message has one that leads to its rows: `snapshot` and `update`; empty if the
    /// rows are at the place itself.
    var siblings: [String] = []
    /// The member of each element whose elements are the rows; nil if the elements themselves are.
    var inner: String?

    var text: String {
      let names = siblings.map { SingularStep.member($0).description.dropFirst().dropLast() }
      let list = inner.map { String([SingularStep.member($0)].pathText.dropFirst()) + "[*]" } ?? ""
      return steps.pathText + (names.isEmpty ? "" : "[\(names.joined(separator: ","))]") + rows.rawValue + list
    }

    /// Whether a message may have several rows.
    var isList: Bool { rows == .elements || rows == .elementsOfMembers }

    /// Returns the steps from the place to one of its first rows; the place itself has one.
    func steps(toRow index: Int) -> [SingularStep] {
      guard rows == .elements else { return [] }
      return inner.map { [.index(0), .member($0), .index(index)] } ?? [.index(index)]
    }

    /// The steps to the rows of messages.
    var heads: [[SingularStep]] { siblings.isEmpty ? [steps] : siblings.map { steps + [SingularStep.member($0)] } }

    /// Returns whether something is at this place or below.
    func holds(_ other: [SingularStep]) -> Bool { heads.contains { other.starts(with: $0) } }

    /// Whether a name that leads to the rows is that of a pair.
    var isNamed: Bool { rows == .members || rows == .elementsOfMembers }

    func nodes(in root: JSONNode) -> [JSONNode] { rows(in: root).map(\.node) }

    /// Returns the rows of a message, and the pair that the way to each is named after.
    func rows(in root: JSONNode) -> [(node: JSONNode, name: String?)] {
      guard let node = heads.lazy.compactMap({ root.reached(by: $0) }).first else { return [] }
      let all: [(node: JSONNode, name: String?)] =
        switch rows {
        case .one: [(node, nil)]
        case .elements:
          node.elements.prefix(500).flatMap { element in
            inner.map { element[$0].map { Array($0.elements.prefix(500)) } ?? [] } ?? [element]
          }.map { ($0, nil) }
        case .members: node.members.prefix(500).map { ($0.value, $0.name) }
        case .elementsOfMembers:
          node.members.prefix(500).flatMap { member in member.value.elements.prefix(500).map { ($0, member.name) } }
        }
      return all.filter { [.object, .array].contains($0.node.kind) }
    }
  }

  /// Those within elements of lists come last, so that they displace no others.
  var places: [Place] {
    var found: [Place] = []
    for root in roots.prefix(50) { visit(root, [], into: &found) }
    return Array((found.filter { $0.inner == nil } + found.filter { $0.inner != nil }).prefix(60))
  }

  /// The places whose rows are in one of two members: that of a snapshot, or that of an update.
  var siblingPlaces: [Place] {
    let places = places.filter { $0.inner == nil }
    return places.flatMap { place -> [Place] in
      guard case .member(let name)? = place.steps.last, WholeBookMark.isName(name) else { return [] }
      return places.compactMap { other in
        guard case .member(let second)? = other.steps.last, WholeBookMark.isNameOfChanges(second),
          other.rows == place.rows, other.steps.dropLast() == place.steps.dropLast()
        else { return nil }
        return Place(steps: Array(place.steps.dropLast()), rows: place.rows, siblings: [name, second])
      }
    }
  }

  private func visit(_ node: JSONNode, _ steps: [SingularStep], into found: inout [Place]) {
    func add(_ rows: Place.Rows, inner: String? = nil) {
      let place = Place(steps: steps, rows: rows, inner: inner)
      if !found.contains(place) { found.append(place) }
    }
    guard steps.count < 5 else { return }
    switch node.kind {
    case .object:
      let members = node.members.prefix(40)
      // They are named after their pairs: the next message has others.
      let ofPairs = members.filter { isPair($0.name) }.map(\.value)
      if ofPairs.contains(where: { $0.kind == .object }) { return add(.members) }
      if ofPairs.contains(where: { $0.elements.contains { [.object, .array].contains($0.kind) } }) {
        return add(.elementsOfMembers)
      }
      add(.one)
      for member in members { visit(member.value, steps + [.member(member.name)], into: &found) }
    case .array:
      let elements = Array(node.elements.prefix(8))
      let isOfRows = elements.allSatisfy {
        $0.kind == .object || $0.kind == .array && ($0.count >= 5 || Self.isRow($0))
      }
      if isOfRows, !elements.isEmpty {
        add(.elements)
        for name in elements.flatMap(Self.listsOfObjects).unique { add(.elements, inner: name) }
        return
      }
      if Self.isRow(node) { add(.one) }
      for (index, element) in elements.prefix(4).enumerated() { visit(element, steps + [.index(index)], into: &found) }
    default: break
    }
  }

  /// Returns the names of members that are lists of objects, which may be rows themselves.
  private static func listsOfObjects(_ element: JSONNode) -> [String] {
    element.members.prefix(20).filter { member in
      member.value.kind == .array && member.value.count > 0 && member.value.elements.allSatisfy { $0.kind == .object }
    }.map(\.name)
  }

  /// Returns whether a list is a row: a level of an order book has up to four numbers, none of them a time.
  private static func isRow(_ list: JSONNode) -> Bool {
    let texts = list.elements.prefix(8).compactMap(\.scalarText)
    return texts.count >= 5 || texts.count >= 3 && texts.contains { TimeRole.form(of: [$0]) != nil }
  }

  /// Returns whether a member is named after a pair of the table, with or without a separator.
  private func isPair(_ name: String) -> Bool {
    let name = name.uppercased()
    return bySymbol[name] != nil || joinedNames.contains(name.filter { $0.isLetter || $0.isNumber })
  }

  /// The rows at one place of all messages, and what surrounds each.
  struct RowTable {
    let place: Place
    /// The member that leads to each row, if the place has siblings.
    let siblings: [String?]
    /// The message index of each row.
    let messages: [Int]
    let nodes: [JSONNode]
    let inner: [SampleColumn]
    let outer: [SampleColumn]
    /// The names that lead to the rows, if each is that of a pair.
    let names: [String?]
    /// How many levels above the row its name is.
    let levelsUp: Int

    /// - Parameter around: the columns of the messages themselves.
    init?(_ place: Place, in roots: [JSONNode], around: [SampleColumn]) {
      var nodes: [JSONNode] = []
      var names: [String?] = []
      var messages: [Int] = []
      for (message, root) in roots.enumerated() {
        for (node, name) in place.rows(in: root) {
          nodes.append(node)
          names.append(name)
          messages.append(message)
        }
      }
      guard !nodes.isEmpty else { return nil }
      self.place = place
      siblings = messages.map { message in
        place.siblings.first { name in
          let steps = place.steps + [SingularStep.member(name)]
          return roots[message].reached(by: steps) != nil
        }
      }
      self.names = place.isNamed ? names : []
      levelsUp = place.rows == .elementsOfMembers ? 1 : 0
      self.messages = messages
      self.nodes = nodes
      inner = ScalarColumn.columns(of: nodes.map { [$0] }, limit: 200).map(SampleColumn.init)
      self.outer = around.filter { !place.holds($0.path.steps) }.map { $0.kept(messages) }
    }
  }
}

extension SampleColumn {
  /// Whether it is below one object of a list: `$.tickers[0].symbol`.
  var isInObjectOfList: Bool {
    zip(path.steps, path.steps.dropFirst()).contains { step, next in
      if case .index = step, case .member = next { true } else { false }
    }
  }

  init(_ column: ScalarColumn) { self.init(path: SamplePath(column.steps), nodes: column.nodes) }
}
