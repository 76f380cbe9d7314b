import Mapping
import MarketData
import Quotes

extension SnapshotReport {
  /// Returns what readers should know about missing rows.
  ///
  /// - Parameter isVerbose: whether to list symbols no rule splits, and conditions that exclude a whole market.
  package func notes(isVerbose: Bool) -> [String] {
    let tables = snapshot.reports.flatMap { report in
      let table = TickerTableReport(exchange: report.exchange, reports: [report])
      return isVerbose ? table.notes : table.repetitionNotes
    }
    return tables + (snapshot.hasPrice || !snapshot.failures.isEmpty ? [] : absence)
  }

  /// Why there is no price although no exchange has failed.
  private var absence: [String] {
    if let ticker = (snapshot.spot + snapshot.futures).first?.ticker {
      let reason = ticker.price.missing?.code ?? ""
      return [
        "no price for \(snapshot.pair): \(ticker.exchange) lists it, but its price is \(reason); see what has "
          + "changed with: market test-exchange \(ticker.exchange) --live"
      ]
    }
    let names = Set(snapshot.reports.filter { $0.table.dropped[.condition] != nil }.map(\.exchange)).sorted()
    let asked = Set(snapshot.reports.filter { !$0.isUnasked }.map(\.exchange))
    let unasked = Set(snapshot.reports.map(\.exchange)).subtracting(asked).sorted()
    let subject = unasked.count > 3 ? "\(unasked.count) exchanges" : unasked.joined(separator: ", ")
    let fact =
      asked.isEmpty
      ? "no exchange was asked for \(snapshot.pair)" : "no exchange lists \(snapshot.pair)"
    let why = "not asked: \(subject), as 'paymentCurrencies' leave out \(snapshot.pair.payment)"
    return [fact] + (unasked.isEmpty ? [] : [why])
      + names.map {
        "a condition (\"where\") of \($0) leaves out rows that may be for \(snapshot.pair); see their values "
          + "with: market test-exchange \($0) --live"
      }
  }
}
