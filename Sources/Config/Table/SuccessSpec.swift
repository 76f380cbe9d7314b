import JSON
import JSONPath

/// The way to tell a successful response from a refusal.
package struct SuccessSpec: Sendable {
  /// What a response for one pair shows if the exchange does not list it, or does not trade it now.
  package enum PairSign: Sendable {
    case body(ConditionSpec)
    /// The HTTP status, regardless of the body.
    case status(Int)

    package var condition: ConditionSpec? { if case .body(let condition) = self { condition } else { nil } }
  }

  package var conditions: [ConditionSpec] = []
  /// The exchange's own error code.
  package var code: ValueSpec?
  package var messages: [PathSpec] = []
  /// If all signs of one list are present, the exchange does not list the pair.
  package var unlisted: [[PairSign]] = []
  /// If all signs of one list are present, the exchange lists the pair, but does not trade it now.
  package var halted: [[PairSign]] = []

  package init() {}

  /// The conditions of all signs.
  package var signConditions: [ConditionSpec] { (unlisted + halted).flatMap { $0.compactMap(\.condition) } }
}

extension SpecReader {
  mutating func readSuccess(_ node: ConfigNode) -> SuccessSpec {
    var success = SuccessSpec()
    guard checkKeys(node, .success) else { return success }
    let conditions = node["where"].flatMap { readElements($0) }
    success.conditions = conditions.map { readConditions($0, onWhole: "a success rule") } ?? []
    success.code = node["code"].flatMap { readCode($0) }
    success.messages = (node["message"].flatMap { readElements($0) } ?? []).compactMap {
      readPath($0, placeholders: [])
    }
    success.unlisted = readSignLists(node["unlisted"])
    success.halted = readSignLists(node["halted"])
    return success
  }

  private mutating func readSignLists(_ node: ConfigNode?) -> [[SuccessSpec.PairSign]] {
    (node.flatMap { readElements($0) } ?? []).map { readSigns($0) }
  }

  /// Reads the code: a path, or an object that says which part of the text is the code.
  private mutating func readCode(_ node: ConfigNode) -> ValueSpec? {
    guard node.json.kind == .object else {
      return readPath(node, placeholders: []).map { ValueSpec(.path($0, from: .row), node: node) }
    }
    let code = readValue(node, as: .text, lookups: [])
    if let code { refuseRowSources(in: code, of: "a success rule") }
    return code
  }

  /// Reads one sign of an unlisted or halted pair, or several that must occur together.
  private mutating func readSigns(_ node: ConfigNode) -> [SuccessSpec.PairSign] {
    guard node.json.kind == .array else { return [readSign(node)].compactMap(\.self) }
    if node.elements.isEmpty { report(.wrongType("at least one condition", at: node)) }
    return node.elements.compactMap { readSign($0) }
  }

  private mutating func readSign(_ node: ConfigNode) -> SuccessSpec.PairSign? {
    guard let status = node["status"] else {
      return readConditions([node], onWhole: "a success rule").first.map { .body($0) }
    }
    guard checkKeys(node, known: ["status"]) else { return nil }
    return readInteger(status, in: IntegerRange.status).map { .status($0) }
  }

  /// Reads conditions on a response or message as a whole.
  mutating func readConditions(_ nodes: [ConfigNode], onWhole what: String) -> [ConditionSpec] {
    let conditions = readConditions(nodes, lookups: [])
    for condition in conditions { refuseRowSources(in: condition.value, of: what) }
    return conditions
  }

  /// Reports sources that a value of a whole response or message cannot have: there is no row yet, and so no key.
  mutating func refuseRowSources(in value: ValueSpec, of what: String) {
    refuse([.key, .request], in: value, of: what)
    refuseTemplates(in: value, of: what)
  }

  /// Reports sources that are not available to this value.
  mutating func refuse(_ sources: [ValueSpec.Source], in value: ValueSpec, of what: String) {
    if case .path(_, let source) = value.origin, sources.contains(source), let from = value.node["from"] {
      report(.misplacedSource(from.json.string ?? "", in: what, at: from))
    }
    for part in value.parts { refuse(sources, in: part, of: what) }
  }

  /// Reports names with a template where no row's pair is known yet, which would leave the template empty.
  mutating func refuseTemplates(in value: ValueSpec, of what: String) {
    if case .path(let path?, _) = value.origin, !path.templates.isEmpty {
      report(.invalidTemplate("the pair is not known yet in \(what)", at: path.node.place))
    }
    for part in value.parts { refuseTemplates(in: part, of: what) }
  }

  mutating func readRows(_ node: ConfigNode) -> RowsSpec? {
    if node.json.kind == .string { return readPath(node, isSingleValue: false, placeholders: []).map { .path($0) } }
    guard checkKeys(node, .zip) else { return nil }
    guard let zip = required("zip", of: node, in: "'rows'") else { return nil }
    let paths = (readElements(zip) ?? []).compactMap { readPath($0, isSingleValue: false, placeholders: []) }
    guard paths.count >= 2 else { return rejected(.invalidRows("expected at least two paths in 'zip'", at: zip)) }
    return .zip(paths)
  }
}
