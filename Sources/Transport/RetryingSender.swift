import HTTP
import Quotes

/// Sends a request once, to its first URL, within `timeout` nanoseconds (resolving and connecting included; more than
/// 0), and notes on its meter if it reached the host. `CurlLoop.send` does it over the network; tests of the policies
/// provide their own.
typealias SendOnce = @Sendable (HTTPRequest, _ timeout: Int64) async throws(TransportError) -> HTTPResponse

/// Sends a request until it is answered: waits for the rate limit, follows redirects, fails over to the next URL,
/// retries, and returns by the deadline.
struct RetryingSender: Sendable {
  var sendOnce: SendOnce
  var limiter: RateLimiter
  var rule: RetryRule
  var clock: TransportClock
  /// Returns a number in `0..<1`, for the jitter.
  var chance: @Sendable () -> Double
  /// The time limit of one attempt, redirects included, in nanoseconds.
  var timeout: Int64
  /// The pauses that hosts asked for in earlier runs; nil for none.
  var keptPauses: KeptPauses?

  /// Returns the response by `deadline` (on `clock.now`; nil for none), or within the request's share of the time until
  /// then. A response with an error status is returned when there is nothing left to try.
  func send(_ request: HTTPRequest, deadline: Int64?) async throws(TransportError) -> HTTPResponse {
    let start = clock.now()
    let end = deadline.map { $0 > start ? start + ($0 - start) / max(1, request.timeBudgetDivisor) : $0 }
    // A signed request has different secrets for each attempt.
    var redaction = Redaction(request.secrets)
    do {
      return try await send(request, deadline: end, redaction: &redaction)
    } catch {
      throw redaction(error)
    }
  }

  /// What has become of a request so far.
  private struct Progress {
    /// The indices of the URLs, in the order in which to try them.
    let order: [Int]
    /// The place in `order` of the URL to try.
    var place = 0
    /// The index of the URL that the outcome is from.
    var answering = 0
    var attempts = 0
    var retries = 0
    var outcome: Result<HTTPResponse, TransportError> = .failure(.timeout)

    init(order: [Int]) { self.order = order }

    /// The index of the URL to try.
    var index: Int { order[place] }
    var hasNext: Bool { place + 1 < order.count }
  }

  private func send(
    _ request: HTTPRequest, deadline: Int64?, redaction: inout Redaction
  ) async throws(TransportError) -> HTTPResponse {
    guard !request.urls.isEmpty else { throw .other("the request has no URL") }
    let order = limiter.order(of: request.urls, at: clock.now())
    var progress = Progress(order: request.repetition == .never ? Array(order.prefix(1)) : order)
    while try await mayStart(request, &progress, deadline) {
      await attempt(request, &progress, deadline, &redaction)
      guard try await mayTryAgain(request, &progress, deadline) else { break }
    }
    let url = request.urls[progress.answering]
    var response = try progress.outcome.get()
    // A host that rejects a key often repeats it. What was not searched in time is not returned.
    guard let body = redacted(response.body, redaction, until: endOfAttempt(at: clock.now(), by: deadline)) else {
      throw Task.isCancelled ? TransportError.cancelled : .timeout
    }
    response.body = body
    response.url = redaction(url)
    response.redirectTarget = nil
    response.attempts = progress.attempts
    let now = clock.now()
    response.pause = limiter.pause(of: url, at: now).map { .nanoseconds($0.end - now) }
    return response
  }

  /// Waits until an attempt may start, passing over URLs whose hosts want none. Returns false if it may not: the last
  /// outcome is then the result.
  private func mayStart(
    _ request: HTTPRequest, _ progress: inout Progress, _ deadline: Int64?
  ) async throws(TransportError) -> Bool {
    if request.meter?.isUsedUp == true { return false }
    while let refusal = try await refusal(of: request, by: request.urls[progress.index], deadline) {
      // What this request was answered itself says more than the host's answer to another.
      if progress.attempts == 0 { (progress.outcome, progress.answering) = (.success(refusal), progress.index) }
      guard verdict(on: progress, of: request).mayFailOver, progress.hasNext else { return false }
      progress.place += 1
    }
    // A request that was not sent for want of time is not one too many.
    if let deadline, clock.now() >= deadline { return false }
    do throws(TransportError) {
      try await awaitTurn(of: request, until: deadline)
    } catch {
      // Without enough time for another attempt, return the last outcome.
      if error != .cancelled, progress.attempts > 0 { return false }
      throw error
    }
    return deadline.map { clock.now() < $0 } ?? true
  }

  /// Makes one attempt, at the current URL.
  private func attempt(
    _ request: HTTPRequest, _ progress: inout Progress, _ deadline: Int64?, _ redaction: inout Redaction
  ) async {
    let index = progress.index
    progress.attempts += 1
    progress.answering = index
    let now = clock.now()
    var end = endOfAttempt(at: now, by: deadline)
    // A URL that hangs must leave time for the next one.
    if progress.hasNext { end = now + (end - now) / 2 }
    if let signer = request.signer {
      progress.outcome = await sendSigned(by: signer, index, of: request, until: end, redaction: &redaction)
    } else {
      progress.outcome = await send(request, to: request.urls[index], until: end)
    }
    if case .success(let response) = progress.outcome { note(response, of: request.urls[index], redaction, until: end) }
  }

  /// Returns when an attempt that starts now ends at the latest.
  private func endOfAttempt(at now: Int64, by deadline: Int64?) -> Int64 {
    min(now.addingReportingOverflow(timeout).overflow ? .max : now + timeout, deadline ?? .max)
  }

  /// Returns the body without secrets, or nil if the time is up or the task is cancelled before all of it is searched.
  /// An ordinary body of less than 64 KiB is searched in any case.
  private func redacted(_ body: [UInt8], _ redaction: Redaction, until end: Int64) -> [UInt8]? {
    redaction(body) { Task.isCancelled || clock.now() >= end }
  }

  /// Moves on to the next URL, or waits before a retry. Returns false if the outcome is final.
  private func mayTryAgain(
    _ request: HTTPRequest, _ progress: inout Progress, _ deadline: Int64?
  ) async throws(TransportError) -> Bool {
    let verdict = verdict(on: progress, of: request)
    if verdict.mayFailOver, progress.hasNext {
      progress.place += 1
      return true
    }
    guard verdict.mayRetry, request.repetition == .retried, progress.retries < rule.maximumRetries else { return false }
    let pause = pause(after: progress.outcome, retry: progress.retries)
    guard pause <= rule.maximumRetryAfter.nanoseconds else { return false }
    let wakeUp = clock.now() + pause
    if let deadline, wakeUp >= deadline { return false }
    try await sleep(until: wakeUp)
    progress.retries += 1
    if verdict.mayFailOver { progress.place = 0 }
    return true
  }

  private func verdict(on progress: Progress, of request: HTTPRequest) -> RetryRule.Verdict {
    RetryRule.verdict(on: progress.outcome, isSigned: request.signer != nil)
  }

  /// Waits if the URL's host has asked for a pause, in this run or an earlier one. If that pause exceeds our patience,
  /// returns the host's response at the time instead and leaves the host alone.
  private func refusal(
    of request: HTTPRequest, by url: String, _ deadline: Int64?
  ) async throws(TransportError) -> HTTPResponse? {
    if request.signer != nil { recall(url) }
    guard let pause = limiter.pause(of: url, at: clock.now()) else { return nil }
    guard pause.end - clock.now() <= rule.maximumRetryAfter.nanoseconds, deadline.map({ pause.end < $0 }) ?? true
    else { return pause.answer }
    try await sleep(until: pause.end)
    return nil
  }

  /// Takes over the pause that the URL's host asked an earlier run for, or another program.
  private func recall(_ url: String) {
    guard let keptPauses, limiter.pause(of: url, at: clock.now()) == nil else { return }
    let wall = clock.wall()
    guard let kept = keptPauses.pause(of: HostName(of: url), at: wall) else { return }
    limiter.pause(
      url, for: kept.end.nanoseconds(since: wall), from: clock.now(), HTTPResponse(status: kept.status, body: []))
  }

  /// Records the pause that a response asks for.
  private func note(_ response: HTTPResponse, of url: String, _ redaction: Redaction, until end: Int64) {
    guard response.status >= 400, let wish = RetryAfter.pause(response.headers, wall: clock.wall()) else { return }
    var response = response
    response.body = redacted(response.body, redaction, until: end) ?? []
    pause(url, for: wish, response)
  }

  /// Records the pause that the answer to the handshake of a WebSocket asks for, if it was one too many.
  ///
  /// - Parameter address: The URL of the WebSocket.
  func note(refusalOf address: String, status: Int, retryAfter: String) {
    guard RateLimiter.tooMany.contains(status), let wish = RetryAfter.pause(retryAfter, wall: clock.wall()) else {
      return
    }
    pause(Self.webURL(address), for: wish, HTTPResponse(status: status, body: []))
  }

  /// Returns how the host of a WebSocket would refuse it, as it has had too many requests and is in a pause; nil if it
  /// would not.
  func refusal(ofStreamAt address: String) -> StreamEnd? {
    let now = clock.now()
    guard let pause = limiter.pause(of: Self.webURL(address), at: now, isOfTooMany: true) else { return nil }
    return .refused(status: pause.answer.status, retryAfter: "\((pause.end - now - 1) / 1_000_000_000 + 1)")
  }

  /// Returns the URL of a WebSocket as one of a request: `wss://` is `https://` for hosts and ports.
  private static func webURL(_ address: String) -> String { "http" + address.dropFirst(2) }

  private func pause(_ url: String, for wish: Int64, _ answer: HTTPResponse) {
    limiter.pause(url, for: wish, from: clock.now(), answer)
    keptPauses?.keep(wish, status: answer.status, of: HostName(of: url), at: clock.wall())
  }

  private func sleep(until time: Int64) async throws(TransportError) {
    do throws(CancellationError) { try await clock.sleep(time) } catch { throw .cancelled }
  }

  /// Returns our own delay or the one the exchange asks for, whichever is longer.
  private func pause(after outcome: Result<HTTPResponse, TransportError>, retry: Int) -> Int64 {
    let delay = rule.delay(before: retry, chance: chance())
    guard case .success(let response) = outcome,
      let wish = RetryAfter.pause(response.headers, wall: clock.wall())
    else { return delay }
    return max(delay, wish)
  }

  /// Makes one attempt with its own signature. Follows no redirects, as a signature is for one host.
  private func sendSigned(
    by signer: RequestSigner, _ url: Int, of image: HTTPRequest, until end: Int64, redaction: inout Redaction
  ) async -> Result<HTTPResponse, TransportError> {
    do throws(TransportError) {
      let patience = end - clock.now()
      guard patience > 0 else { throw .timeout }
      let sending = try await signer.sending(to: url, patience: .nanoseconds(patience))
      defer { sending.release() }
      var signed = sending.request
      // A nonce counts once.
      signed.repetition = .never
      redaction = Redaction(image.secrets + signed.secrets)
      guard let target = signed.urls.first else { throw .other("the request has no URL") }
      guard ["GET", "POST"].contains(signed.method) else { throw .other("only reads are signed") }
      try RedirectRule.check(origin: target, isCredentialed: true)
      var response = try await transmit(signed, countedBy: image.meter, to: image.urls[url], until: end)
      for index in response.headers.indices { response.headers[index].value = redaction(response.headers[index].value) }
      guard !RedirectRule.isRedirect(response.status) else {
        throw .redirectRefused("signed requests do not follow redirects")
      }
      return .success(response)
    } catch {
      return .failure(error)
    }
  }

  /// Waits until the rate limit allows another request: each redirect is one.
  private func awaitTurn(of hop: HTTPRequest, until end: Int64?) async throws(TransportError) {
    let start = try limiter.reserve(hop, now: clock.now(), deadline: end)
    if start > clock.now() { try await sleep(until: start) }
  }

  /// Sends what an attempt consists of, if there is time left for it.
  ///
  /// - Parameter url: The URL of the attempt, which comes last for a while if nothing answers.
  private func transmit(
    _ sending: HTTPRequest, countedBy meter: SendCounter?, to url: String, until end: Int64
  ) async throws(TransportError) -> HTTPResponse {
    let rest = end - clock.now()
    guard rest > 0 else { throw .timeout }
    if meter?.take() == false { throw .redirectRefused("its call budget is used up") }
    // Whether it reaches anyone is known to the wire.
    var sending = sending
    sending.meter = meter
    let start = clock.now()
    do throws(TransportError) {
      return try await sendOnce(sending, rest)
    } catch {
      // A host that had hardly any time is not silent; one that cannot be reached is if that took as long.
      let lapse =
        switch error {
        case .timeout: rest
        case .cannotResolve, .cannotConnect: clock.now() - start
        default: Int64(0)
        }
      if lapse >= min(timeout / 4, 1_000_000_000) { limiter.noteSilence(of: url, at: clock.now()) }
      throw error
    }
  }

  /// Makes one attempt, following redirects.
  private func send(
    _ request: HTTPRequest, to url: String, until end: Int64
  ) async -> Result<HTTPResponse, TransportError> {
    do throws(TransportError) {
      var hop = request
      hop.urls = [url]
      // What is limited must not be sent more often than it is counted.
      if request.meter?.isUnlimited == false { hop.repetition = .never }
      try RedirectRule.check(origin: url, isCredentialed: request.isCredentialed)
      for redirects in 0...RedirectRule.maximum {
        if redirects > 0 { try await awaitTurn(of: hop, until: end) }
        let response = try await transmit(hop, countedBy: request.meter, to: url, until: end)
        guard RedirectRule.isRedirect(response.status), let target = response.redirectTarget else {
          return .success(response)
        }
        hop = try RedirectRule.next(after: hop, status: response.status, to: target)
      }
      throw .redirectRefused("more than \(RedirectRule.maximum) in a row")
    } catch {
      return .failure(error)
    }
  }
}
