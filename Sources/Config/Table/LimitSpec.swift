package struct LimitSpec: Sendable, Hashable {
  package let requests: Int
  package let perMilliseconds: Int
}
