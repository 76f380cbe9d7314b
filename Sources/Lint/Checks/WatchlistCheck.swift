import Config
import JSON
import Quotes

/// Pairs that are followed twice, or that no enabled exchange can have. Incomplete entries are reported when they are
/// read.
enum WatchlistCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    let configuration = inspection.configuration
    var lines: [Pair: Int] = [:]
    var result: [Finding] = []
    for entry in configuration.watchlist {
      let name = "\(entry.pair.asset)/\(entry.pair.payment)"
      if let line = lines[entry.pair] {
        result.append(.doubledEntry(name, line: line, at: entry.node))
        continue
      }
      lines[entry.pair] = entry.node.place.start.line
      // What a broken exchange could have is unknown.
      guard entry.isEnabled, !inspection.hasBrokenExchanges else { continue }
      let payment = configuration.aliases[entry.pair.payment] ?? entry.pair.payment
      let isServed = inspection.tables.contains { table in
        table.source != nil && table.isEnabled
          && table.spec.canHold(payment: payment, globalAliases: configuration.aliases)
      }
      if !isServed { result.append(.unservedEntry(name, at: entry.node)) }
    }
    return result
  }
}
