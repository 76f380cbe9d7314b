import Config
import HTTP
import Mapping
import Quotes
import Synchronization
import Transport

/// Reads one pair's rate in the answers of one provider, each answer once.
final class RateReader: Sendable {
  private let question: ProviderQuestion
  private let context: RequestContext
  private let hooks: HookRegistry
  private let plan: RatePlan
  /// The answers that have been read: there are few.
  private let known = Mutex<[(status: Int, body: [UInt8], reading: Result<RateReading, TableFailure>)]>([])

  init(_ question: ProviderQuestion, _ context: RequestContext, _ hooks: HookRegistry) {
    self.question = question
    self.context = context
    self.hooks = hooks
    plan = RatePlan(question.spec)
  }

  func reply(_ answer: HTTPResponse) -> ProviderState.Reply { .init(reading(of: answer), answer) }

  func reading(of answer: HTTPResponse) -> Result<RateReading, TableFailure> {
    if let known = known.withLock({ $0.first { $0.status == answer.status && $0.body == answer.body } }) { return known.reading }
    let reading: Result<RateReading, TableFailure>
    do throws(TableFailure) {
      reading = .success(
        try plan.reading(
          in: answer, request: context, globalAliases: question.options.globalAliases, hooks: hooks))
    } catch {
      reading = .failure(error)
    }
    known.withLock { $0.append((answer.status, answer.body, reading)) }
    return reading
  }

  /// What a new answer is worth beside those that are kept.
  func worth(
    of outcome: Result<HTTPResponse, TransportError>, after kept: [KeptAnswer], _ known: RateDecision.Known
  ) -> CallWorth {
    let answer: HTTPResponse
    switch outcome {
    case .failure(let error): return .bad(CallFailure(TableFailure(error)))
    case .success(let response): answer = response
    }
    switch reading(of: answer) {
    case .success(let reading):
      if case .rate(let known) = known, RateDecision.isFar(reading.rate, from: known) { return .doubtful }
      return .good
    case .failure(let failure):
      // An answer without this pair may well have others; but it must not cost us this one.
      let isLoss = kept.contains { (try? self.reading(of: $0.response).get()) != nil }
      return Self.isWithoutPair(failure) && !isLoss ? .good : .bad(CallFailure(failure))
    }
  }

  private static func isWithoutPair(_ failure: TableFailure) -> Bool {
    [.pathMiss, .notListed, .jsonNull].contains(failure.reason)
  }

  /// What is worth knowing of a call: that it was made, and whether it brought anything new.
  func note(on report: CallReport) -> String? {
    guard report.wasCalled else { return nil }
    let name = question.provider.name
    let count = question.provider.budget.map { ", call \(report.calls) of \($0.calls) this \($0.per.rawValue)" } ?? ""
    let newest = report.trouble == nil ? report.answers.first.flatMap { time(of: $0) } : nil
    guard let newest, report.previous.flatMap({ time(of: $0) }) == newest else {
      return "\(name) was asked for \(question.pair)\(count)"
    }
    return "\(name) was asked for \(question.pair) in vain\(count): its time, \(newest.iso8601), has not moved"
  }

  private func time(of kept: KeptAnswer) -> Instant? { (try? reading(of: kept.response).get())?.time }
}

extension CallFailure {
  fileprivate init(_ failure: TableFailure) {
    self.init(failure.reason.code, failure.message)
  }
}
