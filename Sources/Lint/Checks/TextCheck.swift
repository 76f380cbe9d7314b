import Config
import JSON
import JSONPath
import Quotes

/// A check for valid text that cannot be intended: a path without its `$`, an unmatched brace, a word as a separator,
/// an impossible date.
enum TextCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var result: [Finding] = []
    for table in inspection.allTables {
      let spec = table.spec
      var found: [Finding] = []
      for value in table.allValues { found += findings(in: value) }
      let names = ["asset", "payment", "keys", "count", "symbol", "interval"] + spec.set.map(\.name)
      for request in table.requests { found += request.texts.flatMap { braces(in: $0.node, names) } }
      found += table.members(of: .headers).flatMap { braces(in: $0.value, names) }
      found += constantFields(of: table)
      for rows in table.rows { found += descents(in: rows) }
      if case .rules(_, let rules) = spec.symbol { found += rules.compactMap(wordAsSeparator) }
      found += day(spec.block?[.verified])
      result += found.map(table.own)
    }
    for (source, _) in inspection.exchanges {
      result += documentation(source.personal("docs"))
      for stream in source.streamTexts {
        result += stream.texts.flatMap { braces(in: $0, stream.names) }
        result += day(stream.node["verified"])
      }
    }
    for provider in inspection.providers {
      result += documentation(provider.node["docs"])
      if let at = provider.node["refresh"]?["at"], RateProvider.secondsPastTheHour(at.json.string ?? "") == nil {
        result.append(.invalidText("minutes and seconds past the hour such as \":00:30\"", at: at))
      }
    }
    for file in inspection.configuration.files {
      for member in file.root["retired"]?.members ?? [] {
        if let since = member.value["since"], since.json.kind == .string { result += day(since) }
      }
    }
    return result
  }

  private static func findings(in value: ValueSpec) -> [Finding] {
    switch value.origin {
    case .constant(let text) where text.hasPrefix(".") || text.hasPrefix("["):
      return [.constantLooksLikePath(text, at: value.node)]
    case .path(let path?, _): return strayBraces(in: path) + doubledBraces(in: path)
    default: return []
    }
  }

  /// Finds doubled braces in a name that is to be filled in with the row's pair.
  private static func doubledBraces(in path: PathSpec) -> [Finding] {
    path.text.contains("{{")
      ? braces(in: path.node, Template.pairPlaceholders).filter { $0.code == .doubledBrace } : []
  }

  /// Finds stray braces in a path, whose quoted names may contain templates.
  private static func strayBraces(in path: PathSpec) -> [Finding] {
    guard path.templates.isEmpty, path.text.contains("}"), let steps = path.query.singularSteps else { return [] }
    let isStray = steps.contains { if case .member(let name) = $0 { name.contains("}") } else { false } }
    let offset = Array(path.text.utf8).firstIndex(of: UInt8(ascii: "}"))
    return isStray ? [.strayBrace(at: offset.map { path.node.place(ofDecodedOffset: $0) } ?? path.node.place)] : []
  }

  /// Finds two consecutive dots outside quotes.
  private static func descents(in rows: RowsSpec) -> [Finding] {
    rows.paths.compactMap { path in
      let bytes = Array(path.text.utf8)
      var quote: UInt8?
      var isEscaped = false
      for index in bytes.indices.dropLast() {
        if let open = quote {
          if !isEscaped, bytes[index] == open { quote = nil }
          isEscaped = !isEscaped && bytes[index] == UInt8(ascii: "\\")
        } else if bytes[index] == UInt8(ascii: "'") || bytes[index] == UInt8(ascii: "\"") {
          quote = bytes[index]
        } else if bytes[index] == UInt8(ascii: "."), bytes[index + 1] == UInt8(ascii: ".") {
          return .rowsFromEveryDepth(at: path.node.place(ofDecodedOffset: index))
        }
      }
      return nil
    }
  }

  /// Finds numbers that do not depend on the response, in every row or in those that lack them.
  private static func constantFields(of table: Inspection.Table) -> [Finding] {
    guard table.source != nil else { return [] }
    // All rows of an account may be of one asset.
    if case .account = table.kind { return [] }
    return table.spec.fields.sorted { $0.key < $1.key }.compactMap { name, value in
      if value.isConstant { return .constantField(name, at: value.node) }
      // A flag that is left out may well stand for false.
      guard case .first(let values) = value.origin, value.side == nil,
        let constant = values.first(where: \.isConstant)
      else { return nil }
      return .constantAlternative(name, at: constant.node)
    }
  }

  /// Finds unmatched closing braces, and doubled ones that keep a placeholder from being filled in. The text may be
  /// JSON, whose own opening braces are written `{{`.
  private static func braces(in node: ConfigNode, _ names: [String]) -> [Finding] {
    guard let text = node.json.string, text.contains("}") else { return [] }
    let bytes = Array(text.utf8)
    var open = 0
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{"):
        if let name = placeholder(in: bytes[(index + 2)...], names) {
          return [.doubledBrace(name, at: node.place(ofDecodedOffset: index))]
        }
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

  /// Returns the placeholder at the start of a text, up to its closing brace.
  private static func placeholder(in bytes: ArraySlice<UInt8>, _ names: [String]) -> String? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "}")) else { return nil }
    let word = String(decoding: bytes[..<end], as: UTF8.self)
    let name = word.prefix { $0 != "|" }
    let isKnown =
      names.contains(String(name)) || ["now.ms", "now.s"].contains(name)
      || name.hasPrefix("secret:") || name.hasPrefix("date:")
    return isKnown ? word : nil
  }

  private static func wordAsSeparator(_ rule: SymbolSpec.Rule) -> Finding? {
    guard case .separator(let text, _) = rule.split, text.count >= 3, text.contains(where: \.isLetter),
      let node = rule.node["split"]
    else { return nil }
    return .wordAsSeparator(text, at: node)
  }

  private static func documentation(_ node: ConfigNode?) -> [Finding] {
    guard let node, let text = node.json.string, !text.hasPrefix("https://"), !text.hasPrefix("http://") else {
      return []
    }
    return [.invalidText("an address that begins with https://", at: node)]
  }

  private static func day(_ node: ConfigNode?) -> [Finding] {
    guard let node else { return [] }
    let text = node.json.string ?? ""
    let isDay = text.utf8.count == 10 && text.hasPrefix("20") && Instant.iso8601(text, defaultOffsetSeconds: 0) != nil
    return isDay ? [] : [.invalidText("a day such as \"2026-01-31\"", at: node)]
  }
}

extension ValueSpec {
  /// Whether it is a constant, and not a path without its `$`.
  fileprivate var isConstant: Bool {
    guard case .constant(let text) = origin else { return false }
    return !text.hasPrefix(".") && !text.hasPrefix("[")
  }
}
