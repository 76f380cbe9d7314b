import Config
import Mapping
import MarketData
import Quotes

/// The mapped answer of an exchange's wallets.
struct TestedWallets: Sendable {
  let report: WalletReport

  /// Returns nil if there is nothing to test: no such block, or one that only an account's owner can request.
  init?(_ exchange: Exchange, by client: MarketClient, _ globalAliases: [String: String]) async {
    guard let wallets = exchange.account?.wallets, !wallets.isEmpty, !wallets.contains(where: { $0.part.isPrivate })
    else { return nil }
    // Ignores answers cached by earlier runs.
    report = await client.tapped(by: AnswerCapture()).wallets(of: exchange, globalAliases: globalAliases)
  }

  /// Whether the cassette has no recording of it.
  var isUnrecorded: Bool { report.failures.contains { $0.reason == .notRecorded } }

  /// The lines kept with a cassette: every wallet if there are few, as in recordings.
  var keptLines: [String] {
    guard !isUnrecorded else { return [] }
    let failures = report.failures.map { ["wallets", "", "", "(failed)", $0.words] }
    let rows = report.rows.map { wallet in
      [
        "wallets", wallet.asset, wallet.network ?? "", wallet.deposit.rawValue, wallet.withdraw.rawValue,
        wallet.message ?? "",
      ]
    }
    return (failures + rows).map(KeptRows.line)
  }

  func findings(about exchange: String) -> [Finding] {
    let subject = Finding.Subject.exchange(exchange)
    if isUnrecorded {
      return [
        Finding(.notRecorded, .note, "no recording answers the request for the wallets of assets", about: subject)
      ]
    }
    var findings = report.failures.map { failure in
      Finding(.tableFailed, .error, "the wallets of assets: \(failure.words)", about: subject)
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
