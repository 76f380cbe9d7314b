import Config
import HTTP
package import JSON
import Mapping
import MarketData
import Quotes
package import Terminal

/// The result of testing a key.
package struct KeyReport {
  let owner: String
  private let now: Instant
  package private(set) var lines: [StatusLine] = []
  /// nil if no answer has them.
  private(set) var permissions: KeyPermissions?
  /// The name of the key that they belong to; nil if the exchange has a single one.
  private var permissionsKey: String?

  /// What the commands of remedies need to find the same config.
  private let option: String

  init(_ owner: String, now: Instant, option: String = "") {
    (self.owner, self.now, self.option) = (owner, now, option)
  }

  /// Whether it works.
  package var isUsable: Bool { !lines.contains { $0.status == .problem } }
  var mayWithdraw: Bool { permissions?.withdraw == .yes }

  mutating func add(_ status: StatusLine.Status, _ topic: String, _ text: String, help: String? = nil) {
    lines.append(StatusLine(status: status, topic: topic, text: text, help: help))
  }

  // MARK: Before requests

  mutating func addKeys(
    _ stored: [(name: String, origin: Credentials.Origin?)], missing: [String] = [], _ secrets: [String: Secret] = [:]
  ) {
    var names = stored.map { "\($0.name) (\($0.origin.word))" }
    names += secrets.keys.sorted().filter { name in !stored.contains { $0.name == name } }
    guard !names.isEmpty else {
      return add(.problem, "keys", "no keys of \(owner) are stored", help: "market keys add \(owner)\(option)")
    }
    add(.ok, "keys", names.joined(separator: ", "))
    if !missing.isEmpty { add(.note, "keys", "not stored: \(missing.joined(separator: ", "))") }
  }

  mutating func add(_ status: KeyAllowance.Status) {
    switch status {
    case .needless: add(.note, "requests", "no request of \(owner) needs a key")
    case .shipped: add(.ok, "requests", "they ship with the program")
    case .allowed: add(.ok, "requests", "your own, and allowed by you")
    case .notAllowed: add(SecretProblem.notAllowed, of: owner)
    case .invalidBlock: add(SecretProblem.invalidBlock, of: owner)
    }
  }

  mutating func add(_ problem: SecretProblem, of name: String) {
    switch problem {
    case .notAllowed:
      add(
        .problem, "requests", "\(problem.reason.rawValue): they do not ship with the program, and are not allowed",
        help: "review and allow them: market keys allow \(name)\(option)")
    case .invalidBlock:
      add(
        .problem, "requests", "\(problem.reason.rawValue): \(problem.sentence)", help: "market validate-config\(option)"
      )
    case .nonceAhead:
      add(
        .problem, "nonces", "\(problem.reason.rawValue): \(problem.sentence)",
        help: "wait that long, or start over: market keys test \(name) --forget-nonce\(option)")
    default: add(.problem, "keys", "\(problem.reason.rawValue): \(problem.sentence)")
    }
  }

  // MARK: Exchange's answers

  /// - Parameters:
  ///   - answer: nil if the config has no request for them: the exchange may have one.
  ///   - key: The name of the key; nil if the exchange has a single one.
  mutating func add(_ answer: Result<KeyPermissions, AnswerFailure>?, of name: String, key: String? = nil) {
    var own = KeyReport(owner, now: now)
    switch answer {
    case nil:
      let subject = key == nil ? "a key" : "this key"
      own.add(.note, "rights", "the config has no request for what \(subject) may do; see \(name)'s API key page")
    case .failure(let failure)?: own.add(.problem, "rights", "the exchange did not say: \(failure.words)")
    case .success(let permissions)?:
      (self.permissions, permissionsKey) = (permissions, key)
      own.add(permissions)
    }
    take(own, of: key)
  }

  /// Adds the lines about one of several keys, with its name.
  private mutating func take(_ report: KeyReport, of key: String?) {
    for line in report.lines {
      add(line.status, line.topic, (key.map { "\($0): " } ?? "") + line.text, help: line.help)
    }
  }

  private mutating func add(_ permissions: KeyPermissions) {
    add(
      permissions.withdraw, "withdraw", "anyone who reads it can take your money",
      help: "create a read-only one, and delete this one at the exchange")
    add(
      permissions.trade, "trade", "anyone who reads it can place orders",
      help: "the program never does; create a read-only one")
    switch permissions.origins {
    case .anywhere?:
      add(
        .note, "address", "it works from any address",
        help: "restrict it to your own at the exchange, if that is static"
      )
    case .bound(let addresses)? where addresses.isEmpty:
      add(.ok, "address", "it is restricted to some; the exchange does not say which")
    case .bound(let addresses)?:
      add(.ok, "address", "only from \(addresses.named(upTo: Self.maximumAddresses))")
    case nil: break
    }
    switch permissions.expires {
    case .at(let end)?: add(end: end)
    case .unreadable?:
      add(.warning, "expires", "its expiry cannot be read", help: "see the exchange's API key page")
    case nil: break
    }
  }

  private mutating func add(_ right: KeyPermissions.Right, _ deed: String, _ risk: String, help: String) {
    switch right {
    case .yes: add(.warning, "rights", "THIS KEY MAY \(deed.uppercased()): \(risk)", help: help)
    case .no: add(.ok, "rights", "it cannot \(deed)")
    case .unknown: add(.warning, "rights", "unknown whether it may \(deed)")
    }
  }

  private mutating func add(end: Instant) {
    let days = end.nanoseconds(since: now) / Instant.day
    let date = end.iso8601.prefix(10)
    if end <= now {
      // An expired key gets no answers, so the clock, the unit or the exchange's answer is wrong.
      add(
        .warning, "expires", "it expired on \(date) according to the exchange, but still works",
        help: "see the exchange's API key page")
    } else {
      let span = days == 0 ? "within a day" : days == 1 ? "in 1 day" : "in \(days) days"
      add(days < 14 ? .warning : .ok, "expires", "\(span), on \(date)")
    }
  }

  /// nil if unknown, or if it does not expire.
  private var end: Instant? { if case .at(let end)? = permissions?.expires { end } else { nil } }

  /// The maximum number of addresses shown.
  private static let maximumAddresses = 20

  /// - Parameter key: The name of the key; nil if the exchange has a single one.
  mutating func add(_ balances: BalanceReport, key: String? = nil) {
    var own = KeyReport(owner, now: now)
    for failure in balances.failures { own.add(.problem, "account", "\(failure.account): \(failure.failure.words)") }
    if balances.answered > 0 {
      let count = balances.rows.count
      own.add(.ok, "account", "it can be read: \(count.counted("asset"))")
    }
    take(own, of: key)
  }

  // MARK: Clock and nonces

  mutating func add(_ reading: ClockReading, of host: String) {
    let tenths = Decimal(mantissa: Int128(reading.ahead.magnitude / 100_000_000), exponent: -1).shortest
    let way = reading.ahead > 0 ? "ahead of" : "behind"
    if reading.ahead.magnitude < 1_000_000_000 {
      add(.ok, "clock", "it agrees with \(host) to the second")
    } else {
      add(
        reading.isTooFar ? .problem : .warning, "clock",
        "it is \(tenths) s \(way) \(host): \(reading.received.iso8601) here, \(reading.theirs.iso8601) there",
        help: "correct the clock (NTP); nothing is adjusted silently")
    }
  }

  /// - Parameter last: in microseconds since 1970.
  mutating func add(_ last: Result<Int64?, SecretProblem>, of name: String) {
    switch last {
    case .failure(let problem):
      add(
        .problem, "nonces", "\(problem.reason.rawValue): \(problem.sentence)",
        help: "start over: market keys test \(name) --forget-nonce\(option)")
    case .success(nil): add(.ok, "nonces", "none has been sent with this key from here")
    case .success(let last?):
      let ahead = (last - now.nanoseconds / 1000) / 1_000_000
      if ahead > NonceFiles.maximumSecondsAhead {
        add(SecretProblem.nonceAhead(seconds: ahead), of: name)
      } else {
        add(.ok, "nonces", "the last was \(Instant(nanoseconds: last * 1000).iso8601)")
      }
    }
  }

  // MARK: JSON

  /// Whether the key is restricted to certain addresses; nil if unknown.
  private var isBound: Bool? { permissions?.origins.map { $0 != .anywhere } }
  private var addresses: [String] { if case .bound(let all)? = permissions?.origins { all } else { [] } }

  package var json: JSONValue {
    [
      "name": .string(owner), "usable": .bool(isUsable),
      "key": .text(permissionsKey), "trade": .text(permissions?.trade.rawValue),
      "withdraw": .text(permissions?.withdraw.rawValue),
      "expires": .text(end?.iso8601), "bound": isBound.map { .bool($0) } ?? .null,
      "addresses": .texts(addresses),
      "checks": .list(lines) {
        [
          "topic": .string($0.topic), "status": .string($0.status.rawValue), "text": .string($0.text),
          "help": .text($0.help),
        ]
      },
    ]
  }
}
