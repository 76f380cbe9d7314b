/// The two kinds of market that are compared; futures are perpetual swaps.
package enum Market: String, Sendable, Hashable, CaseIterable {
  case spot
  case futures
}
