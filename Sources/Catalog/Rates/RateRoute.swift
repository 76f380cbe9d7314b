/// Which providers are asked for a pair, in order: each one that fails passes on to the next.
package struct RateRoute: Sendable {
  /// `USD/KRW`, or `*` for every pair without a route of its own.
  package let pattern: String
  package let providers: [String]
}
