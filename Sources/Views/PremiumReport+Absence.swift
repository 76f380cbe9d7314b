import MarketData
import Quotes
import Terminal

// What is said where there is no premium.
extension PremiumReport {
  /// Says which side of the comparison is missing, or that both are.
  func nothing() -> String {
    if let absence { return "\(absence.listing.text(absence.name, language))\n" }
    let sides = [
      ("\(query.asset)/\(query.local)", [query.local], table.local),
      (name(of: query.dollars), query.dollars, table.dollar),
    ]
    let missing = sides.filter { side in !side.2.contains(where: \.isUsable) }.map { name, payments, _ in
      unlisted(query.asset, in: payments)?.text(name, language)
        ?? language("no exchange has a usable price of \(name)", "\(name) 사용 가능한 가격 없음")
    }
    let closed = language("no pair of exchanges has an open route for it\n", "입출금이 모두 열린 거래소 쌍 없음\n")
    return missing.map { "\($0)\n" }.joined() + (snapshot.wallets?.leftOut?.isEmpty == false ? closed : "")
  }

  /// `BTC in USDT or USD`
  private func name(of payments: [String]) -> String {
    language(
      "\(query.asset) in \(payments.listed("or"))",
      payments.map { "\(query.asset)/\($0)" }.joined(separator: ", "))
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
    let isAbsent = reports.allSatisfy { $0.status == .notListed }
    return isAbsent && !reports.isEmpty ? NoListing(by: reports) : nil
  }

  /// Returns what to say if the asset is listed nowhere, nil if it is.
  ///
  /// - Parameters:
  ///   - areNamed: whether the user has named the exchanges.
  ///   - option: what another command needs to find the same config: ` -c FILE`.
  package func absence(areNamed: Bool, option: String) -> String? {
    absence.map {
      $0.listing.sentence($0.name, areNamed: areNamed, of: query.asset, option)
    }
  }

  /// What is listed nowhere, if it is the asset in all currencies, and by whom.
  private var absence: (name: String, listing: NoListing)? {
    let payments = [query.local] + query.dollars
    return unlisted(query.asset, in: payments).map { (name(of: payments), $0) }
  }

  /// Says why no pair has a figure on a basis.
  func reasonForNone(_ basis: DollarBasis) -> String {
    switch basis {
    case .official:
      if let flag = snapshot.rateFlag {
        return language("-  left out: ", "-  제외: ") + TerminalText.sanitized(flag.message(language))
      }
      let reason = snapshot.rate.shortReason(language)
      return language("-  no official rate: ", "-  공식 환율 없음: ") + TerminalText.sanitized(reason)
    // Others may have one, but their price of the asset is not compared.
    case .token:
      let exchanges = Set(table.premiums.map { table.local[$0.local].ticker.exchange })
      let tokens = table.premiums.map { PremiumQuery.token(for: table.dollar[$0.dollar].ticker.pair.payment) }.unique
      let pairs = tokens.map { "\($0)/\(query.local)" }
      let names = language(pairs.listed("or"), pairs.joined(separator: ", "))
      let absences = tokens.map { unlisted($0, in: [query.local], on: exchanges) }
      guard let first = absences.first, let absence = first, !absences.contains(where: { $0 == nil }) else {
        return language(
          "-  none of the exchanges that list \(query.asset)/\(query.local) has a usable price of \(names)",
          "-  \(query.asset)/\(query.local) 상장 거래소에 \(names) 사용 가능한 가격 없음")
      }
      return "-  " + absence.text(names, language)
    }
  }
}
