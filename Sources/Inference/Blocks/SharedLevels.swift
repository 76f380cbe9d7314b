import Config
import Quotes

/// An order book whose levels have members for both sides.
struct SharedLevels {
  let rows: BlockRows
  /// Of the bids, then of the asks, like the sizes.
  private let prices: [SampleColumn]
  private let sizes: [SampleColumn]

  /// nil if the rows are no such book.
  init?(_ rows: BlockRows) {
    guard rows.count >= 2, let prices = Self.columns(of: rows, named: ["price", "px", "rate"]),
      let sizes = Self.columns(of: rows, named: ["size", "qty", "quantity", "amount", "volume", "vol"]),
      let bids = prices[0].allNumbers, let asks = prices[1].allNumbers,
      let most = bids.max(), let least = asks.min(), most < least, least < most * 1.5,
      // Rows of many pairs have nearby offers in each row, but in no order.
      bids.isOrdered(by: >=), asks.isOrdered(by: <=)
    else { return nil }
    (self.rows, self.prices, self.sizes) = (rows, prices, sizes)
  }

  /// Returns the column of each side whose name has one of the words; nil if that is not one for each.
  private static func columns(of rows: BlockRows, named words: [String]) -> [SampleColumn]? {
    let found = ["bid", "ask"].compactMap { side in
      let named = rows.columns.filter { column in
        let name = column.plainName
        return name.contains(side) && words.contains(where: name.contains) && column.allNumbers != nil
      }
      return named.count == 1 ? named[0] : nil
    }
    return found.count == 2 ? found : nil
  }

  func fields(isFutures: Bool) -> [BlockField] {
    let evidence = ["its name", "all bids below all asks in \(rows.count) rows", "bids fall and asks rise"]
    let sides = ["bids", "asks"].map { side in
      BlockField(side, path: rows.text, members: [([side, "rows"], rows.value)], 0.97, evidence)
    }
    return sides + [field("price", prices, 0.97, evidence), size(isFutures: isFutures, evidence)]
  }

  private func size(isFutures: Bool, _ evidence: [String]) -> BlockField {
    let unit = SizeUnit(Array(zip(sizes, prices)))
    var (confidence, evidence) = (0.97, evidence)
    if RunningTotals.areTotals(sizes) {
      (confidence, evidence) = (0.5, [RunningTotals.evidence])
    } else if isFutures {
      (confidence, evidence) = (0.6, [SizeUnit.mayBeContracts])
    }
    if let doubt = unit.doubt {
      confidence = 0.3
      evidence.append(doubt)
    }
    var field = field("size", sizes, confidence, evidence)
    if unit.asset != nil { field.unit = .asset }
    return field
  }

  private func field(
    _ name: String, _ columns: [SampleColumn], _ confidence: Double, _ evidence: [String]
  ) -> BlockField {
    BlockField(
      name, path: columns.map(\.path.text).joined(separator: " and "),
      members: zip(["bids", "asks"], columns).map { ([$0, name], BlockField.value(of: $1)) },
      example: columns[0].example ?? "", confidence, evidence, texts: columns[0].texts)
  }
}
