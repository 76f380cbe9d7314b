import Config
import Quotes

/// Whether a place has the times of rows: each as old, when it came, as such times were in the recording.
struct TimeLikeness {
  let score: Double
  let evidence: String
  /// How the times are written where it is not as the mapping says.
  let remark: String?

  private static let minute: Int64 = 60_000_000_000

  init(
    _ pairs: [(AnswerValue, AnswerValue)], _ reading: ValueSpec.TimeReading,
    _ arrivals: (recorded: Instant?, current: Instant?)
  ) {
    let own = Self.score(pairs, reading, reading, arrivals)
    guard own.score < 0.3 else {
      (score, evidence, remark) = (own.score, own.evidence, nil)
      return
    }
    let others: [(ValueSpec.TimeReading, String)] =
      TimeUnit.allCases.map { (.unit($0, offsetSeconds: 0), "\"unit\": \"\($0.rawValue)\"") }
      + [(.iso8601(offsetSeconds: 0), "\"unit\": \"iso8601\"")]
    let best = others.map { other in
      (Self.score(pairs, reading, other.0, arrivals), "it is written in another way now: \(other.1)")
    }.max { $0.0.score < $1.0.score }
    guard let best, best.0.score >= 0.5 else {
      (score, evidence, remark) = (own.score, own.evidence, nil)
      return
    }
    (score, evidence, remark) = (best.0.score * 0.8, best.0.evidence, best.1)
  }

  private static func score(
    _ pairs: [(AnswerValue, AnswerValue)], _ old: ValueSpec.TimeReading, _ new: ValueSpec.TimeReading,
    _ arrivals: (recorded: Instant?, current: Instant?)
  ) -> (score: Double, evidence: String) {
    let times = pairs.map { (old.instant($0.0.text), new.instant($0.1.text)) }
    let read = times.compactMap { pair in pair.1.map { (pair.0, $0) } }
    let count = "\(read.count) of \(pairs.count) \(pairs.count == 1 ? "row" : "rows")"
    guard !read.isEmpty else { return (0, "no times") }
    guard let current = arrivals.current else {
      // Without a clock any time of these decades will do.
      let near = read.count { old, new in
        old.map { new.nanoseconds(since: $0).magnitude < 10_000_000 * UInt64(minute) } ?? false
      }
      return (Double(near) / Double(pairs.count) * 0.7, "\(count) are times")
    }
    let worth = read.reduce(0.0) { sum, pair in
      let age = current.nanoseconds(since: pair.1)
      let usual = pair.0.flatMap { old in arrivals.recorded.map { $0.nanoseconds(since: old) } } ?? minute
      if age < -minute { return sum }
      // Divided, not multiplied: the times of an answer may lie anywhere.
      if age <= 60 * minute || age / 3 <= usual { return sum + 1 }
      return sum + (age <= 1440 * minute || age / 30 <= usual ? 0.6 : age <= 1_000_000 * minute ? 0.1 : 0)
    }
    return (worth / Double(pairs.count), "\(count) as old as recorded ones are")
  }
}

extension ValueSpec.TimeReading {
  /// The moment that a text says; nil where it is none.
  fileprivate func instant(_ text: String) -> Instant? {
    switch self {
    case .unit(let unit, let offset):
      Decimal(text).flatMap { Instant($0, unit: unit) }.map {
        Instant(nanoseconds: $0.nanoseconds.subtractingReportingOverflow(Int64(offset) * 1_000_000_000).partialValue)
      }
    case .iso8601(let offset): Instant.iso8601(text, defaultOffsetSeconds: offset)
    case .format(let format, let offset): format.parse(text, offsetSeconds: offset)
    }
  }
}
