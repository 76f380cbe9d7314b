package import JSON

/// What is wrong with a cassette, and where.
package struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// nil where the file as a whole is meant.
  package var position: SourcePosition?
  package var message: String

  /// `Bitget/01-tickers.json:3:12: error: …`; the message alone where it is about the file as a whole and names it.
  package var description: String {
    if let position { return "\(file):\(position.line):\(position.column): error: \(message)" }
    return message.contains("'\(file)'") ? message : "\(file): \(message)"
  }
}
