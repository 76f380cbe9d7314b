package import HTTP
package import Mapping
import Quotes
import Synchronization
import Transport

/// A log of a run's requests: which are under way, and how each of them ended.
///
/// It sits above the layer that joins equal requests, so it knows all callers.
package final class RequestJournal: Sendable {
  package struct Entry: Sendable {
    package enum Outcome: Sendable {
      /// - Parameter bytes: The size of the body after decoding.
      case answered(status: Int, bytes: Int)
      case failed(AnswerFailure)
      /// A stored answer from an earlier run was used instead of the request.
      case kept(bytes: Int)
    }

    package let exchange: String
    /// The label of the request: `spot-tickers`.
    package let name: String
    package let method: String
    /// The URL without secrets; for a failed request, the first of its URLs.
    package fileprivate(set) var url: String
    /// On the journal's clock.
    package let start: Int64
    package fileprivate(set) var nanoseconds: Int64 = 0
    /// How often the request was sent, including failover and redirects: 0 for a recorded answer, and for a request
    /// that was joined with an equal one.
    package fileprivate(set) var sendings = 0
    /// Whether the answer came from a recording.
    package fileprivate(set) var isRecorded = false
    /// nil while under way.
    package fileprivate(set) var outcome: Outcome?

    package var isKept: Bool { if case .kept? = outcome { true } else { false } }
  }

  private let state = Mutex<[Entry]>([])
  /// Nanoseconds of a monotonic clock.
  private let clock: @Sendable () -> Int64

  package init(clock: @escaping @Sendable () -> Int64 = TransportClock.system.now) { self.clock = clock }

  /// The entries in the order of the requests.
  package var entries: [Entry] { state.withLock { $0 } }

  /// Returns the handler with every request logged.
  package func following(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      var request = request
      let meter = request.meter ?? SendCounter()
      request.meter = meter
      let sentBefore = meter.count
      let index = self.begin(request)
      let outcome = await Result { () async throws(TransportError) in try await handler(request) }
      self.end(index, outcome, sendings: meter.count - sentBefore)
      return try outcome.get()
    }
  }

  /// Logs that a stored answer was used instead of a request.
  package func addKept(_ request: HTTPRequest, bytes: Int) {
    var entry = entry(of: request)
    entry.outcome = .kept(bytes: bytes)
    state.withLock { $0.append(entry) }
  }

  private func entry(of request: HTTPRequest) -> Entry {
    Entry(
      exchange: request.exchange, name: request.name, method: request.method,
      url: Redaction(request.secrets)(request.urls.first ?? ""), start: clock())
  }

  private func begin(_ request: HTTPRequest) -> Int {
    let entry = entry(of: request)
    return state.withLock { entries in
      entries.append(entry)
      return entries.count - 1
    }
  }

  private func end(_ index: Int, _ outcome: Result<HTTPResponse, TransportError>, sendings: Int) {
    let now = clock()
    state.withLock { entries in
      entries[index].nanoseconds = now - entries[index].start
      entries[index].sendings = sendings
      switch outcome {
      case .success(let response):
        entries[index].outcome = .answered(status: response.status, bytes: response.body.count)
        entries[index].isRecorded = response.isRecorded
        if !response.url.isEmpty { entries[index].url = response.url }
      case .failure(let error):
        entries[index].outcome = .failed(AnswerFailure(error))
      }
    }
  }

  // MARK: Progress

  /// The number of requests that were answered or have failed, and of all requests.
  package var counts: (done: Int, all: Int) {
    let asked = entries.filter { !$0.isKept }
    return (asked.count { $0.outcome != nil }, asked.count)
  }

  /// The exchanges that have not answered yet, longest wait first, without duplicates, and that wait.
  package var waiting: (exchanges: [String], nanoseconds: Int64) {
    let underWay = entries.filter { $0.outcome == nil }.sorted { $0.start < $1.start }
    return (underWay.map(\.exchange).unique, underWay.first.map { max(0, clock() - $0.start) } ?? 0)
  }
}
