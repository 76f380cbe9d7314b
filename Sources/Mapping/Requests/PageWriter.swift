package import Config
import HTTP
package import Quotes

extension ExchangeMarket {
  /// Returns the address of a pair's page on the exchange's own site, in visible ASCII only. nil if not configured.
  ///
  /// If any placeholder cannot be filled with certainty, returns the root of the site: another pair's page would be
  /// worse.
  ///
  /// - Parameter row: the exchange's latest row of the pair, for the spelling of its names; nil if there is none.
  package func page(of pair: Pair, row: Ticker?, globalAliases: [String: String]) -> String? {
    let parts = (tickers.isEmpty ? ticker : tickers).filter {
      $0.canHold(payment: pair.payment, globalAliases: globalAliases)
    }
    let own = parts.first { part in row?.product.map { product in part.set.contains { $0.value == product } } ?? false }
    guard let table = own ?? parts.first, let page = table.page else { return nil }
    return page.filled { placeholder in
      if let constant = placeholder.name.flatMap({ table.set.value(of: $0) }) { return constant }
      switch placeholder {
      case .pair(.asset): return table.assetSpelling(of: pair, row, globalAliases)
      case .pair(.payment): return table.names(of: pair.payment, in: row?.symbol, globalAliases).first
      case .pair(.symbol): return namesPairsByText ? row?.symbol : nil
      default: return nil
      }
    }
  }

  /// Whether the symbol of every row is the exchange's own text, rather than assembled from the requested pair.
  private var namesPairsByText: Bool {
    (tickers + ticker).allSatisfy { if case .rules(_?, _) = $0.symbol { true } else { false } }
  }
}

extension TableSpec {
  /// Returns nil for an asset counted in multiples if no row shows its name.
  fileprivate func assetSpelling(of pair: Pair, _ row: Ticker?, _ globalAliases: [String: String]) -> String? {
    let names = names(of: pair.asset, in: row?.symbol, globalAliases)
    guard let factor = row?.multiplier else { return names.first }
    let marked = multipliers.filter { $0.factor == factor }.flatMap { multiplier in
      names.map { multiplier.isBehind ? $0 + multiplier.mark : multiplier.mark + $0 }
    }
    return marked.first { row?.symbol.hasLetters(of: $0) ?? false }
  }

  /// Returns the possible names of a currency at the exchange, those that appear in its symbol first.
  fileprivate func names(of currency: String, in symbol: String?, _ globalAliases: [String: String]) -> [String] {
    let names =
      aliases.filter { $0.to == currency }.map(\.from) + [currency]
      + globalAliases.filter { $0.value == currency }.map(\.key).sorted()
    let shown = names.filter { symbol?.hasLetters(of: $0) ?? false }
    return shown + names.filter { !shown.contains($0) }
  }
}

extension PageSpec {
  /// - Parameter value: returns the value of a placeholder; nil if it has none.
  fileprivate func filled(_ value: (Template.Placeholder) -> String?) -> String {
    let address = try? template.filled(
      escape: { value, _, _ in PercentEncoding.pathValue(value) },
      value: { (placeholder) throws(NoValue) in
        guard let value = value(placeholder), !value.isEmpty else { throw NoValue() }
        return value
      })
    return address ?? root
  }
}

extension String {
  /// Returns whether a name occurs in the text, ignoring case.
  fileprivate func hasLetters(of name: String) -> Bool { uppercased().contains(name.uppercased()) }
}
