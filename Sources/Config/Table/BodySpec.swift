package indirect enum BodySpec: Sendable {
  case text(Template)
  /// Any other scalar, as written.
  case literal(String)
  case array([BodySpec])
  case object([(name: String, value: BodySpec)])
}

extension BodySpec {
  /// Every template in it, in the order of the text.
  var templates: [Template] {
    switch self {
    case .text(let template): [template]
    case .literal: []
    case .array(let elements): elements.flatMap(\.templates)
    case .object(let members): members.flatMap { $0.value.templates }
    }
  }
}
