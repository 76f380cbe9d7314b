package import Config

/// Whether requests with keys may be sent: those that ship with the program may, unchanged, and those that the user has
/// allowed.
package struct KeyAllowance: Sendable {
  package enum Standing: Hashable, Sendable {
    /// No request needs a key.
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
  ///   - owner: the own name of an exchange or a rate provider.
  ///   - allowed: the fingerprint that the user has allowed.
  package func standing(of owner: String, allowed: String?) -> Standing {
    guard let own = KeyedRequests(of: owner, in: configuration) else { return .needless }
    if own.isShipped { return .shipped }
    let fingerprint = own.fingerprint
    if let allowed, allowed == fingerprint { return .allowed }
    let original = shipped().flatMap { KeyedRequests(of: owner, in: $0) }
    return original?.canonical == own.canonical ? .shipped : .notAllowed(fingerprint: fingerprint)
  }
}
