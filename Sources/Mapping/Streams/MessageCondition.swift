package import Config
package import HTTP
import JSON
import Quotes

/// Readings of single messages and responses, outside any channel.
package enum MessageCondition {
  /// Returns whether all conditions hold for a message; one that is not JSON is treated as a string.
  package static func holds(_ conditions: [ConditionSpec], for message: [UInt8]) -> Bool {
    guard let document = AnswerReader.document(message) ?? AnswerReader.document(message.asJSONString) else {
      return false
    }
    let row = TreeRow(document.root)
    return conditions.allSatisfy { TreeCondition($0).holds(for: row) }
  }

  /// Returns what the values of `set` find in a handshake response.
  ///
  /// - Throws: `AnswerFailure` if the response is an error, or if any of them is missing.
  package static func values(
    of handshake: ConnectionSpec.Handshake, for connection: ConnectionSpec, in answer: HTTPResponse
  ) throws(AnswerFailure) -> [String: MessageValue] {
    guard let document = AnswerReader.document(answer.body) else { throw AnswerFailure(.notJSON) }
    try AnswerReader.requireSuccess(of: answer, document, handshake.table.success)
    let row = TreeRow(document.root)
    var values: [String: MessageValue] = [:]
    for (name, value) in handshake.values {
      guard let text = TreeValue(value).text(of: row) else {
        throw AnswerFailure(.pathMiss, "the answer lacks '\(name)', which \(connection.place(of: name)) needs")
      }
      values[name] = MessageValue(text: text, isNumber: false)
    }
    return values
  }
}

extension [UInt8] {
  /// A message that is not JSON, as a JSON string.
  var asJSONString: [UInt8] {
    var writer = JSONWriter()
    writer.string(String(decoding: self, as: UTF8.self))
    return writer.bytes
  }
}
