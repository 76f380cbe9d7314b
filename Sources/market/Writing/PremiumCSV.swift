import MarketData
import Quotes
import Terminal

/// Writes the premiums as comma-separated values: one line for each pair of exchanges.
struct PremiumCSV {
  let snapshot: PremiumSnapshot

  func text() -> String {
    var writer = CSVWriter()
    writer.addRecord(
      [
        "asset", "local", "localExchange", "localPrice", "dollarExchange", "dollarPayment", "dollarPrice",
        "officialPercent", "tokenPercent", "signsDisagree",
      ].map { .text($0) })
    let table = snapshot.table
    for premium in table.premiums {
      let local = table.local[premium.local]
      let dollar = table.dollar[premium.dollar]
      var record: [CSVWriter.Field] = [
        .text(snapshot.question.asset), .text(snapshot.question.local), .text(local.ticker.exchange),
        .number(local.shortest), .text(dollar.ticker.exchange), .text(dollar.ticker.pair.payment),
        .number(dollar.shortest),
      ]
      record += DollarBasis.allCases.map { .number(premium.percents[$0]?.signedPercentText ?? "") }
      record.append(.text(premium.basesDisagree ? "true" : "false"))
      writer.addRecord(record)
    }
    return writer.text
  }
}

extension PricedRow {
  /// The price that the row is compared by, unrounded.
  fileprivate var shortest: String { (try? price.get())?.shortest ?? "" }
}
