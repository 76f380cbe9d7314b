import Config
import JSON
import Quotes

/// A check for errors in blocks that no table reads because nearer levels replace them or there is no table yet. The
/// errors would come to light with the next edit.
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

  /// The names that values and templates on any level may use.
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

/// A check for keys that have no effect on a market because the shipped config, or the exchange that this one starts from,
/// has them on a nearer level, which the author does not see.
enum HiddenKeyCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.configuration.exchanges.flatMap { source in
      source.own.filter { !$0.isShipped }.flatMap { findings(in: $0, of: source) }
    }
  }

  private static func findings(in object: ConfigNode, of source: ExchangeSource) -> [Finding] {
    Market.allCases.filter { source.isEnabled($0) }.flatMap { market in
      let block = ["markets", market.rawValue]
      let levels = [block, block + ["tickers"]]
      return hidden(object, in: levels, of: source, object)
        + hidden(object["markets"]?[market.rawValue], in: levels.dropFirst(), of: source, object)
    }
  }

  /// Finds the keys of a level that a nearer one, outside the exchange's own object, takes the effect of.
  private static func hidden(
    _ level: ConfigNode?, in nearer: some Sequence<[String]>, of source: ExchangeSource, _ object: ConfigNode
  ) -> [Finding] {
    (level?.members ?? []).flatMap(settings).compactMap { setting in
      for path in nearer {
        let value = source.level(path).compactMap { setting.value(on: $0) }.last
        guard let value else { continue }
        return object.contains(value) ? nil : .hiddenKey(setting.name, by: path.joined(separator: "."), at: setting.key)
      }
      return nil
    }
  }

  /// What one key of a level says: itself, or each of its members if they are merged one by one.
  private static func settings(of member: ConfigMember) -> [Setting] {
    let key = BlockKey(rawValue: member.name)
    let isOfLevels = key.map { ![.note, .verified].contains($0) } ?? ["takerFee", "refresh"].contains(member.name)
    guard isOfLevels else { return [] }
    guard key?.mergesByMember == true, member.value.json.kind == .object else {
      return [Setting(path: [member.name], key: member.key)]
    }
    return member.value.members.map { Setting(path: [member.name, $0.name], key: $0.key) }
  }

  private struct Setting {
    let path: [String]
    let key: ConfigNode

    var name: String { path.joined(separator: ".") }

    func value(on level: ConfigNode) -> ConfigNode? {
      path.reduce(Optional(level)) { node, name in node?[name] }
    }
  }
}

extension [Finding] {
  /// Returns the findings, with one instead of several if tables of an exchange lack the same key. It is placed at the
  /// innermost object that contains them all, since adding the key there fixes them all.
  func mergingMissingKeys(in exchanges: [ExchangeSource]) -> [Finding] {
    var result = self
    let lacking = filter { !$0.lackingKeys.isEmpty }
    for exchange in exchanges {
      let groups = Dictionary(grouping: lacking.filter { exchange.owns($0.place) }) { $0.lackingKeys[0] }
      for (key, findings) in groups.sorted(by: { $0.key < $1.key }) where findings.count > 1 {
        let ranges = findings.compactMap(\.place?.range)
        guard let first = result.firstIndex(of: findings[0]),
          let level = exchange.own.first(where: { own in ranges.allSatisfy { own.json.byteRange.overlaps($0) } })
        else { continue }
        var together = Finding.missingKey(key, inTables: findings.count, at: level.innermost(holding: ranges))
        for finding in findings {
          together.inheritors += finding.inheritors.filter { !together.inheritors.contains($0) }
        }
        result[first] = together
        result.removeAll { finding in findings.contains(finding) }
      }
    }
    return result.withMissingKeysOfOneTableTogether()
  }

  /// Combines the missing keys of one table into one finding.
  private func withMissingKeysOfOneTableTogether() -> [Finding] {
    var result: [Finding] = []
    var indexes: [Place: Int] = [:]
    for finding in self {
      guard !finding.lackingKeys.isEmpty, let place = finding.place, let index = indexes[place] else {
        if !finding.lackingKeys.isEmpty, let place = finding.place { indexes[place] = result.count }
        result.append(finding)
        continue
      }
      var all = Finding.tableLacks(result[index].lackingKeys + finding.lackingKeys, at: place)
      all.inheritors = result[index].inheritors
      result[index] = all
    }
    return result
  }
}

extension ConfigNode {
  fileprivate func innermost(holding ranges: [Range<Int>]) -> ConfigNode {
    let children = members.map(\.value) + elements
    let next = children.first { child in ranges.allSatisfy { child.json.byteRange.contains($0) } }
    // An array element is not a level: the owner of the array is.
    guard let next, next.json.kind == .object || next.elements.isEmpty == false else { return self }
    let inner = next.innermost(holding: ranges)
    return inner.json.kind == .object ? inner : self
  }
}
