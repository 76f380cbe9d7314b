package import MarketData
package import Quotes
package import Terminal

// Asset names for screens and filters.

extension AssetNames {
  /// Returns the texts a filter matches: the pair, both names of its asset, and its other symbols.
  ///
  /// - Parameters:
  ///   - aliases: other names of assets, as in the config: `XBT` is `BTC`.
  ///   - names: additional names of the pair.
  package func subject(
    of pair: Pair, on exchange: String? = nil, aliases: [String: String], names: [String] = []
  ) -> NameFilter.Subject {
    let name = self[pair.asset, on: exchange]?.name
    return NameFilter.Subject(
      symbol: "\(pair)", names: [name?.korean, name?.english].compactMap(\.self) + names,
      aliases: aliases.filter { $0.value == pair.asset }.map(\.key).sorted())
  }
}

extension AssetName {
  /// Returns the name in the given language, or else in the other one.
  func text(first language: Language) -> String? {
    language == .korean ? korean ?? english : english ?? korean
  }

  /// Returns both names, starting with the reader's language: `Bitcoin 비트코인`.
  func both(first language: Language) -> String {
    (language == .korean ? [korean, english] : [english, korean]).compactMap(\.self).joined(separator: " ")
  }
}
