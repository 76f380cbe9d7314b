/// An exchange or a rate provider whose requests may use secrets.
struct SecretOwner {
  let name: String
  let isProvider: Bool
  let nodes: [ConfigNode]

  /// Returns what is wrong with the secrets that the owner asks for.
  ///
  /// Blocks get pasted from elsewhere. One whose names lead to another owner's variable, or to a rate provider's entry,
  /// could send that key anywhere. Shipped text is trusted.
  ///
  /// - Parameter owners: all owners of the config, this one included.
  func conflicts(among owners: @autoclosure () -> [SecretOwner]) -> [Finding] {
    guard !nodes.allSatisfy({ $0.isShipped }) else { return [] }
    let uses = nodes.flatMap(SecretName.uses)
    guard let first = uses.first else { return [] }
    let stem = SecretName.stem(name)
    let others = owners().filter { $0.name != name || $0.isProvider != isProvider }
    if !isProvider, let provider = others.first(where: { $0.isProvider && SecretName.stem($0.name) == stem }) {
      return [.takenOwner(name, provider: provider.name, at: first.node)]
    }
    let prefixes = others.map { "MARKET_\(SecretName.stem($0.name))_" }
    return uses.compactMap { use in
      let variable = SecretName.variable(use.name, of: name)
      let other = zip(others, prefixes).first { other, prefix in
        variable.hasPrefix(prefix)
          && other.nodes.flatMap(SecretName.uses).contains {
            SecretName.variable($0.name, of: other.name) == variable
          }
      }
      return other.map { .sharedSecret(use.name, variable: variable, other: $0.0.name, at: use.node) }
    }
  }
}
