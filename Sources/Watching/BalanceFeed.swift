import Asking
import Config
import Mapping
import MarketData
import Quotes
import Shell
import Views

/// The user's accounts for a live screen. Each exchange is polled as often as its rate limit allows, and only while the
/// balances are being viewed.
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
  /// When each exchange answered, and how long it is left alone from then on, in milliseconds.
  private var rests: [String: (since: Instant, milliseconds: Int)] = [:]
  private var reports: [String: BalanceReport] = [:]
  /// When the oldest balances of each exchange that are shown arrived.
  private var answered: [String: Instant] = [:]
  /// How often each exchange's key has changed: answers to requests with an earlier one are not used.
  private var keyNumbers: [String: Int] = [:]
  private var priced: Instant?
  /// How often the balances have changed.
  private var revision = 0
  private var hasTold = false

  /// Polling more often would not be useful.
  private static let minimumMilliseconds = 5_000
  /// Exchanges with stricter limits are still asked once an hour.
  private static let maximumMilliseconds = 3_600_000
  /// Balances use one part in this many of the rate limit, leaving the rest for other requests.
  private static let share = 4
  /// The minimum wait after a failure, as exchanges lock keys that keep failing; without a key nothing is sent.
  private static let afterFailureMilliseconds = 60_000
  private static let pricesMilliseconds = 60_000

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
      balances.problem = language(
        "no balances are known of the exchanges watched", "보고 있는 거래소는 잔고를 조회할 수 없음")
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
    let wanted = exchanges.filter { exchange in
      let rest = rests[exchange.name]
      return !balances.waiting.contains(exchange.name)
        && moment.isPast(.milliseconds(rest?.milliseconds ?? 0), after: rest?.since)
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
      (reports[name], answered[name], rests[name]) = (nil, nil, nil)
      keyNumbers[name, default: 0] += 1
      balances.waiting.removeAll { $0 == name }
      priced = nil
    }
    update()
    return true
  }

  private func take(_ report: BalanceReport, of exchange: Exchange, withKey number: Int?) {
    guard number == keyNumbers[exchange.name] else { return }
    let moment = now()
    balances.waiting.removeAll { $0 == exchange.name }
    let isRefused = report.failures.contains { $0.failure.reason != .noSecret }
    let pause = isRefused ? Self.afterFailureMilliseconds : Self.pause(of: exchange)
    rests[exchange.name] = (moment, pause)
    let report = report.keeping(reports[exchange.name])
    reports[exchange.name] = report
    if report.kept.isEmpty { answered[exchange.name] = report.answered > 0 ? moment : nil }
    update()
    guard balances.waiting.isEmpty, moment.isPast(.milliseconds(Self.pricesMilliseconds), after: priced) else { return }
    priced = moment
    Task { await price() }
  }

  private func update() {
    revision += 1
    // Users do not have keys for every exchange.
    let known = exchanges.compactMap { reports[$0.name] }.filter { !$0.lacksSecrets }
    balances.reports = known + Self.reports(of: unreadable, accounts)
    balances.answered = balances.reports.compactMap { answered[$0.exchange] }.min()
    tell(shown)
  }

  /// Returns the reports of the exchanges with a key whose blocks are invalid.
  private static func reports(of unreadable: [String], _ accounts: AccountSession) -> [BalanceReport] {
    unreadable.filter { accounts.hasKey(of: $0) }.map { BalanceReport(invalid: $0) }
  }

  /// The balances to show, which do not wait for exchanges without a key.
  private var shown: WatchBalances {
    var shown = balances
    shown.waiting.removeAll { name in reports[name]?.lacksSecrets == true }
    let areUnkeyed = exchanges.allSatisfy { reports[$0.name]?.lacksSecrets == true }
    if shown.problem == nil, areUnkeyed, balances.reports.isEmpty { shown.problem = AccountAdvice.noKeys(language) }
    return shown
  }

  private func price() async {
    let held = balances.reports.filter { !$0.rows.isEmpty }
    guard !held.isEmpty else { return }
    let revision = revision
    let client = session.newRound()
    let holders = exchanges.filter { exchange in held.contains { $0.exchange == exchange.name } }
    let prices = prices
    let own = await concurrently(holders) { await prices.own(of: $0, by: client) }
    let valuation = await prices.valuation(of: held, [], own: own, by: client, asksOthers: false)
    guard revision == self.revision else {
      // It is that of balances that are no longer shown. What is still awaited is priced with them.
      priced = balances.waiting.isEmpty ? now() : nil
      if priced != nil { await price() }
      return
    }
    balances.valuation = valuation
    tell(shown)
  }

  /// Returns the pause between two polls of an exchange, such that accounts use at most a quarter of its rate limit.
  static func pause(of exchange: Exchange) -> Int {
    let parts = exchange.account?.balances.flatMap(\.parts) ?? []
    let needs = parts.map { $0.table.millisecondsOfLimit * Double(share) }
    return Int(min(Double(maximumMilliseconds), max(Double(minimumMilliseconds), needs.reduce(0, +))))
  }
}
