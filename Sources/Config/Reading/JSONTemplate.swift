/// A JSON value whose strings are filled in before it is sent.
package indirect enum JSONTemplate<Text: Sendable>: Sendable {
  case text(Text)
  /// Any other scalar, as written.
  case literal(String)
  case array([JSONTemplate])
  case object([(name: String, value: JSONTemplate)])

  /// Every template in it, in source order.
  package var templates: [Text] {
    switch self {
    case .text(let template): [template]
    case .literal: []
    case .array(let elements): elements.flatMap(\.templates)
    case .object(let members): members.flatMap { $0.value.templates }
    }
  }
}

/// The body of a request.
package typealias BodySpec = JSONTemplate<Template>
/// JSON that a signature is computed from, or that it adds to a body.
package typealias SignedJSON = JSONTemplate<SignedTemplate>
