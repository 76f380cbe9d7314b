import Mapping
import MarketData
import Quotes
import Terminal

/// Writes the rows of a snapshot as comma-separated values: spot first, then futures.
struct SnapshotCSV {
  let snapshot: Snapshot

  func text() -> String {
    var writer = CSVWriter()
    let fields: [TickerField] = [.price, .changePricePercent24, .volume24, .turnover24, .bid, .ask]
    let names = ["asset", "payment", "exchange", "market", "product", "symbol"] + fields.map(\.rawValue)
    let converted = snapshot.conversion.map { ["in\($0.currency)"] } ?? []
    let rest = ["changeBasis", "ageSeconds", "disparityPercent", "disparity", "flags", "excluded"]
    writer.addRecord((names + rest + converted).map { .text($0) })
    let distances = snapshot.spot.map { _ in nil } + snapshot.disparities.map { try? $0.get() }
    for (row, distance) in zip(snapshot.spot + snapshot.futures, distances) {
      let ticker = row.ticker
      var record: [CSVWriter.Field] = [
        .text(snapshot.pair.asset), .text(snapshot.pair.payment), .text(ticker.exchange),
        .text(ticker.market.rawValue), .text(ticker.product ?? ""), .text(ticker.symbol),
      ]
      record += fields.map { .number(ticker.text($0) ?? "") }
      let isExcluded = ticker.headlineObjection(anyBasis: snapshot.anyPriceBasis) != nil
      record += [
        .text(ticker.changeBasis?.rawValue ?? ""), .number(row.ageText ?? ""),
        .number(distance?.percent.signedPercentText ?? ""), .number(distance?.difference.shortest ?? ""),
        .text(ticker.flags.map(\.code).joined(separator: " ")), .text(isExcluded ? "true" : "false"),
      ]
      if let conversion = snapshot.conversion {
        record.append(.number(conversion.text(ticker.price.value) ?? ""))
      }
      writer.addRecord(record)
    }
    return writer.text
  }
}
