package struct BatchSpec: Sendable {
  package let lookup: String
  package let maximum: Int
  package let separator: String
}
