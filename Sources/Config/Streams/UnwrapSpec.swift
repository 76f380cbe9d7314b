import JSON
package import JSONPath

/// Texts in a message that hold JSON, which takes their place before the message is read.
package struct UnwrapSpec: Sendable {
  /// Where the texts are. A message that is not JSON is a text itself, at `$`.
  package let path: PathSpec
  /// Must match an entire text; the `value` group is the JSON in it. nil if all of it is.
  package let capture: IRegexp?
}

extension SpecReader {
  /// Reads a path, an object, or a list of these, each of which finds what the one before has left.
  mutating func readUnwrapping(_ node: ConfigNode) -> [UnwrapSpec] {
    guard node.json.kind == .array else { return [readUnwrap(node)].compactMap(\.self) }
    guard let elements = readElements(node) else { return [] }
    if elements.isEmpty { report(.wrongType("at least one path", at: node)) }
    return elements.compactMap { readUnwrap($0) }
  }

  private mutating func readUnwrap(_ node: ConfigNode) -> UnwrapSpec? {
    if node.json.kind == .string { return readTextPath(node).map { UnwrapSpec(path: $0, capture: nil) } }
    guard checkKeys(node, .streamUnwrap) else { return nil }
    let (path, capture) = (node["path"], node["capture"])
    if path == nil, capture == nil { return rejected(.missingKeys("'path' or 'capture'", in: "'unwrap'", at: node)) }
    let texts = path.map { readTextPath($0) } ?? PathSpec.root(at: node)
    guard let texts else { return nil }
    guard let capture else { return UnwrapSpec(path: texts, capture: nil) }
    return readCapture(capture).map { UnwrapSpec(path: texts, capture: $0) }
  }

  /// Reads a path to any number of texts.
  private mutating func readTextPath(_ node: ConfigNode) -> PathSpec? {
    readPath(node, isSingleValue: false, placeholders: [])
  }
}
