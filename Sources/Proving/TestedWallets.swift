import Config
import Mapping
import MarketData
import Quotes

/// What the mapping of an exchange's wallets made of their answer.
struct TestedWallets: Sendable {
  let report: WalletReport

  /// nil where there is nothing to test: no such block, or one that only the owner of an account can ask for.
  init?(_ exchange: Exchange, by client: MarketClient, _ globalAliases: [String: String]) async {
    guard let wallets = exchange.account?.wallets, !wallets.isEmpty, !wallets.contains(where: { $0.part.isPrivate })
    else { return nil }
    // Nothing that an earlier run has kept.
    report = await client.tapped(by: AnswerTap()).wallets(of: exchange, globalAliases: globalAliases)
  }

  /// Whether the cassette has no recording of it.
  var isUnrecorded: Bool { report.failures.contains { $0.reason == TableFailure.notRecorded } }

  /// What of it is kept beside a cassette: every wallet where they are few, as those of recordings are.
  var keptLines: [String] {
    guard !isUnrecorded else { return [] }
    let failures = report.failures.map { failure in
      ["wallets", "", "", "(failed)", failure.reason.code + (failure.message.map { ": \($0)" } ?? "")]
    }
    let rows = report.rows.map { wallet in
      [
        "wallets", wallet.asset, wallet.network ?? "", wallet.deposit.rawValue, wallet.withdraw.rawValue,
        wallet.message ?? "",
      ]
    }
    return (failures + rows).map { $0.map(Self.cell).joined(separator: "\t") }
  }

  /// A text of an exchange as a cell: on one line.
  private static func cell(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }

  func findings(about exchange: String) -> [Finding] {
    let subject = Finding.Subject.exchange(exchange)
    if isUnrecorded {
      return [
        Finding(.notRecorded, .note, "no recording answers the request for the wallets of assets", about: subject)
      ]
    }
    var findings = report.failures.map { failure in
      let words = failure.message.map { ": \($0)" } ?? ""
      return Finding(.tableFailed, .error, "the wallets of assets: \(failure.reason.code)\(words)", about: subject)
    }
    guard report.failures.isEmpty, !report.rows.isEmpty else { return findings }
    for (name, state) in [("deposit", \WalletStatus.deposit), ("withdraw", \.withdraw)]
    where report.rows.allSatisfy({ $0[keyPath: state] == .unknown }) {
      findings.append(
        Finding(.fieldLost, .error, "\(name): nothing in any of \(report.rows.count) wallets", about: subject))
    }
    return findings
  }
}
