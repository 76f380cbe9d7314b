import JSON
import JSONPath

extension SpecReader {
  mutating func readSuccess(_ node: ConfigNode) -> SuccessSpec {
    var success = SuccessSpec()
    guard checkKeys(node, .success) else { return success }
    success.conditions = node["where"].map { readResponseConditions($0) } ?? []
    success.code = node["code"].flatMap { readPath($0, placeholders: []) }
    success.messages = (node["message"].flatMap { readElements($0) } ?? []).compactMap {
      readPath($0, placeholders: [])
    }
    success.unlisted = node["unlisted"].map { readResponseConditions($0) } ?? []
    return success
  }

  /// Conditions on the answer as a whole: there is no row yet, and so no key.
  private mutating func readResponseConditions(_ node: ConfigNode) -> [ConditionSpec] {
    let conditions = readConditions(node)
    for condition in conditions {
      refuse([.key, .request], in: condition.value, of: "a rule for success")
      refuseTemplates(in: condition.value, of: "a rule for success")
    }
    return conditions
  }

  /// Reports sources that a value of that place cannot have.
  mutating func refuse(_ sources: [ValueSpec.Source], in value: ValueSpec, of what: String) {
    if case .path(_, let source) = value.origin, sources.contains(source), let from = value.node["from"] {
      report(.sourceNotHere(from.json.string ?? "", in: what, at: from))
    }
    for part in value.parts { refuse(sources, in: part, of: what) }
  }

  /// Reports names with a template where no row's pair is known yet: they would be filled with nothing.
  mutating func refuseTemplates(in value: ValueSpec, of what: String) {
    if case .path(let path?, _) = value.origin, !path.templates.isEmpty {
      report(.badTemplate("the pair is not known yet in \(what)", at: path.node.place))
    }
    for part in value.parts { refuseTemplates(in: part, of: what) }
  }

  mutating func readRows(_ node: ConfigNode) -> RowsSpec? {
    if node.json.kind == .string { return readPath(node, isSingleValue: false, placeholders: []).map { .path($0) } }
    guard checkKeys(node, .zip) else { return nil }
    guard let zip = node["zip"] else {
      report(.missingKey("zip", in: "\"rows\"", at: node))
      return nil
    }
    let paths = (readElements(zip) ?? []).compactMap { readPath($0, placeholders: []) }
    guard paths.count >= 2 else {
      report(.badRows("\"zip\" needs at least two paths", at: zip))
      return nil
    }
    return .zip(paths)
  }
}
