import Config
import JSON
import Quotes

/// A check for exchange names that differ only in case, spaces and punctuation, or that another exchange uses too:
/// which one is meant would be arbitrary.
enum ExchangeNameCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var owners: [String: String] = [:]
    var result: [Finding] = []
    func take(_ name: String, of exchange: String, at node: ConfigNode) {
      if let other = owners[Spelling.folded(name)], other != exchange {
        result.append(.ambiguousName(name, other: other, at: node))
      } else {
        owners[Spelling.folded(name)] = exchange
      }
    }
    let sources = inspection.configuration.exchanges
    var keys: [Place: ConfigNode] = [:]
    var files: [String: Int] = [:]
    for (index, file) in inspection.configuration.files.enumerated() {
      for member in file.root["exchanges"]?.members ?? [] {
        keys[member.value.place] = member.key
        files[member.name] = files[member.name] ?? index
      }
    }
    for source in sources {
      guard let key = keys[source.node.place] else { continue }
      let other = owners[Spelling.folded(source.name)]
      if let other, let below = files[other], let own = files[source.name], below < own {
        let standsAlone = ["baseUrls", "like", "markets"].contains { source.node[$0] != nil }
        result.append(.respeltExchange(source.name, as: other, isChange: !standsAlone, at: key))
      } else {
        take(source.name, of: source.name, at: key)
      }
    }
    for source in sources {
      // An exchange that another is taken for often has that one's other names, too: it is the same mistake.
      let owner = owners[Spelling.folded(source.name)]
      for name in source.personal("names")?.elements ?? [] {
        guard let text = name.json.string else { continue }
        if owner == source.name || owners[Spelling.folded(text)] != owner { take(text, of: source.name, at: name) }
      }
    }
    return result + retired(in: inspection, owners, files)
  }

  /// Finds names of closed exchanges that an enabled one goes by.
  ///
  /// - Parameters:
  ///   - owners: the exchange that goes by each name.
  ///   - files: the first file of each exchange. One that is newer than the list of the closed ones has opened again.
  private static func retired(
    in inspection: Inspection, _ owners: [String: String], _ files: [String: Int]
  ) -> [Finding] {
    let open = Set(inspection.exchanges.filter(\.exchange.isEnabled).map(\.source.name))
    return inspection.configuration.files.enumerated().flatMap { index, file in
      (file.root["retired"]?.members ?? []).filter { !$0.value.json.isNull }.flatMap { member in
        let others = (member.value["names"]?.elements ?? []).map { ($0.json.string ?? "", $0) }
        return ([(member.name, member.key)] + others).compactMap { name, node -> Finding? in
          guard let owner = owners[Spelling.folded(name)], open.contains(owner), (files[owner] ?? 0) <= index else {
            return nil
          }
          return .openAndRetired(name, other: owner, at: node)
        }
      }
    }
  }

  /// Returns the key of an exchange's nearest block.
  static func key(of source: ExchangeSource) -> ConfigNode? {
    let file = source.node.file
    return file.root["exchanges"]?.members.last { $0.value.place == source.node.place }?.key
  }
}
