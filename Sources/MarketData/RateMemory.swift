package import Config
package import HTTP
import JSON
package import Quotes
package import Transport

/// What is remembered of exchange rates between runs: the providers' answers and calls, and the last rate of each pair.
package struct RateMemory: Sendable {
  let ledger: CallLedger
  private let cache: DiskCache?
  private let mayCall: Bool
  private let used: (@Sendable (HTTPRequest, HTTPResponse) async -> Void)?
  private let patience: @Sendable () -> Duration
  private static func key(_ scope: String) -> String { "the last rate of each pair \(scope)" }

  /// - Parameters:
  ///   - cache: nil where the user has no place for it.
  ///   - mayCall: whether providers are asked; else what is remembered is all there is.
  ///   - used: is told of each kept answer that is used in the place of a call: a recording must hold it.
  ///   - patience: how long the call of another process is waited for.
  package init(
    _ cache: DiskCache?, mayCall: Bool = true,
    used: (@Sendable (HTTPRequest, HTTPResponse) async -> Void)? = nil,
    patience: @escaping @Sendable () -> Duration = { .seconds(10) }
  ) {
    self.used = used
    self.patience = patience
    self.cache = cache
    self.mayCall = mayCall
    ledger = CallLedger(cache, mayCall: mayCall, patience: patience)
  }

  /// The same memory, which says to one more of each kept answer that it is used.
  package func telling(
    _ other: @escaping @Sendable (HTTPRequest, HTTPResponse) async -> Void
  ) -> RateMemory {
    let used = used
    return RateMemory(
      cache, mayCall: mayCall,
      used: { request, response in
        await used?(request, response)
        await other(request, response)
      }, patience: patience)
  }

  /// The calls that a provider's hosts have had in the present day or month of its budget, with the secret that had most;
  /// nil where it has no budget, or no call was written down.
  package func calls(of provider: RateProvider, now: Instant) -> Int? {
    guard let budget = provider.budget, case .table(let spec, _) = provider.source else { return nil }
    return ledger.calls(to: spec.baseURLs, in: CallRule.Budget(budget), now: now.nanoseconds)
  }

  /// Tells of the kept answer that stands in the place of a call.
  func tell(of report: CallReport, to request: HTTPRequest) async {
    guard let used, !report.wasCalled, var response = report.answers.first?.response, let url = request.urls.first
    else { return }
    if response.url.isEmpty { response.url = url }
    await used(request, response)
  }

  /// The last rate that was taken for a pair.
  ///
  /// - Parameter scope: tells the config's own routes from those of others.
  func lastRate(of pair: Pair, in scope: String) -> Decimal? { rates(in: scope).first { $0.pair == "\(pair)" }?.rate }

  /// Remembers a rate that was taken. Two processes at once may lose one of two rates; the next one brings it back.
  func remember(_ rate: Decimal, of pair: Pair, in scope: String, now: Instant) {
    // Who only looks at what is remembered changes nothing of it.
    guard mayCall else { return }
    var rates = rates(in: scope)
    rates.removeAll { $0.pair == "\(pair)" }
    rates.append(("\(pair)", rate))
    let json = JSONValue.members(rates.map { ($0.pair, .string($0.rate.description)) })
    cache?.put(Self.key(scope), json.written(indent: 1), now: now.nanoseconds)
  }

  private func rates(in scope: String) -> [(pair: String, rate: Decimal)] {
    guard let bytes = cache?.latest(Self.key(scope)), let document = try? JSONDocument(parsing: bytes) else {
      return []
    }
    return document.root.members.compactMap { member in
      member.value.string.flatMap { Decimal($0) }.flatMap { $0.signum > 0 ? (member.name, $0) : nil }
    }
  }
}
