package import Config

/// Decides whether requests with keys may be sent: those shipped with the program, unchanged, and those that the user
/// has allowed.
package struct KeyAllowance: Sendable {
  package enum Status: Hashable, Sendable {
    /// No request needs a key.
    case needless
    /// The requests are those shipped with the program.
    case shipped
    /// The user has allowed them.
    case allowed
    /// Neither; contains the fingerprint that would have to be allowed.
    case notAllowed(fingerprint: String)
    /// Neither, nor can they be shown to the user, since the owner's block is invalid.
    case invalidBlock
  }

  private let configuration: Configuration
  /// The config that ships with the program; nil if it is missing.
  private let shipped: @Sendable () -> Configuration?

  package init(_ configuration: Configuration, _ locator: ConfigLocator) {
    self.configuration = configuration
    let found = try? locator.shipped()
    shipped = {
      guard let file = try? found?.file() else { return nil }
      return try? Configuration(file) { file }
    }
  }

  /// - Parameters:
  ///   - owner: The canonical name of an exchange or a rate provider.
  ///   - allowed: The fingerprint that the user has allowed.
  package func status(of owner: String, allowed: String?) -> Status {
    guard let own = KeyedRequests(of: owner, in: configuration) else { return .needless }
    if own.isShipped { return .shipped }
    let fingerprint = own.fingerprint
    if let allowed, allowed == fingerprint { return .allowed }
    let original = shipped().flatMap { KeyedRequests(of: owner, in: $0) }
    if original?.canonical == own.canonical { return .shipped }
    return isReadable(owner) ? .notAllowed(fingerprint: fingerprint) : .invalidBlock
  }

  private func isReadable(_ owner: String) -> Bool {
    if let source = configuration.exchanges.first(where: { $0.name == owner }) {
      return configuration.read(source).exchange != nil
    }
    return configuration.readProvider(owner).provider != nil
  }

  /// Returns why requests with keys of an owner may not be sent; nil if they may.
  ///
  /// - Parameter allowed: The fingerprint that the user has allowed.
  package func refusal(of owner: String, allowed: String?) -> SecretProblem? {
    switch status(of: owner, allowed: allowed) {
    case .needless, .shipped, .allowed: nil
    case .notAllowed: .notAllowed
    case .invalidBlock: .invalidBlock
    }
  }
}
