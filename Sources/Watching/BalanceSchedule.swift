import Mapping
import MarketData
import Quotes

/// When the accounts and prices of exchanges are requested for a live screen.
///
/// Exchanges lock keys, and ban addresses, that keep failing: an exchange that refuses is asked ever more rarely, until
/// its key changes or the user asks for it.
struct BalanceSchedule {
  /// How long an exchange is left alone after an answer.
  private struct Rest {
    let since: Instant
    var milliseconds: Int
    /// The same if nothing had failed.
    let usual: Int
    let isRefusal: Bool
  }

  private var rests: [String: Rest] = [:]
  /// How often in a row each exchange has refused.
  private var refusals: [String: Int] = [:]
  /// When the prices of all holdings were last requested.
  private var priced: Instant?
  /// The assets of each exchange that have been valued, or will be once their prices have arrived.
  private var valued: [String: Set<String>] = [:]

  /// Polling more often would not be useful.
  private static let minimumMilliseconds = 5_000
  /// Exchanges with stricter limits are still asked once an hour.
  private static let maximumMilliseconds = 3_600_000
  /// Balances use one part in this many of the rate limit, leaving the rest for other requests.
  private static let share = 4
  /// The minimum wait after a failure that says nothing about the key; without a key nothing is sent.
  private static let afterFailureMilliseconds = 60_000
  private static let pricesMilliseconds = 60_000
  /// The waits after the key has been refused by all accounts.
  private static let backOff = BackOff(60, 300, 900, 3600)
  /// The same where some accounts answer, whose balances are worth asking for, or where the refusal may be about something
  /// that passes, such as maintenance.
  private static let backOffInDoubt = BackOff(60, 300)

  // MARK: Accounts

  /// Returns whether an exchange may be asked again.
  func isDue(_ exchange: String, at moment: Instant) -> Bool {
    guard let rest = rests[exchange] else { return true }
    return moment.isPast(.milliseconds(rest.milliseconds), after: rest.since)
  }

  /// Plans the next request for what has just been received: without the rows that are kept of an earlier answer.
  mutating func take(_ report: BalanceReport, at moment: Instant) {
    let usual = Self.pause(taking: report.millisecondsOfLimit)
    let failures = report.failures.map(\.failure).filter { $0.reason != .noSecret }
    let isRefusal = failures.contains(where: \.isRefusal)
    var pause = usual
    if isRefusal {
      let count = refusals[report.exchange, default: 0] + 1
      refusals[report.exchange] = count
      let isOfKey = report.answered == 0 && failures.contains(where: \.refusesKey)
      let backOff = isOfKey ? Self.backOff : Self.backOffInDoubt
      pause = max(usual, backOff.seconds(after: count) * 1000)
    } else if failures.isEmpty {
      refusals[report.exchange] = nil
    } else {
      pause = max(usual, Self.afterFailureMilliseconds)
    }
    rests[report.exchange] = Rest(since: moment, milliseconds: pause, usual: usual, isRefusal: isRefusal)
  }

  /// When the exchanges that refused are asked again.
  var retries: [String: Instant] {
    rests.filter { $0.value.isRefusal }.mapValues { $0.since.advanced(by: .milliseconds($0.milliseconds)) }
  }

  /// Lets exchanges that refused be asked as soon as others, since the user wants it.
  mutating func forgive() {
    refusals = [:]
    for (name, rest) in rests where rest.isRefusal { rests[name]?.milliseconds = rest.usual }
  }

  /// Begins anew with an exchange, whose key is another one.
  mutating func forget(_ exchange: String) {
    (rests[exchange], refusals[exchange], valued[exchange]) = (nil, nil, nil)
  }

  /// Returns the pause between two polls, such that accounts use at most a quarter of their exchange's rate limit.
  ///
  /// - Parameter need: How long the requests of one poll take up the limit, in milliseconds.
  static func pause(taking need: Double) -> Int {
    Int(min(Double(maximumMilliseconds), max(Double(minimumMilliseconds), need * Double(share))))
  }

  // MARK: Prices

  /// Returns whether the prices of all holdings are to be requested, which is then taken for done. They wait for no
  /// account: the slowest one would make them old.
  mutating func takesPrices(of held: [BalanceReport], at moment: Instant) -> Bool {
    guard !held.isEmpty, moment.isPast(.milliseconds(Self.pricesMilliseconds), after: priced) else { return false }
    (priced, valued) = (moment, Self.assets(of: held))
    return true
  }

  /// Returns whether a report has an asset that was not there when prices were requested, so that it must be valued now;
  /// this is then taken for done.
  ///
  /// - Parameter held: All holdings, those of the report included.
  mutating func takesPrices(of report: BalanceReport, among held: [BalanceReport], at moment: Instant) -> Bool {
    let assets = Set(report.rows.map(\.asset))
    guard !assets.isSubset(of: valued[report.exchange] ?? []) else { return false }
    (priced, valued) = (priced ?? moment, Self.assets(of: held))
    return true
  }

  private static func assets(of held: [BalanceReport]) -> [String: Set<String>] {
    held.reduce(into: [:]) { $0[$1.exchange, default: []].formUnion($1.rows.map(\.asset)) }
  }
}
