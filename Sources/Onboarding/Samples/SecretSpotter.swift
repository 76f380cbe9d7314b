import Lint
import Quotes

/// Decides what in a pasted request is a secret.
///
/// Everything `validate-config` takes for one, and more, since hiding too much does little harm here.
enum SecretSpotter {
  /// The minimum length: hiding every occurrence of shorter texts would hide the answer.
  static let shortest = 4

  static func isSecret(parameter name: String, value: String) -> Bool { isSecret(value, named: name, in: .parameter) }

  /// Returns whether a header is secret; a cookie is a session, whatever its value.
  static func isSecret(header name: String, value: String) -> Bool {
    isSecret(value, named: name, in: .header) || (name.lowercased() == "cookie" && !value.isEmpty)
  }

  private static func isSecret(_ value: String, named name: String, in context: SecretShape.Context) -> Bool {
    // Pasted text contains no templates, so braces are ordinary characters.
    let literal = value.filter { $0 != "{" && $0 != "}" }
    return SecretShape.isSecret(literal, named: name, in: context) || looksSecret(value)
  }

  /// Derived from a clock and a key, and so useless the next time.
  static func isSignature(_ name: String) -> Bool {
    let letters = name.lowercased().filter(\.isLetter)
    return ["signature", "sign", "sig", "hmac"].contains { letters.hasSuffix($0) }
  }

  /// Returns whether it is long and consists of letters and digits without words, such as hexadecimal or base64 keys
  /// and tokens (RFC 7519), or looks like a key in a URL.
  static func looksSecret(_ value: String) -> Bool {
    if value.hasPrefix("eyJ"), value.count > 20 { return true }
    if SecretShape.hasKnownKeyFormat(value) || !SecretShape.keys(in: value).isEmpty { return true }
    let isOneWord = value.utf8.allSatisfy { $0.isLetterOrDigit || "+/=_-".utf8.contains($0) }
    guard isOneWord, value.utf8.count >= 24 else { return false }
    let (digits, letters) = (value.count(where: \.isNumber), value.count(where: \.isLetter))
    // A list of pairs has a separator every few letters.
    let longest = value.split { "+/=_-".contains($0) }.map(\.count).max() ?? 0
    return digits >= 4 && letters >= 4 && (longest >= 12 || isUUID(value))
  }

  private static func isUUID(_ value: String) -> Bool {
    value.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12] && value.allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// Returns the name of a secret in `{secret:…}`: `x_api_key` for `X-API-KEY`.
  static func secretName(_ name: String) -> String {
    let letters = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return letters.isEmpty ? "secret" : String(letters)
  }
}
