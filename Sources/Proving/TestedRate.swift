import Config
import HTTP
package import Mapping
import MarketData
package import Quotes

/// The mapped result of a rate provider for one pair.
package struct TestedRate: Sendable {
  package let pair: Pair
  package let outcome: Result<RateReading, AnswerFailure>
  let spec: TableSpec
  /// Whether it belongs to what is kept with a cassette: not if it was only found in the recording of another pair.
  let isKept: Bool
  /// Whether `pairs` alone says that the provider has it, rather than a recording, which may be of a refusal.
  let isPromised: Bool
  /// The requests and answers.
  let answers: [CapturedAnswer]
  let hooks: HookRegistry

  package var reading: RateReading? { try? outcome.get() }

  /// When the last of its answers arrived.
  var arrival: Instant? { answers.compactMap { $0.response?.arrival }.max() }

  /// Why its time is impossible; nil if it is not. How old a rate may be depends on weekends and holidays, but none is
  /// of another decade.
  private var impossibleTime: String? {
    guard let time = reading?.time, let arrival else { return nil }
    if time.isFuture(at: arrival) {
      return "\(pair): its time \(time.iso8601) is later than its arrival at \(arrival.iso8601): check unit and zone"
    }
    guard arrival.nanoseconds(since: time) / Instant.second > Self.oldestSeconds else { return nil }
    return "\(pair): its time \(time.iso8601) is years before its arrival at \(arrival.iso8601): check its unit"
  }

  private static let oldestSeconds: Int64 = 5 * 31_536_000

  /// Whether the answer was read, and does not have the pair.
  private var isAbsent: Bool { failure.map { [.pathMiss, .notListed, .jsonNull].contains($0.reason) } ?? false }

  package var failure: AnswerFailure? { if case .failure(let failure) = outcome { failure } else { nil } }

  /// The line kept with a cassette.
  var keptLine: String {
    let cells: [String]
    switch outcome {
    case .failure(let failure): cells = ["(failed)", failure.words]
    case .success(let reading):
      let numbers = [reading.rate, reading.open, reading.change, reading.changePercent].map { $0?.shortest ?? "-" }
      cells = ["(rate)"] + numbers + [reading.date ?? "-", reading.time?.iso8601 ?? "-", reading.quotedBy ?? "-"]
    }
    return KeptRows.line(["rate", "\(pair)"] + cells)
  }

  /// Returns the findings for all rates of one provider together.
  static func findings(_ rates: [TestedRate], of spec: TableSpec, _ check: MeaningCheck) -> [Finding] {
    let subject = Finding.Subject.exchange(spec.owner)
    let readings = rates.compactMap(\.reading)
    guard !readings.isEmpty else {
      let failed = rates.first { $0.failure != nil }
      let text =
        failed.flatMap { rate in rate.failure.map { "\(rate.pair): \($0.words)" } } ?? "there is no pair to request"
      return [Finding(.rateFailed, .error, text, about: subject)]
    }
    let lost = spec.fields.keys.sorted().filter { name in readings.allSatisfy { !$0.has(name) } }
    var findings = lost.map { name in
      Finding(.fieldLost, .error, "\(name): nothing in any of \(readings.count) rates", about: subject)
    }
    for reading in readings {
      for flag in check.findings(reading.ticker, arrival: nil, changeIsFromOpen: false, turnoverIsComputed: true) {
        findings.append(Finding(.failedCheck, .error, "\(reading.pair): \(flag.message)", about: subject))
      }
    }
    findings += rates.filter { $0.isPromised && $0.isAbsent }.map {
      Finding(
        .rateFailed, .error, "\($0.pair): no rate in the answer, though \"pairs\" has it", about: subject,
        help: "check \"pairs\", and what the answer calls the pair")
    }
    return findings + rates.compactMap(\.impossibleTime).map { Finding(.failedCheck, .error, $0, about: subject) }
  }

  /// Returns what has changed since the recording; the first pair represents all that are answered alike.
  static func drift(_ rates: [TestedRate], since base: TestedExchange?) -> [Found] {
    let old = (base?.rates ?? []).filter { $0.reading != nil }
    guard let rate = rates.first(where: { rate in old.contains { $0.pair == rate.pair } }) ?? rates.first,
      let recorded = old.first(where: { $0.pair == rate.pair }) ?? old.first
    else { return [] }
    func bodies(_ rate: TestedRate) -> AnswerBodies {
      // When walking back day by day, the last one has the rate.
      AnswerBodies(rate.answers.compactMap(\.response).suffix(1), hook: rate.spec.hook, rate.hooks)
    }
    return Drift(
      bodies(recorded), bodies(rate), of: rate.spec, pair: rate.pair, isSamePair: recorded.pair == rate.pair
    ).findings(about: .exchange(rate.spec.owner))
  }
}

extension RateReading {
  fileprivate func has(_ field: String) -> Bool {
    switch field {
    case "open": open != nil
    case "change": change != nil
    case "changePercent": changePercent != nil
    case "date": date != nil
    case "time": time != nil
    case "provider": quotedBy != nil
    default: true
    }
  }

  /// The rate as a row, for row checks.
  fileprivate var ticker: Ticker {
    Ticker(
      exchange: "", market: .spot, symbol: "\(pair)", pair: pair, price: .value(rate),
      changePricePercent24: changePercent.map { .value($0) } ?? .missing(.notOffered),
      open: open.map { .value($0) } ?? .missing(.notOffered))
  }
}
