import Config
import Mapping
import MarketData
import Quotes

/// Compares exchanges at the same moment, which reveals what no exchange's own answer can.
package struct CrossExchangeReview: Sendable {
  /// The maximum distance in seconds of an answer from the median; beyond that, prices have moved.
  private static let moment: UInt64 = 120

  /// The exchanges, with the results of the comparison among their findings.
  package let exchanges: [TestedExchange]

  /// - Parameter exchanges: With the results of their own tests.
  package init(_ exchanges: [TestedExchange]) {
    guard let middle = exchanges.flatMap({ $0.tables.wholeRows.compactMap(\.ticker.arrival) }).median else {
      self.exchanges = exchanges
      return
    }
    func isOfMoment(_ row: TickerRow) -> Bool {
      row.ticker.arrival?.isWithin(seconds: Self.moment, of: middle) == true
    }
    let rows = exchanges.flatMap(\.tables.wholeRows).filter(isOfMoment).map(\.ticker)
    let comparison = BasisComparison(rows)
    let found = comparison.findings
    self.exchanges = exchanges.map { exchange in
      var exchange = exchange
      exchange.general += found.filter { $0.source.exchange == exchange.name }.map(Self.finding)
      if !exchange.tables.wholeRows.isEmpty, !exchange.tables.wholeRows.contains(where: isOfMoment) {
        exchange.general.append(
          Config.Finding(
            .notBeside, .note,
            "not compared with the others: its answers are from another time, \(exchange.recordings?.dates ?? "")",
            about: .exchange(exchange.name)))
      }
      return exchange
    }
  }

  private static func finding(_ found: BasisComparison.Finding) -> Config.Finding {
    let field = found.field.rawValue
    let unit = found.field == .changePricePercent24 ? "points" : "%"
    let difference = found.difference.rounded(toSignificantDigits: 3).shortest
    let text =
      "\(found.source.market.rawValue) \(field): differs from the other exchanges by \(difference) \(unit) in "
      + "the median of \(found.pairs) pairs, where all say \(found.declared.rawValue)"
    let subject = Config.Finding.Subject.table(
      exchange: found.source.exchange, market: found.source.market.rawValue, field: field)
    switch found.fitting {
    case .basis(let basis):
      return Config.Finding(
        .otherBasis, .error, text + ", and matches those that say \(basis.rawValue)", about: subject,
        help: help(basis))
    case .scale(let power):
      let factor = Decimal(1).scaledByPowerOfTen(power).shortest
      return Config.Finding(.otherBasis, .error, text, about: subject, help: "scale it by \(factor)")
    case nil:
      return Config.Finding(
        .otherBasis, .note, text + ", and matches no other span that an exchange measures", about: subject)
    }
  }

  /// Days that begin an hour apart are too similar for the numbers to tell which is meant.
  private static func help(_ basis: ChangeBasis) -> String {
    let alike: [ChangeBasis] = [.kstDay, .utc8Day]
    guard alike.contains(basis) else { return "write \"basis\": \"\(basis.rawValue)\"" }
    return "write \"basis\": \"kstDay\" for a day from 15:00 UTC, \"utc8Day\" for one from 16:00 UTC: the exchange's "
      + "documentation says which"
  }
}
