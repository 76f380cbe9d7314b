import Asking
import Config
import HTTP
import Mapping
package import MarketData
import Quotes
import Shell
import Terminal
import Transport

/// Tests the keys of an exchange: their permissions according to it, an account of each, the clock and the nonces.
package struct KeyTest {
  private let ring: KeyRing
  private let owner: KeyRing.Owner
  private let store: KeyStore
  private let timeout: Duration
  /// The secrets whose keys are tested; nil for all.
  private let names: Set<String>?

  /// - Parameters:
  ///   - store: the keys to test, possibly not yet saved.
  ///   - names: the secrets whose keys to test; nil for all that are stored.
  package init(
    _ ring: KeyRing, _ owner: KeyRing.Owner, _ store: KeyStore, of names: Set<String>? = nil, timeoutMilliseconds: Int?
  ) {
    (self.ring, self.owner, self.store, self.names) = (ring, owner, store, names)
    timeout = .milliseconds(timeoutMilliseconds ?? ring.config.configuration.settings.timeoutMilliseconds)
  }

  package func report() async -> KeyReport {
    var report = KeyReport(owner.name, now: ring.context.now(), option: ring.config.found.option)
    guard owner.isExchange else {
      report.addKeys(ring.secrets(of: owner.name))
      report.add(store.status(of: owner.name))
      report.add(.note, "rights", "a rate provider's key can only read rates")
      return report
    }
    let secrets: [String: Secret]
    do throws(SecretProblem) {
      secrets = try store.secrets(of: owner.name)
    } catch {
      report.add(error, of: owner.name)
      return report
    }
    report.addKeys(ring.secrets(of: owner.name), missing: owner.secretNames.filter { secrets[$0] == nil }, secrets)
    report.add(store.status(of: owner.name))
    guard !secrets.isEmpty, let exchange else { return report }
    await ask(exchange, secrets, &report)
    return report
  }

  private var exchange: Exchange? {
    guard let source = ring.config.configuration.exchange(named: owner.name) else { return nil }
    return ring.config.exchange(source, in: ring.context)
  }

  // MARK: Requests

  private func ask(_ exchange: Exchange, _ secrets: [String: Secret], _ report: inout KeyReport) async {
    var options = HTTPClient.Options(userAgent: Version.userAgent, limit: timeout)
    options.keptPauses = ring.context.keptPauses
    let network = HTTPClient(options)
    defer { network.shutDown() }
    let clock = HostClock(network.handler, now: ring.context.now)
    let journal = RequestJournal()
    var client = MarketClient(
      handler: journal.following(clock.noting(network.handler)), credentials: store.credentials, hooks: .shipped,
      now: ring.context.now, timeLeft: { network.timeLeft })
    guard let nonces = ring.context.nonces else {
      report.add(.problem, "nonces", "no folder for them: \(UserPaths.absence(of: "XDG_STATE_HOME"))")
      return
    }
    client.account = AccountDependencies(secrets: store, nonces: nonces, clock: clock, crypto: CryptoLibrary())
    let asking = client
    let all = exchange.account?.keys ?? []
    let keys = all.filter { key in key.secretNames.contains { secrets[$0] != nil && names?.contains($0) != false } }
    guard !keys.isEmpty || all.isEmpty else {
      report.add(.problem, "keys", "no request for an account of \(owner.name) uses them")
      return
    }
    let answers = await ring.context.showing(journal) {
      // Sequential, since requests of a key with nonces cannot be concurrent.
      var answers: [Answer] = []
      for key in keys { answers.append(await answer(to: key, of: exchange, secrets, asking)) }
      return answers
    }
    if keys.isEmpty { report.add(nil, of: owner.name) }
    // A single key of the exchange needs no name.
    let titles = all.count == 1 ? [nil] : keys.map { key in owner.secretNames.first(where: key.secretNames.contains) }
    for (title, answer) in zip(titles, answers) { report.add(answer.permissions, of: owner.name, key: title) }
    for (title, answer) in zip(titles, answers) {
      if let balances = answer.balances { report.add(balances, key: title) }
    }
    await addClock(of: exchange, keys, clock, &report)
    for key in nonceKeys(of: exchange, secrets) {
      report.add(Result { () throws(SecretProblem) in try nonces.last(of: key) }, of: owner.name)
    }
  }

  private typealias Answer = (permissions: Result<KeyPermissions, AnswerFailure>?, balances: BalanceReport?)

  /// Asks what a key may do, if the config has a request for it, and for one of its accounts: of those that need no more
  /// secrets than are stored, one that needs most of them.
  private func answer(
    to key: AccountSpec.Key, of exchange: Exchange, _ secrets: [String: Secret], _ client: MarketClient
  ) async -> Answer {
    let permissions = key.hasPermissions ? await client.permissions(of: exchange) : nil
    let possible = key.accounts.filter { $0.secretNames.isSubset(of: secrets.keys) }
    let fullest = possible.max { $0.secretNames.count < $1.secretNames.count }
    guard let first = fullest ?? key.accounts.first else { return (permissions, nil) }
    // One account is enough, unless the owner may not have it; and for a key that has been refused, it is anyway.
    let isRefused = if case .failure(let failure)? = permissions { failure.isRefusal } else { false }
    var trial = exchange
    trial.account?.balances = isRefused || first.absentCodes.isEmpty ? [first] : key.accounts
    return (permissions, await client.balances(of: trial))
  }

  /// Checks the clocks of the hosts that the keys are sent to, which needs no key.
  private func addClock(
    of exchange: Exchange, _ keys: [AccountSpec.Key], _ clock: HostClock, _ report: inout KeyReport
  ) async {
    let names = Set(keys.flatMap(\.secretNames))
    // Without requests for accounts, a key is for the others.
    let parts = (exchange.account?.parts ?? []).filter { part in
      part.isPrivate && (keys.isEmpty || names.isSuperset(of: part.secretNames))
    }
    var hosts: Set<HostName> = []
    for url in parts.compactMap(\.table.baseURLs.first) where hosts.insert(HostName(of: url)).inserted {
      // The reading also contains any error.
      try? await clock.check(url)
      if let reading = clock.reading(of: url) { report.add(reading, of: HostName(of: url).text) }
    }
  }

  // MARK: Nonces

  /// Returns the distinct keys of an exchange whose requests have nonces.
  private func nonceKeys(of exchange: Exchange, _ secrets: [String: Secret]) -> [NonceKey] {
    let auths = (exchange.account?.signers ?? []).map(\.auth).filter { $0.nonceUnit != nil }
    let keys = auths.map { NonceKey(exchange: owner.name, auth: $0, secrets: secrets) }
    return keys.filter { !$0.id.revealed.isEmpty }.unique
  }

  /// Deletes the last nonces of the key.
  package func forgetNonces() async throws {
    let name = TerminalText.sanitized(owner.name)
    do {
      let secrets = try store.secrets(of: owner.name)
      let keys = exchange.map { nonceKeys(of: $0, secrets) } ?? []
      guard let nonces = ring.context.nonces, !keys.isEmpty else {
        throw CommandError.noAnswer("no request of \(name) has a nonce, or its key is not stored")
      }
      for key in keys {
        let last = try await nonces.forget(key, patience: timeout)
        // One too far ahead for a moment is why it is forgotten.
        let moment = last?.multipliedReportingOverflow(by: 1000)
        let was = moment.map { $0.overflow ? "" : ", which was \(Instant(nanoseconds: $0.partialValue).iso8601)" } ?? ""
        ring.context.note(
          "forgot the last nonce of \(name)\(was); an exchange that has seen it may refuse smaller ones")
      }
    } catch let problem as SecretProblem {
      throw CommandError.noAnswer("\(owner.name): \(problem.sentence)")
    }
  }
}
