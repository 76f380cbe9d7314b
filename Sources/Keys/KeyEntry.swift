import Config
import Files
import HTTP
import MarketData
import Quotes
package import Shell
import Terminal

/// `market keys add`: asks for secrets, checks what they permit, and stores them.
package struct KeyEntry {
  private let ring: KeyRing
  private let owner: KeyRing.Owner
  /// The names of the secrets to ask for; empty for all.
  private let wanted: [String]
  private let isSure: Bool
  private let timeoutMilliseconds: Int?
  private let colors: ColorOptions

  /// - Parameter isSure: whether to skip confirmation.
  package init(
    _ ring: KeyRing, _ owner: KeyRing.Owner, asking wanted: [String], isSure: Bool, timeoutMilliseconds: Int?,
    colors: ColorOptions
  ) {
    (self.ring, self.owner, self.wanted, self.isSure) = (ring, owner, wanted, isSure)
    (self.timeoutMilliseconds, self.colors) = (timeoutMilliseconds, colors)
  }

  private var name: String { TerminalText.sanitized(owner.name) }

  /// - Parameter isTested: whether to ask the exchange for the key's permissions before it is stored.
  package func run(isTested: Bool) async throws -> ExitCode {
    // Do not ask for what cannot be stored.
    if ring.file.mode != nil, ring.file.document == nil { try ring.edit(owner.name, []) }
    let secrets = try entered(try names())
    guard !secrets.isEmpty else { throw CommandError.noAnswer("no secret given; nothing was stored") }
    for (name, secret) in secrets {
      if let why = Credentials.flaw(of: secret) {
        throw CommandError.noAnswer("\(name): \(why); nothing was stored")
      }
    }
    var edits = [CredentialsEdit.set(secrets)]
    var isAllowed = true
    switch ring.store.status(of: owner.name) {
    case .needless, .shipped, .allowed: break
    case .invalidBlock: isAllowed = try KeyApproval(ring, owner.name).isGiven(isSure: isSure)
    case .notAllowed(let fingerprint):
      isAllowed = try KeyApproval(ring, owner.name).isGiven(isSure: isSure)
      if isAllowed { edits.append(.allow(fingerprint)) }
    }
    if isTested, isAllowed, owner.isExchange {
      try await test(ring.store.applying(edits, to: owner.name), of: secrets.map(\.name))
    }
    try ring.edit(owner.name, edits)
    ring.context.note("stored \(secrets.map(\.name).joined(separator: ", ")) of \(owner.name) in \(ring.file.path)")
    // A pipe may end early, and half a key is none.
    let stored = ring.store.applying(edits, to: owner.name).credentials
    let missing = owner.secretNames.filter { stored.origin(of: $0, owner.name) == nil }
    if !missing.isEmpty {
      ring.context.note("still missing: \(missing.joined(separator: ", ")); requests that need it are not sent")
    }
    if !isAllowed {
      ring.context.note(
        "the requests are not allowed, so the key is not used; run: market keys allow \(name)"
          + ring.config.found.option)
    }
    return .answer
  }

  /// Returns the names of the secrets to ask for.
  private func names() throws -> [String] {
    guard !owner.secretNames.isEmpty else {
      throw CommandError.noAnswer("no request of \(name) in \(ring.config.found.path) asks for a secret")
    }
    guard !wanted.isEmpty else { return owner.secretNames }
    // An unknown name may be a secret, so it is not repeated.
    guard wanted.allSatisfy(owner.secretNames.contains) else {
      let known = owner.secretNames.listed("or")
      throw UsageProblem.other(
        "unknown secret of \(name); expected \(known); \(KeyRing.neverArguments)")
    }
    return owner.secretNames.filter(wanted.contains)
  }

  /// Returns the entered secrets, read one line per name; an empty line keeps what is stored.
  private func entered(_ names: [String]) throws -> [(name: String, secret: Secret)] {
    SystemLimits.forbidCoreDumps()
    var lines: [String] = []
    if ring.context.terminal.inputIsTerminal {
      ring.context.note("input is hidden; an empty line leaves a secret unchanged")
      lines = try ring.context.readHidden(names.map { "\(name) \($0): " })
      guard lines.allSatisfy({ $0.utf8.count < TerminalState.maximumLineLength }) else {
        throw CommandError.noAnswer(
          "the terminal takes lines of at most \(TerminalState.maximumLineLength) bytes and cut this one off; nothing "
            + "was stored; pass the lines by standard input instead: < FILE")
      }
    } else {
      for _ in names {
        guard let line = ring.context.readLine() else { break }
        lines.append(line)
      }
    }
    return zip(names, lines).filter { !$1.isEmpty }.map { ($0, Secret($1)) }
  }

  /// Asks the exchange about the new key.
  ///
  /// - Throws: if the key permits withdrawals, or does not prove itself, and the user has not confirmed that.
  private func test(_ store: KeyStore, of names: [String]) async throws {
    let trial = KeyTest(ring, owner, store, of: Set(names), timeoutMilliseconds: timeoutMilliseconds)
    let report = await trial.report()
    ring.context.output.write(
      report.lines.text(width: ring.context.terminal.columns, palette: ring.context.palette(colors)))
    ring.context.output.flush()
    if report.mayWithdraw {
      guard ring.confirms("this key may withdraw your money; store it anyway?", isSure: isSure) else {
        throw CommandError.noAnswer("not stored: the key may withdraw; create a read-only one")
      }
    } else if !report.isUsable {
      // It may be able to withdraw, or replace one that works: exchanges show a secret only once.
      guard ring.confirms("the key has problems; store it anyway?", isSure: isSure) else {
        throw CommandError.noAnswer("not stored: the key has problems; --yes stores it anyway")
      }
    }
  }
}
