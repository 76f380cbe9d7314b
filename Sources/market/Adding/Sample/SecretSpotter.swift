/// Tells what in a request is a secret, by its name or by its look.
enum SecretSpotter {
  /// Names without their `_` and `-`, lower case.
  private static let names: Set = [
    "apikey", "accesstoken", "secret", "signature", "appid", "accesskey", "authorization", "pass", "password",
    "passphrase", "passwd", "passcode", "pwd", "sessionid", "cookie", "jwt", "bearer", "clientid", "clientsecret",
    "secretkey", "apisecret", "xsignature", "credential", "credentials", "authkey", "authtoken", "apitoken", "idtoken",
    "refreshtoken", "sessiontoken", "sessionkey", "privatekey", "hmac", "sign", "sig",
  ]

  /// Ends of names that a coin, a pair or a column may have, too: `token=ETH`, `sortKey=last`. Their values decide.
  private static let vagueEnds = ["key", "token", "tokens", "auth", "session", "sign", "sid"]

  /// To hide a shorter text wherever it stands would hide the answer.
  static let shortest = 4

  /// Parts of a name that make its value one.
  private static let marks = [
    "apikey", "accesskey", "secret", "signature", "passphrase", "password", "credential", "authoriz", "accesstoken",
    "authtoken",
  ]

  /// Parts of a header's name that do: no header names a coin.
  private static let headerMarks = ["auth", "cookie", "token", "session"]

  private static func plain(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." && $0 != " " }
  }

  static func isSecret(parameter name: String, value: String) -> Bool {
    let name = plain(name)
    guard !value.isEmpty, !isSwitch(value) else { return false }
    if names.contains(name) || marks.contains(where: { name.contains($0) }) || looksSecret(value) { return true }
    return vagueEnds.contains { name.hasSuffix($0) } && mayBeSecret(value)
  }

  static func isSecret(header name: String, value: String) -> Bool {
    let name = plain(name)
    guard !value.isEmpty, !isSwitch(value) else { return false }
    return names.contains(name) || vagueEnds.contains { name.hasSuffix($0) }
      || (marks + headerMarks).contains { name.contains($0) } || looksSecret(value)
  }

  /// `0`, `true`: nobody's key.
  private static func isSwitch(_ value: String) -> Bool {
    ["true", "false", "0", "1", "yes", "no", "none", "null"].contains(value.lowercased())
  }

  /// Too long for the name of a coin or a column, with letters and digits mixed, or a word that people write in the
  /// place of a key. A list is none.
  private static func mayBeSecret(_ value: String) -> Bool {
    guard !value.contains(",") else { return false }
    let lower = value.lowercased()
    if ["secret", "token", "passw", "private", "apikey"].contains(where: { lower.contains($0) }) { return true }
    let hasDigits = value.contains(where: \.isNumber)
    let letters = value.filter(\.isLetter).count
    if letters == value.count { return letters >= 12 }
    return value.utf8.count >= 16 || (value.utf8.count >= 6 && hasDigits && letters > 0)
  }

  /// Made with a clock and a key: it is of no use the next time.
  static func isSignature(_ name: String) -> Bool {
    ["signature", "sign", "sig", "hmac"].contains { plain(name).hasSuffix($0) }
  }

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
