import Config
package import HTTP
import JSON
package import Mapping
package import Quotes
package import Transport

/// Asks exchanges: turns planned requests into answers and answers into tables.
///
/// It holds all external dependencies; what to ask comes as arguments. Exchanges, parts and lookups are requested
/// concurrently, and one that fails only loses its own rows.
package struct MarketClient: Sendable {
  package var handler: HTTPHandler
  /// Notified of stored answers used instead of requests; nil if not needed.
  let journal: RequestJournal?
  /// The cache of lookups between runs; nil for none (a replay, a test).
  package let cache: DiskCache?
  /// What earlier runs were answered; nil to send every request.
  package var answers: AnswerStore?
  /// The memory of exchange rates; nil to remember nothing and ask each time (a replay, a test).
  package let rates: RateMemory?
  package let credentials: Credentials
  /// What requests for the user's accounts need; nil if there are none.
  package var account: AccountDependencies?
  /// The config's path, which separates its cached answers from all others unless they belong to shipped text.
  package let configPath: String
  package let hooks: HookRegistry
  package var now: @Sendable () -> Instant
  /// Whether `now` is neither this machine's time nor that of the last recording.
  package var isOtherTime = false
  /// The time left in the run, which limits waiting for locks and reading answers.
  package let timeLeft: @Sendable () -> Duration

  package init(
    handler: @escaping HTTPHandler, cache: DiskCache? = nil, rates: RateMemory? = nil, credentials: Credentials,
    configPath: String = "", hooks: HookRegistry, now: @escaping @Sendable () -> Instant,
    timeLeft: @escaping @Sendable () -> Duration = { .seconds(10) }, journal: RequestJournal? = nil
  ) {
    self.journal = journal
    self.configPath = configPath
    self.handler = handler
    self.cache = cache
    self.rates = rates
    self.credentials = credentials
    self.hooks = hooks
    self.now = now
    self.timeLeft = timeLeft
  }

  package func context(for owner: String, pair: Pair?) -> RequestContext {
    let credentials = credentials
    var context = RequestContext(pair: pair, now: now()) { name throws(AnswerFailure) in
      do throws(SecretProblem) { return try credentials.secret(name, of: owner) } catch { throw error.failure }
    }
    let timeLeft = timeLeft
    // An answer that arrived in time is still read, even if that is just after the deadline.
    context.isLate = { timeLeft() < .milliseconds(-250) }
    return context
  }

  /// Returns the cache scope for requests defined by some text of the config: shipped text shares one scope among all
  /// configs, any other text has its own.
  func scope(isShipped: Bool, _ text: String) -> String {
    (isShipped ? "shipped " : "\(configPath) ") + DiskCache.fingerprint(of: text)
  }

  func scope(of table: TableSpec) -> String {
    scope(isShipped: table.isShipped, table.block?.text ?? table.node.json.text)
  }

  /// Keeps an answer for later runs, if they want any, now that it was read or could not be.
  func keep(_ answer: HTTPResponse, to request: HTTPRequest, isFailure: Bool) {
    answers?.keep(answer, to: request, isFailure: isFailure, at: now())
  }

  private func answer(to request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    guard let answers else { return try await handler(request) }
    let response = try await answers.answer(to: request, now: now, by: handler)
    if response.kept != nil { journal?.addKept(request, bytes: response.body.count) }
    return response
  }

  /// Sends a request, unless its answer is kept; every failure has a reason.
  func ask(_ request: HTTPRequest) async throws(AnswerFailure) -> (answer: HTTPResponse, report: RequestReport) {
    do {
      let response = try await answer(to: request)
      let report = RequestReport(
        name: request.name, method: request.method, url: response.url, arrival: response.arrival ?? now(),
        status: response.status, pause: response.pause, kept: response.kept)
      return (response, report)
    } catch {
      throw AnswerFailure(error)
    }
  }
}

/// An answered request, which `--explain` names as the source of a cell.
package struct RequestReport: Sendable, Hashable {
  package let name: String
  package let method: String
  /// Without secrets.
  package let url: String
  package let arrival: Instant
  package let status: Int
  /// How long the host wants no other request; nil if it did not say.
  package let pause: Duration?
  /// How long an earlier run had kept the answer; nil for a new one.
  package var kept: Duration?

  /// `GET https://… (HTTP 200)`, `GET https://… (HTTP 200, kept for 25 s)`
  package var text: String {
    let kept = kept.map { ", kept for " + DurationText.text(nanoseconds: $0.nanoseconds) } ?? ""
    return "\(method) \(url) (HTTP \(status)\(kept))"
  }
}

extension AnswerFailure {
  /// Converts a transport error into a reason.
  package init(_ error: TransportError) {
    let reason: Missing =
      switch error {
      case .timeout: .timeout
      case .cannotResolve, .cannotConnect, .brokenOff: .noAnswer(.unreachable)
      case .tooManyFiles: .noAnswer(.tooManyFiles)
      case .tls: .noAnswer(.tls)
      case .tooLarge: .noAnswer(.tooLarge)
      case .redirectRefused: .noAnswer(.redirect)
      case .badEncoding: .noAnswer(.encoding)
      case .notInCassette: .notRecorded
      case .cancelled: .noAnswer(.cancelled)
      case .notSent(let reason, _): .notSent(reason)
      case .other: .noAnswer(.transport)
      }
    self.init(reason, error)
  }
}

/// Runs the same work for all elements concurrently; results are in the order of the elements.
package func concurrently<Element: Sendable, Value: Sendable>(
  _ elements: [Element], _ work: @escaping @Sendable (Element) async -> Value
) async -> [Value] {
  if elements.count <= 1 { return elements.isEmpty ? [] : [await work(elements[0])] }
  return await withTaskGroup(of: (Int, Value).self) { group in
    for (index, element) in elements.enumerated() {
      group.addTask { (index, await work(element)) }
    }
    var values = [Value?](repeating: nil, count: elements.count)
    for await (index, value) in group { values[index] = value }
    return values.compactMap(\.self)
  }
}
