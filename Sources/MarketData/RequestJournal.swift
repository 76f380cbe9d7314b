package import HTTP
package import Mapping
import Synchronization
import Transport

/// What becomes of the requests of a run: which are under way, and how each of them went.
///
/// It stands above the layer that joins equal requests, so it knows whoever asked.
package final class RequestJournal: Sendable {
  package struct Entry: Sendable {
    package enum Outcome: Sendable {
      /// - Parameter bytes: of the body, after decoding.
      case answered(status: Int, bytes: Int)
      case failed(TableFailure)
      /// An answer that an earlier run has kept stood in for the request.
      case kept(bytes: Int)
    }

    package let exchange: String
    /// The label of the request: `spot-tickers`.
    package let name: String
    package let method: String
    /// Without secrets. Of a request that failed the first of its addresses.
    package fileprivate(set) var url: String
    /// On the journal's clock.
    package let start: Int64
    package fileprivate(set) var nanoseconds: Int64 = 0
    /// How often it left the machine, to other hosts and after redirects too: 0 for a recorded answer, and for a request
    /// that was joined with an equal one.
    package fileprivate(set) var sendings = 0
    /// Whether a recording answered.
    package fileprivate(set) var isRecorded = false
    /// nil while it is under way.
    package fileprivate(set) var outcome: Outcome?

    package var isKept: Bool { if case .kept? = outcome { true } else { false } }
  }

  private let state = Mutex<[Entry]>([])
  /// Nanoseconds of a clock that never jumps.
  private let clock: @Sendable () -> Int64

  package init(clock: @escaping @Sendable () -> Int64 = TransportClock.system.now) { self.clock = clock }

  /// In the order in which they were asked for.
  package var entries: [Entry] { state.withLock { $0 } }

  /// The same handler, with every request written down.
  package func following(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      var request = request
      let meter = request.meter ?? SendingMeter()
      request.meter = meter
      let sentBefore = meter.count
      let index = self.begin(request)
      let outcome: Result<HTTPResponse, TransportError>
      do throws(TransportError) { outcome = .success(try await handler(request)) } catch { outcome = .failure(error) }
      self.end(index, outcome, sendings: meter.count - sentBefore)
      return try outcome.get()
    }
  }

  /// Writes down that a kept answer stood in for a request.
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
        entries[index].isRecorded = response.cassette != nil
        if !response.url.isEmpty { entries[index].url = response.url }
      case .failure(let error):
        entries[index].outcome = .failed(TableFailure(error))
      }
    }
  }

  // MARK: Progress

  /// How many of the requests have been answered or have failed.
  package var counts: (done: Int, all: Int) {
    let asked = entries.filter { !$0.isKept }
    return (asked.count { $0.outcome != nil }, asked.count)
  }

  /// The exchanges that have not answered yet, the longest wait first, each once, and how long that is.
  package var waiting: (exchanges: [String], nanoseconds: Int64) {
    let underWay = entries.filter { $0.outcome == nil }.sorted { $0.start < $1.start }
    var names: [String] = []
    for entry in underWay where !names.contains(entry.exchange) { names.append(entry.exchange) }
    return (names, underWay.first.map { max(0, clock() - $0.start) } ?? 0)
  }
}
