import HTTP
import Quotes
import Synchronization
import Testing

@testable import MarketData
@testable import Transport

@Suite struct RequestCoalescerTests {
  /// An exchange that responds on command, and counts.
  final class Exchange: Sendable {
    private let state = Mutex<(count: Int, waiters: [CheckedContinuation<Void, Never>], isOpen: Bool)>((0, [], false))
    private let (arrivals, input) = AsyncStream<Int>.makeStream()

    var count: Int { state.withLock { $0.count } }

    /// Returns when the next request has arrived.
    func arrival() async {
      var iterator = arrivals.makeAsyncIterator()
      _ = await iterator.next()
    }

    /// Lets all requests be answered, from now on at once.
    func open() {
      let waiters = state.withLock { state in
        state.isOpen = true
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }

    var handler: HTTPHandler {
      { request throws(TransportError) in
        let number = self.state.withLock { state in
          state.count += 1
          return state.count
        }
        self.input.yield(number)
        await withCheckedContinuation { waiter in
          let isOpen = self.state.withLock { state in
            if !state.isOpen { state.waiters.append(waiter) }
            return state.isOpen
          }
          if isOpen { waiter.resume() }
        }
        if Task.isCancelled { throw .cancelled }
        if request.urls == ["https://fails/"] { throw .timeout }
        return HTTPResponse(status: 200, body: Array("\(number)".utf8), url: request.urls[0])
      }
    }
  }

  @Test func oneResponseForAll() async {
    let exchange = Exchange()
    let coalescer = RequestCoalescer()
    let handler = exchange.handler
    await withTaskGroup(of: Result<Reply, TransportError>.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await outcome(of: .to("https://a/")) { request throws(TransportError) in
            try await coalescer.answer(request, by: handler)
          }.reply
        }
      }
      await exchange.arrival()
      exchange.open()
      for await reply in group { #expect(reply == .success(Reply(200, "1"))) }
    }
    #expect(exchange.count == 1)
  }

  @Test func differingRequestsAreSent() async throws {
    let exchange = Exchange()
    exchange.open()
    let coalescer = RequestCoalescer()
    let requests: [HTTPRequest] = [
      .to("https://a/"), .to("https://b/"), .to("https://a/", "https://b/"), .to("https://a/") { $0.method = "POST" },
      .to("https://a/") { $0.body = [1] }, .to("https://a/") { $0.headers = [HTTPHeader(name: "x", value: "y")] },
      // Equal to the first, since the label and the cost are not sent.
      .to("https://a/", name: "other") { $0.cost = 7 },
    ]
    for request in requests { _ = try await coalescer.answer(request, by: exchange.handler) }
    #expect(exchange.count == 6)
    // Two orders are two orders, however similar.
    for _ in 0..<2 {
      _ = try await coalescer.answer(.to("https://a/") { $0.repetition = .never }, by: exchange.handler)
    }
    #expect(exchange.count == 8)
  }

  /// Accounts at one host differ in the keys alone, which stand in no request before it is signed.
  @Test func accountsAreNotJoined() async throws {
    let exchange = Exchange()
    exchange.open()
    let coalescer = RequestCoalescer()
    for name in ["Main", "Sub", "Main"] {
      var request = HTTPRequest(exchange: name, name: "balances", urls: ["https://a/balances"])
      request.signer = RequestSigner { _, _ throws(TransportError) in throw .timeout }
      _ = try await coalescer.answer(request, by: exchange.handler)
    }
    #expect(exchange.count == 2)
  }

  @Test func failuresAreShared() async {
    let exchange = Exchange()
    exchange.open()
    let coalescer = RequestCoalescer()
    for _ in 0..<2 {
      let result = await outcome(of: .to("https://fails/")) { request throws(TransportError) in
        try await coalescer.answer(request, by: exchange.handler)
      }
      #expect(result == .failure(.timeout))
    }
    #expect(exchange.count == 1)
  }

  @Test func cancelledCallerDoesNotDisturbOthers() async {
    let exchange = Exchange()
    let coalescer = RequestCoalescer()
    let ask: @Sendable () async -> Result<Reply, TransportError> = {
      await outcome(of: .to("https://a/")) { request throws(TransportError) in
        try await coalescer.answer(request, by: exchange.handler)
      }.reply
    }
    let first = Task { await ask() }
    await exchange.arrival()
    let second = Task { await ask() }
    first.cancel()
    #expect(await first.value == .failure(.cancelled))
    exchange.open()
    let reply = await second.value
    // The second either came in time or made a new request: it has a response in both cases.
    #expect(reply == .success(Reply(200, "1")) || reply == .success(Reply(200, "2")))
  }

  @Test func requestIsSentAgainAfterAllCancel() async {
    let exchange = Exchange()
    let coalescer = RequestCoalescer()
    let ask: @Sendable () async -> Result<Reply, TransportError> = {
      await outcome(of: .to("https://a/")) { request throws(TransportError) in
        try await coalescer.answer(request, by: exchange.handler)
      }.reply
    }
    let first = Task { await ask() }
    await exchange.arrival()
    first.cancel()
    #expect(await first.value == .failure(.cancelled))
    exchange.open()
    #expect(await ask() == .success(Reply(200, "2")))
  }
}
