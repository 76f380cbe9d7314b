import Config
import JSON
import Mapping
import MarketData
import Quotes

/// Writes a rate and what became of the rules of its route as JSON.
struct FxJSON {
  let report: RateReport
  let amount: Decimal?

  func bytes() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    write(report, &writer, isWhole: true)
    return writer.finished()
  }

  private func write(_ report: RateReport, _ writer: inout JSONWriter, isWhole: Bool) {
    writer.beginObject()
    writer.member("at", report.moment.iso8601)
    RateJSON(report: report, moment: report.moment).members(&writer)
    if isWhole {
      writer.member("amount", amount?.shortest)
      writer.member("converted", amount.flatMap { amount in report.quote.map { (amount * $0.rate).shortest } })
    }
    writer.member("route", report.route.map { "\($0.pattern)" })
    writer.key("rules")
    writer.beginArray()
    for step in report.steps {
      writer.beginObject()
      writer.member("provider", step.rule.use)
      writer.member("hours", step.rule.hours?.description)
      writer.member("open", step.rule.open)
      writer.member("verdict", step.verdict.code)
      writer.member(
        "explanation",
        step.verdict == .taken ? nil : step.verdict.explanation(zoneSeconds: report.route?.zoneSeconds ?? 0))
      writer.endObject()
    }
    writer.endArray()
    writer.key("legs")
    writer.beginArray()
    for leg in report.legs { write(leg, &writer, isWhole: false) }
    writer.endArray()
    writer.endObject()
  }
}
