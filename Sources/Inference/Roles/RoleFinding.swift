/// A role, the column that is thought to play it, and why.
struct RoleFinding: Sendable {
  struct Other: Sendable {
    let column: Int
    let confidence: Double
  }

  let role: Role
  var column: Int
  var confidence: Double
  var runnerUp: Other?
  /// Short phrases, the strongest reason first.
  var evidence: [String]
}
