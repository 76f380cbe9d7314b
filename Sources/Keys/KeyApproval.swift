import Config
import JSON
import MarketData
import Shell
import Terminal

/// Shows a person the requests of an exchange or a rate provider that neither ship nor are allowed.
package struct KeyApproval {
  private let ring: KeyRing
  private let owner: String

  package init(_ ring: KeyRing, _ owner: String) {
    self.ring = ring
    self.owner = owner
  }

  package static func question(_ name: String) -> String { "allow these requests with your keys of \(name)?" }

  /// Writes each as it would be sent, to standard output: it is what was asked for.
  package func show() throws {
    let configuration = ring.config.configuration
    let source = configuration.exchanges.first { $0.name == owner }
    let exchange = source.flatMap { ring.config.exchange($0, in: ring.context) }
    let isProvider = configuration.providerNames.contains(owner)
    let provider = isProvider ? configuration.readProvider(owner).provider : nil
    guard (source == nil) == (exchange == nil), isProvider == (provider != nil) else {
      throw CommandError.invalidConfig(
        TerminalText.sanitized("cannot show the requests of \(owner): its block is invalid"))
    }
    let list = KeyedRequestList(exchange, provider)
    // What cannot be looked at must not be allowed.
    guard list.hidden.isEmpty, !list.requests.isEmpty else {
      let names = list.hidden.isEmpty ? "none with a key" : list.hidden.joined(separator: ", ")
      throw CommandError.noAnswer(
        TerminalText.sanitized("requests of \(owner) cannot be shown, so they cannot be allowed: \(names)"))
    }
    // The list is for reading; what is allowed is this, and a secret in it may stand where no list looks for one.
    let keyed = KeyedRequests(of: owner, in: configuration)
    let own = (keyed?.own ?? []).map { String(decoding: $0.document, as: UTF8.self) }
    let lines = own.flatMap { $0.split(separator: "\n") }.map { "  " + TerminalText.sanitized(String($0)) + "\n" }
    ring.context.output.write(list.text + (lines.isEmpty ? "" : "your config says of them\n" + lines.joined()))
    ring.context.output.flush()
    let hosts = list.hosts + (keyed?.ownHosts ?? []).filter { !list.hosts.contains($0) }
    let count = list.requests.count
    let (what, go) =
      count == 1
      ? ("this request is not one that ships", "it goes")
      : ("these \(count) requests are not those that ship", "they go")
    ring.context.note(
      "\(what) with the program; names stand in the place of secrets; \(go) to: "
        + TerminalText.sanitized(hosts.joined(separator: ", ")))
  }
}
