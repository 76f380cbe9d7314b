import Config
import JSON
import Quotes

/// Blocks that no table reads, because nearer levels replace them or there is no table yet: what is wrong in them is wrong
/// nevertheless, and would come to light with the next edit.
enum OverriddenCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var result: [Finding] = []
    for source in inspection.configuration.exchanges {
      let levels = source.own.flatMap(levels(ofExchange:))
      let inherited = source.base.flatMap(levels(ofExchange:))
      result += findings(in: levels, names: Names(levels + inherited), .ticker, inspection.hooks)
    }
    for file in inspection.configuration.files {
      for provider in file.root["fx"]?["providers"]?.members ?? [] where provider.value.json.kind == .object {
        let levels = [provider.value] + [provider.value["rate"]].compactMap(\.self)
        result += findings(in: levels, names: Names(levels), .rate, inspection.hooks)
      }
    }
    return result
  }

  /// What values and templates of any level may name.
  struct Names {
    let lookups: [String]
    let constants: [String]

    fileprivate init(_ levels: [ConfigNode]) {
      lookups = levels.flatMap { $0["lookups"]?.members.map(\.name) ?? [] }
      constants = levels.flatMap { $0["set"]?.members.map(\.name) ?? [] }
    }
  }

  private static func findings(
    in levels: [ConfigNode], names: Names, _ vocabulary: FieldVocabulary, _ hooks: [String]?
  ) -> [Finding] {
    var reader = SpecReader(hooks: hooks)
    for level in levels where level.json.kind == .object {
      reader.readAlone(level, lookups: names.lookups, constants: names.constants, vocabulary)
    }
    return reader.diagnostics
  }

  private static func levels(ofExchange exchange: ConfigNode) -> [ConfigNode] {
    var result = [exchange]
    for market in Market.allCases.compactMap({ exchange["markets"]?[$0.rawValue] }) {
      result.append(market)
      for table in ["tickers", "ticker"].compactMap({ market[$0] }) {
        result.append(table)
        for part in table["forEach"]?.elements ?? [] {
          result += [part] + [part["ticker"]].compactMap(\.self)
        }
      }
    }
    return result
  }
}
