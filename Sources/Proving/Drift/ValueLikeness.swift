import Config
import Quotes

/// The similarity of the values at two places, one in the recording and one in an answer, compared pair by pair.
struct ValueLikeness {
  /// From 0 (unrelated) to 1 (the same).
  private(set) var score: Double
  /// `40 of 40 rows within 3 points of the recorded value`.
  let evidence: String
  /// How times are written, if different from the mapping.
  let remark: String?
  /// Whether all compared values are the same, which proves little.
  private(set) var isConstant = false

  typealias Arrivals = (recorded: Instant?, current: Instant?)
  private typealias Pairs = [(old: AnswerValue, new: AnswerValue)]
  private typealias Numbers = [(old: Double, new: Double)]

  private init(_ score: Double, _ evidence: String, remark: String? = nil) {
    (self.score, self.evidence, self.remark) = (score, evidence, remark)
  }

  /// - Parameters:
  ///   - values: Of the same row in both answers; nil if an answer has none.
  ///   - arrivals: When the two answers arrived; nil if unknown.
  /// - Returns: nil if no row has both.
  init?(_ values: [(old: AnswerValue?, new: AnswerValue?)], of path: MappedPath, arrivals: Arrivals) {
    let wanted = values.compactMap { old, new in old.map { (old: $0, new: new) } }
    let pairs = wanted.compactMap { old, new in new.map { (old: old, new: $0) } }
    guard !pairs.isEmpty else { return nil }
    if let reading = path.value.time {
      self = Self.times(pairs, reading, arrivals)
    } else if pairs.count(where: { $0.old.number != nil }) * 10 >= pairs.count * 9 {
      self = Self.numbers(pairs, path)
    } else {
      self = Self.texts(pairs)
    }
    score *= Double(pairs.count) / Double(wanted.count)
    isConstant = wanted.count > 1 && Set(wanted.map(\.old.text)).count == 1
  }

  // MARK: Texts

  private static func texts(_ pairs: Pairs) -> ValueLikeness {
    let same = pairs.count { $0.old.text == $0.new.text }
    if same * 10 >= pairs.count * 9 {
      return ValueLikeness(share(same, of: pairs), "\(rows(same, of: pairs)) as recorded")
    }
    let alike = pairs.count { $0.old.folded == $0.new.folded }
    let shaped = pairs.count { $0.old.shape != nil && $0.old.shape == $0.new.shape }
    if shaped > alike {
      return ValueLikeness(share(shaped, of: pairs) * 0.6, "\(rows(shaped, of: pairs)) written like the recorded ones")
    }
    return ValueLikeness(
      share(alike, of: pairs) * 0.9, "\(rows(alike, of: pairs)) as recorded, except for case and punctuation")
  }

  // MARK: Numbers

  private static func numbers(_ pairs: Pairs, _ path: MappedPath) -> ValueLikeness {
    let numbers = pairs.compactMap { old, new in old.number.flatMap { old in new.number.map { (old: old, new: $0) } } }
    guard numbers.count * 2 >= pairs.count else { return ValueLikeness(0, "no numbers") }
    let isChange = path.field == .changePricePercent24 && path.isWhole
    let isSigned = isChange || numbers.contains { $0.old < 0 }
    let found = isSigned ? points(numbers, scale: isChange ? path.scale : nil) : amounts(numbers)
    // Weighted by share: single rows may have become text.
    return ValueLikeness(found.score * share(numbers.count, of: pairs), found.evidence)
  }

  /// Compares changes by their distance, as their signs vary.
  private static func points(_ numbers: Numbers, scale: Double?) -> (score: Double, evidence: String) {
    let sizes = numbers.map { abs($0.old) }
    let typical = sizes.median ?? 0
    let factor = scale ?? 1
    // The change of another day differs by points, that in another unit by powers of ten.
    let near = scale == nil ? max(typical * 2, (sizes.max() ?? 0) * 0.5) / factor : 3 / factor
    let found = graded(numbers.map { abs($0.new - $0.old) }, [(0, 1), (near, 0.9), (near * 4, 0.5)])
    let ratio = (numbers.map { abs($0.new) }.median ?? 0) / max(typical, .leastNonzeroMagnitude)
    // A ratio is always within three points of anything small.
    let isUnit = typical == 0 || ratio == 0 || (0.02...50).contains(ratio)
    let limit = Decimal(String(found.limit * factor))?.rounded(toSignificantDigits: 2).shortest ?? "\(found.limit)"
    return (
      isUnit ? found.score : found.score * 0.3,
      evidence(found, of: numbers, within: "\(limit)\(scale == nil ? "" : " points")")
    )
  }

  /// Compares prices and volumes by their ratio.
  private static func amounts(_ numbers: Numbers) -> (score: Double, evidence: String) {
    let distances = numbers.map { old, new -> Double in
      if old == new { return 0 }
      guard old > 0, new > 0 else { return .infinity }
      return max(old / new, new / old) - 1
    }
    let found = graded(distances, [(0, 1), (0.01, 1), (0.1, 0.97), (1, 0.85), (9, 0.45)])
    let names = [0.01: "1 %", 0.1: "10 %", 1: "a factor 2"]
    return (found.score, evidence(found, of: numbers, within: names[found.limit] ?? "a factor 10"))
  }

  private typealias Grade = (score: Double, limit: Double, count: Int)

  /// Returns the mean score of distances, and the narrowest limit met by nearly all, or else the widest.
  private static func graded(_ distances: [Double], _ steps: [(limit: Double, worth: Double)]) -> Grade {
    let score = distances.reduce(0) { sum, distance in
      sum + (steps.first { distance <= $0.limit }?.worth ?? 0)
    }
    let counts = steps.map { step in (step.limit, distances.count { $0 <= step.limit }) }
    let most = counts[counts.count - 1]
    let kept = counts.first { $0.1 * 10 >= max(most.1, 1) * 9 } ?? most
    return (score / Double(distances.count), kept.0, kept.1)
  }

  private static func evidence(_ found: Grade, of numbers: Numbers, within limit: String) -> String {
    rows(found.count, of: numbers) + (found.limit == 0 ? " as recorded" : " within \(limit) of the recorded value")
  }

  // MARK: Times

  /// Compares a place with the times of rows: on arrival, each must be as old as such times were in the recording.
  private static func times(_ pairs: Pairs, _ reading: ValueSpec.TimeReading, _ arrivals: Arrivals) -> ValueLikeness {
    let own = times(pairs, reading, reading, arrivals)
    guard own.score < 0.3 else { return own }
    let others: [(ValueSpec.TimeReading, String)] =
      TimeUnit.allCases.map { (.unit($0, offsetSeconds: 0), "\"unit\": \"\($0.rawValue)\"") }
      + [(.iso8601(offsetSeconds: 0), "\"unit\": \"iso8601\"")]
    let found = others.map { (times(pairs, reading, $0.0, arrivals), $0.1) }
    guard let (best, form) = found.max(by: { $0.0.score < $1.0.score }), best.score >= 0.5 else { return own }
    return ValueLikeness(best.score * 0.8, best.evidence, remark: "it is written differently now: \(form)")
  }

  private static func times(
    _ pairs: Pairs, _ old: ValueSpec.TimeReading, _ new: ValueSpec.TimeReading, _ arrivals: Arrivals
  ) -> ValueLikeness {
    let read = pairs.compactMap { pair in
      new.instant(pair.new.text).map { (old: old.instant(pair.old.text), new: $0) }
    }
    guard !read.isEmpty else { return ValueLikeness(0, "no times") }
    let count = rows(read.count, of: pairs)
    guard let current = arrivals.current else {
      // Without a clock, any time in recent decades will do.
      let near = read.count { old, new in
        old.map { new.nanoseconds(since: $0).magnitude < 10_000_000 * UInt64(Instant.minute) } ?? false
      }
      return ValueLikeness(share(near, of: pairs) * 0.7, "\(count) are times")
    }
    let worth = read.reduce(0.0) { sum, pair in
      let age = current.nanoseconds(since: pair.new)
      let usual = pair.old.flatMap { old in arrivals.recorded.map { $0.nanoseconds(since: old) } } ?? Instant.minute
      if age < -Instant.minute { return sum }
      // Divided instead of multiplied to avoid overflow: the times of an answer may be anything.
      if age <= 60 * Instant.minute || age / 3 <= usual { return sum + 1 }
      if age <= 1440 * Instant.minute || age / 30 <= usual { return sum + 0.6 }
      return sum + (age <= 1_000_000 * Instant.minute ? 0.1 : 0)
    }
    return ValueLikeness(worth / Double(pairs.count), "\(count) as old as recorded ones")
  }

  // MARK: Words

  private static func share(_ count: Int, of pairs: Pairs) -> Double { Double(count) / Double(pairs.count) }

  private static func rows(_ count: Int, of pairs: some Collection) -> String {
    "\(count) of \(pairs.count.counted("row"))"
  }
}
