extension HTTPRequest {
  /// Whether the request carries something that must not reach anyone but its own host.
  package var isCredentialed: Bool {
    secrets.contains { !$0.isEmpty } || headers.contains { $0.mayBeSecret }
  }
}

extension HTTPHeader {
  /// Whether a field of this name may hold a credential: the standard ones, and those that exchanges make up.
  package var mayBeSecret: Bool {
    let name = name.lowercased()
    return ["auth", "cookie", "key", "token", "secret", "sign", "session", "passphrase", "password"].contains {
      name.contains($0)
    }
  }
}
