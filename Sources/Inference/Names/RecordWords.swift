/// The names and words that several kinds of records have in common, folded. What only one of them is called is beside
/// what looks for it.
enum RecordWords {
  /// Names of the price of a trade or of a level.
  static let prices: Set<String> = ["price", "p", "px", "rate"]

  /// Names of the size of a trade or of a level; some may also be those of its worth.
  static let sizes: Set<String> = ["size", "sz", "qty", "quantity", "q", "amount", "amt", "volume", "vol", "v"]

  /// The units of candle intervals of a fixed length, with their words, the longest last.
  static let units: [(seconds: Int, words: [String])] = [
    (1, ["s", "sec", "second", "seconds"]), (60, ["m", "min", "mins", "minute", "minutes"]),
    (3600, ["h", "hr", "hour", "hours"]), (86_400, ["d", "day", "days"]), (604_800, ["w", "week", "weeks"]),
  ]

  /// The words for the unit of any candle interval.
  static let intervals = Set(units.flatMap(\.words) + ["mon", "month"])
}
