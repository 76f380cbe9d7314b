/// The environment variables, one at a time.
struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?

  init(lookup: @escaping @Sendable (String) -> String?) {
    self.lookup = lookup
  }

  /// An environment with these variables only.
  init(_ variables: [String: String]) {
    lookup = { variables[$0] }
  }

  /// The variable's value; nil when it is not set.
  subscript(name: String) -> String? { lookup(name) }
}
