package import Config
import Quotes

/// The extent to which an exchange's market is data, and which hooks it needs.
package struct Coverage: Sendable, Hashable {
  package let owner: String
  /// `spot`, `futures`, or `rate` for a provider.
  package let market: String
  /// The number of mapped fields, out of `possible`.
  package let mapped: Int
  package let possible: Int
  package let lookups: Int
  /// The hooks that the market needs; empty if all of it is data.
  package let hooks: [String]

  package static func all(of configuration: Configuration) -> [Coverage] {
    var result: [Coverage] = []
    for source in configuration.exchanges {
      guard let exchange = configuration.read(source).exchange else { continue }
      for market in exchange.markets {
        let tables = market.tickers + market.ticker
        let possible = ObjectShape.fields.names.count
        result.append(Coverage(source.name, market.market.rawValue, tables, possible: possible))
      }
    }
    for name in configuration.providerNames {
      guard let provider = configuration.readProvider(name).provider, case .table(let table, _) = provider.source else {
        continue
      }
      result.append(Coverage(name, "rate", [table], possible: ObjectShape.rateFields.names.count))
    }
    return result
  }

  private init(_ owner: String, _ market: String, _ tables: [TableSpec], possible: Int) {
    (self.owner, self.market, self.possible) = (owner, market, possible)
    mapped = tables.reduce(into: Set<String>()) { $0.formUnion($1.fields.keys) }.count
    lookups = Set(tables.flatMap { $0.lookups.map(\.name) }).count
    hooks = Set(tables.flatMap { [$0.hook].compactMap(\.self) + $0.lookups.compactMap(\.hook) }).sorted()
  }
}
