import Formats
import JSON
import Mapping
import MarketData
import Quotes

/// A report whose rows can be written one at a time, each as a line of JSON.
package protocol LineReport: Report {
  /// Returns newline-delimited JSON: one object per row with its exchange, market and pair, then one with the reason
  /// for each exchange without rows, or with only some.
  func ndjson() -> [UInt8]
  /// Additional notes for formats that have no room for them.
  var notes: [String] { get }
}

extension LineWriter {
  mutating func object(_ type: String, _ members: JSONValue) {
    object { writer in
      writer.member("type", type)
      writer.members(members)
    }
  }

  mutating func object<Value>(_ type: String, of answer: PairAnswer<Value>, _ members: JSONValue) {
    object { writer in
      writer.member("type", type)
      answer.write(into: &writer)
      writer.members(members)
    }
  }

  /// Returns all lines, ending with an object for each explained record, if requested, and one for each market with no
  /// data, or only partial data.
  mutating func finished<Value>(_ answers: [PairAnswer<Value>], isExplained: Bool) -> [UInt8] {
    for answer in answers where isExplained && !answer.explained.isEmpty {
      object("explain", of: answer, ["explain": Explanation.json(of: answer)])
    }
    for answer in answers {
      guard let failure = answer.failure else { continue }
      object("failure", of: answer, ["status": .string(answer.status)] + failure.json)
    }
    return bytes
  }
}

extension AnswerFailure {
  var json: JSONValue { ["reason": .string(reason.code), "message": .text(message)] }
}
