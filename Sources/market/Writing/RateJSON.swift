import JSON
import Mapping
import MarketData
import Quotes

/// Writes a rate as JSON: keys are stable, numbers are texts, a missing one is null with its reason beside it.
struct RateJSON {
  let report: RateReport
  /// The moment that ages are counted to.
  let moment: Instant

  /// The members of a rate as one object.
  func write(into writer: inout JSONWriter) {
    writer.beginObject()
    members(&writer)
    writer.endObject()
  }

  func members(_ writer: inout JSONWriter) {
    writer.member("pair", "\(report.pair)")
    write(report.quote, &writer)
    writer.member("openReason", report.openReason)
    writer.member("reason", report.reason)
    writer.key("lastKnown")
    guard let last = report.lastKnown else { return writer.null() }
    writer.beginObject()
    writer.member("rate", last.rate.shortest)
    writeOrigin(last, &writer)
    writer.endObject()
  }

  private func write(_ quote: RateQuote?, _ writer: inout JSONWriter) {
    writer.member("rate", quote?.rate.shortest)
    writer.member("open", quote?.open.value?.shortest)
    writer.member("change", quote?.change.value?.shortest)
    writer.member("changePercent", quote?.changePercent.value?.signedPercentText)
    writeOrigin(quote, &writer)
    writer.member("openSource", quote?.openProvider)
    writer.member("openTime", quote?.openTime?.iso8601)
    writer.key("labels")
    writer.beginArray()
    for label in quote?.labels ?? [] { writer.string(label.code) }
    writer.endArray()
  }

  private func writeOrigin(_ quote: RateQuote?, _ writer: inout JSONWriter) {
    writer.member("provider", quote.map { $0.quotedBy ?? $0.provider })
    writer.member("source", quote?.provider)
    writer.member("date", quote?.date)
    writer.member("time", quote?.time?.iso8601)
    writer.member("ageSeconds", quote?.age(at: moment).map { Decimal.seconds(nanoseconds: $0) })
  }
}
