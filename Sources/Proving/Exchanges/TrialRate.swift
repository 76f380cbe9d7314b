import Cassettes
package import Config
package import Mapping
import MarketData
package import Quotes

/// What a rate provider's mapping made of one pair in a trial.
package struct TrialRate: Sendable {
  package let pair: Pair
  package let outcome: Result<RateReading, TableFailure>
  let spec: TableSpec
  /// What was asked for it.
  let answers: [TrialAnswer]

  package var reading: RateReading? { try? outcome.get() }

  /// What of it is kept beside a cassette.
  var recordLine: String {
    let cells: [String]
    switch outcome {
    case .failure(let failure): cells = ["(failed)", failure.reason.code + (failure.message.map { ": \($0)" } ?? "")]
    case .success(let reading):
      let numbers = [reading.rate, reading.open, reading.change, reading.changePercent].map { $0?.shortest ?? "-" }
      cells = ["(rate)"] + numbers + [reading.date ?? "-", reading.time?.iso8601 ?? "-", reading.quotedBy ?? "-"]
    }
    return (["rate", "\(pair)"] + cells).joined(separator: "\t")
  }

  /// The rates of one provider, judged together.
  static func findings(_ rates: [TrialRate], of spec: TableSpec, _ check: MeaningCheck) -> [TrialFinding] {
    let readings = rates.compactMap(\.reading)
    guard !readings.isEmpty else {
      let failure = rates.lazy.compactMap { rate -> TableFailure? in
        if case .failure(let failure) = rate.outcome { failure } else { nil }
      }.first
      return [TrialFinding(.problem, failure.map { $0.message ?? $0.reason.code } ?? "there is no pair to ask for")]
    }
    let lost = spec.fields.keys.sorted().filter { name in readings.allSatisfy { !$0.has(name) } }
    var findings = lost.map { TrialFinding(.problem, "\($0): nothing in any of \(readings.count) rates") }
    for reading in readings {
      for flag in check.findings(reading.ticker, arrival: nil, changeIsFromOpen: false, turnoverIsComputed: true) {
        findings.append(TrialFinding(.problem, "\(reading.pair): \(flag.message)"))
      }
    }
    return findings
  }
}

extension TrialRate {
  /// What has changed since the recording: the first pair speaks for all that are answered alike.
  fileprivate static func drift(
    _ rates: [TrialRate], since base: ExchangeTrial?, _ hooks: HookRegistry
  ) -> [TrialFinding] {
    let old = (base?.rates ?? []).filter { $0.reading != nil }
    guard let rate = rates.first(where: { rate in old.contains { $0.pair == rate.pair } }) ?? rates.first,
      let recorded = old.first(where: { $0.pair == rate.pair }) ?? old.first
    else { return [] }
    func side(_ rate: TrialRate) -> DriftSide {
      // The last day that was walked back to has the rate.
      DriftSide(rate.answers.compactMap(\.response).suffix(1), hook: rate.spec.hook, hooks)
    }
    return AnswerDrift(
      side(recorded), side(rate), of: rate.spec, pair: rate.pair, isSamePair: recorded.pair == rate.pair
    ).findings
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

  /// The rate as a row, for the checks of rows.
  fileprivate var ticker: Ticker {
    Ticker(
      exchange: "", market: .spot, symbol: "\(pair)", pair: pair, price: .value(rate),
      changePricePercent24: changePercent.map { .value($0) } ?? .missing(.notOffered),
      open: open.map { .value($0) } ?? .missing(.notOffered))
  }
}

extension TrialRunner {
  /// Tries a rate provider's mapping; nil for one whose rate is an exchange's price.
  ///
  /// - Parameter base: what the same provider gave of its cassette, to compare with.
  package func trial(of provider: RateProvider, comparedWith base: ExchangeTrial? = nil) async -> ExchangeTrial? {
    guard case .table(let spec, let daysBack) = provider.source else { return nil }
    var rates: [TrialRate] = []
    for pair in ratePairs.filter(provider.canHold) {
      let question = ProviderQuestion(provider, usable(spec), pair, daysBack, nil, options)
      let tap = AnswerTap()
      let (state, _) = await client.tapped(by: tap).state(question, .unremembered)
      let failure = state.trouble ?? state.replies.lazy.compactMap(\.failure).first ?? TableFailure(.emptyAnswer)
      let reading = state.replies.lazy.compactMap(\.reading).first
      rates.append(
        TrialRate(
          pair: pair, outcome: reading.map { .success($0) } ?? .failure(failure), spec: spec, answers: tap.answers))
    }
    let findings =
      TrialRate.findings(rates, of: spec, options.check) + TrialRate.drift(rates, since: base, options.hooks)
    return ExchangeTrial(provider.name, rates, findings, cassette: cassette, hooks: options.hooks)
  }

  /// The pairs that recordings are named by, else those that nearly every provider has; live one is enough.
  private var ratePairs: [Pair] {
    let usual = [("USD", "KRW"), ("EUR", "USD"), ("EUR", "JPY")].map { Pair(asset: $0.0, payment: $0.1) }
    guard let cassette else { return usual }
    let named = cassette.entries.compactMap { RecordingName($0, of: "rate")?.pair }
    return named.isEmpty ? usual : named
  }
}
