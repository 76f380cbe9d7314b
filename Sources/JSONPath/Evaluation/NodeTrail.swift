/// What is kept of the way to a node: nothing, where only the nodes are asked for, or all of it.
protocol NodeTrail {
  /// The trail of the root.
  init()
  func entering(member name: String) -> Self
  func entering(element index: Int) -> Self
}

/// The trail of those who need none: it takes no room and no time.
struct NoTrail: NodeTrail {
  func entering(member name: String) -> NoTrail { self }
  func entering(element index: Int) -> NoTrail { self }
}

/// The whole way to a node. Ways share their beginnings, so a step more costs the same on every depth.
struct FullTrail: NodeTrail {
  private final class Link {
    let step: SingularStep
    let previous: Link?

    init(step: SingularStep, after previous: Link?) {
      self.step = step
      self.previous = previous
    }
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
