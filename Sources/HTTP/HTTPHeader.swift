/// One header field of a request or a response (RFC 9110 §5).
package struct HTTPHeader: Hashable, Sendable {
  /// The field's name as it was written or sent; compared case-insensitively.
  package var name: String
  package var value: String

  package init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

extension [HTTPHeader] {
  /// Returns the value of the first field with that name, ignoring case.
  package func first(named name: String) -> String? {
    let wanted = name.lowercased()
    return first { $0.name.lowercased() == wanted }?.value
  }
}

extension String {
  /// Whether it is the name of a header or a method (RFC 9110 §5.6.2).
  package var isToken: Bool {
    !isEmpty && utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }
}

extension UInt8 {
  /// Whether it is a letter or a digit of ASCII.
  package var isLetterOrDigit: Bool { 0x30...0x39 ~= self || 0x61...0x7A ~= self | 0x20 }
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
