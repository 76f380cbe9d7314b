import Config
import HTTP
import Mapping
import Quotes
import Synchronization
import Transport

/// Reads one pair's rate from the answers of one provider, each answer once.
final class RateReader: Sendable {
  private let query: ProviderQuery
  private let context: ReadingContext
  private let plan: RatePlan
  /// The answers read so far, of which there are few.
  private let known = Mutex<[(status: Int, body: [UInt8], reading: Result<RateReading, AnswerFailure>)]>([])

  init(_ query: ProviderQuery, _ context: RequestContext, _ hooks: HookRegistry) {
    self.query = query
    self.context = ReadingContext(context, hooks: hooks)
    plan = RatePlan(query.spec)
  }

  func reply(_ answer: HTTPResponse) -> ProviderState.Reply { .init(reading(of: answer), answer) }

  func reading(of answer: HTTPResponse) -> Result<RateReading, AnswerFailure> {
    if let known = known.withLock({ $0.first { $0.status == answer.status && $0.body == answer.body } }) {
      return known.reading
    }
    let reading = Result { () throws(AnswerFailure) in
      try plan.reading(in: answer, context, globalAliases: query.options.globalAliases)
    }
    known.withLock { $0.append((answer.status, answer.body, reading)) }
    return reading
  }

  /// Returns the worth of a new answer, given the stored ones.
  func worth(
    of outcome: Result<HTTPResponse, TransportError>, after kept: [KeptAnswer], _ known: RateDecision.Known
  ) -> CallWorth {
    let answer: HTTPResponse
    switch outcome {
    case .failure(let error): return .bad(CallFailure(AnswerFailure(error)))
    case .success(let response): answer = response
    }
    switch reading(of: answer) {
    case .success(let reading):
      if let known = known.rate, RateDecision.isFar(reading.rate, from: known) { return .doubtful }
      return .good
    case .failure(let failure):
      // An answer without this pair may still contain others, but must not replace one that has it.
      let isLoss = kept.contains { (try? self.reading(of: $0.response).get()) != nil }
      return Self.isWithoutPair(failure) && !isLoss ? .good : .bad(CallFailure(failure))
    }
  }

  private static func isWithoutPair(_ failure: AnswerFailure) -> Bool {
    [.pathMiss, .notListed, .jsonNull].contains(failure.reason)
  }

  /// Returns a note on a call that was made, and whether it returned anything new.
  func note(on report: CallReport) -> String? {
    guard report.wasCalled else { return nil }
    let name = query.provider.name
    let count = query.provider.budget.map { ", call \(report.calls) of \($0.calls) this \($0.per.rawValue)" } ?? ""
    let newest = report.trouble == nil ? report.answers.first.flatMap { time(of: $0) } : nil
    guard let newest, report.previous.flatMap({ time(of: $0) }) == newest else {
      return "\(name) was asked for \(query.pair)\(count)"
    }
    return "\(name) was asked for \(query.pair)\(count); its time, \(newest.iso8601), has not moved"
  }

  private func time(of kept: KeptAnswer) -> Instant? { (try? reading(of: kept.response).get())?.time }
}

extension CallFailure {
  fileprivate init(_ failure: AnswerFailure) { self.init(failure.reason, failure.message) }
}
