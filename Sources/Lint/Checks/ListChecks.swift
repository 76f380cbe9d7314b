import Config
import JSON
import Quotes

/// A check for pairs that are followed twice, that name no pair, or that no enabled exchange can have. Incomplete
/// entries are reported when they are read.
enum WatchlistCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var lines: [Pair: Int] = [:]
    // Aliases of such names have a finding of their own, and would make different pairs one.
    let aliases = inspection.configuration.aliases.filter { !KnownAsset.unmistakable.contains($0.key) }
    return inspection.configuration.watchlist.flatMap { entry -> [Finding] in
      let symbols = ["asset", "payment"].compactMap { entry.node[$0] }.filter { !isSymbol($0.json.string ?? "") }
      if !symbols.isEmpty { return symbols.map { .invalidText("the symbol of an asset such as \"BTC\"", at: $0) } }
      let pair = Pair(
        asset: aliases[entry.pair.asset] ?? entry.pair.asset,
        payment: aliases[entry.pair.payment] ?? entry.pair.payment)
      if let line = lines[pair] { return [.duplicateEntry("\(entry.pair)", line: line, at: entry.node)] }
      lines[pair] = entry.node.place.start.line
      return [finding(entry, pair, inspection)].compactMap(\.self)
    }
  }

  private static func isSymbol(_ text: String) -> Bool {
    !text.isEmpty && !text.contains { $0.isWhitespace || $0 == "/" }
  }

  /// - Parameter pair: the entry's pair under its usual names.
  private static func finding(_ entry: WatchlistEntry, _ pair: Pair, _ inspection: Inspection) -> Finding? {
    if pair.asset == pair.payment { return .samePayment(pair.asset, at: entry.node) }
    // Money is what coins are paid in. Other codes of currencies are names of coins as well: MNT, TOP.
    if KnownAsset.unmistakable.contains(pair.asset), FiatCurrency.codes.contains(pair.asset),
      KnownAsset.coins.subtracting(KnownAsset.euros).contains(pair.payment)
    {
      return .unservedEntry("\(entry.pair)", meant: "\(pair.payment)/\(pair.asset)", at: entry.node)
    }
    // It is unknown which pairs a broken exchange could have.
    guard entry.isEnabled, !inspection.hasBrokenExchanges else { return nil }
    let isServed = inspection.tables.contains { table in
      table.isOfTickers && table.isEnabled
        && table.spec.canHold(payment: pair.payment, globalAliases: inspection.configuration.aliases)
    }
    return isServed ? nil : .unservedEntry("\(entry.pair)", at: entry.node)
  }
}

/// A check for payment currencies that are empty, or listed twice by a market.
enum PaymentListCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var seen: Set<Place> = []
    return (inspection.tables + inspection.streams).flatMap { table -> [Finding] in
      guard let node = table.spec.block?[.paymentCurrencies], seen.insert(node.place).inserted else { return [] }
      return findings(in: node).map(table.own)
    }
  }

  private static func findings(in groups: ConfigNode) -> [Finding] {
    var lines: [String: Int] = [:]
    return SymbolRuleCheck.currencyNodes(of: groups).compactMap { node in
      guard let text = node.json.string else { return nil }
      if text.isEmpty || text.contains(where: \.isWhitespace) {
        return .invalidText("the symbol of a currency such as \"USDT\"", at: node)
      }
      if let line = lines[text] { return .duplicateCurrency(text, line: line, at: node) }
      lines[text] = node.place.start.line
      return nil
    }
  }
}
