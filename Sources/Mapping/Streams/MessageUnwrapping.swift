import Config
import JSON
import JSONPath

/// The texts in the messages of a connection that hold JSON.
struct MessageUnwrapping: Sendable {
  private let steps: [UnwrapSpec]

  /// Returns nil if the messages have no such texts.
  init?(_ spec: StreamSpec) {
    guard !spec.unwrap.isEmpty else { return nil }
    steps = spec.unwrap
  }

  /// Returns a message with objects and arrays in the place of the texts that hold them: `{"o":"[1]"}` becomes `{"o":[1]}`.
  /// Any other text stays as it is.
  ///
  /// - Returns: nil if a text begins like an object or array and is not valid JSON.
  func unwrapped(_ message: [UInt8]) -> [UInt8]? {
    var message = message
    for step in steps {
      guard let document = AnswerReader.document(message) ?? AnswerReader.document(message.asJSONString) else {
        return message
      }
      var parts: [(range: Range<Int>, text: [UInt8])] = []
      for node in step.path.query.nodes(in: document.root) {
        guard let text = Self.content(of: node, step.capture) else { continue }
        guard AnswerReader.document(text) != nil else { return nil }
        parts.append((node.byteRange, text))
      }
      if !parts.isEmpty { message = MessageMerge.replacing(parts, in: document.bytes) }
    }
    return message
  }

  /// Returns the object or array in a text, or what was meant to be one; nil if there is none.
  private static func content(of node: JSONNode, _ capture: IRegexp?) -> [UInt8]? {
    guard var text = node.string else { return nil }
    if let capture {
      guard let value = capture.captures(text)?["value"] else { return nil }
      text = value
    }
    let bytes = Array(text.utf8)
    return bytes.beginsLikeContainer ? bytes : nil
  }
}

extension [UInt8] {
  /// Whether it was meant to be a JSON object or array, valid or not.
  var beginsLikeContainer: Bool {
    first { $0 > 0x20 }.map { [UInt8(ascii: "{"), UInt8(ascii: "[")].contains($0) } ?? false
  }
}
