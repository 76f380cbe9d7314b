package import Config

/// Whether an exchange's requests with keys may be sent: those that ship with the program may, unchanged, and those that the
/// user has allowed.
package struct KeyAllowance: Sendable {
  package enum Standing: Hashable, Sendable {
    /// No request of it needs a key.
    case needless
    /// They are those that ship with the program.
    case shipped
    /// The user has allowed them.
    case allowed
    /// Neither. With what would have to be allowed.
    case notAllowed(fingerprint: String)
  }

  private let configuration: Configuration
  /// The config that ships with the program; nil where it is not there.
  private let shipped: @Sendable () -> Configuration?

  package init(_ configuration: Configuration, shipped: @escaping @Sendable () -> Configuration?) {
    self.configuration = configuration
    self.shipped = shipped
  }

  package init(_ configuration: Configuration, _ locator: ConfigLocator) {
    let found = try? locator.shipped()
    self.init(configuration) {
      guard let file = try? found?.file() else { return nil }
      return try? Configuration(file) { file }
    }
  }

  /// - Parameters:
  ///   - name: an exchange's own name. A rate provider's keys need no word of the user: it is none of the exchanges.
  ///   - allowed: the fingerprint that the user has allowed.
  package func standing(of name: String, allowed: String?) -> Standing {
    guard let source = configuration.exchanges.first(where: { $0.name == name }), let own = KeyedRequests(source) else {
      return .needless
    }
    if source.isShipped { return .shipped }
    let fingerprint = own.fingerprint
    if let allowed, allowed == fingerprint { return .allowed }
    let original = shipped()?.exchanges.first { $0.name == name }.flatMap { KeyedRequests($0) }
    return original == own ? .shipped : .notAllowed(fingerprint: fingerprint)
  }
}
