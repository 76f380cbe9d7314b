/// The one unambiguous way to write where a node is (RFC 9535 §2.7): `$['rows'][0]['last']`.
package struct NormalizedPath: Hashable, Sendable, CustomStringConvertible {
  /// The steps from the root; indexes are never negative.
  package let steps: [SingularStep]

  package init(steps: [SingularStep]) {
    self.steps = steps
  }

  package var description: String { "$" + steps.map(\.description).joined() }
}
