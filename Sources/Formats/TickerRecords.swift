package import JSON
package import Mapping
import MarketData
import Quotes

/// The rows of one exchange's table in machine-readable formats.
package struct TickerRecords {
  private let exchange: String
  private let rows: [TickerRow]

  package init(exchange: String, rows: [TickerRow]) {
    self.exchange = exchange
    self.rows = rows
  }

  package func write(into writer: inout JSONWriter) {
    let rowWriter = RowWriter(isFull: true)
    for row in rows { rowWriter.write(row, objection: row.ticker.headlineObjection(.standard), into: &writer) }
  }

  /// Returns each row as a line of JSON.
  package func ndjson() -> [UInt8] {
    let rowWriter = RowWriter(isFull: true, type: "row")
    var bytes: [UInt8] = []
    for row in rows {
      var writer = JSONWriter(capacity: 512)
      rowWriter.write(row, objection: row.ticker.headlineObjection(.standard), into: &writer)
      bytes += writer.finished()
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// Returns `dataFromAsset`, and what it cannot say: a line for each row displaced by another row of its pair, and the
  /// pairs with a flag that excludes them from headlines.
  package func dataFromAsset() -> (json: [UInt8], notes: [String]) {
    let order = PairOrder(count: rows.count, pair: { rows[$0].ticker.pair }, rank: { rows[$0].rank.order })
    let members = TickerField.ofDataFromAsset.map { (key: JSONKey($0.rawValue), field: $0) }
    var writer = JSONWriter(capacity: 160 * order.places.count)
    var doubted: [(code: String, pair: Pair)] = []
    writer.beginObject()
    for place in order.places {
      // Copy each row only once, as a copy retains all its texts.
      let ticker = rows[place.row].ticker
      if place.beginsAsset {
        if place.row != order.places[0].row { writer.endObject() }
        writer.key(ticker.pair.asset)
        writer.beginObject()
      }
      writer.key(ticker.pair.payment)
      writer.beginObject()
      for member in members { writer.member(member.key, member.field, of: ticker) }
      writer.endObject()
      if let objection = ticker.headlineObjection(.standard) { doubted.append((objection.code, ticker.pair)) }
    }
    if !order.places.isEmpty { writer.endObject() }
    writer.endObject()
    let displaced = order.displaced.map { index in
      let ticker = rows[index].ticker
      return "\(exchange): \(ticker.symbol) (\(ticker.product ?? ticker.market.rawValue)) is left out: another row "
        + "represents \(ticker.pair)"
    }
    return (writer.finished(), displaced + doubts(doubted))
  }

  /// Returns a line per flag, naming the first pairs.
  private func doubts(_ doubted: [(code: String, pair: Pair)]) -> [String] {
    Dictionary(grouping: doubted, by: \.code).sorted { $0.key < $1.key }.map { code, rows in
      "\(exchange): \(code): \(rows.map { "\($0.pair)" }.named(upTo: 5))"
    }
  }

  // MARK: CSV

  package func csv() -> [UInt8] {
    let fields = TickerField.figures
    let names = ["exchange", "market", "product", "symbol", "asset", "payment"] + fields.map(\.rawValue)
    var writer = CSVWriter(
      titles: names + [
        "changeBasis", "time", "ageSeconds", "flags", "excluded", "reasons", "priceBasis", "excludedBecause",
      ])
    for row in rows {
      let ticker = row.ticker
      let objection = ticker.headlineObjection(.standard)
      var record: [CSVWriter.Field] = [
        .text(ticker.exchange), .text(ticker.market.rawValue), .text(ticker.product), .text(ticker.symbol),
        .text(ticker.pair.asset), .text(ticker.pair.payment),
      ]
      record += fields.map { .number(ticker.digits($0)) }
      record += [
        .text(ticker.changeBasis?.rawValue), .text(ticker.time?.iso8601), .number(ticker.ageText()),
        .text(ticker.flags.codes.joined(separator: " ")), .flag(objection != nil),
        .reasons(
          fields.map { ($0.rawValue, ticker.cell($0).missing?.code) }
            + [("time", ticker.timeMissing?.code), ("ageSeconds", ticker.reasonForNoAge())]),
        .text(ticker.priceBasis.label), .text(objection?.code),
      ]
      writer.addRecord(record)
    }
    return writer.finished()
  }
}

extension JSONWriter {
  /// Writes a field under its name, or nothing if it has no value.
  fileprivate mutating func member(_ name: JSONKey, _ field: TickerField, of ticker: Ticker) {
    guard let value = ticker.cell(field).value else { return }
    key(name)
    if ticker.isAsSent, plainString(atMost: Decimal.writtenLength, { field.write(value, to: $0) }) { return }
    string(ticker.text(field) ?? "")
  }
}
