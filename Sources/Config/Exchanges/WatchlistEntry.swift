import JSON
package import Quotes

/// A pair that a user follows.
package struct WatchlistEntry: Sendable {
  package let pair: Pair
  package var name: String?
  package var isEnabled = true
  package let node: ConfigNode
}

extension SpecReader {
  mutating func readWatchlist(_ node: ConfigNode) -> [WatchlistEntry] {
    (readElements(node) ?? []).compactMap { element in
      guard checkKeys(element, .watchlistEntry) else { return nil }
      guard let asset = element["asset"], let payment = element["payment"] else {
        report(.missingKey(element["asset"] == nil ? "asset" : "payment", in: "this entry", at: element))
        return nil
      }
      guard let assetName = readText(asset), let paymentName = readText(payment) else { return nil }
      let pair = Pair(asset: assetName.uppercased(), payment: paymentName.uppercased())
      var entry = WatchlistEntry(pair: pair, node: element)
      entry.name = element["name"].flatMap { readText($0) }
      entry.isEnabled = element["enabled"].flatMap { readBoolean($0) } ?? true
      return entry
    }
  }
}
