import Config
import Lint

/// Tells what in a request that somebody pasted is a secret.
///
/// All that `validate-config` would take for one is, and some more: to hide too much costs little here.
enum SecretSpotter {
  /// To hide a shorter text wherever it stands would hide the answer.
  static let shortest = 4

  static func isSecret(parameter name: String, value: String) -> Bool { isSecret(value, named: name, in: .parameter) }

  /// A cookie is somebody's session, whatever it says.
  static func isSecret(header name: String, value: String) -> Bool {
    isSecret(value, named: name, in: .header) || (name.lowercased() == "cookie" && !value.isEmpty)
  }

  private static func isSecret(_ value: String, named name: String, in context: SecretShape.Context) -> Bool {
    // What is pasted is no template, so braces are characters like others.
    let literal = value.filter { $0 != "{" && $0 != "}" }
    return SecretShape.isSecret(literal, named: name, in: context) || looksSecret(value)
  }

  /// Made with a clock and a key: it is of no use the next time.
  static func isSignature(_ name: String) -> Bool {
    let letters = name.lowercased().filter(\.isLetter)
    return ["signature", "sign", "sig", "hmac"].contains { letters.hasSuffix($0) }
  }

  /// Long, of letters and digits without a word in it: keys in hexadecimal or base64, tokens (RFC 7519); and what looks
  /// like a key in an address.
  static func looksSecret(_ value: String) -> Bool {
    if value.hasPrefix("eyJ"), value.count > 20 { return true }
    if SecretShape.saysItIsAKey(value) || !SecretShape.keys(in: value).isEmpty { return true }
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
