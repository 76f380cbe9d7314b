import Config
import JSON

/// Names that differ only by case, blanks and signs, or that another exchange goes by: who is meant would be chance.
enum ExchangeNameCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var owners: [String: String] = [:]
    var result: [Finding] = []
    func take(_ name: String, of exchange: String, at node: ConfigNode) {
      if let other = owners[Spelling.folded(name)], other != exchange {
        result.append(.exchangeNamedTwice(name, other: other, at: node))
      } else {
        owners[Spelling.folded(name)] = exchange
      }
    }
    let sources = inspection.configuration.exchanges
    for source in sources { if let key = key(of: source) { take(source.name, of: source.name, at: key) } }
    for source in sources {
      for name in source.personal("names")?.elements ?? [] {
        if let text = name.json.string { take(text, of: source.name, at: name) }
      }
    }
    return result
  }

  /// Where the nearest block of an exchange is named.
  static func key(of source: ExchangeSource) -> ConfigNode? {
    let file = source.node.file
    return file.root["exchanges"]?.members.last { $0.value.place == source.node.place }?.key
  }
}
