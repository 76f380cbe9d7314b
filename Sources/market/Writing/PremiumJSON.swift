import JSON
import Mapping
import MarketData
import Quotes

/// Writes a premium as JSON: keys are stable, numbers are texts, a missing one is null.
struct PremiumJSON {
  let snapshot: PremiumSnapshot

  func bytes() -> [UInt8] {
    let question = snapshot.question
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.member("asset", question.asset)
    writer.member("local", question.local)
    writer.member("against", texts: question.dollars)
    writer.member("time", snapshot.time.iso8601)
    writer.member("size", question.size?.shortest)
    writer.key("fees")
    writer.boolean(question.countsFees)
    writer.member("fx", rate: snapshot.rate, at: snapshot.time)
    write("tokens", snapshot.tokens.map { PricedRow($0.ticker) }, &writer)
    write("localPrices", snapshot.table.local, &writer)
    write("dollarPrices", snapshot.table.dollar, &writer)
    writer.key("premiums")
    writer.beginArray()
    for premium in snapshot.table.premiums { write(premium, of: snapshot.table, &writer) }
    writer.endArray()
    for (name, pick) in Self.headlines {
      writer.key(name)
      writer.beginObject()
      for basis in DollarBasis.allCases {
        writer.key(basis.rawValue)
        let (table, premium) = pick(snapshot, basis)
        if let premium { write(premium, of: table, &writer) } else { writer.null() }
      }
      writer.endObject()
    }
    writeExclusions(&writer)
    writer.key("venues")
    writer.beginArray()
    for report in snapshot.reports { report.write(into: &writer) }
    writer.endArray()
    writer.endObject()
    return writer.finished()
  }

  private typealias Headline = @Sendable (PremiumSnapshot, DollarBasis) -> (LocalPremiumTable, LocalPremium?)

  private static let headlines: [(String, Headline)] = [
    ("best", { ($0.table, $0.table.best(on: $1)) }),
    ("worst", { ($0.table, $0.table.worst(on: $1)) }),
    ("reverse", { ($0.reverse, $0.reverse.reverse(on: $1).isEmpty ? nil : $0.reverse.lowest(on: $1)) }),
  ]

  private func write(_ name: String, _ rows: [PricedRow], _ writer: inout JSONWriter) {
    writer.key(name)
    writer.beginArray()
    for row in rows {
      writer.beginObject()
      writer.member("exchange", row.ticker.exchange)
      writer.member("asset", row.ticker.pair.asset)
      writer.member("payment", row.ticker.pair.payment)
      writer.member("lastPrice", row.ticker.text(.price))
      writer.member("price", (try? row.price.get())?.shortest)
      if snapshot.question.countsFees { writer.member("feePercent", snapshot.fees[row.ticker.key]?.shortest) }
      if case .failure(let objection) = row.price {
        writer.member("reason", objection.code)
      } else {
        writer.member("reason", nil)
      }
      writer.endObject()
    }
    writer.endArray()
  }

  private func write(_ premium: LocalPremium, of table: LocalPremiumTable, _ writer: inout JSONWriter) {
    let dollar = table.dollar[premium.dollar].ticker
    writer.beginObject()
    writer.member("local", table.local[premium.local].ticker.exchange)
    writer.member("dollar", dollar.exchange)
    writer.member("payment", dollar.pair.payment)
    for basis in DollarBasis.allCases {
      writer.member(basis.rawValue, premium.percents[basis]?.signedPercentText)
    }
    writer.key("signsDisagree")
    writer.boolean(premium.basesDisagree)
    writer.endObject()
  }

  private func writeExclusions(_ writer: inout JSONWriter) {
    writer.key("excluded")
    writer.beginArray()
    for exclusion in snapshot.table.exclusions {
      writer.beginObject()
      writer.member("exchange", exclusion.exchange)
      writer.member("pair", "\(exclusion.pair)")
      writer.member("reason", exclusion.objection.code)
      writer.member("message", "\(exclusion.objection)")
      writer.endObject()
    }
    for report in snapshot.heldBack {
      writer.beginObject()
      writer.member("exchange", report.exchange)
      writer.member("pair", report.pair.map { "\($0)" })
      writer.member("reason", "halted")
      writer.member("message", PremiumSnapshot.heldBackReason)
      writer.endObject()
    }
    writer.endArray()
  }
}

extension JSONWriter {
  /// A member whose value is an array of texts.
  mutating func member(_ name: String, texts: [String]) {
    key(name)
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
