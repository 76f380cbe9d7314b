import Mapping
import MarketData
import Quotes
import Terminal

/// Writes a rate as comma-separated values: one line of titles, one of values.
struct FxCSV {
  let report: RateReport
  let amount: Decimal?

  func text() -> String {
    let quote = report.quote
    func number(_ value: Decimal?) -> CSVWriter.Field { .number(value?.shortest ?? "") }
    var fields: [(String, CSVWriter.Field)] = [
      ("pair", .text("\(report.pair)")), ("at", .text(report.moment.iso8601)), ("rate", number(quote?.rate)),
      ("open", number(quote?.open.value)), ("change", number(quote?.change.value)),
      ("changePercent", .number(quote?.changePercent.value?.signedPercentText ?? "")),
      ("provider", .text(quote.map { $0.quotedBy ?? $0.provider } ?? "")), ("source", .text(quote?.provider ?? "")),
      ("date", .text(quote?.date ?? "")), ("time", .text(quote?.time?.iso8601 ?? "")),
      ("ageSeconds", .number(quote?.age(at: report.moment).map { Decimal.seconds(nanoseconds: $0) } ?? "")),
      ("labels", .text(quote?.labels.map(\.code).joined(separator: "; ") ?? "")),
      ("reason", .text(report.reason ?? "")),
    ]
    if let amount {
      fields += [("amount", number(amount)), ("converted", number(quote.map { amount * $0.rate }))]
    }
    var writer = CSVWriter()
    writer.addRecord(fields.map { .text($0.0) })
    writer.addRecord(fields.map(\.1))
    return writer.text
  }
}
