import JSON
import JSONPath
package import Quotes

/// Reads typed values out of config nodes and collects what is wrong with them.
///
/// Every `read…` answers nil after it has reported why, so that one run finds every problem; a caller never reports a
/// second time.
package struct SpecReader {
  package private(set) var diagnostics: [Diagnostic] = []
  /// Inherited text is read once for each heir; a finding in it is reported once.
  private var reported: Set<Diagnostic> = []

  package init() {}

  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  package mutating func report(_ diagnostic: Diagnostic) {
    if reported.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  // MARK: Scalars

  mutating func readText(_ node: ConfigNode) -> String? {
    guard let text = node.json.string else {
      report(.wrongType("a text", at: node))
      return nil
    }
    return text
  }

  mutating func readBoolean(_ node: ConfigNode) -> Bool? {
    guard let value = node.json.boolean else {
      report(.wrongType("true or false", at: node))
      return nil
    }
    return value
  }

  mutating func readInteger(_ node: ConfigNode, in range: ClosedRange<Int>) -> Int? {
    guard let text = node.json.numberText else {
      report(.wrongType("a number", at: node))
      return nil
    }
    guard let value = Int(text), range.contains(value) else {
      report(.badNumber("a whole number from \(range.lowerBound) to \(range.upperBound)", at: node))
      return nil
    }
    return value
  }

  /// An exact number, as a JSON number or as text (`1e-8` or `"1e-8"`), greater than zero.
  mutating func readPositiveDecimal(_ node: ConfigNode) -> Decimal? {
    guard let text = node.json.numberText ?? node.json.string else {
      report(.wrongType("a number", at: node))
      return nil
    }
    guard let value = Decimal(text), value.signum > 0 else {
      report(.badNumber("a number above zero", at: node))
      return nil
    }
    return value
  }

  mutating func readCase<Value: RawRepresentable & CaseIterable>(_ node: ConfigNode, as type: Value.Type) -> Value?
  where Value.RawValue == String {
    guard let text = readText(node) else { return nil }
    guard let value = Value(rawValue: text) else {
      report(.notOneOf(Value.allCases.map(\.rawValue), found: text, at: node))
      return nil
    }
    return value
  }

  /// `500ms`, `5s`, `1m`, `1h`, `1d`, as milliseconds.
  mutating func readMilliseconds(_ node: ConfigNode) -> Int? {
    guard let text = readText(node) else { return nil }
    let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
    for (suffix, factor) in units where text.hasSuffix(suffix) {
      if let count = Int(text.dropLast(suffix.count)), (0...1_000_000).contains(count) { return count * factor }
    }
    report(.badDuration(text, at: node))
    return nil
  }

  /// `+09:00`, `-05:30` or `Z`, as seconds east of UTC.
  mutating func readZone(_ node: ConfigNode) -> Int? {
    guard let text = readText(node) else { return nil }
    guard let seconds = UTCOffset.seconds(text) else {
      report(.badZone(text, at: node))
      return nil
    }
    return seconds
  }

  // MARK: Collections

  mutating func readTexts(_ node: ConfigNode) -> [String]? {
    guard let elements = readElements(node) else { return nil }
    let texts = elements.map { readText($0) }
    return texts.contains(nil) ? nil : texts.compactMap(\.self)
  }

  mutating func readElements(_ node: ConfigNode) -> [ConfigNode]? {
    guard node.json.kind == .array else {
      report(.wrongType("an array", at: node))
      return nil
    }
    return node.elements
  }

  /// The members of an object whose names the config chooses freely.
  mutating func readMembers(_ node: ConfigNode) -> [ConfigMember]? {
    guard node.json.kind == .object else {
      report(.wrongType("an object", at: node))
      return nil
    }
    return node.members
  }

  /// Checks that a node is an object with none but the `known` keys.
  ///
  /// - Parameter reserved: keys of later versions, allowed with a warning.
  mutating func checkKeys(_ node: ConfigNode, known: [String], reserved: [String] = []) -> Bool {
    guard let members = readMembers(node) else { return false }
    for member in members where !known.contains(member.name) {
      if reserved.contains(member.name) {
        report(.reservedKey(member.name, at: member.key))
      } else if member.name != "$comment" {
        report(.unknownKey(member.name, among: known, at: member.key))
      }
    }
    return true
  }

  // MARK: Texts with a grammar

  mutating func readRegularExpression(_ node: ConfigNode) -> IRegexp? {
    guard let text = readText(node) else { return nil }
    do {
      return try IRegexp(text, allowingNamedGroups: true)
    } catch {
      report(.badRegularExpression(error.message, at: node.place(ofDecodedOffset: error.offset)))
      return nil
    }
  }

  mutating func readTimeFormat(_ node: ConfigNode) -> TimeFormat? {
    guard let text = readText(node) else { return nil }
    guard let format = try? TimeFormat(text) else {
      report(.badTimeFormat(text, at: node))
      return nil
    }
    return format
  }

  /// A path of RFC 9535.
  ///
  /// - Parameter isSingleValue: whether one value is needed, so that a path which can select several is worth a warning.
  mutating func readPath(_ node: ConfigNode, isSingleValue: Bool = true) -> PathSpec? {
    guard let text = readText(node) else { return nil }
    let query: JSONPathQuery
    do {
      query = try JSONPathQuery(text)
    } catch {
      report(.badPath(error.message, at: node.place(ofDecodedOffset: error.offset)))
      return nil
    }
    if isSingleValue, !query.isSingular { report(.pathSelectsMany(text, at: node)) }
    var templates: [Int: Template] = [:]
    for (index, step) in (query.singularSteps ?? []).enumerated() {
      guard case .member(let name) = step, name.contains("{") else { continue }
      guard let template = template(in: name, at: node, known: Template.pairPlaceholders) else { return nil }
      templates[index] = template
    }
    return PathSpec(query: query, templates: templates, node: node)
  }

  mutating func readTemplate(_ node: ConfigNode, known: [String]) -> Template? {
    guard let text = readText(node) else { return nil }
    return template(in: text, at: node, known: known)
  }

  private mutating func template(in text: String, at node: ConfigNode, known: [String]) -> Template? {
    do {
      let template = try Template(text)
      for (name, offset) in template.plainNames where !known.contains(name) {
        report(.unknownPlaceholder(name, known: known, at: node.place(ofDecodedOffset: offset)))
      }
      return template
    } catch {
      report(.badTemplate(error.message, at: node.place(ofDecodedOffset: error.offset)))
      return nil
    }
  }
}
