import JSON

/// A node and the trail that led to it.
struct Located<Trail: NodeTrail> {
  var node: JSONNode
  var trail: Trail

  /// True for arrays and objects.
  var isContainer: Bool { node.kind == .array || node.kind == .object }

  /// The element at an index, counted from the end where negative; nil where there is none.
  func element(at index: Int) -> Located? {
    let fromStart = index >= 0 ? index : node.count + index
    guard let element = node[fromStart] else { return nil }
    return Located(node: element, trail: trail.entering(element: fromStart))
  }

  /// The member of this name; of several, the last.
  func member(_ name: String) -> Located? {
    guard let member = node[name] else { return nil }
    return Located(node: member, trail: trail.entering(member: name))
  }

  /// All elements of an array or members of an object, in the order of the text.
  var children: [Located] {
    switch node.kind {
    case .array:
      node.elements.enumerated().map { Located(node: $1, trail: trail.entering(element: $0)) }
    case .object:
      node.members.map { Located(node: $0.value, trail: trail.entering(member: $0.name)) }
    case .null, .false, .true, .number, .string:
      []
    }
  }
}
