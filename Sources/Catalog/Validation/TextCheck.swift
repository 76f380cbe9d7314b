import JSON
import JSONPath

/// Texts that can be read, and cannot have been meant: a path without its `$`, a brace without its partner, a separator
/// that is a word, a day that is none.
enum TextCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Diagnostic] {
    var result: [Diagnostic] = []
    for table in inspection.tables {
      let spec = table.spec
      var found: [Diagnostic] = []
      for value in spec.allValues { found += findings(in: value) }
      for request in spec.requests { found += request.texts.flatMap { strayBraces(in: $0.node) } }
      found += (spec.block?.members(of: .headers) ?? []).flatMap { strayBraces(in: $0.value) }
      if case .rules(_, let rules) = spec.symbol { found += rules.compactMap(wordAsSeparator) }
      if let verified = spec.block?[.verified], !isDay(verified.json.string ?? "") {
        found.append(.badText("a day such as \"2026-01-31\"", at: verified))
      }
      result += found.map(table.own)
    }
    for (source, _) in inspection.venues {
      if let docs = source.personal("docs") { result += documentation(docs) }
    }
    for provider in inspection.providers {
      if let docs = provider.node["docs"] { result += documentation(docs) }
      if let at = provider.node["refresh"]?["at"], !isPastTheHour(at.json.string ?? "") {
        result.append(.badText("minutes and seconds past the hour such as \":00:30\"", at: at))
      }
    }
    for file in inspection.catalog.files {
      for member in file.root["retired"]?.members ?? [] {
        if let since = member.value["since"], let text = since.json.string, !isDay(text) {
          result.append(.badText("a day such as \"2026-01-31\"", at: since))
        }
      }
    }
    return result
  }

  private static func findings(in value: ValueSpec) -> [Diagnostic] {
    switch value.origin {
    case .constant(let text) where text.hasPrefix(".") || text.hasPrefix("["):
      return [.constantLooksLikePath(text, at: value.node)]
    case .path(let path?, _): return strayBraces(in: path)
    default: return []
    }
  }

  /// A quoted name of a path may hold a template.
  private static func strayBraces(in path: PathSpec) -> [Diagnostic] {
    guard path.templates.isEmpty, path.text.contains("}"), let steps = path.query.singularSteps else { return [] }
    let isStray = steps.contains { if case .member(let name) = $0 { name.contains("}") } else { false } }
    let offset = Array(path.text.utf8).firstIndex(of: UInt8(ascii: "}"))
    return isStray ? [.strayBrace(at: offset.map { path.node.place(ofDecodedOffset: $0) } ?? path.node.place)] : []
  }

  /// Braces that close nothing. A text may hold JSON, whose own opening braces are written `{{`.
  private static func strayBraces(in node: ConfigNode) -> [Diagnostic] {
    guard let text = node.json.string, text.contains("}") else { return [] }
    let bytes = Array(text.utf8)
    var open = 0
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{"):
        open += 1
        index += 1
      case UInt8(ascii: "{"):
        index = bytes[index...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count
      case UInt8(ascii: "}"):
        if open == 0 { return [.strayBrace(at: node.place(ofDecodedOffset: index))] }
        open -= 1
      default: break
      }
      index += 1
    }
    return []
  }

  private static func wordAsSeparator(_ rule: SymbolSpec.Rule) -> Diagnostic? {
    guard case .separator(let text, _) = rule.split, text.count >= 3, text.allSatisfy(\.isLetter),
      let node = rule.node["split"]
    else { return nil }
    return .wordAsSeparator(text, at: node)
  }

  private static func documentation(_ node: ConfigNode) -> [Diagnostic] {
    guard let text = node.json.string, !text.hasPrefix("https://"), !text.hasPrefix("http://") else { return [] }
    return [.badText("an address that begins with https://", at: node)]
  }

  static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    return text.utf8.count == 10 && parts.count == 3 && parts[0] > 1999 && (1...12).contains(parts[1])
      && (1...31).contains(parts[2])
  }

  private static func isPastTheHour(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return text.utf8.count == 6 && parts.count == 3 && parts[0].isEmpty
      && parts.dropFirst().allSatisfy { (0..<60).contains(Int($0) ?? -1) }
  }
}
