import JSON

/// Secrets that were written into the file: a config is pasted into chats and repositories.
enum SecretCheck: ConfigCheck {
  /// Parts of a name under which secrets are sent.
  private static let words = [
    "key", "secret", "token", "appid", "auth", "sign", "passphrase", "password", "credential", "session", "cookie",
  ]

  static func findings(in inspection: Inspection) -> [Diagnostic] {
    var result: [Diagnostic] = []
    for table in inspection.tables {
      var texts = (table.spec.block?.members(of: .headers) ?? []).map { (name: $0.name as String?, node: $0.value) }
      for request in table.spec.requests { texts += request.texts }
      for lookup in table.spec.lookups {
        texts += (lookup.node["headers"]?.members ?? []).map { (name: $0.name, node: $0.value) }
      }
      for (name, node) in texts {
        guard let name, isSecretive(name), let text = node.json.string, looksRandom(text) else { continue }
        result.append(table.own(.writtenSecret(name, at: node)))
      }
    }
    return result
  }

  private static func isSecretive(_ name: String) -> Bool {
    let letters = String(name.lowercased().filter(\.isLetter))
    return words.contains { letters.contains($0) }
  }

  /// Sixteen characters or more in one word, of many kinds, with digits among them: nothing that a person would choose.
  private static func looksRandom(_ text: String) -> Bool {
    text.split(separator: " ").contains { word in
      let bytes = Array(word.utf8)
      guard bytes.count >= 16, !word.contains("{"), !word.contains("://") else { return false }
      let digits = bytes.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
      let isToken = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=_-.".contains($0)) }
      return isToken && digits >= 2 && digits < bytes.count && Set(bytes).count >= 8
    }
  }
}
