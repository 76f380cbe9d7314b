package import Config
package import HTTP
package import Mapping
import MarketData
package import Quotes
import Transport

/// Queries every exchange once to check its reachability, speed and clock.
package struct ReachabilityCheck {
  private let configuration: Configuration
  private let handler: HTTPHandler
  private let hooks: HookRegistry
  private let now: @Sendable () -> Instant

  package init(
    _ configuration: Configuration, by handler: @escaping HTTPHandler, hooks: HookRegistry = HookRegistry(),
    now: @escaping @Sendable () -> Instant
  ) {
    (self.configuration, self.handler, self.hooks, self.now) = (configuration, handler, hooks, now)
  }

  /// A request of one exchange, and how its answer is told from an error.
  private struct Question {
    let request: HTTPRequest
    let hook: String?
    let success: SuccessSpec
  }

  /// The answer of one exchange.
  private struct Probe: Sendable {
    let exchange: String
    let outcome: Result<HTTPResponse, TransportError>?
    /// Why what arrived with a good status is no answer of the exchange; nil if it is one.
    var objection: AnswerFailure?
    let milliseconds: Int
    let hosts: [String]

    var hasAnswer: Bool { if case .success? = outcome { true } else { false } }
  }

  package func findings() async -> [Finding] {
    let exchanges = configuration.exchanges.compactMap { configuration.read($0).exchange }.filter(\.isEnabled)
    let probes = await concurrently(exchanges) { await probe($0) }
    guard probes.contains(where: \.hasAnswer) else { return unreachable(probes) }
    return clock(probes) + probes.map(finding)
  }

  private func probe(_ exchange: Exchange) async -> Probe {
    guard let question = question(to: exchange) else {
      return Probe(exchange: exchange.name, outcome: nil, milliseconds: 0, hosts: [])
    }
    let request = question.request
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = await Result { () async throws(TransportError) in try await handler(request) }
    let time = clock.now - start
    let milliseconds = Int(time.components.seconds) * 1000 + Int(time.components.attoseconds / 1_000_000_000_000_000)
    let objection = (try? outcome.get()).flatMap { answer in
      answer.isSuccessful
        ? AnswerReader.objection(to: answer, hook: question.hook, hooks: hooks, success: question.success) : nil
    }
    return Probe(
      exchange: exchange.name, outcome: outcome, objection: objection, milliseconds: milliseconds,
      hosts: request.urls.map(\.hostName))
  }

  /// Returns the exchange's smallest request: for a single pair if possible.
  private func question(to exchange: Exchange) -> Question? {
    guard let market = exchange.markets.first(where: \.isEnabled) else { return nil }
    for spec in market.ticker + market.tickers {
      let payment = spec.paymentCurrencies.first?.currencies.first ?? "USDT"
      let context = RequestContext(pair: Pair(asset: "BTC", payment: payment), now: now())
      var writer = RequestWriter(spec, context)
      if let request = try? writer.request(named: "doctor") {
        return Question(request: request, hook: spec.hook, success: spec.success)
      }
      for lookup in spec.lookups {
        if let request = try? writer.request(for: lookup) {
          return Question(request: request, hook: lookup.hook, success: lookup.success)
        }
      }
    }
    return nil
  }

  // MARK: Reachability

  /// Returns a single line if no exchange answers at all.
  private func unreachable(_ probes: [Probe]) -> [Finding] {
    guard !probes.isEmpty else {
      return [Finding(.exchange, .network, .warning, "no exchange in the config is enabled")]
    }
    let failures = probes.compactMap { probe -> (exchange: String, error: TransportError)? in
      if case .failure(let error)? = probe.outcome { (probe.exchange, error) } else { nil }
    }
    let example = failures.first.map { "; \($0.exchange): \($0.error)" } ?? ""
    let number = probes.count == 1 ? "the only exchange does not answer" : "none of \(probes.count) exchanges answers"
    let network = "is there a network here? Check DNS, the firewall and the proxy (https_proxy)"
    // If all fail alike, it is due to the network; a single one may have its own reason.
    let help = probes.count == 1 ? failures.first.map { Self.help(for: $0.error) } : nil
    return [Finding(.exchange, .network, .error, number + example, help: help ?? network)]
  }

  private func finding(of probe: Probe) -> Finding {
    switch probe.outcome {
    case nil: return Finding(.exchange, .exchangeAnswer, .ok, "\(probe.exchange): nothing to request")
    case .failure(let error):
      return Finding(
        .exchange, .exchangeAnswer, .error,
        "\(probe.exchange): \(error) after \(probe.milliseconds) ms (\(probe.hosts.joined(separator: ", ")))",
        help: Self.help(for: error))
    case .success(let response):
      let host = response.url.hostName
      let rank = probe.hosts.firstIndex(of: host).map { $0 > 0 ? ", an alternate" : "" } ?? ""
      var text = "\(probe.exchange): HTTP \(response.status) in \(probe.milliseconds) ms from \(host)\(rank)"
      let test = "it answers; to check the mapping, run: market test-exchange \(probe.exchange) --live"
      if let objection = probe.objection, objection.reason != .notJSON {
        text += ", but with an error: \(objection.wordsInParentheses)"
      } else if let objection = probe.objection {
        text += ", but not with JSON" + (objection.message.map { " (\($0))" } ?? "")
      }
      let (severity, help): (Finding.Severity, String?) =
        switch response.status {
        case 200..<300 where probe.objection?.reason == .notJSON:
          (.error, "maintenance, or a login page of this network?")
        case 200..<300 where probe.objection != nil: (.warning, test)
        case 200..<300: (rank.isEmpty ? .ok : .warning, nil)
        case 403, 451: (.error, "blocked, usually by region or IP address: disable it, or connect from elsewhere")
        case 418, 429: (.warning, "too many requests: wait a few minutes")
        case 500...: (.error, "its server failed; others are not affected")
        default: (.warning, test)
        }
      return Finding(.exchange, .exchangeAnswer, severity, text, help: help)
    }
  }

  private static func help(for error: TransportError) -> String {
    switch error {
    case .timeout: "allow more time with --timeout, or check the network"
    case .cannotResolve: "unknown host name: check DNS, or whether the exchange has moved"
    case .cannotConnect, .brokenOff: "check the network, the firewall or the proxy (https_proxy)"
    case .tooManyFiles: "allow more open files: ulimit -n 4096"
    case .tls: "check this machine's clock and certificate authorities, and the exchange's port in the config"
    case .redirectRefused: "the exchange has moved, or a login page of this network answers"
    case .tooLarge, .badEncoding: "a proxy or login page may have answered: check https_proxy and the network"
    case .other: "check the proxy (https_proxy), and the exchange's host and port in the config"
    case .notInCassette, .cancelled, .notSent: "try again"
    }
  }

  // MARK: Clock

  /// Compares the local clock with those of the exchanges.
  private func clock(_ probes: [Probe]) -> [Finding] {
    let found = probes.compactMap { probe in Self.skew(probe).map { (exchange: probe.exchange, skew: $0) } }
    guard let skew = found.map(\.skew).median else {
      return [Finding(.clock, .localClock, .warning, "no exchange reported the time", help: "see the exchanges below")]
    }
    let source = "by the dates of \(found.count.counted("exchange"))"
    return [clock(skew, source)] + others(found, than: skew)
  }

  private func clock(_ skew: Int64, _ source: String) -> Finding {
    let time = Self.span(skew)
    let stale = configuration.settings.staleAfterMilliseconds / 1000
    guard skew.magnitude >= 2_000_000_000 else {
      return Finding(.clock, .localClock, .ok, "the local clock is correct to \(time), \(source)")
    }
    let (way, effect) =
      skew > 0
      ? ("ahead", "every quote looks \(time) older than it is, and is flagged stale from \(stale) s on")
      : ("behind", "quotes seem to be from the future, and are flagged stale from 5 s on")
    return Finding(
      .clock, .localClock, skew.magnitude > 5_000_000_000 ? .error : .warning,
      "the local clock is \(time) \(way), \(source)", help: "\(effect): correct the clock (NTP)")
  }

  /// Reports exchanges whose clock differs from most others: the times of their quotes are unreliable.
  private func others(_ found: [(exchange: String, skew: Int64)], than middle: Int64) -> [Finding] {
    guard found.count >= 3 else { return [] }
    return found.filter { abs($0.skew - middle) > 5_000_000_000 }.map { exchange, skew in
      let way = skew > middle ? "behind" : "ahead of"
      return Finding(
        .clock, .exchangeClock, .warning,
        "the clock of \(exchange) is \(Self.span(skew - middle)) \(way) those of the others",
        help: "its own times, and the age of its quotes, may be wrong by as much")
    }
  }

  /// `1.5 s`, `17 min`, `3 h`, `12 d`.
  private static func span(_ nanoseconds: Int64) -> String {
    let seconds = Int64((nanoseconds.magnitude + 50_000_000) / 1_000_000_000)
    switch seconds {
    case ..<300: return Decimal(mantissa: Int128(nanoseconds.magnitude / 100_000_000), exponent: -1).shortest + " s"
    case ..<7200: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3600) h"
    default: return "\(seconds / 86_400) d"
    }
  }

  /// 2015 to 2200: servers have no plausible time outside.
  private static let plausible: ClosedRange<Instant> =
    Instant(nanoseconds: 1_420_070_400_000_000_000)...Instant(nanoseconds: 7_258_118_400_000_000_000)

  /// Returns how far the local clock was ahead when an answer arrived; nil if the answer has no date of its own.
  private static func skew(_ probe: Probe) -> Int64? {
    guard case .success(let response)? = probe.outcome, let text = response.headers.first(named: "Date"),
      let date = HTTPDate.instant(text), plausible.contains(date),
      // Cached answers have the date when they were cached.
      (response.headers.first(named: "Age") ?? "0") == "0"
    else { return nil }
    // Dates are truncated to the second.
    return response.arrival.map { $0.nanoseconds(since: date) - 500_000_000 }
  }
}

extension String {
  /// The host in a URL, with its port if given.
  fileprivate var hostName: String {
    let rest = split(separator: "/", omittingEmptySubsequences: true)
    return rest.count > 1 ? String(rest[1]) : self
  }
}
