package import Config
package import HTTP
import JSON

/// A check for secrets written into the file, since configs are pasted into chats and repositories.
///
/// Searches the text rather than its parsed form, to find secrets even in blocks with other errors.
enum SecretCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    found(in: inspection.configuration).map { finding in
      let heirs = inspection.configuration.exchanges.filter { finding.place.map($0.inherits) == true }
      return finding.inherited(by: heirs.map(\.name))
    }
  }

  /// Returns a finding for each secret where it is written.
  static func found(in configuration: Configuration) -> [Finding] {
    var search = Search()
    for file in configuration.files {
      for member in file.root["exchanges"]?.members ?? [] { search.visit(member.value) }
      for member in file.root["fx"]?["providers"]?.members ?? [] { search.visit(member.value) }
    }
    return search.found
  }

  private struct Search {
    var found: [Finding] = []

    mutating func visit(_ node: ConfigNode) {
      for element in node.elements where element.json.kind == .object { visit(element) }
      for member in node.members {
        switch member.name {
        case "headers": for header in member.value.members { check(header, in: .header) }
        case "query", "set", "form": for parameter in member.value.members { check(parameter, in: .parameter) }
        // The first message sent may contain a token that the exchange gives to everyone.
        case "body", "subscribe": checkBody(member.value)
        case "path" where node["path"]?.json.string?.hasPrefix("/") == true: checkAddress(member.value, isPath: true)
        case "values": checkSigned(member.value)
        case "baseUrls", "urls": for element in member.value.elements { checkAddress(element, isPath: false) }
        // Secrets of known answers are made up.
        case "note", "docs", "names", "$comment", "vectors": break
        default: visit(member.value)
        }
      }
    }

    private mutating func checkBody(_ node: ConfigNode) {
      for member in node.members {
        check(member, in: .parameter)
        checkBody(member.value)
      }
      for element in node.elements { checkBody(element) }
    }

    /// Checks what signatures are computed from. The name of a function says nothing of its input.
    private mutating func checkSigned(_ node: ConfigNode) {
      for member in node.members {
        if member.value.json.string.map(SecretShape.hasRandomWord) == true {
          found.append(.writtenSecret(member.name, at: member.value))
        } else if !member.name.hasPrefix("hmac-") {
          check(member, in: .parameter)
        }
        checkSigned(member.value)
      }
    }

    private mutating func check(_ member: ConfigMember, in context: SecretShape.Context) {
      guard let text = member.value.json.scalarText,
        member.value.json.kind == .string || member.value.json.kind == .number,
        // The token of a stream is read from a response, and is not in any file.
        !text.hasPrefix("$."), !(text.hasPrefix("{") && text.hasSuffix("}"))
      else { return }
      if SecretShape.isSecret(text, named: member.name, in: context) || SecretShape.hasKnownKeyFormat(text) {
        found.append(.writtenSecret(member.name, at: member.value))
      }
    }

    private mutating func checkAddress(_ node: ConfigNode, isPath: Bool) {
      guard let text = node.json.string else { return }
      var ranges = SecretShape.keys(in: text)
      for (name, range) in SecretCheck.parameters(of: text) where !ranges.contains(where: { $0.overlaps(range) }) {
        let value = String(decoding: Array(text.utf8)[range], as: UTF8.self)
        if SecretShape.isSecret(value, named: name, in: .parameter) { ranges.append(range) }
      }
      for range in ranges {
        let start = node.place(ofDecodedOffset: range.lowerBound).range.lowerBound
        let end = node.place(ofDecodedOffset: range.upperBound - 1).range.upperBound
        found.append(.secretInAddress(isPath: isPath, at: Place(file: node.file.source, range: start..<end)))
      }
    }
  }

  /// Returns the query parameters of an address, each with the UTF-8 offsets of its value.
  private static func parameters(of text: String) -> [(name: String, value: Range<Int>)] {
    let bytes = Array(text.utf8)
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return bytes[(mark + 1)...].split(separator: UInt8(ascii: "&")).compactMap { pair in
      guard let sign = pair.firstIndex(of: UInt8(ascii: "=")), sign + 1 < pair.endIndex else { return nil }
      return (String(decoding: pair[..<sign], as: UTF8.self), (sign + 1)..<pair.endIndex)
    }
  }

  /// Returns possible secrets in a text that cannot be parsed: strings after a secret-sounding name, and anything that
  /// looks like a key.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    let text = SourceText(bytes)
    var result: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      let strings = text.strings(inLineOf: start)
      for (index, string) in strings.enumerated() where string.count > 2 {
        let inside = string.dropFirst().dropLast()
        let value = text.string(inside.startIndex..<inside.endIndex)
        let keys = SecretShape.keys(in: value)
        result += keys.map { ($0.lowerBound + inside.startIndex)..<($0.upperBound + inside.startIndex) }
        if value.contains("://") || value.hasPrefix("/") {
          result += SecretShape.privateParts(ofAddress: bytes[inside])
        }
        guard index > 0 else { continue }
        let before = strings[index - 1]
        let between = bytes[before.upperBound..<string.lowerBound]
        guard between.contains(UInt8(ascii: ":")), between.allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ":") }) else {
          continue
        }
        let name = text.string(before.dropFirst().dropLast())
        if SecretShape.isSecret(value, named: name, in: .parameter) || SecretShape.hasKnownKeyFormat(value) {
          result.append(inside.startIndex..<inside.endIndex)
        }
      }
      start = (bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count) + 1
    }
    return result
  }
}

/// The secrets in a config's text, to be hidden when it is shown.
private struct WrittenSecrets {
  private let places: [Place]

  init(in configuration: Configuration) { places = SecretCheck.found(in: configuration).compactMap(\.place) }

  /// Returns what may be shown of a string or number; nil means all of it.
  func masked(_ node: ConfigNode) -> String? {
    let own = node.place
    let found = places.filter { $0.file === own.file && $0.range.overlaps(own.range) }
    let login = node.json.string.flatMap(SecretShape.login)
    guard !found.isEmpty || login != nil else { return nil }
    guard let text = node.json.string, !found.contains(own) else { return Redaction.mark }
    var bytes = Array(text.utf8)
    // Addresses contain no escapes, so offsets in the text are offsets in its bytes.
    guard bytes.count == own.range.count - 2 else { return Redaction.mark }
    let ranges = found.map { place in
      let start = place.range.lowerBound - own.range.lowerBound - 1
      return start..<start + place.range.count
    }
    for range in ranges + [login].compactMap(\.self) {
      for index in range.clamped(to: bytes.indices) { bytes[index] = UInt8(ascii: "*") }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension MergedConfig {
  /// Merges a config for display, without the secrets in its text.
  ///
  /// - Parameter known: removes the secrets stored elsewhere.
  package init(_ configuration: Configuration, hiding known: Redaction) {
    let written = WrittenSecrets(in: configuration)
    self.init(configuration) { node in
      if let masked = written.masked(node) { return masked }
      let text = node.json.string ?? node.json.text
      let redacted = known(text)
      return redacted == text ? nil : redacted
    }
  }
}

extension ExchangeSource {
  /// Returns whether a place lies in inherited text that the exchange's own text does not replace.
  fileprivate func inherits(_ place: Place) -> Bool {
    func holds(_ node: ConfigNode) -> Bool { node.json.byteRange.contains(place.range.lowerBound) }
    return base.contains { level in
      guard level.file.source === place.file, let member = level.members.first(where: { holds($0.value) }) else {
        return false
      }
      let replaced = own.compactMap { $0[member.name] }
      guard let key = BlockKey(rawValue: member.name), !replaced.isEmpty else { return true }
      guard key.mergesByMember, let part = member.value.members.first(where: { holds($0.value) }) else { return false }
      return replaced.allSatisfy { $0[part.name] == nil && !$0.json.isNull }
    }
  }
}
