import JSON
import Mapping
import MarketData
import Quotes

/// Writes a snapshot as JSON: keys are stable, numbers are texts, a missing one is null with its reason beside it.
struct SnapshotJSON {
  let snapshot: Snapshot
  let isExplained: Bool

  func bytes() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.member("asset", snapshot.pair.asset)
    writer.member("payment", snapshot.pair.payment)
    writer.member("time", snapshot.time.iso8601)
    writer.key("spot")
    writer.beginArray()
    for row in snapshot.spot { write(row, distance: nil, &writer) }
    writer.endArray()
    writer.key("futures")
    writer.beginArray()
    for (row, disparity) in zip(snapshot.futures, snapshot.disparities) { write(row, distance: disparity, &writer) }
    writer.endArray()
    writePremium(&writer)
    writeDisparity(&writer)
    writer.member("fx", rate: snapshot.rate, at: snapshot.time)
    writeConversion(&writer)
    writer.key("venues")
    writer.beginArray()
    for report in snapshot.reports { report.write(into: &writer) }
    writer.endArray()
    writer.endObject()
    return writer.finished()
  }

  private func write(
    _ row: TickerRow, distance: Result<Disparity, DisparityAbsence>?, _ writer: inout JSONWriter
  ) {
    let isExcluded = row.ticker.headlineObjection(anyBasis: snapshot.anyPriceBasis) != nil
    RowWriter(isFull: false).write(
      row, isExcluded: isExcluded, distance: distance, conversion: snapshot.conversion, isExplained: isExplained,
      into: &writer)
  }

  private func writeConversion(_ writer: inout JSONWriter) {
    guard let conversion = snapshot.conversion else { return }
    writer.key("conversion")
    writer.beginObject()
    writer.member("currency", conversion.currency)
    writer.member("countedAs", conversion.countedAs)
    writer.member("fx", rate: conversion.rate, at: snapshot.time)
    writer.endObject()
  }

  private func writePremium(_ writer: inout JSONWriter) {
    writer.key("maxPremium")
    guard case .success(let premium) = snapshot.premium else { return writer.null() }
    writer.beginObject()
    writer.member("percent", premium.percent.signedPercentText)
    writer.member("high", snapshot.spot[premium.high].ticker.exchange)
    writer.member("low", snapshot.spot[premium.low].ticker.exchange)
    writer.endObject()
  }

  private func writeDisparity(_ writer: inout JSONWriter) {
    writer.key("disparity")
    writer.beginObject()
    for (name, disparity) in [("first", snapshot.ranking.first), ("last", snapshot.ranking.last)] {
      writer.key(name)
      guard let disparity else {
        writer.null()
        continue
      }
      let ticker = snapshot.futuresRow(of: disparity).ticker
      writer.beginObject()
      writer.member("exchange", ticker.exchange)
      writer.member("product", ticker.product)
      writer.member("percent", disparity.percent.signedPercentText)
      writer.member("difference", disparity.difference.shortest)
      writer.endObject()
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// A member whose value is a text, or null.
  mutating func member(_ name: String, _ text: String?) {
    key(name)
    if let text { string(text) } else { null() }
  }
}

extension Decimal {
  /// A span as seconds with three decimals.
  static func seconds(nanoseconds: Int64) -> String {
    Decimal(mantissa: Int128(nanoseconds), exponent: -9).rounded(toPlaces: 3).description
  }
}
