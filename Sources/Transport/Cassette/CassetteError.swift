package import JSON

/// What is wrong with a cassette, and where.
package struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// nil where the file as a whole is meant.
  package var position: SourcePosition?
  package var message: String

  /// `Bitget/01-tickers.json:3:12: error: …`
  package var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file)\(place): error: \(message)"
  }
}
