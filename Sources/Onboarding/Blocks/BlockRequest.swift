import Config
import Inference
import Quotes

/// The request behind an answer with an order book, trades or candles, with templates for the pair, the interval, the
/// count and the times.
struct BlockRequest {
  private(set) var request: ExchangeRequest
  /// The maximum number of rows in one answer.
  private(set) var count: Int?
  /// Whether the count is just the number of rows in this answer.
  private(set) var isCountGuessed = false
  /// The exchange's own word for the interval.
  private(set) var word: ConfigValue?
  /// The host, if it is not one of the exchange's.
  private(set) var otherBase: String?

  /// - Parameters:
  ///   - symbol: The pair as the exchange's table spells it, if a recording of it is known.
  ///   - bases: The exchange's hosts, possibly followed by the start of the path.
  init(
    _ sample: SampleRequest, _ proposal: BlockProposal, _ pair: Pair, spelled symbol: String?, bases: [String]
  ) throws(OnboardingProblem) {
    request = try ExchangeRequest(sample, placeholders: proposal.kind.placeholders)
    request.ask(for: pair, spelled: symbol)
    guard request.isAboutPair else { throw .blockNamesNoPair(pair) }
    let whole = request.base + request.path
    if let base = bases.first(where: { whole.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }) {
      request.move(below: base)
    } else {
      otherBase = request.base
    }
    var parts = Parts(
      kind: proposal.kind, times: proposal.times, step: proposal.interval?.nanoseconds ?? 0,
      interval: proposal.interval.flatMap { Self.parameter(of: $0, in: request) })
    request.rewrite { parts.template(for: $1, named: $0) }
    let dated = request.parts.first { !$0.name.isEmpty && RequestMoment.begins($0.value) }
    if let (name, value) = parts.stray ?? dated {
      let isNamed = request.query.contains { $0.name == name }
      throw .blockRequestHoldsTime(
        name, template: isNamed && proposal.kind == .candles ? Self.template(of: value, proposal.times) : nil,
        isBetween: parts.isStrayBetween)
    }
    let needsCount =
      parts.hasFrom || request.placeholders.contains { $0 == "count" || $0.hasPrefix("from") }
    isCountGuessed = parts.count == nil && needsCount
    count = isCountGuessed ? max(2, proposal.rowCount) : parts.count
    word = parts.word
  }

  /// What the parts of the address say.
  private struct Parts {
    let kind: BlockKind
    /// Those of the rows in the answer.
    let times: ClosedRange<Instant>?
    /// The length of a candle.
    let step: Int64
    let interval: (name: String, value: String)?
    var count: Int?
    var word: ConfigValue?
    var hasFrom = false
    /// A time that no template represents.
    var stray: (name: String, value: String)?
    /// Whether a template would represent it, were it the first or the last moment of the candles.
    var isStrayBetween = false

    /// Returns the template that replaces a part; nil to keep it.
    mutating func template(for value: String, named name: String) -> String? {
      if let interval, word == nil, interval == (name, value) {
        word = Int(value) == nil || value.hasPrefix("0") ? .text(value) : .number(value)
        return "{interval}"
      }
      if count == nil, let number = Int(value), (1...100_000).contains(number), BlockRequest.isCount(name) {
        count = number
        return "{count}"
      }
      guard let moment = RequestMoment(value) else { return nil }
      if kind == .candles, let times, let template = moment.template {
        // The first candle may be the one that a moment lies in.
        let isLater = moment.at > times.lowerBound
        if isLater, moment.at >= times.upperBound { return "{to\(template)}" }
        if !isLater || moment.at.nanoseconds(since: times.lowerBound) < step {
          hasFrom = true
          return "{from\(template)}"
        }
        if stray == nil { isStrayBetween = true }
      }
      stray = stray ?? (name.isEmpty ? value : name, value)
      return nil
    }
  }

  /// Returns the template that writes a moment in its own form, as far as that is known: that of the first candle if it
  /// is nearer to the moment than the last one. Nil for a number in a unit that no template writes.
  private static func template(of value: String, _ times: ClosedRange<Instant>?) -> String? {
    var form = RequestMoment.ofAnyZone(value).map { (at: $0.at, text: ":" + $0.format) }
    if let moment = RequestMoment(value), let text = moment.template { form = (moment.at, text) }
    guard let form else { return Int(value) == nil ? "{to:yyyy-MM-dd}" : nil }
    func distance(_ time: Instant) -> UInt64 { time.nanoseconds(since: form.at).magnitude }
    let isStart = times.map { distance($0.lowerBound) <= distance($0.upperBound) } ?? false
    return "{\(isStart ? "from" : "to")\(form.text)}"
  }

  /// The request in config form.
  var value: ConfigValue { ExchangeBlock.value(of: request.block) }

  /// Returns the parameter or part of the address that says the interval: rather one whose name says so, and rather a
  /// word than a number, which may mean something else; nil if there is none.
  private static func parameter(
    of interval: CandleInterval, in request: ExchangeRequest
  ) -> (name: String, value: String)? {
    var found: [(rank: Int, name: String, value: String)] = []
    for (name, value) in request.parts {
      let plain = name.lowercased()
      let rank = intervalNames.firstIndex { $0.contains(where: plain.contains) }
      if interval.isSpelled(value, takesNumbers: false) {
        found.append((2 * (rank ?? 1), name, value))
      } else if let rank, interval.isSpelled(value, takesNumbers: true) {
        found.append((2 * rank + 1, name, value))
      }
    }
    return found.min { $0.rank < $1.rank }.map { ($0.name, $0.value) }
  }

  /// Parts of the names of such parameters; those of the second group have other meanings as well.
  private static let intervalNames = [
    ["interval", "period", "granularity", "resolution", "frame", "bar", "kline", "bucket"],
    ["step", "type", "unit", "scale"],
  ]

  /// Returns whether a parameter of this name says how many rows are wanted, rather than which page of them.
  private static func isCount(_ name: String) -> Bool {
    let name = name.lowercased()
    if name.contains("account") { return false }
    if name.contains("page") { return ["size", "limit", "count", "rows", "per"].contains(where: name.contains) }
    return ["limit", "count", "size", "depth", "num", "rows"].contains(where: name.contains)
      || ["sz", "n"].contains(name)
  }
}
