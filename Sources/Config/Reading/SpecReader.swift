import JSON
import JSONPath
import Quotes

/// A reader that turns config nodes into typed values and collects what is wrong with them.
///
/// Every `read…` method returns nil after reporting why, so that one run finds every problem; callers never report
/// again.
package struct SpecReader {
  package private(set) var diagnostics: [Finding] = []
  /// Inherited text is read once per inheriting exchange, but each finding in it is reported once.
  private var reported: Set<Finding> = []

  /// The results for text that several tables of an exchange share: their `success`, and the values of their fields.
  private var successes: [JSONNode: SuccessSpec] = [:]
  private var values: [JSONNode: ValueSpec] = [:]

  /// The names that templates may use while a lookup's `match` is read; nil otherwise.
  var matchNames: [String]?

  /// Whether the path of an `is: present` condition may select several values.
  var allowsMultiValuePresence = false
  /// Whether the path being read belongs to such a condition.
  var isReadingPresenceTest = false
  /// The exchange whose tables are being read; nil for a rate provider's.
  var source: ExchangeSource?
  /// Whether `from: "row"` names the row that contains the one that `$` is.
  var rowIsNamed = false

  /// The compiled-in hooks; nil if unknown.
  private let hooks: [String]?
  /// Hosts on this machine or its network that may appear alongside others, according to the user's own file.
  let localHosts: [String]

  package init(hooks: [String]? = nil, localHosts: [String] = []) {
    (self.hooks, self.localHosts) = (hooks, localHosts)
  }

  /// Returns whether any finding after the first `count` is an error.
  func hasErrors(since count: Int) -> Bool { diagnostics[count...].contains { $0.severity == .error } }

  package mutating func report(_ diagnostic: Finding) {
    if reported.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
  }

  /// Reports why a node cannot be read, and returns nil.
  mutating func rejected<Value>(_ diagnostic: Finding) -> Value? {
    report(diagnostic)
    return nil
  }

  // MARK: Shared texts

  /// Reads a `success` value unless another table has already read it.
  mutating func readSharedSuccess(_ node: ConfigNode) -> SuccessSpec {
    if let known = successes[node.json] { return known }
    let success = readSuccess(node)
    successes[node.json] = success
    return success
  }

  /// Reads a field's value with `read`, unless another table has already read it and this one has the lookups it needs.
  mutating func readSharedValue(
    _ node: ConfigNode, lookups: [String], by read: (inout SpecReader) -> ValueSpec?
  ) -> ValueSpec? {
    if let known = values[node.json], known.lookupNames.isSubset(of: lookups) { return known }
    let value = read(&self)
    if let value { values[node.json] = value }
    return value
  }

  // MARK: Scalars

  mutating func readText(_ node: ConfigNode) -> String? {
    node.json.string ?? rejected(.wrongType("a string", at: node))
  }

  mutating func readHook(_ node: ConfigNode) -> String? {
    guard let name = readText(node) else { return nil }
    if let hooks, !hooks.contains(name) { return rejected(.unknownHook(name, known: hooks, at: node)) }
    return name
  }

  mutating func readBoolean(_ node: ConfigNode) -> Bool? {
    node.json.boolean ?? rejected(.wrongType("true or false", at: node))
  }

  mutating func readInteger(_ node: ConfigNode, in range: ClosedRange<Int>) -> Int? {
    guard let text = node.json.numberText else { return rejected(.wrongType("a number", at: node)) }
    if let value = Int(text), range.contains(value) { return value }
    return rejected(.invalidNumber("a whole number from \(range.lowerBound) to \(range.upperBound)", at: node))
  }

  /// Reads an exact number greater than zero, as a JSON number or a string (`1e-8` or `"1e-8"`).
  mutating func readPositiveDecimal(_ node: ConfigNode) -> Decimal? {
    guard let text = node.json.numberText ?? node.json.string else { return rejected(.wrongType("a number", at: node)) }
    guard let value = Decimal(text), value.signum > 0 else {
      return rejected(.invalidNumber("a number above zero", at: node))
    }
    // No number of an exchange has as many digits.
    guard value >= Decimal(1).scaledByPowerOfTen(-30), value <= Decimal(1).scaledByPowerOfTen(30) else {
      return rejected(.invalidNumber("a number from 1e-30 to 1e30", at: node))
    }
    return value
  }

  mutating func readCase<Value: RawRepresentable & CaseIterable>(_ node: ConfigNode, as type: Value.Type) -> Value?
  where Value.RawValue == String {
    guard let text = readText(node) else { return nil }
    return Value(rawValue: text) ?? rejected(.unknownValue(Value.allCases.map(\.rawValue), found: text, at: node))
  }

  /// Reads a duration in milliseconds: `500ms`, `5s`, `1m`, `1h`, `1d`.
  mutating func readMilliseconds(_ node: ConfigNode, in range: DurationRange) -> Int? {
    guard let text = readText(node) else { return nil }
    if let milliseconds = DurationText.milliseconds(text), range.contains(milliseconds) { return milliseconds }
    return rejected(
      DurationRange.isDuration(text) ? .durationOutOfRange(text, range, at: node) : .invalidDuration(text, at: node))
  }

  /// Reads an offset in seconds east of UTC: `+09:00`, `-05:30` or `Z`.
  mutating func readZone(_ node: ConfigNode) -> Int? {
    guard let text = readText(node) else { return nil }
    return UTCOffset.seconds(text) ?? rejected(.invalidOffset(text, at: node))
  }

  /// The language has only had one version so far.
  mutating func checkVersion(_ node: ConfigNode) -> Bool {
    guard let text = node.json.numberText, let version = Decimal(text) else {
      report(.wrongType("a number", at: node))
      return false
    }
    if version == Decimal(1) { return true }
    report(version > Decimal(1) ? .unsupportedVersion(text, at: node) : .invalidNumber("version 1", at: node))
    return false
  }

  // MARK: Collections

  mutating func readTexts(_ node: ConfigNode) -> [String]? {
    guard let elements = readElements(node) else { return nil }
    let texts = elements.map { readText($0) }
    return texts.contains(nil) ? nil : texts.compactMap(\.self)
  }

  /// More than anyone writes by hand; a larger, machine-made object could keep a run busy for hours.
  static let maximumMembers = 10_000

  mutating func readElements(_ node: ConfigNode) -> [ConfigNode]? {
    guard node.json.kind == .array else { return rejected(.wrongType("an array", at: node)) }
    return isBounded(node, by: Self.maximumMembers) ? node.elements : nil
  }

  private mutating func isBounded(_ node: ConfigNode, by maximum: Int) -> Bool {
    if node.json.count <= maximum { return true }
    report(.invalidNumber("at most \(maximum) members, found \(node.json.count)", at: node))
    return false
  }

  /// Reads the members of an object with free member names.
  mutating func readMembers(_ node: ConfigNode, atMost maximum: Int = maximumMembers) -> [ConfigMember]? {
    checkObject(node, atMost: maximum) ? node.members : nil
  }

  /// Checks that a node is an object, with no more than so many members.
  mutating func checkObject(_ node: ConfigNode, atMost maximum: Int = maximumMembers) -> Bool {
    isObject(node) && isBounded(node, by: maximum)
  }

  private mutating func isObject(_ node: ConfigNode) -> Bool {
    if node.json.kind == .object { return true }
    report(.wrongType("an object", at: node))
    return false
  }

  /// Returns the value of a key that an object must have.
  mutating func required(_ key: String, of node: ConfigNode, in what: String) -> ConfigNode? {
    node[key] ?? rejected(.missingKey(key, in: what, at: node))
  }

  /// Checks that a node is an object with only `known` keys.
  ///
  /// - Parameter reserved: keys of later versions, allowed with a warning.
  mutating func checkKeys(_ node: ConfigNode, known: [String], reserved: [String] = []) -> Bool {
    guard isObject(node) else { return false }
    for (name, key, _) in node.json.members where !known.contains(name) {
      if reserved.contains(name) {
        report(.reservedKey(name, at: ConfigNode(file: node.file, json: key)))
      } else if name != "$comment" {
        report(.unknownKey(name, among: known, at: ConfigNode(file: node.file, json: key)))
      }
    }
    return true
  }

  /// Checks that a node is an object with only the keys of a shape.
  mutating func checkKeys(_ node: ConfigNode, _ shape: ObjectShape) -> Bool {
    checkKeys(node, known: shape.names, reserved: shape.reserved)
  }

  /// Reports names that occur twice in an object, at any depth.
  ///
  /// - Parameter blocks: the nodes to skip.
  mutating func checkDuplicates(in node: ConfigNode, apartFrom blocks: [ConfigNode] = []) {
    let blocks = blocks.map(\.json).sorted { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
    for key in node.json.duplicateMembers(apartFrom: blocks) {
      let place = ConfigNode(file: node.file, json: key)
      report(.duplicateKey(key.string ?? "", at: place, fix: node.file.removal(ofDuplicate: key)))
    }
  }

  // MARK: Strings with a grammar

  mutating func readRegularExpression(_ node: ConfigNode) -> IRegexp? {
    guard let text = readText(node) else { return nil }
    if text.hasPrefix("^") { report(.anchor("^", at: node.place(ofDecodedOffset: 0))) }
    if text.hasSuffix("$"), !text.hasSuffix("\\$") {
      report(.anchor("$", at: node.place(ofDecodedOffset: text.utf8.count - 1)))
    }
    do {
      return try IRegexp(text, allowingNamedGroups: true)
    } catch {
      return rejected(.invalidRegularExpression(error.message, at: node.place(ofDecodedOffset: error.offset)))
    }
  }

  /// Reads a regular expression with a `value` group, which is what a `capture` keeps.
  mutating func readCapture(_ node: ConfigNode) -> IRegexp? {
    guard let expression = readRegularExpression(node) else { return nil }
    guard expression.groupNames.contains("value") else {
      return rejected(.invalidRegularExpression("missing group (?<value>…)", at: node.place))
    }
    return expression
  }

  mutating func readTimeFormat(_ node: ConfigNode) -> TimeFormat? {
    guard let text = readText(node) else { return nil }
    do {
      let format = try TimeFormat(text)
      if !format.canBeRead { report(.invalidTimeFormat("it has no year, written 'yyyy'", at: node.place)) }
      return format
    } catch {
      return rejected(.invalidTimeFormat(error.problem, at: node.place(ofDecodedOffset: error.offset)))
    }
  }

  /// Reads an RFC 9535 path.
  ///
  /// - Parameters:
  ///   - isSingleValue: whether one value is needed, so that a path that can select several deserves a warning.
  ///   - placeholders: the names that a template in a quoted name may use.
  mutating func readPath(
    _ node: ConfigNode, isSingleValue: Bool = true, placeholders: [String] = Template.pairPlaceholders
  ) -> PathSpec? {
    guard let text = readText(node) else { return nil }
    let query: JSONPathQuery
    do {
      query = try JSONPathQuery(text)
    } catch {
      return rejected(.invalidPath(error.message, at: node.place(ofDecodedOffset: error.offset)))
    }
    if isSingleValue, !isReadingPresenceTest, !query.isSingular { report(.pathSelectsMany(text, at: node)) }
    var templates: [Int: Template] = [:]
    var end = 0
    for (index, step) in (query.singularSteps ?? query.rowContainerSteps ?? []).enumerated() {
      guard case .member(let name) = step, name.contains("{") else { continue }
      // Names come in source order. One written with escapes is not found, and is reported at the start of the path.
      let start = text.utf8Offset(of: name, from: end)
      end = (start ?? end) + name.utf8.count
      guard let template = template(in: name, at: node, offset: start, known: placeholders) else { return nil }
      for piece in template.pieces {
        guard case .placeholder(let placeholder, _) = piece else { continue }
        guard placeholder.name != nil else {
          return rejected(
            .invalidTemplate("a name in a path can only be filled in with the row's pair", at: node.place))
        }
        guard query.isSingular || placeholders.isEmpty else {
          return rejected(.invalidTemplate("only a path to one value can be filled in", at: node.place))
        }
      }
      if template.isNumber { report(.numberInText(at: node)) }
      templates[index] = template
    }
    return PathSpec(query: query, templates: templates, node: node)
  }

  /// - Parameter isJSON: whether it is a string of JSON that is sent, which `|number` makes a number.
  mutating func readTemplate(_ node: ConfigNode, known: [String], isJSON: Bool = false) -> Template? {
    guard let text = readText(node), let template = template(in: text, at: node, known: known) else { return nil }
    if template.isNumber, !isJSON { report(.numberInText(at: node)) }
    return template
  }

  /// - Parameter offset: the start of the template in the decoded text of the node; nil if unknown.
  private mutating func template(in text: String, at node: ConfigNode, offset: Int? = 0, known: [String]) -> Template? {
    func place(_ inside: Int) -> Place { offset.map { node.place(ofDecodedOffset: $0 + inside) } ?? node.place }
    do {
      let template = try Template(text)
      for (name, offset) in template.plainNames where !known.contains(name) {
        report(.unknownPlaceholder(name, known: known, at: place(offset)))
      }
      return template
    } catch {
      return rejected(.invalidTemplate(error.message, at: place(error.offset)))
    }
  }
}

extension String {
  /// Returns the first offset at or after `start` where `part` begins, both counted in UTF-8.
  fileprivate func utf8Offset(of part: String, from start: Int) -> Int? {
    let bytes = Array(utf8)
    let wanted = Array(part.utf8)
    guard !wanted.isEmpty, start + wanted.count <= bytes.count else { return nil }
    return (start...(bytes.count - wanted.count)).first { bytes[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }
}
