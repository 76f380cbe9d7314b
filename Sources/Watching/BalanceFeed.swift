import Asking
import Config
import MarketData
import Quotes
import Shell
import Views

/// The user's accounts for a live screen, polled by a ``BalanceSchedule``, and only while the balances are being viewed.
actor BalanceFeed {
  private let session: MarketSession
  private let context: Context
  private var keys: FollowedKeys
  private var accounts: AccountSession
  private let language: Language
  private let now: @Sendable () -> Instant
  private let exchanges: [Exchange]
  /// The exchanges whose blocks are invalid, with or without a key.
  private let unreadable: [String]
  private let prices: BalancePrices
  private let tell: @Sendable (WatchBalances) -> Void
  private var balances: WatchBalances
  private var schedule = BalanceSchedule()
  private var reports: [String: BalanceReport] = [:]
  /// When the oldest balances of each exchange that are shown arrived.
  private var answered: [String: Instant] = [:]
  /// How often each exchange's key has changed: answers to requests with an earlier one are not used.
  private var keyNumbers: [String: Int] = [:]
  /// The prices of each exchange's own pairs, as last requested.
  private var own: [String: BalancePrices.Own] = [:]
  /// The number of valuations begun.
  private var valuations = 0
  private var hasTold = false

  /// - Parameter tell: Receives the current state after each change.
  init(of run: WatchRun, in context: Context, tell: @escaping @Sendable (WatchBalances) -> Void) {
    let session = run.session
    let keys = FollowedKeys(in: session.replay == nil ? context.paths.config : nil)
    (self.session, self.context, self.keys) = (session, context, keys)
    let accounts = AccountSession(rounds: session, keys: keys.file, in: context)
    self.accounts = accounts
    now = context.now
    let (known, invalid) =
      (try? session.config.exchangesWithAccount(nil, in: context) { !$0.balances.isEmpty }) ?? ([], [])
    exchanges = known.filter { run.exchanges.contains($0.name) }
    unreadable = invalid.filter { (run.exchanges + run.broken).contains($0) }
    let currency = session.configuration.settings.headerRate.payment
    prices = BalancePrices(accounts, in: currency)
    balances = WatchBalances(in: currency)
    self.tell = tell
    language = run.settings.language
    balances.reports = Self.reports(of: unreadable, accounts)
    if session.replay != nil {
      balances.problem = language("no account is queried in a replay", "재생 중에는 계좌를 조회하지 않음")
    } else if session.isRecording {
      balances.problem = language("accounts are not queried with --record", "--record 중에는 계좌를 조회하지 않음")
    } else if exchanges.isEmpty, unreadable.isEmpty {
      balances.problem = language("no balances are known of the exchanges watched", "보고 있는 거래소는 잔고를 조회할 수 없음")
    }
  }

  /// Asks the exchanges that are due, without waiting for their answers.
  func ask() {
    guard balances.problem == nil, !exchanges.isEmpty else {
      if !hasTold { tell(shown) }
      hasTold = true
      return
    }
    let moment = now()
    if schedule.takesPrices(of: held, at: moment) {
      let names = Set(held.map(\.exchange))
      own = own.filter { names.contains($0.key) }
      price(exchanges.filter { names.contains($0.name) })
    }
    let wanted = exchanges.filter {
      !balances.waiting.contains($0.name) && schedule.isDue($0.name, at: moment)
    }
    guard !wanted.isEmpty else { return }
    balances.waiting += wanted.map(\.name)
    let client = accounts.newRound()
    let aliases = accounts.configuration.aliases
    for exchange in wanted {
      let number = keyNumbers[exchange.name]
      Task { take(await client.balances(of: exchange, globalAliases: aliases), of: exchange, withKey: number) }
    }
  }

  /// Asks the exchanges that refused, too, unless they have just done so.
  func askAgain() {
    schedule.forgive()
    update()
    ask()
  }

  /// Why the key file is not in effect, and what to do; nil if it is.
  var keysProblem: String? { keys.problem }

  /// Uses the keys that have been added, replaced, allowed or removed since. Exchanges whose key is the same keep their
  /// balances and their pause.
  ///
  /// - Returns: Whether the key file has changed.
  func followKeys() -> Bool {
    guard balances.problem == nil, keys.refresh() else { return false }
    let earlier = accounts
    accounts = AccountSession(rounds: session, keys: keys.file, in: context)
    for name in exchanges.map(\.name) where accounts.hasOtherKey(of: name, than: earlier) {
      (reports[name], answered[name]) = (nil, nil)
      schedule.forget(name)
      keyNumbers[name, default: 0] += 1
      balances.waiting.removeAll { $0 == name }
    }
    update()
    return true
  }

  private func take(_ report: BalanceReport, of exchange: Exchange, withKey number: Int?) {
    guard number == keyNumbers[exchange.name] else { return }
    let moment = now()
    balances.waiting.removeAll { $0 == exchange.name }
    schedule.take(report, at: moment)
    let report = report.keeping(reports[exchange.name])
    reports[exchange.name] = report
    if report.kept.isEmpty { answered[exchange.name] = report.answered > 0 ? moment : nil }
    update()
    guard schedule.takesPrices(of: report, among: held, at: moment) else { return }
    price(own[exchange.name] == nil ? [exchange] : [])
  }

  private func update() {
    // Users do not have keys for every exchange.
    let known = exchanges.compactMap { reports[$0.name] }.filter { !$0.lacksSecrets }
    balances.reports = known + Self.reports(of: unreadable, accounts)
    balances.retries = schedule.retries
    balances.answered = balances.reports.compactMap { answered[$0.exchange] }.min()
    tell(shown)
  }

  private static func reports(of unreadable: [String], _ accounts: AccountSession) -> [BalanceReport] {
    unreadable.filter { accounts.hasKey(of: $0) }.map { BalanceReport(invalid: $0) }
  }

  /// The balances to show, which do not wait for exchanges without a key.
  private var shown: WatchBalances {
    var shown = balances
    shown.waiting.removeAll { name in reports[name]?.lacksSecrets == true }
    let areUnkeyed = exchanges.allSatisfy { reports[$0.name]?.lacksSecrets == true }
    if shown.problem == nil, areUnkeyed, balances.reports.isEmpty {
      shown.problem = AccountAdvice.noKeys(session.config.found.option, language)
    }
    return shown
  }

  private var held: [BalanceReport] { balances.reports.filter { !$0.rows.isEmpty } }

  /// Values everything, once the prices of some exchanges have arrived; until then those before are used.
  private func price(_ exchanges: [Exchange]) {
    let client = session.newRound()
    let prices = prices
    Task {
      let found = await concurrently(exchanges) { ($0.name, await prices.own(of: $0, by: client)) }
      for (name, tables) in found { own[name] = tables }
      await value(by: client)
    }
  }

  private func value(by client: MarketClient) async {
    valuations += 1
    let number = valuations
    let held = held
    let tables = held.compactMap { own[$0.exchange] }
    let valuation = await prices.valuation(of: held, [], own: tables, by: client, asksOthers: false)
    // One that began later knows more.
    guard number == valuations else { return }
    balances.valuation = valuation
    tell(shown)
  }
}
