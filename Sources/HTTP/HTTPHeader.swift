import Quotes

/// One header field of a request or a response (RFC 9110 §5).
package struct HTTPHeader: Hashable, Sendable {
  /// The field's name as it was written or sent; compared case-insensitively.
  package var name: String
  package var value: String

  package init(name: String, value: String) { (self.name, self.value) = (name, value) }

  /// Creates the field that a line of a head holds, without the blanks around its value; nil if the line has no colon.
  package init?(line: Substring) {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    self.init(name: String(line[..<colon]), value: String(line[line.index(after: colon)...].trimmingBlanks()))
  }
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

extension HTTPHeader {
  /// Whether a field with this name may hold a credential, be it a standard one or an exchange's own.
  package var mayBeSecret: Bool {
    let name = name.lowercased()
    return ["auth", "cookie", "key", "token", "secret", "sign", "session", "passphrase", "password"].contains {
      name.contains($0)
    }
  }
}

extension Substring {
  /// Returns it without spaces and tabs at either end.
  package func trimmingBlanks() -> Substring {
    var rest = drop { $0 == " " || $0 == "\t" }
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return rest
  }
}
