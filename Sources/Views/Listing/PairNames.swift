package import MarketData
package import Quotes
package import Terminal

// The names of assets for screens and filters.

extension AssetNames {
  /// What people call some pairs, in the reader's language where there is such a name. A pair whose asset nobody names has
  /// none.
  ///
  /// - Parameter exchange: the one whose pairs they are; nil for pairs of many exchanges.
  package func texts(of pairs: some Sequence<Pair>, on exchange: String? = nil, _ language: Language) -> [Pair: String]
  {
    Dictionary(
      pairs.compactMap { pair in
        self[pair.asset, on: exchange]?.name.text(first: language).map { (pair, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What a typed filter looks at: the pair, both names of its asset, and the other symbols that it goes by.
  ///
  /// - Parameters:
  ///   - aliases: other names of assets, as the config has them: `XBT` is `BTC`.
  ///   - names: further names of the pair.
  package func subject(
    of pair: Pair, on exchange: String? = nil, aliases: [String: String], names: [String] = []
  ) -> NameFilter.Subject {
    let name = self[pair.asset, on: exchange]?.name
    return NameFilter.Subject(
      symbol: "\(pair)", names: [name?.korean, name?.english].compactMap(\.self) + names,
      aliases: aliases.filter { $0.value == pair.asset }.map(\.key).sorted())
  }
}
