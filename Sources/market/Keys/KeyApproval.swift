import Config
import MarketData
import Terminal

/// Shows a person the requests of an exchange that neither ship nor are allowed.
struct KeyApproval {
  private let ring: KeyRing
  private let owner: String

  init(_ ring: KeyRing, _ owner: String) {
    self.ring = ring
    self.owner = owner
  }

  static func question(_ name: String) -> String { "allow these requests with your keys of \(name)?" }

  /// Writes each as it would be sent, to standard output: it is what was asked for.
  func show() throws {
    let source = try ring.config.source(named: owner)
    guard let exchange = ring.config.exchange(source, in: ring.context) else {
      throw CommandError.invalidConfig("cannot show the requests of \(source.name): its block is invalid")
    }
    let list = KeyedRequestList(exchange)
    // What cannot be looked at must not be allowed.
    guard list.hidden.isEmpty, !list.requests.isEmpty else {
      let names = list.hidden.isEmpty ? "none with a key" : list.hidden.joined(separator: ", ")
      throw CommandError.noAnswer(
        TerminalText.sanitized("requests of \(owner) cannot be shown, so they cannot be allowed: \(names)"))
    }
    ring.context.output.write(list.text)
    ring.context.output.flush()
    let hosts = list.hosts.map { TerminalText.sanitized($0) }.joined(separator: ", ")
    ring.context.note(
      "these \(list.requests.count) requests are not those that ship with the program; names stand in the place of secrets; "
        + "they go to: \(hosts)")
  }
}
