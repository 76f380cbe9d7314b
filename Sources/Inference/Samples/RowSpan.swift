import Quotes

/// The span that rows say their figures are of, by the moments at which it begins and ends.
///
///     {"openTime": 1795420000000, "closeTime": 1795420059999, "high": …}  // a minute
///
/// It tells candles apart. Of tickers it says nothing: some exchanges send two moments of the last seconds beside figures
/// of 24 hours.
struct RowSpan {
  private let begin: SampleColumn
  private let end: SampleColumn
  /// Rounded; the last millisecond of a span is its end as well.
  private let seconds: Int64
  /// Whether most rows begin at another moment than a whole quarter of an hour, as no day does.
  private let isRolling: Bool

  /// Returns nil if rows have no two such moments, or if their distances differ by more than a tenth.
  init?(_ columns: [SampleColumn]) {
    let times = columns.filter(\.isTimeLike)
    guard let begin = times.first(where: { Self.isNamed($0, Self.begins, "t") }),
      let end = times.first(where: { Self.isNamed($0, Self.ends, "T") }),
      let first = TimeRole.form(of: begin.presentTexts), let last = TimeRole.form(of: end.presentTexts)
    else { return nil }
    let moments = bothKnown(begin.texts, end.texts).compactMap { from, to -> (from: Instant, to: Instant)? in
      guard let from = TimeRole.moment(from, first), let to = TimeRole.moment(to, last) else { return nil }
      return (from, to)
    }
    let spans = moments.map { $0.to.advanced(by: .milliseconds(500)).nanoseconds(since: $0.from) / Instant.second }
    isRolling = moments.count { $0.from.nanoseconds % (15 * Instant.minute) != 0 } * 2 > moments.count
    guard let least = spans.min(), let most = spans.max(), least > 0, most - least <= most / 10 else { return nil }
    (self.begin, self.end, seconds) = (begin, end, most)
  }

  private static let begins: Set = ["open", "start", "begin", "from", "since"]
  private static let ends: Set = ["close", "end", "to", "until"]
  /// What else such a name may have: `window_start_ts`.
  private static let rest = [
    "timestamp", "datetime", "time", "date", "period", "window", "interval", "candle", "kline", "bar", "ts", "ms", "at",
  ]

  private static func isNamed(_ column: SampleColumn, _ words: Set<String>, _ letter: String) -> Bool {
    column.title == letter || words.contains(rest.reduce(column.plainName) { $0.replacing($1, with: "") })
  }

  /// Why figures of it are not those of 24 hours; nil if they are.
  var doubt: String? {
    guard (seconds - 86_400).magnitude > 3600 else { return nil }
    return text
  }

  /// How the moments show that figures between them are of the last 24 hours, rather than of a day; nil if they do not.
  var windowEvidence: String? { isRolling && (seconds - 86_400).magnitude <= 60 ? text : nil }

  private var text: String {
    let unit = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")].first { seconds % $0.0 == 0 }
    let text = unit.map { Int(seconds / $0.0).counted($0.1) } ?? ""
    return "'\(end.path.text)' is \(text) after '\(begin.path.text)'"
  }
}
