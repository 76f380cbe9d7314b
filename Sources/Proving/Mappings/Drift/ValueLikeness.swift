import Config
import Quotes

/// How like the values of two places are: those that the recording has at one, and those that an answer has at another,
/// pair by pair.
struct ValueLikeness {
  /// From 0, something else, to 1, the same.
  let score: Double
  /// `40 of 40 rows within 3 points of the recorded value`.
  let evidence: String
  /// The values say the same in another unit: what the mapping would have to say.
  var remark: String?
  /// Whether all values that were compared are the same one: then they prove little.
  let isConstant: Bool

  private static let tolerance = "of the recorded value"

  /// - Parameters:
  ///   - recorded, current: the values of the same pairs, in the same order; nil where an answer has none.
  ///   - ages: when the two answers came; nil where that is not known.
  /// - Returns: nil where no pair has both.
  init?(
    _ recorded: [AnswerValue?], _ current: [AnswerValue?], of slot: ReadSlot,
    arrivals: (recorded: Instant?, current: Instant?)
  ) {
    let wanted = zip(recorded, current).compactMap { old, new in old.map { ($0, new) } }
    let pairs = wanted.compactMap { old, new in new.map { (old, $0) } }
    guard !pairs.isEmpty else { return nil }
    isConstant = wanted.count > 1 && Set(wanted.map(\.0.text)).count == 1
    let presence = Double(pairs.count) / Double(wanted.count)
    let result: (score: Double, evidence: String)
    if let reading = slot.value.time {
      let found = TimeLikeness(pairs, reading, arrivals)
      remark = found.remark
      result = (found.score, found.evidence)
    } else if pairs.count(where: { $0.0.number != nil }) * 10 >= pairs.count * 9 {
      result = Self.numbers(pairs, slot)
    } else {
      result = Self.texts(pairs)
    }
    score = result.score * presence
    evidence = result.evidence
  }

  private typealias Pairs = [(AnswerValue, AnswerValue)]

  // MARK: Texts

  private static func texts(_ pairs: Pairs) -> (Double, String) {
    let same = pairs.count { $0.0.text == $0.1.text }
    if same * 10 >= pairs.count * 9 { return (share(same, pairs), "\(rows(same, pairs)) as recorded") }
    let alike = pairs.count { $0.0.folded == $0.1.folded }
    let shaped = pairs.count { $0.0.shape != nil && $0.0.shape == $0.1.shape }
    if shaped > alike { return (share(shaped, pairs) * 0.6, "\(rows(shaped, pairs)) written like the recorded ones") }
    return (share(alike, pairs) * 0.9, "\(rows(alike, pairs)) as recorded, but for case and punctuation")
  }

  // MARK: Numbers

  private static func numbers(_ pairs: Pairs, _ slot: ReadSlot) -> (Double, String) {
    let numbers = pairs.compactMap { old, new in old.number.flatMap { old in new.number.map { (old, $0) } } }
    guard numbers.count * 2 >= pairs.count else { return (0, "no numbers") }
    // A share of nothing is nothing: single rows may have become text.
    let whole = share(numbers.count, pairs)
    let isChange = slot.field == .changePricePercent24 && slot.isWhole
    if isChange || numbers.contains(where: { $0.0 < 0 }) {
      let found = points(numbers, scale: isChange ? slot.value.scale.flatMap { Double($0.description) } ?? 1 : nil)
      return (found.0 * whole, found.1)
    }
    let found = amounts(numbers)
    return (found.0 * whole, found.1)
  }

  /// Changes go up and down: they are compared by their distance.
  private static func points(_ numbers: [(Double, Double)], scale: Double?) -> (Double, String) {
    let sizes = numbers.map { abs($0.0) }.sorted()
    let typical = sizes[sizes.count / 2]
    let factor = scale ?? 1
    // The change of another day differs by points, that of another unit by powers of ten.
    let near = scale == nil ? max(typical * 2, sizes[sizes.count - 1] * 0.5) / factor : 3 / factor
    let steps: [(limit: Double, worth: Double)] = [(0, 1), (near, 0.9), (near * 4, 0.5)]
    let found = graded(numbers.map { abs($0.1 - $0.0) }, steps)
    let unit = scale == nil ? "" : " points"
    let currentSizes = numbers.map { abs($0.1) }.sorted()
    let ratio = currentSizes[currentSizes.count / 2] / max(typical, .leastNonzeroMagnitude)
    // A ratio is always within three points of anything small.
    let isUnit = typical == 0 || ratio == 0 || (0.02...50).contains(ratio)
    let phrase =
      found.limit == 0 ? "as recorded" : "within \(text(found.limit * factor))\(unit) \(tolerance)"
    return (isUnit ? found.score : found.score * 0.3, "\(rows(found.count, numbers)) \(phrase)")
  }

  /// Prices and volumes are compared by their ratio.
  private static func amounts(_ numbers: [(Double, Double)]) -> (Double, String) {
    let distances = numbers.map { old, new -> Double in
      if old == new { return 0 }
      guard old > 0, new > 0 else { return .infinity }
      return max(old / new, new / old) - 1
    }
    let steps: [(limit: Double, worth: Double)] = [(0, 1), (0.01, 1), (0.1, 0.97), (1, 0.85), (9, 0.45)]
    let found = graded(distances, steps)
    let phrase: String
    switch found.limit {
    case 0: phrase = "as recorded"
    case 0.01: phrase = "within 1 % \(tolerance)"
    case 0.1: phrase = "within 10 % \(tolerance)"
    case 1: phrase = "within a factor 2 \(tolerance)"
    default: phrase = "within a factor 10 \(tolerance)"
    }
    return (found.score, "\(rows(found.count, numbers)) \(phrase)")
  }

  /// The mean worth of distances, and the narrowest limit that nearly all, or else the widest, keep.
  private static func graded(
    _ distances: [Double], _ steps: [(limit: Double, worth: Double)]
  ) -> (score: Double, limit: Double, count: Int) {
    let score = distances.reduce(0) { sum, distance in
      sum + (steps.first { distance <= $0.limit }?.worth ?? 0)
    }
    let counts = steps.map { step in (step.limit, distances.count { $0 <= step.limit }) }
    let most = counts.last?.1 ?? 0
    let told = counts.first { $0.1 * 10 >= max(most, 1) * 9 } ?? counts[counts.count - 1]
    return (score / Double(distances.count), told.0, told.1)
  }

  // MARK: Words

  private static func share(_ count: Int, _ pairs: Pairs) -> Double { Double(count) / Double(pairs.count) }
  private static func rows(_ count: Int, _ pairs: some Collection) -> String {
    "\(count) of \(pairs.count) \(pairs.count == 1 ? "row" : "rows")"
  }

  private static func text(_ number: Double) -> String {
    Decimal(String(number))?.rounded(toSignificantDigits: 2).shortest ?? String(number)
  }
}
