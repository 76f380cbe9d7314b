import Synchronization
import Testing

@testable import Transport

@Suite struct CoalescerTests {
  /// An exchange that answers when it is told to, and counts.
  final class Venue: Sendable {
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

    var exchange: Exchange {
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
        return HTTPResponse(status: 200, body: Array("\(number)".utf8), arrival: 0, url: request.urls[0])
      }
    }
  }

  @Test func oneAnswerForAll() async {
    let venue = Venue()
    let coalescer = Coalescer()
    let exchange = venue.exchange
    await withTaskGroup(of: Result<Reply, TransportError>.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await outcome(of: .to("https://a/")) { request throws(TransportError) in
            try await coalescer.answer(request, by: exchange)
          }.reply
        }
      }
      await venue.arrival()
      venue.open()
      for await reply in group { #expect(reply == .success(Reply(200, "1"))) }
    }
    #expect(venue.count == 1)
  }

  @Test func whatDiffersIsSent() async throws {
    let venue = Venue()
    venue.open()
    let coalescer = Coalescer()
    let requests: [HTTPRequest] = [
      .to("https://a/"), .to("https://b/"), .to("https://a/", "https://b/"), .to("https://a/") { $0.method = "POST" },
      .to("https://a/") { $0.body = [1] }, .to("https://a/") { $0.headers = [HTTPHeader(name: "x", value: "y")] },
      // Equal to the first: the label and the cost are not sent.
      .to("https://a/", name: "other") { $0.cost = 7 },
    ]
    for request in requests { _ = try await coalescer.answer(request, by: venue.exchange) }
    #expect(venue.count == 6)
  }

  @Test func failuresAreAnswersToo() async {
    let venue = Venue()
    venue.open()
    let coalescer = Coalescer()
    for _ in 0..<2 {
      let result = await outcome(of: .to("https://fails/")) { request throws(TransportError) in
        try await coalescer.answer(request, by: venue.exchange)
      }
      #expect(result == .failure(.timeout))
    }
    #expect(venue.count == 1)
  }

  @Test func oneWhoLeavesDoesNotDisturbTheOthers() async {
    let venue = Venue()
    let coalescer = Coalescer()
    let ask: @Sendable () async -> Result<Reply, TransportError> = {
      await outcome(of: .to("https://a/")) { request throws(TransportError) in
        try await coalescer.answer(request, by: venue.exchange)
      }.reply
    }
    let first = Task { await ask() }
    await venue.arrival()
    let second = Task { await ask() }
    first.cancel()
    #expect(await first.value == .failure(.cancelled))
    venue.open()
    let reply = await second.value
    // The second was there in time, or has asked anew: it has an answer in both cases.
    #expect(reply == .success(Reply(200, "1")) || reply == .success(Reply(200, "2")))
  }

  @Test func whenAllHaveLeftTheNextAsksAnew() async {
    let venue = Venue()
    let coalescer = Coalescer()
    let ask: @Sendable () async -> Result<Reply, TransportError> = {
      await outcome(of: .to("https://a/")) { request throws(TransportError) in
        try await coalescer.answer(request, by: venue.exchange)
      }.reply
    }
    let first = Task { await ask() }
    await venue.arrival()
    first.cancel()
    #expect(await first.value == .failure(.cancelled))
    venue.open()
    #expect(await ask() == .success(Reply(200, "2")))
  }
}
