import Config
import JSON
import Quotes

/// Levels, and keys that merge by member, which are no objects: laying one over another passes over them.
enum LevelCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var result: [Finding] = []
    for source in inspection.configuration.exchanges {
      for object in source.own { result += findings(inExchange: object) }
    }
    for file in inspection.configuration.files {
      for provider in file.root["fx"]?["providers"]?.members ?? [] {
        result += objects(named: ["rate"], in: provider.value) + merging(in: provider.value)
        if let rate = provider.value["rate"] { result += merging(in: rate) }
      }
    }
    return result
  }

  private static func findings(inExchange exchange: ConfigNode) -> [Finding] {
    var result = objects(named: ["markets"], in: exchange) + merging(in: exchange)
    guard let markets = exchange["markets"] else { return result }
    result += objects(named: Market.allCases.map(\.rawValue), in: markets)
    for market in Market.allCases.compactMap({ markets[$0.rawValue] }) {
      result += objects(named: ["tickers", "ticker"], in: market) + merging(in: market)
      for table in ["tickers", "ticker"].compactMap({ market[$0] }) {
        result += merging(in: table)
        for part in table["forEach"]?.elements ?? [] {
          result += objects(named: ["ticker"], in: part) + merging(in: part)
          if let ticker = part["ticker"] { result += merging(in: ticker) }
        }
      }
    }
    return result
  }

  private static func merging(in level: ConfigNode) -> [Finding] {
    objects(named: BlockKey.allCases.filter(\.mergesByMember).map(\.rawValue), in: level)
  }

  private static func objects(named names: [String], in node: ConfigNode) -> [Finding] {
    names.compactMap { node[$0] }
      .filter { $0.json.kind != .object && !$0.json.isNull }
      .map { .wrongType("an object", at: $0) }
  }
}
