/// Tells what in a request is a secret, by its name or by its look.
enum SecretSpotter {
  /// Names without their `_` and `-`, lower case.
  private static let names: Set = [
    "apikey", "accesstoken", "secret", "signature", "appid", "accesskey", "authorization", "password", "passphrase",
    "passwd", "pwd", "sessionid", "cookie", "jwt", "bearer", "clientid", "clientsecret", "secretkey", "apisecret",
    "xsignature", "credential", "credentials", "authkey",
  ]

  /// Names that a coin or a pair may have, too: `token=ETH`. Their values decide.
  private static let vagueNames: Set = ["key", "token", "sign", "sig", "auth", "session"]

  /// No key is as short as this; to hide a word of an answer that often would hide the answer.
  private static let shortest = 4

  /// Parts of a header's name that make its value one.
  private static let marks = [
    "auth", "cookie", "apikey", "accesskey", "token", "secret", "signature", "session", "passphrase", "password",
    "credential",
  ]

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." && $0 != " " }
  }

  static func isSecret(parameter name: String, value: String) -> Bool {
    let name = plain(name)
    guard value.utf8.count >= shortest else { return false }
    if vagueNames.contains(name) { return value.utf8.count >= 16 || hasLettersAndDigits(value) }
    return names.contains(name) || marks.contains { name.contains($0) } || looksSecret(value)
  }

  private static func hasLettersAndDigits(_ value: String) -> Bool {
    value.utf8.count >= 6 && value.contains(where: \.isLetter) && value.contains(where: \.isNumber)
  }

  static func isSecret(header name: String, value: String) -> Bool {
    let name = plain(name)
    guard value.utf8.count >= shortest else { return false }
    return names.contains(name) || vagueNames.contains(name) || name.hasSuffix("key")
      || marks.contains { name.contains($0) } || looksSecret(value)
  }

  /// Made with a clock and a key: it is of no use the next time.
  static func isSignature(_ name: String) -> Bool { ["signature", "sign", "sig", "xsignature"].contains(plain(name)) }

  /// Long, of letters and digits without a word in it: keys in hexadecimal or base64, tokens (RFC 7519).
  static func looksSecret(_ value: String) -> Bool {
    if value.hasPrefix("eyJ"), value.count > 20 { return true }
    let isOneWord = value.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "+/=_-".utf8.contains(byte)
    }
    guard isOneWord, value.utf8.count >= 24 else { return false }
    let digits = value.reduce(0) { $0 + ($1.isNumber ? 1 : 0) }
    let letters = value.reduce(0) { $0 + ($1.isLetter ? 1 : 0) }
    // A list of pairs has a separator every few letters.
    let longest = value.split { "+/=_-".contains($0) }.map(\.count).max() ?? 0
    return digits >= 4 && letters >= 4 && (longest >= 12 || isUUID(value))
  }

  private static func isUUID(_ value: String) -> Bool {
    value.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12] && value.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// The name that a secret gets in `{secret:…}`: `X-API-KEY` is `x_api_key`.
  static func secretName(_ name: String) -> String {
    let letters = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return letters.isEmpty ? "secret" : String(letters)
  }
}
