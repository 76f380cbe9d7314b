package import Config
package import HTTP
import JSON
import Mapping
package import Quotes
package import Transport

/// The exchange rate data stored between runs: the providers' answers and calls, and the last rate of each pair.
package struct RateMemory: Sendable {
  let ledger: CallLedger
  private let cache: DiskCache?
  private let mayCall: Bool
  private var used: (@Sendable (HTTPRequest, HTTPResponse) async -> Void)?
  private static func key(_ scope: String) -> String { "the last rate of each pair \(scope)" }

  /// - Parameters:
  ///   - cache: nil if the user has no place for it.
  ///   - mayCall: Whether providers may be called; otherwise only stored data is used.
  ///   - used: Called with each stored answer that replaces a call, as a recording must contain it.
  ///   - patience: How long to wait for another process's call.
  package init(
    _ cache: DiskCache?, mayCall: Bool = true,
    used: (@Sendable (HTTPRequest, HTTPResponse) async -> Void)? = nil,
    patience: @escaping @Sendable () -> Duration = { .seconds(10) }
  ) {
    self.used = used
    self.cache = cache
    self.mayCall = mayCall
    ledger = CallLedger(cache, mayCall: mayCall, patience: patience)
  }

  /// Returns the same memory, which also notifies `other` of each stored answer that it uses.
  package func telling(_ other: @escaping @Sendable (HTTPRequest, HTTPResponse) async -> Void) -> RateMemory {
    var memory = self
    memory.used = { [used] request, response in
      await used?(request, response)
      await other(request, response)
    }
    return memory
  }

  /// Returns the number of calls to a provider's hosts in the current day or month of its budget, for the secret with
  /// the most; nil if it has no budget or no call was recorded.
  package func calls(of provider: RateProvider, now: Instant) -> Int? {
    guard let budget = provider.budget, case .table(let spec, _) = provider.source else { return nil }
    return ledger.calls(to: spec.baseURLs, in: CallRule.Budget(budget), now: now)
  }

  /// Reports the stored answer that replaces a call.
  func tell(of report: CallReport, to request: HTTPRequest) async {
    guard let used, !report.wasCalled, var response = report.answers.first?.response, let url = request.urls.first
    else { return }
    if response.url.isEmpty { response.url = url }
    await used(request, response)
  }

  /// Returns the last rate accepted for a pair.
  ///
  /// - Parameter scope: Separates the config's own routes from those of others.
  func lastRate(of pair: Pair, in scope: String) -> RateDecision.Known {
    rates(in: scope).first { $0.pair == "\(pair)" }?.rate ?? .none
  }

  /// Remembers an accepted rate. Two concurrent processes may lose one of two rates; the next one restores it.
  func remember(_ rate: RateDecision.Known, of pair: Pair, in scope: String, now: Instant) {
    // A run that may not call only reads the memory.
    guard mayCall else { return }
    var rates = rates(in: scope)
    rates.removeAll { $0.pair == "\(pair)" }
    rates.append(("\(pair)", rate))
    let json = JSONValue.members(rates.compactMap { pair, rate in rate.json.map { (pair, $0) } })
    cache?.put(Self.key(scope), json.written(indent: 1), now: now)
  }

  private func rates(in scope: String) -> [(pair: String, rate: RateDecision.Known)] {
    guard let bytes = cache?.latest(Self.key(scope)), let document = try? JSONDocument(parsing: bytes) else {
      return []
    }
    return document.root.members.compactMap { member in
      RateDecision.Known(member.value).map { (member.name, $0) }
    }
  }
}

extension RateDecision.Known {
  /// `"1461.50"`, or of an unchecked rate `{"unchecked": "1461.50", "provider": "Dunamu", "at": "2026-11-18T05:11:48Z"}`.
  fileprivate init?(_ json: JSONNode) {
    func rate(_ json: JSONNode?) -> Decimal? {
      json?.string.flatMap { Decimal($0) }.flatMap { $0.signum > 0 ? $0 : nil }
    }
    if let rate = rate(json) {
      self = .rate(rate)
    } else if let rate = rate(json["unchecked"]), let provider = json["provider"]?.string {
      let time = json["at"]?.string.flatMap { Instant.iso8601($0, defaultOffsetSeconds: 0) }
      self = .unchecked(rate, provider: provider, at: time)
    } else {
      return nil
    }
  }

  fileprivate var json: JSONValue? {
    switch self {
    case .rate(let rate): .string(rate.description)
    case .unchecked(let rate, let provider, let time):
      ["unchecked": .string(rate.description), "provider": .string(provider)]
        + (time.map { ["at": .string($0.iso8601)] } ?? [:])
    case .none, .unremembered: nil
    }
  }
}
