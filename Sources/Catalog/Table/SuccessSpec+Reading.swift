import JSON
import JSONPath

extension SpecReader {
  mutating func readSuccess(_ node: ConfigNode) -> SuccessSpec {
    var success = SuccessSpec()
    guard checkKeys(node, known: ["where", "code", "message", "unlisted"]) else { return success }
    success.conditions = node["where"].map { readConditions($0) } ?? []
    success.code = node["code"].flatMap { readPath($0) }
    success.messages = (node["message"].flatMap { readElements($0) } ?? []).compactMap { readPath($0) }
    success.unlisted = node["unlisted"].map { readConditions($0) } ?? []
    return success
  }

  mutating func readRows(_ node: ConfigNode) -> RowsSpec? {
    if node.json.kind == .string { return readPath(node, isSingleValue: false).map { .path($0) } }
    guard checkKeys(node, known: ["zip"]) else { return nil }
    guard let zip = node["zip"] else {
      report(.missingKey("zip", in: "\"rows\"", at: node))
      return nil
    }
    let paths = (readElements(zip) ?? []).compactMap { readPath($0) }
    guard paths.count >= 2 else {
      report(.badRows("\"zip\" needs at least two paths", at: zip))
      return nil
    }
    return .zip(paths)
  }
}
