import Mapping
import Quotes

extension IdentityCheck {
  /// Rows of one pair and market, with a flag on those that seem to be another coin than the rest.
  func flagged(_ rows: [TickerRow], anyPriceBasis: Bool) -> [TickerRow] {
    zip(rows, findings(rows.map(\.ticker), anyPriceBasis: anyPriceBasis)).map { row, finding in
      guard let finding else { return row }
      var flagged = row
      flagged.ticker.flags.append(finding)
      return flagged
    }
  }
}
