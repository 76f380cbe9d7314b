import Config
import JSON
import MarketData
import Shell
import Terminal

/// Shows the user the requests of an exchange or a rate provider that are neither built in nor approved.
package struct KeyApproval {
  private let ring: KeyRing
  private let owner: String

  package init(_ ring: KeyRing, _ owner: String) { (self.ring, self.owner) = (ring, owner) }

  /// `market keys allow`: shows any requests that need approval, and asks the user to allow them.
  ///
  /// - Parameter isSure: whether the command line already confirms.
  package func run(isSure: Bool) throws {
    switch ring.store.status(of: owner) {
    case .needless: throw CommandError.noAnswer("no request of \(owner) needs a key that must be allowed")
    case .shipped:
      ring.context.note("the requests of \(owner) ship with the program; nothing needs to be allowed")
    case .allowed: ring.context.note("the requests of \(owner) are already allowed")
    // Showing them says what is invalid.
    case .invalidBlock: try show()
    case .notAllowed(let fingerprint):
      guard try isGiven(isSure: isSure) else { throw CommandError.noAnswer("not allowed; nothing was written") }
      try ring.edit(owner, [.allow(fingerprint)])
      ring.context.note("allowed the requests of \(owner)")
    }
  }

  /// Shows the requests, and asks whether to allow them.
  func isGiven(isSure: Bool) throws -> Bool {
    try show()
    return ring.confirms("allow these requests with your keys of \(TerminalText.sanitized(owner))?", isSure: isSure)
  }

  /// Writes each request as it would be sent to standard output, since it was asked for.
  private func show() throws {
    let configuration = ring.config.configuration
    let source = configuration.exchanges.first { $0.name == owner }
    let exchange = source.flatMap { ring.config.exchange($0, in: ring.context) }
    let isProvider = configuration.providerNames.contains(owner)
    let provider = isProvider ? configuration.readProvider(owner).provider : nil
    guard (source == nil) == (exchange == nil), isProvider == (provider != nil) else {
      throw CommandError.invalidConfig("cannot show the requests of \(owner): its block is invalid")
    }
    let list = KeyedRequestList(exchange, provider)
    // What cannot be inspected must not be allowed.
    guard list.hidden.isEmpty, !list.requests.isEmpty else {
      let names = list.hidden.isEmpty ? "none with a key" : list.hidden.joined(separator: ", ")
      throw CommandError.noAnswer("requests of \(owner) cannot be shown, so they cannot be allowed: \(names)")
    }
    // The list is for reading; this is what is allowed, and it may contain a secret where no list looks for one.
    let keyed = KeyedRequests(of: owner, in: configuration)
    let own = (keyed?.own ?? []).map { String(decoding: $0.document, as: UTF8.self) }
    let lines = own.flatMap { $0.split(separator: "\n") }.map { "  " + TerminalText.sanitized(String($0)) + "\n" }
    ring.context.output.write(list.text + (lines.isEmpty ? "" : "your config says about them\n" + lines.joined()))
    ring.context.output.flush()
    let hosts = list.hosts + (keyed?.ownHosts ?? []).filter { !list.hosts.contains($0) }
    let count = list.requests.count
    let (what, go) =
      count == 1
      ? ("this request does not ship", "it goes")
      : ("these \(count) requests do not ship", "they go")
    ring.context.note(
      "\(what) with the program; secrets are replaced by their names; \(go) to: "
        + hosts.joined(separator: ", "))
  }
}
