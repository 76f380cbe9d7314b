import Mapping
import Quotes
import Testing

@testable import MarketData

/// Balances of accounts that fail later: the last ones known are kept.
@Suite struct KeptBalancesTests {
  private static let offline = AnswerFailure(.timeout, "no answer")
  private static let keyless = AnswerFailure(.noSecret, "no key")

  /// Returns a report of accounts, each with an amount of BTC or why it failed; nil for part of it.
  private static func report(_ accounts: [(name: String, amount: Decimal?, failure: AnswerFailure?)]) -> BalanceReport {
    var report = BalanceReport(exchange: "Venue")
    for (name, amount, failure) in accounts {
      if let amount {
        report.rows.append(
          Balance(account: name, asset: "BTC", free: .value(amount), locked: .value(0), total: .value(amount)))
      }
      if let failure { report.failures.append(.init(account: name, part: "", failure: failure)) }
      if failure == nil { report.answered += 1 }
    }
    return report
  }

  private static func text(_ report: BalanceReport) -> String {
    report.rows.map { "\($0.account) \($0.total.value?.shortest ?? "-")" }.joined(separator: ", ")
      + "; \(report.kept.joined(separator: ", ")); \(report.answered)"
  }

  @Test func failingAccountKeepsItsBalances() {
    let first = Self.report([("spot", 1, nil), ("funding", 2, nil)])
    #expect(Self.text(first.keeping(nil)) == "spot 1, funding 2; ; 2")
    let second = Self.report([("spot", nil, Self.offline), ("funding", 3, nil)]).keeping(first)
    #expect(Self.text(second) == "spot 1, funding 3; spot; 2")
    // As long as it fails, and until it answers.
    let third = Self.report([("spot", nil, Self.offline), ("funding", nil, Self.offline)]).keeping(second)
    #expect(Self.text(third) == "spot 1, funding 3; spot, funding; 2")
    let fourth = Self.report([("spot", nil, nil), ("funding", 4, nil)]).keeping(third)
    #expect(Self.text(fourth) == "funding 4; ; 2")
  }

  /// A key that was removed, and balances that were never whole.
  @Test func otherAccountsKeepNone() {
    let first = Self.report([("spot", 1, nil), ("funding", 2, Self.offline)])
    let second = Self.report([("spot", nil, Self.keyless), ("funding", nil, Self.offline)])
    #expect(Self.text(second.keeping(first)) == "; ; 0")
  }
}
