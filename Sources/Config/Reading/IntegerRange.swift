/// The whole numbers that make sense for a key. The reader checks configs against them, and the schema names them.
enum IntegerRange {
  /// The requests of a limit; the levels, trades or candles of an answer, or of a stream's order book.
  static let counts = 1...1_000_000
  /// How much a request counts against its limit.
  static let cost = 0...100_000
  /// The keys of one request.
  static let batch = 1...10_000
  /// The pairs of a connection, or of one of its messages.
  static let pairs = 1...100_000
  /// The status of a response.
  static let status = 100...599
  /// How many levels a name is above a row.
  static let levelsUp = 1...9
  /// How many days before today a rate may be from.
  static let daysBack = 0...60
  /// The calls of a budget.
  static let calls = 1...10_000_000
  /// The time of a test vector, in milliseconds since 1970.
  static let milliseconds = 0...8_000_000_000_000
}
