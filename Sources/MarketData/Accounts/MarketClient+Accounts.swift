package import Config
import HTTP
import JSON
package import Mapping
package import Quotes
import Transport

extension MarketClient {
  /// Returns the balances of all accounts at an exchange; its parts are requested concurrently and independently.
  ///
  /// - Parameter explains: Whether to explain how each row was derived.
  package func balances(
    of exchange: Exchange, globalAliases: [String: String] = [:], explains: Bool = false
  ) async -> BalanceReport {
    var report = BalanceReport(exchange: exchange.name)
    guard let account = exchange.account, !account.balances.isEmpty else {
      report.failures = [
        .init(account: "", part: "", failure: AnswerFailure(.notOffered, "the config has no 'balances'"))
      ]
      return report
    }
    let secrets = secrets(of: exchange.name)
    let asked = account.balances.flatMap { balances in balances.parts.map { (balances, $0) } }
    let answers = await answers(of: asked.map(\.1)) { index in
      let (balances, part) = asked[index]
      let plan = BalancePlan(
        part.table, account: balances.account, claims: part.claims, globalAliases: globalAliases)
      return await ask(part, named: "balances-\(balances.account)", secrets) {
        answer, context throws(AnswerFailure) -> ReadBalances in
        (try plan.rows(in: answer, context), explains ? try plan.explained(in: answer, context) : [])
      }
    }
    var rows: [Balance] = []
    var leftOut = 0
    var absences: [BalanceReport.Failure] = []
    var answered: Set<String> = []
    for ((balances, part), answer) in zip(asked, answers) {
      report.requests += answer.requests
      report.unknownKinds += answer.unknownKinds
      report.millisecondsOfLimit += part.table.millisecondsOfLimit(costing: answer.cost)
      for (result, request) in answer.answers {
        switch result {
        case .success((let read, var explained)):
          rows += read.rows
          report.incomplete += read.incomplete
          report.unknownKinds += read.unknownKinds
          report.answered += 1
          answered.insert(balances.account)
          leftOut += read.leftOut
          for index in explained.indices { explained[index].request = request?.text }
          report.explained += explained
        case .failure(let failure):
          let failed = BalanceReport.Failure(account: balances.account, part: part.table.partName, failure: failure)
          let isAbsent = balances.isAbsent(failure)
          if isAbsent, account.balances.count == 1 {
            // There is no other kind that the owner may have instead: the account is empty.
            report.answered += 1
          } else if isAbsent || failure.reason == .noSecret {
            absences.append(failed)
          } else {
            report.failures.append(failed)
          }
        }
      }
    }
    // A user without an account of one kind, or without a key of its own for it, has one of another.
    if report.answered == 0 { report.failures += absences }
    let partial = report.answered == 0 ? [] : answered.union(absences.map(\.account))
    report.failures = BalanceReport.Failure.merged(report.failures, partial: partial)
    if rows.isEmpty, let failure = unread(report.incomplete, leftOut: leftOut) {
      report.answered = 0
      report.failures.append(.init(account: "", part: "", failure: failure))
    }
    report.rows = Balance.merged(rows)
    return report
  }

  /// Asks the parts concurrently, except for the first one with a key, which is asked before them: if that key is not
  /// accepted, it is not tried again with each account, but they have the same answer.
  private func answers(
    of parts: [AccountSpec.Part], _ ask: @escaping @Sendable (Int) async -> PartAnswer<ReadBalances>
  ) async -> [PartAnswer<ReadBalances>] {
    guard parts.count > 1, let first = parts.firstIndex(where: \.isPrivate) else {
      return await concurrently(Array(parts.indices), ask)
    }
    let answer = await ask(first)
    let names = Set(parts[first].secretNames)
    return await concurrently(Array(parts.indices)) { index in
      if index == first { return answer }
      guard let refusal = answer.refusalOfKey, names.isSubset(of: parts[index].secretNames) else {
        return await ask(index)
      }
      return PartAnswer(answers: [(.failure(refusal), nil)], lookups: [], cost: 0)
    }
  }

  /// Returns why accounts without a readable row are not empty: their rows have no asset, or are of a kind that the
  /// config does not know; nil if they have none.
  private func unread(_ nameless: Int, leftOut: Int) -> AnswerFailure? {
    if nameless > 0 {
      return AnswerFailure(
        .pathMiss, "\(nameless.counted("row")) in its answers, and none has an asset at the path of the config")
    }
    guard leftOut > 0 else { return nil }
    return AnswerFailure(
      .noAnswer(.rowsLeftOut), "\(leftOut.counted("row")) in its answers, and 'where' leaves out all of them")
  }

  /// Returns which wallets of an exchange are open.
  package func wallets(of exchange: Exchange, globalAliases: [String: String] = [:]) async -> WalletReport {
    var report = WalletReport(exchange: exchange.name)
    let wallets = exchange.account?.wallets ?? []
    guard !wallets.isEmpty else {
      report.failures = [AnswerFailure(.notOffered, "the config has no 'walletStatus'")]
      return report
    }
    report.isPrivate = wallets.contains { $0.part.isPrivate }
    let secrets = report.isPrivate ? secrets(of: exchange.name) : .success([:])
    let answers = await concurrently(wallets) { wallets in
      let plan = WalletPlan(wallets, globalAliases: globalAliases)
      return await ask(wallets.part, named: "wallet-status", secrets, keptFor: wallets.timeToLiveSeconds) {
        answer, context throws(AnswerFailure) in
        try plan.wallets(in: answer, context)
      }
    }
    for result in answers.flatMap(\.results) {
      switch result {
      case .success(let read):
        report.rows += read.rows
        report.incomplete += read.incomplete
      case .failure(let failure): report.failures.append(failure)
      }
    }
    return report
  }

  /// Returns the permissions of the user's key for an exchange; nil if the config has no request for them.
  package func permissions(of exchange: Exchange) async -> Result<KeyPermissions, AnswerFailure>? {
    guard let permissions = exchange.account?.permissions.first else { return nil }
    let plan = PermissionPlan(permissions)
    let answer = await ask(permissions.part, named: "permissions", secrets(of: exchange.name)) {
      answer, context throws(AnswerFailure) in
      try plan.permissions(in: answer, context)
    }
    return answer.results.first ?? .failure(AnswerFailure(.emptyAnswer))
  }

  private func secrets(of exchange: String) -> Result<[String: Secret], SecretProblem> {
    guard let account else { return .success([:]) }
    return Result { () throws(SecretProblem) in try account.secrets.secrets(of: exchange) }
  }
}

extension TableSpec {
  /// Returns why the names of assets cannot be read although those of some rows may be: other names than the lookup's
  /// would pass for other assets. nil if they can be, or need no lookup.
  fileprivate func namesMissing(from states: [String: LookupState]) -> AnswerFailure? {
    let names = fields["asset"]?.lookupNames ?? []
    for name in lookups.map(\.name) where names.contains(name) {
      switch states[name] {
      case .failed(let failure): return failure.ofLookup(name)
      case .table(let table) where table.keys.isEmpty: return AnswerFailure(.emptyAnswer).ofLookup(name)
      case .table, .notRequested, nil: continue
      }
    }
    return nil
  }

  /// Returns what the lookups that were sent take of the rate limit: all but those that were stored.
  fileprivate func cost(of states: LookupStates) -> Int {
    lookups.reduce(0) { sum, lookup in
      switch states.states[lookup.name] {
      case .table, .failed: states.kept[lookup.name] != nil ? sum : sum + (lookup.request?.cost ?? 0)
      case .notRequested, nil: sum
      }
    }
  }

  /// Returns what the accounts are that the list of its batch has and no account in the config is.
  fileprivate func unknownKinds(in states: [String: LookupState]) -> [String] {
    guard case .table(let list)? = batch.flatMap({ states[$0.lookup] }) else { return [] }
    return list.unknownKinds
  }

  /// Returns how long requests of some cost take up its rate limit, in milliseconds; 0 without a limit.
  fileprivate func millisecondsOfLimit(costing cost: Int) -> Double {
    guard let limit else { return 0 }
    return Double(limit.perMilliseconds) / Double(max(1, limit.requests)) * Double(cost)
  }
}

extension BatchSpec {
  /// Returns the context of each request, at least one.
  fileprivate func contexts(
    like context: RequestContext, _ lookups: [String: LookupState]
  ) throws(AnswerFailure) -> [RequestContext] {
    // A rejected key already fails in the lookup.
    if case .failed(let reason)? = lookups[lookup] { throw reason }
    let contexts = try keys(in: lookups[lookup]).map { keys in
      var context = context
      context.keys = keys
      return context
    }
    // Not even one account is not an answer, unlike an empty one.
    if contexts.isEmpty { throw AnswerFailure(.emptyAnswer, "no row of it passes its conditions").ofLookup(lookup) }
    return contexts
  }
}

extension AccountSpec.Balances {
  /// Whether a refusal only says that the key's owner has no such account.
  fileprivate func isAbsent(_ failure: AnswerFailure) -> Bool {
    if case .exchangeError(let code) = failure.reason { absentCodes.contains("\(code)") } else { false }
  }
}

private typealias ReadBalances = (read: BalancePlan.Reading, explained: [ExplainedRecord])

/// The answers to one part of an account, batch by batch.
private struct PartAnswer<Value: Sendable>: Sendable {
  typealias Answer = (result: Result<Value, AnswerFailure>, request: RequestReport?)

  let answers: [Answer]
  let lookups: [RequestReport]
  /// What has been sent takes this much of the rate limit.
  let cost: Int
  /// What the accounts are that the list of a batch has and the config does not know.
  var unknownKinds: [String] = []

  var results: [Result<Value, AnswerFailure>] { answers.map(\.result) }

  /// The failure of a key that is accepted for nothing; nil if it is, or nobody can tell.
  var refusalOfKey: AnswerFailure? {
    for case .failure(let failure) in results where failure.refusesKey { return failure }
    return nil
  }

  var requests: [RequestReport] { lookups + answers.compactMap(\.request) }
}

extension MarketClient {
  private typealias ReadAnswer<Value> = @Sendable (HTTPResponse, ReadingContext) throws(AnswerFailure) -> Value

  /// Asks one part: first its lookups, then the part itself, once per batch.
  ///
  /// - Parameter seconds: How long an answer is cached that is the same for everyone.
  private func ask<Value: Sendable>(
    _ part: AccountSpec.Part, named name: String, _ found: Result<[String: Secret], SecretProblem>,
    keptFor seconds: Int = 0, reading read: @escaping ReadAnswer<Value>
  ) async -> PartAnswer<Value> {
    let table = part.table
    let scope = scope(isShipped: table.isShipped, table.node.json.text)
    var requests: [RequestReport] = []
    var cost = 0
    var unknownKinds: [String] = []
    do throws(AnswerFailure) {
      let secrets = try Self.needed(by: part, found)
      var context = context(for: table.owner, pair: nil)
      context.secret = { secrets[$0]?.revealed }
      let lookups = await lookups(of: part, secrets, context)
      requests = lookups.requests
      cost = table.cost(of: lookups)
      unknownKinds = table.unknownKinds(in: lookups.states)
      if let failure = table.namesMissing(from: lookups.states) { throw failure }
      let contexts = try table.batch?.contexts(like: context, lookups.states) ?? [context]
      cost += contexts.count * table.request.cost
      let answers = await concurrently(contexts) { context -> PartAnswer<Value>.Answer in
        let reading = ReadingContext(context, lookups: lookups.states, hooks: hooks)
        do throws(AnswerFailure) {
          let request = try written(part, named: name, secrets, context)
          let (value, source) = try await kept(request, for: seconds, scope) { answer throws(AnswerFailure) -> Value in
            do throws(AnswerFailure) {
              return try read(answer, reading)
            } catch {
              throw error.pausing(answer.pause, from: now())
            }
          }
          return (.success(value), source.report)
        } catch {
          return (.failure(explained(error, part)), nil)
        }
      }
      return PartAnswer(answers: answers, lookups: requests, cost: cost, unknownKinds: unknownKinds)
    } catch {
      let answers = [(Result<Value, AnswerFailure>.failure(explained(error, part)), RequestReport?.none)]
      return PartAnswer(answers: answers, lookups: requests, cost: cost, unknownKinds: unknownKinds)
    }
  }

  /// Adds to a refused signed request what may be the reason, which no exchange states plainly: the hosts' clocks if this
  /// machine's clock is off, and the note of `auth`; to one that is not signed, that its secret, an address, may be wrong.
  /// What a recording lacks had no key: the recorded run sent everything else.
  private func explained(_ failure: AnswerFailure, _ part: AccountSpec.Part) -> AnswerFailure {
    if failure.reason == .notRecorded, let name = part.secretNames.first {
      return SecretProblem.noSecret(name: name).failure
    }
    if !part.table.isSigned, let name = part.secretNames.first, [.http(400), .http(422)].contains(failure.reason) {
      return failure.adding("the stored '\(name)' may be wrong")
    }
    guard part.table.isSigned, let auth = part.auth, failure.isRefusal else { return failure }
    var words = [part.table.baseURLs.lazy.compactMap { account?.clock?.difference(from: $0) }.first]
    switch failure.reason {
    case .http(401), .http(403): words.append(auth.note)
    case .exchangeError(let code) where auth.refusedCodes?.contains("\(code)") ?? true: words.append(auth.note)
    default: break
    }
    return words.compactMap(\.self).reduce(failure) { $0.adding($1) }
  }

  /// Returns the secrets that a part needs, all of which must exist.
  private static func needed(
    by part: AccountSpec.Part, _ found: Result<[String: Secret], SecretProblem>
  ) throws(AnswerFailure) -> [String: Secret] {
    guard part.isPrivate else { return [:] }
    let secrets = try found.mapError(\.failure).get()
    // Users do not have keys for every exchange, but part of a key must not pass for none.
    let missing = part.secretNames.filter { secrets[$0]?.revealed.isEmpty ?? true }
    guard let name = missing.first else { return secrets }
    let isNone = missing.count == part.secretNames.count
    throw (isNone ? SecretProblem.noSecret(name: name) : .incomplete(missing: name)).failure
  }

  private func written(
    _ part: AccountSpec.Part, named name: String, _ secrets: [String: Secret], _ context: RequestContext
  ) throws(AnswerFailure) -> HTTPRequest {
    let table = part.table
    guard table.isSigned, let auth = part.auth else { return try request(table, named: name, context) }
    let plan = SigningPlan(
      auth, table.request, headers: table.headers, constants: table.set, keys: context.keys)
    return try signed(plan, table.baseURLs, of: table, named: name, secrets, cost: table.request.cost)
  }

  private func signed(
    _ plan: SigningPlan, _ baseURLs: [String], of table: TableSpec, named name: String, _ secrets: [String: Secret],
    cost: Int
  ) throws(AnswerFailure) -> HTTPRequest {
    guard let account else { throw SecretProblem.noSecret(name: plan.auth.secretNames.first ?? "apiKey").failure }
    let request = AccountRequest(
      plan: plan, baseURLs: baseURLs, exchange: table.owner, name: name, limit: table.limit, cost: cost,
      secrets: secrets)
    return try request.written(account, now: now)
  }

  private func lookups(
    of part: AccountSpec.Part, _ secrets: [String: Secret], _ context: RequestContext
  ) async -> LookupStates {
    let table = part.table
    let open = Set(table.lookups.filter { !$0.isSigned }.map(\.name))
    var states = await lookups(of: table, open, context)
    guard let auth = part.auth else { return states }
    let hooks = hooks
    for lookup in table.lookups where lookup.isSigned {
      guard let request = lookup.request else { continue }
      do throws(AnswerFailure) {
        let plan = SigningPlan(auth, request, headers: lookup.headers, constants: table.set)
        let asked = try signed(
          plan, lookup.baseURLs, of: table, named: "lookup-\(lookup.name)", secrets, cost: request.cost)
        let (answer, report) = try await ask(asked)
        do throws(AnswerFailure) {
          let read = try LookupTable(lookup, answer: answer, hooks: hooks, isLate: context.isLate)
          states.states[lookup.name] = .table(read)
          states.requests.append(report)
        } catch {
          throw error.pausing(answer.pause, from: now())
        }
      } catch {
        states.states[lookup.name] = .failed(error)
      }
    }
    return states
  }
}

extension AnswerFailure {
  /// Whether the exchange says by its status that it does not accept the key. What it says in words of its own may as well
  /// be about too many requests or maintenance.
  package var refusesKey: Bool { [Missing.http(401), .http(403)].contains(reason) }

  /// Whether the exchange answered with a refusal: some refuse a key with a server error, and say why.
  package var isRefusal: Bool {
    switch reason {
    case .exchangeError, .http(400...499): true
    case .http(500...599): detail != .status
    default: false
    }
  }
}
