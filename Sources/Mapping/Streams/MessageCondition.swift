package import Config
package import HTTP
import JSON
import Quotes

/// Readings of single messages and responses, outside any channel.
package enum MessageCondition {
  /// Returns whether all conditions hold for a message; one that is not JSON is treated as a string.
  package static func holds(_ conditions: [ConditionSpec], for message: [UInt8]) -> Bool {
    guard let document = document(message) else { return false }
    let row = TreeRow(document.root)
    return conditions.allSatisfy { TreeCondition($0).holds(for: row) }
  }

  /// Returns what the values of `set` find in a handshake response.
  ///
  /// - Throws: `TableFailure` if the response is an error, or if any of them is missing.
  package static func values(
    of handshake: ConnectionSpec.Handshake, in answer: HTTPResponse
  ) throws(TableFailure) -> [String: MessageValue] {
    guard let document = AnswerReader.document(answer.body) else { throw TableFailure(.notJSON) }
    let row = TreeRow(document.root)
    let success = handshake.table.success
    let isSuccess = success.conditions.allSatisfy { TreeCondition($0).holds(for: row) }
    guard isSuccess, (200..<300).contains(answer.status) else {
      throw AnswerReader.failure(document, status: answer.status, isSuccess: isSuccess, success: success)
    }
    var values: [String: MessageValue] = [:]
    for (name, value) in handshake.values {
      guard let text = TreeValue(value).text(of: row) else {
        throw TableFailure(.pathMiss, "the answer lacks '\(name)', which the address of the stream needs")
      }
      values[name] = MessageValue(text: text, isNumber: false)
    }
    return values
  }

  private static func document(_ message: [UInt8]) -> JSONDocument? {
    if let document = AnswerReader.document(message) { return document }
    var writer = JSONWriter()
    writer.string(String(decoding: message, as: UTF8.self))
    return AnswerReader.document(writer.bytes)
  }
}
