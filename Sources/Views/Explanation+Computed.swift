import Formats
import Mapping
package import MarketData
package import Quotes
import Terminal

/// How those cells of a row came to be that no answer has: its price in another currency, and its distance from other
/// prices.
extension Explanation {
  /// Returns one trace for each, or the reason why it is empty, in the order of the columns.
  ///
  /// - Parameter name: returns the name of a column.
  static func computed(_ row: SnapshotRow, in snapshot: Snapshot, named name: (SnapshotColumn) -> String)
    -> [FieldTrace]
  {
    let price = FieldTrace.Source(computed: "price", path: nil, raw: row.ticker.price.value?.shortest)
    func trace(
      _ column: SnapshotColumn, _ result: String?, _ reason: String?, _ operation: String?, _ other: FieldTrace.Source?
    ) -> FieldTrace {
      FieldTrace(
        name: name(column), operation: result == nil ? nil : operation,
        sources: result == nil ? [] : [price] + [other].compactMap(\.self), result: result ?? reason ?? "-")
    }
    var traces: [FieldTrace] = []
    if let conversion = row.conversion, conversion.currency != row.ticker.pair.payment {
      let rate = conversion.rate.flatMap { report in
        report.quote.map { FieldTrace.Source(computed: "rate", path: "\(report.pair)", raw: $0.rate.shortest) }
      }
      let isProduct = conversion.rate?.pair.asset == conversion.pegCurrency
      traces.append(
        trace(
          .converted, row.ticker.price.value.flatMap(conversion.converted)?.rateText,
          row.ticker.price.missing?.code ?? conversion.missing?.code,
          rate == nil ? nil : isProduct ? "product" : "quotient", rate))
    }
    if row.ticker.market == .spot {
      let lowest = snapshot.lowest.map {
        FieldTrace.Source(computed: "lowest", path: $0.ticker.exchange, raw: $0.ticker.price.value?.shortest)
      }
      traces.append(
        trace(
          .premium, row.percentOverLowest?.signedPercentText,
          row.ticker.reasonForNoDistance(row.percentOverLowest, row.objection), "percent above", lowest))
    }
    if let result = row.disparity {
      let disparity = try? result.get()
      let spot = disparity.map {
        FieldTrace.Source(
          computed: "spot", path: row.ticker.exchange, raw: snapshot.spot[$0.spot].ticker.price.value?.shortest)
      }
      traces += [
        trace(.disparity, disparity?.percent.signedPercentText, result.failure?.code, "percent above", spot),
        trace(.difference, disparity?.difference.shortest, result.failure?.code, "difference", spot),
      ]
    }
    return traces
  }

  /// Returns the computed cells of a row on the screen, one line each; empty without the row.
  package static func computedLines(of key: RowKey, in snapshot: Snapshot, _ language: Language) -> [String] {
    guard let own = snapshot.row(key) else { return [] }
    let place = snapshot.futures.firstIndex { $0.ticker.key == key }
    let row = SnapshotRow(own, place.map { snapshot.disparities[$0] }, in: snapshot)
    let currency = snapshot.conversion?.currency
    return [language("computed from the rows on the screen:", "화면의 행으로 계산:")]
      + computed(row, in: snapshot) { $0.title(currency: currency, language) }.map { line(of: $0, language) }
  }
}
