import Config
import Quotes

/// The names and forms of secrets, both for checking configs and for pasted requests.
package enum SecretShape {
  /// The kind of name; a header never contains the name of an asset.
  package enum Context: Sendable { case header, parameter }

  // MARK: Names

  /// Words that can only mean a secret.
  private static let secretWords: Set<String> = [
    "secret", "password", "passwd", "pwd", "passphrase", "authorization", "cookie", "credential", "credentials", "jwt",
    "bearer", "signature", "pass", "passcode", "hmac", "sign", "sig",
  ]
  /// Parts of names that mean a secret, however the words are joined.
  private static let secretParts = [
    "apikey", "accesskey", "secret", "signature", "passphrase", "password", "passcode", "credential", "authoriz",
    "accesstoken", "authtoken",
  ]
  /// Parts of header names that mean a secret, since no header names a coin.
  private static let headerParts = ["auth", "cookie", "token", "session"]
  /// Endings of names that mean a secret, whether written as one word or several.
  private static let secretEnds = [
    "apikey", "appkey", "authkey", "privatekey", "userkey", "clientkey", "consumerkey", "sessionkey",
    "subscriptionkey", "licensekey", "appid", "clientid", "sessionid", "apitoken", "idtoken", "refreshtoken",
    "sessiontoken", "usertoken", "apisign", "accesssign",
  ]
  /// Words that may mean a secret; a token may be an asset as well.
  private static let doubtfulWords: Set<String> = ["key", "token", "auth", "session", "sid"]

  /// Returns whether a literal value under that name would be a secret.
  ///
  /// - Parameter value: a template; placeholders in it are not secrets.
  package static func isSecret(_ value: String, named name: String, in context: Context) -> Bool {
    let words = words(of: name)
    // The method and format of a signature or key are publicly documented.
    if let last = words.last, ["method", "version", "algorithm", "type"].contains(last), !looksRandom(value) {
      return false
    }
    let joined = words.joined()
    let isStrong =
      words.contains(where: secretWords.contains) || secretEnds.contains { joined.hasSuffix($0) }
      || secretParts.contains { joined.contains($0) }
      || context == .header && headerParts.contains { joined.contains($0) } && !words.contains("authority")
    let isDoubtful =
      words.contains(where: doubtfulWords.contains)
      || doubtfulWords.contains { joined.hasSuffix($0) } && looksRandom(value)
    guard isStrong || isDoubtful, SecretName.names(in: value).isEmpty else { return false }
    let literals = literals(of: value)
    // If part of the value is filled in, the rest is most likely just the format.
    if literals.count != 1 || literals[0].count != value.count { return literals.contains { looksRandom($0) } }
    let bare = withoutScheme(value)
    if bare.isEmpty { return false }
    if words.contains("cookie") {
      return bare.split(separator: ";").contains { pair in
        pair.split(separator: "=", maxSplits: 1).last.map { !isPlain($0.filter { $0 != " " }) } ?? false
      }
    }
    if isStrong || context == .header { return !isSwitch(bare) }
    return !isPlain(bare)
  }

  /// Returns the words of a name: `X-API-KEY`, `api_key` and `apiKey` all contain `api` and `key`.
  private static func words(of name: String) -> [String] {
    var words = [""]
    var wasLower = false
    for character in name {
      if !character.isLetter || character.isUppercase && wasLower { words.append("") }
      if character.isLetter { words[words.count - 1] += character.lowercased() }
      wasLower = character.isLowercase
    }
    return words.filter { !$0.isEmpty }
  }

  // MARK: Values

  /// Returns the text between the placeholders of a template.
  private static func literals(of value: String) -> [String] {
    var result = [""]
    var depth = 0
    for character in value {
      switch character {
      case "{": depth += 1
      case "}": depth = max(0, depth - 1)
      default:
        if depth == 0 { result[result.count - 1].append(character) }
        continue
      }
      if !(result.last ?? "").isEmpty { result.append("") }
    }
    return result.filter { !$0.isEmpty }
  }

  private static func withoutScheme(_ value: String) -> String {
    let words = value.split(separator: " ")
    let schemes = ["bearer", "basic", "token", "digest", "apikey", "hmac", "key"]
    guard let first = words.first, schemes.contains(first.lowercased()) else { return value }
    return words.dropFirst().joined(separator: " ")
  }

  /// Returns whether the value is a flag or a count.
  private static func isSwitch(_ value: String) -> Bool {
    ["true", "false", "yes", "no", "none", "public", "null"].contains(value.lowercased())
      || !value.contains { $0.isLetter || $0.isNumber }
      || (value.utf8.count < 4 && value.allSatisfy(\.isNumber))
  }

  /// Returns whether the value is a symbol, a list of symbols, a word or a small number.
  private static func isPlain(_ value: String) -> Bool {
    let letters = value.filter { !"-_/,:|. ".contains($0) }
    // Common stand-ins for a key.
    if ["secret", "passw", "private", "apikey"].contains(where: { letters.lowercased().contains($0) }) { return false }
    if letters.allSatisfy(\.isNumber) { return letters.count < 6 }
    let isShort = value.split { "-_/,:|. ".contains($0) }.allSatisfy { $0.count <= 16 }
    let isSymbol = letters.allSatisfy { $0.isUppercase || $0.isNumber }
    return isShort && (isSymbol || letters.allSatisfy(\.isLetter))
  }

  /// Returns whether a word has at least sixteen characters, of many kinds and including digits, unlike anything a
  /// person would choose.
  static func looksRandom(_ text: String) -> Bool {
    text.split(separator: " ").contains { word in
      let bytes = Array(word.utf8)
      guard bytes.count >= 16, !word.contains("://") else { return false }
      let digits = bytes.count(where: \.isDigit)
      let isToken = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=_-.".contains($0)) }
      return isToken && digits >= 2 && digits < bytes.count && Set(bytes).count >= 8
    }
  }

  /// Returns whether a template has a word that looks random outside of its placeholders.
  static func hasRandomWord(_ template: String) -> Bool {
    literals(of: template).contains { literal in
      literal.split { !$0.isLetter && !$0.isNumber }.contains { looksRandom(String($0)) }
    }
  }

  // MARK: Parts of addresses

  /// Returns the private parts of an address as written in the file: user info before `@`, and everything after `?` or
  /// `#`. If it contains Unicode escapes, all of it is private.
  static func privateParts(ofAddress bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    guard !bytes.contains(#"\u"#.utf8) else { return [bytes.startIndex..<bytes.endIndex] }
    var result: [Range<Int>] = []
    if let at = bytes.lastIndex(of: UInt8(ascii: "@")) {
      let slashes = bytes[..<at].firstRange(of: "//".utf8)
      result.append((slashes?.upperBound ?? bytes.startIndex)..<at)
    }
    if let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
      result.append(mark + 1..<bytes.endIndex)
    }
    return result
  }

  /// Returns the user info of an address, as UTF-8 offsets; nil for any other text.
  static func login(ofAddress text: String) -> Range<Int>? {
    let bytes = Array(text.utf8)
    guard let start = bytes.firstRange(of: "://".utf8)?.upperBound else { return nil }
    let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
    return bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
  }

  /// Returns the ranges of an address or path that look like keys, as UTF-8 offsets.
  ///
  /// A key has no name there, so only its form counts: many changes between letters and digits within one word. Hashes
  /// of 64 digits, blockchain addresses (`0x…`, 40 digits, or 32 to 44 of base 58), UUIDs, dates and versions are not
  /// keys.
  package static func keys(in text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    var result: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      let start = index
      while index < bytes.count, !"/?&=#{}@:,;.".utf8.contains(bytes[index]) { index += 1 }
      let segment = bytes[start..<index]
      let isFilled =
        start > 0 && bytes[start - 1] == UInt8(ascii: "{") || index < bytes.count && bytes[index] == UInt8(ascii: "}")
      if !isFilled {
        for word in segment.split(whereSeparator: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        where isKey(word) {
          result.append(segment.startIndex..<segment.endIndex)
          break
        }
      }
      index += 1
    }
    return result
  }

  private static func isKey(_ word: ArraySlice<UInt8>) -> Bool {
    // The words of a UUID are shorter.
    guard (16...80).contains(word.count), word.allSatisfy({ $0.isDigit || $0.isLetter }) else { return false }
    let changes = zip(word, word.dropFirst()).count { $0.isDigit != $1.isDigit }
    let isHexadecimal = word.allSatisfy { $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20) }
    // `0x…` is an address, not a key.
    if word.starts(with: "0x".utf8) { return false }
    if isHexadecimal { return changes >= 5 && word.count != 40 && word.count < 64 }
    let isBase58 = !word.contains { "0OIl".utf8.contains($0) }
    let hasBothCases =
      word.contains { $0.isLetter && $0 & 0x20 == 0 } && word.contains { $0.isLetter && $0 & 0x20 != 0 }
    if isBase58, hasBothCases, (32...44).contains(word.count) { return false }
    return changes >= (hasBothCases ? 4 : 6)
  }

  /// Returns whether the text is a key with a recognizable prefix or form, wherever it occurs.
  package static func hasKnownKeyFormat(_ text: String) -> Bool {
    guard text.utf8.count >= 20 else { return false }
    return [
      "sk_live_", "sk_test_", "rk_live_", "ghp_", "gho_", "github_pat_", "xoxb-", "xoxp-", "AKIA", "AIza", "glpat-",
    ]
    .contains { text.hasPrefix($0) } || (text.hasPrefix("eyJ") && text.split(separator: ".").count == 3)
  }
}
