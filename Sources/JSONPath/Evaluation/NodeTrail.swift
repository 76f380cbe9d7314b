import JSON

/// The record of the way to a node: either nothing, if only the nodes are needed, or all of it.
protocol NodeTrail {
  /// The trail of the root.
  init()
  func entering(member name: String) -> Self
  func entering(element index: Int) -> Self
}

/// An empty trail, which takes no space and no time.
struct NoTrail: NodeTrail {
  func entering(member name: String) -> NoTrail { self }
  func entering(element index: Int) -> NoTrail { self }
}

/// The complete way to a node. Trails share their beginnings, so adding a step costs the same at any depth.
struct FullTrail: NodeTrail {
  private final class Link {
    let step: SingularStep
    let previous: Link?

    init(step: SingularStep, after previous: Link?) { (self.step, self.previous) = (step, previous) }
  }

  private var last: Link?

  func entering(member name: String) -> FullTrail { adding(.member(name)) }

  func entering(element index: Int) -> FullTrail { adding(.index(index)) }

  private func adding(_ step: SingularStep) -> FullTrail {
    var longer = self
    longer.last = Link(step: step, after: last)
    return longer
  }

  var path: NormalizedPath {
    var steps: [SingularStep] = []
    var link = last
    while let present = link {
      steps.append(present.step)
      link = present.previous
    }
    return NormalizedPath(steps: steps.reversed())
  }
}

/// A node and the trail that leads to it.
struct Located<Trail: NodeTrail> {
  var node: JSONNode
  var trail: Trail

  /// Whether the node is an array or object.
  var isContainer: Bool { node.kind == .array || node.kind == .object }

  /// Returns the element at an index, counted from the end if negative, or nil if there is none.
  func element(at index: Int) -> Located? {
    let fromStart = index >= 0 ? index : node.count + index
    guard let element = node[fromStart] else { return nil }
    return Located(node: element, trail: trail.entering(element: fromStart))
  }

  /// Returns the member with this name, the last one if there are several.
  func member(_ name: String) -> Located? {
    guard let member = node[name] else { return nil }
    return Located(node: member, trail: trail.entering(member: name))
  }

  /// All elements of an array or members of an object, in source order.
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
