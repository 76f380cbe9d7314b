/// The words of a column that distinguishes traded pairs from others, most frequent first.
package struct PairStates: Sendable, Hashable {
  package let path: String
  package let words: [WordCount]
  /// The word for pairs that are traded; nil if none of them is known, or several are. In some tables most pairs are not
  /// traded any more, so it need not be the most frequent one.
  package let traded: String?

  private static let names: Set<String> = [
    "state", "status", "active", "enabled", "enable", "tradable", "tradeable", "trading", "listed", "online",
  ]
  /// The names of columns that say the opposite.
  private static let namesOfStopped: Set<String> = ["frozen", "delisted", "halted", "suspended"]
  private static let wordsOfTraded: Set<String> = [
    "trading", "traded", "tradable", "tradeable", "open", "opened", "online", "active", "enabled", "enable", "live",
    "normal", "listed", "on", "ok", "up", "started", "true", "yes", "1",
  ]
  private static let denials: Set<String> = ["false", "no", "off", "none", "0"]

  /// Returns nil if the column is something else, or the same for all pairs.
  init?(_ column: SampleColumn) {
    let chunks = FieldName.chunks(of: column.title).map { $0.lowercased() }
    let isOfStopped = chunks.contains(where: Self.namesOfStopped.contains)
    guard isOfStopped || chunks.contains(where: Self.names.contains) else { return nil }
    var counts: [String: Int] = [:]
    for text in column.texts { if let text, !text.isEmpty { counts[text, default: 0] += 1 } }
    guard let words = [WordCount](counts, atMost: 6) else { return nil }
    (path, self.words) = (column.path.text, words)
    let found = words.map(\.text).filter { (isOfStopped ? Self.denials : Self.wordsOfTraded).contains($0.lowercased()) }
    traded = found.count == 1 ? found[0] : nil
  }
}
