package import Mapping
package import Quotes

/// One exchange's report of the user's accounts there.
package struct BalanceReport: Sendable {
  package struct Failure: Sendable, Hashable {
    package let account: String
    /// The part's settings from `set`; empty if the account has a single part.
    package let part: String
    package let failure: AnswerFailure

    /// Returns the failures, with one in place of all those of an account that fails as a whole, for one reason: its
    /// parts are often read from a single answer.
    ///
    /// - Parameter partial: The accounts of which a part has not failed.
    static func merged(_ failures: [Failure], partial: Set<String>) -> [Failure] {
      let reasons = Dictionary(grouping: failures, by: \.account).mapValues { Set($0.map(\.failure)) }
      var seen: Set<Failure> = []
      return failures.map { failed in
        let isWhole = !partial.contains(failed.account) && reasons[failed.account]?.count == 1
        return isWhole ? Failure(account: failed.account, part: "", failure: failed.failure) : failed
      }.filter { seen.insert($0).inserted }
    }
  }

  package let exchange: String
  /// In the order of the config, without zero balances.
  package var rows: [Balance] = []
  package var failures: [Failure] = []
  /// The number of rows without an asset.
  package var incomplete = 0
  /// Of rows that belong to none of the accounts in the config, what they are instead; one for each row.
  package var unknownKinds: [String] = []
  package var requests: [RequestReport] = []
  /// How long the requests sent for it take up their rate limits, in milliseconds; 0 without limits.
  package var millisecondsOfLimit = 0.0
  /// The number of accounts that answered, with or without rows.
  package var answered = 0
  /// The accounts whose rows are those of an earlier answer, since there is no newer one.
  package private(set) var kept: [String] = []
  /// How the rows of each answer were derived, before they are combined; empty unless requested.
  package var explained: [ExplainedRecord] = []

  /// Whether the exchange's block of the config is invalid, so that nothing was requested.
  package private(set) var isInvalid = false

  package init(exchange: String) { self.exchange = exchange }

  /// Creates the report of an exchange whose block of the config is invalid.
  package init(invalid exchange: String) {
    self.init(exchange: exchange)
    isInvalid = true
    failures = [.init(account: "", part: "", failure: AnswerFailure(.noAnswer(.config), "its block is invalid"))]
  }

  /// Whether the user has provided no secrets for this exchange.
  package var lacksSecrets: Bool {
    !failures.isEmpty && answered == 0 && failures.allSatisfy { $0.failure.reason == .noSecret }
  }

  /// The report as a replay gives it: that needs no keys, so what lacks them are accounts that were not recorded.
  package var ofReplay: BalanceReport {
    guard lacksSecrets else { return self }
    var report = self
    let failure = AnswerFailure(.notRecorded, "its accounts are not recorded")
    report.failures = [Failure(account: "", part: "", failure: failure)]
    return report
  }

  /// Whether there are rows besides the balances, so that the accounts are not empty without these.
  package var hasOtherRows: Bool { incomplete > 0 || !unknownKinds.isEmpty }

  /// Whether no account has answered, all for one reason.
  package var failsAlike: Bool { answered == 0 && Set(failures.map(\.failure)).count == 1 }

  /// Returns whether a part of an account could not be read, so that there may be more than its rows say: one of several
  /// accounts of its own, one kind of margin, a batch.
  package func isPartial(_ account: String) -> Bool {
    !kept.contains(account) && failures.contains { $0.account == account }
  }

  /// Returns the report with the rows of an earlier one for accounts that failed since: they are the last ones known.
  ///
  /// An account without a key has none, and one that had failed in part before has no whole balances to keep.
  package func keeping(_ last: BalanceReport?) -> BalanceReport {
    guard let last else { return self }
    let keyless = Set(failures.filter { $0.failure.reason == .noSecret }.map(\.account))
    let failed = Set(failures.map(\.account)).subtracting(keyless)
    let partial = Set(last.failures.map(\.account)).subtracting(last.kept)
    let held = Set(last.rows.map(\.account)).intersection(failed).subtracting(partial)
    guard !held.isEmpty else { return self }
    var report = self
    let accounts = (last.rows + rows).map(\.account).unique
    report.kept = accounts.filter(held.contains)
    report.rows = accounts.flatMap { account in
      (held.contains(account) ? last.rows : rows).filter { $0.account == account }
    }
    report.answered += held.count
    return report
  }
}

/// Which wallets of one exchange are open.
package struct WalletReport: Sendable {
  package let exchange: String
  package var rows: [WalletStatus] = []
  package var failures: [AnswerFailure] = []
  package var incomplete = 0
  /// Whether the exchange only tells account owners.
  package var isPrivate = false

  package init(exchange: String) { self.exchange = exchange }

  /// Whether there is nothing because there is no key to ask with.
  package var lacksKeyAlone: Bool {
    rows.isEmpty && incomplete == 0 && !failures.isEmpty && failures.allSatisfy { $0.reason == .noSecret }
  }

  /// The report as a replay gives it: see ``BalanceReport/ofReplay``.
  package var ofReplay: WalletReport {
    guard lacksKeyAlone else { return self }
    var report = self
    report.failures = [AnswerFailure(.notRecorded, "its wallets are not recorded")]
    return report
  }

  package func wallets(of asset: String) -> [WalletStatus] { rows.filter { $0.asset == asset } }

  /// Returns what is known about the wallets of one asset.
  package func side(of asset: String) -> WalletSide {
    let wallets = wallets(of: asset)
    guard wallets.isEmpty else { return .told(wallets) }
    return switch failures.first?.reason {
    case nil: .unknown(.notNamed)
    case .noSecret: .unknown(.noKey)
    case .notOffered: .unknown(.notTold)
    case let reason?: .unknown(.failed(code: reason.code))
    }
  }
}
