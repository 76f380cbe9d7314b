import JSON
import Mapping
import MarketData
import Quotes
import Terminal

/// Writes all currencies of a provider against the dollar and the won.
struct FxListWriter {
  let listing: RateListing
  /// What the age is counted to.
  let moment: Instant

  private var view: RateView { RateView(listing.sample, at: moment) }

  func text(palette: Palette, width: Int?, replayNote: String?) -> String {
    var head = StyledText(listing.provider, .heading)
    if let replayNote { head = head + StyledText("  \(replayNote)", .warning) }
    var table = Table(columns: [
      TableColumn("currency"), TableColumn("in USD", .right), TableColumn("in KRW", .right),
    ])
    for row in listing.rows {
      table.addRow([StyledText(row.currency), cell(row.dollars), cell(row.won)])
    }
    let origin = StyledText("\(listing.rows.count) currencies  \(view.provider)  ") + view.timeText
    return head.painted(with: palette) + "\n" + table.rendered(width: width, palette: palette)
      + origin.painted(with: palette) + "\n"
  }

  private func cell(_ rate: Decimal?) -> StyledText { rate.map { StyledText($0.rateText) } ?? StyledText("-", .dim) }

  func csv() -> String {
    var writer = CSVWriter()
    writer.addRecord(["currency", "usd", "krw", "source", "time", "date"].map { .text($0) })
    for row in listing.rows {
      writer.addRecord([
        .text(row.currency), .number(row.dollars?.shortest ?? ""), .number(row.won?.shortest ?? ""),
        .text(listing.provider), .text(listing.sample.time?.iso8601 ?? ""), .text(listing.sample.date ?? ""),
      ])
    }
    return writer.text
  }

  func json() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.member("source", listing.provider)
    writer.member("provider", view.provider)
    writer.member("time", listing.sample.time?.iso8601)
    writer.member("date", listing.sample.date)
    writer.key("currencies")
    writer.beginArray()
    for row in listing.rows {
      writer.beginObject()
      writer.member("currency", row.currency)
      writer.member("usd", row.dollars?.shortest)
      writer.member("krw", row.won?.shortest)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.finished()
  }
}
