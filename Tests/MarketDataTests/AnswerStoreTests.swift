import Config
import Files
import HTTP
import Mapping
import Quotes
import Synchronization
import TestSupport
import Testing
import Transport

@testable import MarketData

/// Answers that one run keeps for the next.
@Suite struct AnswerStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let start = Instant(nanoseconds: 1_800_000_000_000_000_000)

  /// One run: when it is, in seconds after the first, what it may use, and how the exchange answers.
  struct Run: Sendable {
    let seconds: Int
    /// The limit of `--cache` in seconds; nil for `--timeout 0`.
    var limit: Int?
    /// nil for a host that does not answer.
    var price: String?
    /// An answer without a price.
    var body: String?
    var status = 200
    /// The error of a host that does not answer.
    var error = TransportError.timeout
    /// The time limit of the run, in seconds.
    var timeLimit = 5
    /// The price or the reason there is none, then the flags, how long the answer was kept, and whether a request was sent.
    let result: String
  }

  /// Returns the result of a run.
  private static func result(
    _ run: Run, hasTime: Bool, secret: String?, in folder: TemporaryFolder
  ) async throws -> String {
    let header = secret == nil ? "" : #""headers": {"X-Auth-Token": "{secret:token}"},"#
    let time = hasTime ? #", "time": {"path": "$.t", "unit": "ms"}"# : ""
    let text = """
      {"version": 1, "exchanges": {"A": {"baseUrls": ["https://a.test"], \(header)
        "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"}, "fields": {"price": "$.p"\(time)},
        "markets": {"spot": {"tickers": {"request": {"path": "/t"}}}}}}}
      """
    let exchange = try Configuration(text: text, name: "c.json").firstExchange()
    let now = start.advanced(by: .seconds(run.seconds))
    let calls = Mutex(0)
    var client = MarketClient(
      handler: { _ throws(TransportError) in
        calls.withLock { $0 += 1 }
        let row = run.price.map {
          #"[{"s": "BTC-USDT", "p": "\#($0)", "t": \#(now.nanoseconds / 1_000_000)}]"#
        }
        guard let body = run.body ?? row else { throw run.error }
        return HTTPResponse(status: run.status, body: Array(body.utf8), arrival: now, url: "https://a.test/t")
      }, credentials: Credentials(nil) { _ in secret }, hooks: HookRegistry(), now: { now })
    client.answers = AnswerStore(
      in: folder.path, maximumAge: run.limit.map { .seconds($0) }, mayAsk: run.limit != nil,
      timeLimit: .seconds(run.timeLimit))
    let query = TableQuery(
      market: .spot, pair: Pair(asset: "BTC", payment: "USDT"), options: Interpretation(check: MeaningCheck()))
    let report = ExchangeReport(
      exchange: "A", market: .spot, await client.table(of: exchange.markets[0].tickers, query))
    let ticker = report.table.rows.first?.ticker
    let price = ticker.map { $0.price.value?.description ?? "-" } ?? report.reason ?? "-"
    let kept = report.requests.compactMap(\.kept).map { " kept \($0.nanoseconds / 1_000_000_000)" }
    return ([price] + (ticker?.flags.map(\.code) ?? [])).joined(separator: " ") + kept.joined()
      + (calls.withLock { $0 } > 0 ? " asked" : "")
  }

  @Test(arguments: [
    [
      Run(seconds: 0, limit: 30, price: "100", result: "100 asked"),
      Run(seconds: 30, limit: 30, price: "101", result: "100 kept 30"),
      Run(seconds: 31, limit: 30, price: "102", result: "102 asked"),
      Run(seconds: 32, limit: 1, price: "103", result: "102 kept 1"),
    ],
    // A clock that was ahead.
    [
      Run(seconds: 60, limit: 30, price: "100", result: "100 asked"),
      Run(seconds: 0, limit: 30, price: "101", result: "101 asked"),
    ],
    // What fails is not asked again so soon; who asks nothing takes the price from before.
    [
      Run(seconds: 0, limit: 30, price: "100", result: "100 asked"),
      Run(seconds: 31, limit: 30, result: "timeout asked"),
      Run(seconds: 40, limit: 30, price: "102", result: "timeout"),
      Run(seconds: 41, result: "100 kept 41"),
    ],
    [Run(seconds: 0, limit: 30, result: "timeout asked"), Run(seconds: 10, result: "not-kept")],
    // Who has more time asks again.
    [
      Run(seconds: 0, limit: 30, timeLimit: 1, result: "timeout asked"),
      Run(seconds: 1, limit: 30, price: "101", timeLimit: 1, result: "timeout"),
      Run(seconds: 2, limit: 30, price: "102", result: "102 asked"),
    ],
    // This is the machine's, and not the host's.
    [
      Run(seconds: 0, limit: 30, error: .tooManyFiles, result: "no-answer too-many-files asked"),
      Run(seconds: 1, limit: 30, price: "101", result: "101 asked"),
    ],
    // What cannot be read does not replace a price.
    [
      Run(seconds: 0, limit: 30, price: "100", result: "100 asked"),
      Run(seconds: 31, limit: 30, body: "<html>", result: "not-json asked"),
      Run(seconds: 40, limit: 30, price: "102", result: "not-json kept 9"),
      Run(seconds: 41, result: "100 kept 41"),
    ],
    [
      Run(seconds: 0, limit: 30, price: "100", result: "100 asked"),
      Run(seconds: 31, limit: 30, body: "[]", status: 400, result: "http-400 asked"),
      Run(seconds: 32, result: "100 kept 32"),
    ],
    // A pair that is gone is no failure.
    [
      Run(seconds: 0, limit: 30, price: "100", result: "100 asked"),
      Run(seconds: 31, limit: 30, body: #"[{"s": "ETH-USDT", "p": "1"}]"#, result: "not-listed asked"),
      Run(seconds: 41, result: "not-listed kept 10"),
    ],
    // Nothing is kept.
    [Run(seconds: 0, price: "100", result: "not-kept")],
  ])
  func answersAreKept(_ runs: [Run]) async throws {
    for run in runs {
      #expect(try await Self.result(run, hasTime: false, secret: nil, in: folder) == run.result)
    }
  }

  /// Rows are judged as of now, by their own time or, without one, by that of the answer.
  @Test(arguments: [true, false])
  func keptRowsBecomeStale(_ hasTime: Bool) async throws {
    for run in [
      Run(seconds: 0, limit: 30, price: "100", result: "100 asked"), Run(seconds: 60, result: "100 kept 60"),
      Run(seconds: 61, result: "100 stale kept 61"),
    ] {
      #expect(try await Self.result(run, hasTime: hasTime, secret: nil, in: folder) == run.result)
    }
  }

  @Test func answersToSecretsAreNotKept() async throws {
    for run in [
      Run(seconds: 0, limit: 30, price: "100", result: "100 asked"),
      Run(seconds: 1, limit: 30, price: "101", result: "101 asked"), Run(seconds: 2, result: "not-kept"),
    ] {
      #expect(try await Self.result(run, hasTime: false, secret: "hush", in: folder) == run.result)
    }
  }

  /// Whoever wants answers to be kept learns why they are not. Nothing is left where one could be.
  @Test func whatCannotBeKept() throws {
    try FileSystem.writeAtomically([], to: "\(folder.path)/file")
    let request = HTTPRequest(exchange: "A", name: "tickers", urls: ["https://a.test/t"])
    for (name, problem) in [
      ("file", "cannot create the folder '\(folder.path)/file/answers': Not a directory"), ("new", nil),
    ] {
      let store = AnswerStore(
        in: "\(folder.path)/\(name)", maximumAge: .seconds(30), mayAsk: true, timeLimit: .seconds(5))
      #expect(store.firstProblem == nil)
      #expect(store.obstacle()?.description == problem)
      #expect(try name != "new" || FileSystem.names(in: "\(folder.path)/new/answers") == [])
      for _ in 1...2 { store.keep(HTTPResponse(body: []), to: request, isFailure: false, at: Self.start) }
      #expect(store.firstProblem?.description == problem)
    }
  }

  /// Lookups have a cache of their own, in which an answer that is not new does not become so. Where nothing is asked, the
  /// request of another run is not waited for.
  @Test func keptLookupsStayOld() async throws {
    let cache = folder.cache
    let request = HTTPRequest(exchange: "A", name: "lookup-sizes", urls: ["https://a.test/sizes"])
    /// Returns the lookup as a run has it that may use these answers, from configs with other texts.
    @Sendable func lookup(_ scope: String, at seconds: Int, answered body: String, _ answers: AnswerStore?) async throws
      -> String
    {
      let now = Self.start.advanced(by: .seconds(seconds))
      var client = MarketClient(
        handler: { _ in HTTPResponse(body: Array(body.utf8), arrival: now) }, cache: cache,
        credentials: Credentials(nil) { _ in nil }, hooks: HookRegistry(), now: { now }, timeLeft: { .seconds(3600) })
      client.answers = answers
      let (text, source) = try await client.kept(request, for: 60, scope) { String(decoding: $0.body, as: UTF8.self) }
      let age = source.report?.kept.map { " kept \($0.nanoseconds / 1_000_000_000)" } ?? " asked"
      return source.report == nil ? "\(text) cached" : text + age
    }
    @Sendable func store(_ limit: Int?) -> AnswerStore {
      AnswerStore(
        in: folder.path, maximumAge: limit.map { .seconds($0) }, mayAsk: limit != nil, timeLimit: .seconds(5))
    }
    #expect(try await lookup("old", at: 0, answered: "1", store(30)) == "1 asked")
    #expect(try await lookup("new", at: 20, answered: "2", store(30)) == "1 kept 20")
    #expect(try await lookup("new", at: 21, answered: "3", nil) == "3 asked")
    #expect(try await lookup("new", at: 80, answered: "4", nil) == "3 cached")
    let late = try await cache.locked("new\n\(request.identity)") {
      try await lookup("new", at: 90, answered: "5", store(nil))
    }
    #expect(late == "3 cached")
  }
}
