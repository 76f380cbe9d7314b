import JSON
import Quotes

// The names of a market's assets, in a table of their own: `names`.

extension SpecReader {
  /// Checks the keys of every `names` of a market, including those that nearer levels replace.
  mutating func checkAssetNames(in levels: [ConfigNode]) {
    for names in levels.compactMap({ $0["names"] }) where !names.json.isNull { _ = checkKeys(names, .assetNames) }
  }

  /// - Parameter market: the path from the exchange to the market.
  /// - Returns: nil if the market has none, or after reporting what is wrong.
  mutating func readAssetNames(of source: ExchangeSource, at market: [String]) -> TableSpec? {
    let levels = source.level(market + ["names"])
    guard !levels.isEmpty else { return nil }
    var block = source.block(to: market).keeping(BlockKey.inherited.filter { $0 != .lookups } + [.symbol])
    for level in levels { source.overlay(level, on: &block) }
    let table = readTable(block, owner: source.name, fields: .name)
    // One language is enough: every known exchange sends at least one.
    if let fields = block[.fields], block.members(of: .fields).isEmpty {
      return rejected(.fieldsLack(AssetNameField.allCases.map(\.rawValue), at: fields.place))
    } else if block[.fields] == nil {
      return rejected(.missingKey("fields", in: "'names'", at: block.node))
    }
    return table
  }
}

extension ExchangeSource {
  /// Whether any market provides names for its assets.
  package var hasAssetNames: Bool {
    Market.allCases.contains { !level(["markets", $0.rawValue, "names"]).isEmpty }
  }
}
