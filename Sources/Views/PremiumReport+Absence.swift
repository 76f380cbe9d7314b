import MarketData
import Quotes
import Terminal

// What is said where there is no premium.
extension PremiumReport {
  /// Says which side of the comparison is missing, or that both are.
  func nothing() -> String {
    if let absence { return "\(absence.listing.text(absence.name))\n" }
    let sides = [
      ("\(query.asset)/\(query.local)", [query.local], table.local),
      ("\(query.asset) in " + query.dollars.listed("or"), query.dollars, table.dollar),
    ]
    let missing = sides.filter { side in !side.2.contains(where: \.isUsable) }.map { name, payments, _ in
      unlisted(query.asset, in: payments)?.text(name) ?? "no exchange has a usable price of \(name)"
    }
    let closed = snapshot.wallets?.leftOut?.isEmpty == false ? "no pair of exchanges has an open route for it\n" : ""
    return missing.map { "\($0)\n" }.joined() + closed
  }

  /// Those that were asked for an asset in any of these currencies, if each has answered that it does not list it; nil
  /// otherwise.
  ///
  /// - Parameter exchanges: the exchanges in question; nil for all.
  private func unlisted(
    _ asset: String, in payments: [String], on exchanges: Set<String>? = nil
  ) -> NoListing? {
    let reports = snapshot.reports.filter { report in
      report.pair.map { $0.asset == asset && payments.contains($0.payment) } ?? false
        && exchanges?.contains(report.exchange) ?? true
    }
    let isAbsent = reports.allSatisfy { $0.status == .notListed && !$0.isHalted }
    return isAbsent && !reports.isEmpty ? NoListing(by: reports) : nil
  }

  /// Returns what to say if the asset is listed nowhere, nil if it is.
  ///
  /// - Parameters:
  ///   - areNamed: whether the user has named the exchanges.
  ///   - option: what another command needs to find the same config: ` -c FILE`.
  package func absence(areNamed: Bool, option: String) -> String? {
    absence.map { $0.listing.sentence($0.name, areNamed: areNamed, of: query.asset, option) }
  }

  /// What is listed nowhere, if it is the asset in all currencies, and by whom.
  private var absence: (name: String, listing: NoListing)? {
    let payments = [query.local] + query.dollars
    return unlisted(query.asset, in: payments).map { ("\(query.asset) in \(payments.listed("or"))", $0) }
  }

  /// Says why no pair has a figure on a basis.
  func reasonForNone(_ basis: DollarBasis) -> String {
    switch basis {
    case .official:
      return "-  no official rate: " + TerminalText.sanitized(snapshot.rateFlag?.message ?? snapshot.rate.shortReason())
    // Others may have one, but their price of the asset is not compared.
    case .token:
      let exchanges = Set(table.premiums.map { table.local[$0.local].ticker.exchange })
      let tokens = table.premiums.map { PremiumQuery.token(for: table.dollar[$0.dollar].ticker.pair.payment) }.unique
      let names = tokens.map { "\($0)/\(query.local)" }.listed("or")
      let absences = tokens.map { unlisted($0, in: [query.local], on: exchanges) }
      guard let first = absences.first, let absence = first, !absences.contains(where: { $0 == nil }) else {
        return "-  none of the exchanges that list \(query.asset)/\(query.local) has a usable price of \(names)"
      }
      return "-  " + absence.text(names)
    }
  }
}
