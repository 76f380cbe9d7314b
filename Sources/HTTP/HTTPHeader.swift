/// One header field of a request or a response (RFC 9110 §5).
package struct HTTPHeader: Hashable, Sendable {
  /// The field's name as it was written or sent; compared case-insensitively.
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// Returns the value of the first field with that name, ignoring case.
  package func first(named name: String) -> String? {
    let wanted = name.lowercased()
    return first { $0.name.lowercased() == wanted }?.value
  }
}

extension HTTPHeader {
  /// Whether a field with this name may hold a credential, be it a standard one or an exchange's own.
  package var mayBeSecret: Bool {
    let name = name.lowercased()
    return ["auth", "cookie", "key", "token", "secret", "sign", "session", "passphrase", "password"].contains {
      name.contains($0)
    }
  }
}
