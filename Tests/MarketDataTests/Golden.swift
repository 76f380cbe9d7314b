import Foundation
import JSON
import Testing

/// A text that was looked at once and must not change unseen.
///
/// With `MARKET_RECORD_GOLDENS=1` the text is written in place of being compared; such a run fails, so that nobody takes
/// it for a test.
enum Golden {
  static let isRecording = ProcessInfo.processInfo.environment["MARKET_RECORD_GOLDENS"] == "1"

  static func expect(_ bytes: [UInt8], is name: String, at location: SourceLocation = #_sourceLocation) throws {
    let path = "\(Project.goldens)/\(name)"
    let found = bytes + [UInt8(ascii: "\n")]
    if isRecording {
      try Project.write(found, to: path)
      Issue.record("\(name) was recorded: look at it and run again", sourceLocation: location)
      return
    }
    let text = String(decoding: found, as: UTF8.self)
    let wanted = String(decoding: try Project.bytes(path), as: UTF8.self)
    guard text != wanted else { return }
    let line = zip(text.split(separator: "\n"), wanted.split(separator: "\n")).first { $0 != $1 }
    Issue.record(
      "\(name) differs: \(line.map { "\($0.0) in the place of \($0.1)" } ?? "one is longer")", sourceLocation: location)
  }
}
