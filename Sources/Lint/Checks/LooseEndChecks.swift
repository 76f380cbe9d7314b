import Config
import HTTP
import JSON
import JSONPath
import Quotes

/// A check for constants, lookups and aliases that nothing uses, neither in their exchange nor in those that inherit
/// from it.
enum LooseEndCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    guard !inspection.hasBrokenExchanges else { return [] }
    var result =
      constants(in: inspection.tables + inspection.streams) + lookups(in: inspection.allTables)
      + overriddenAliases(in: inspection) + looseEndsOfStreams(in: inspection)
    for (source, exchange) in inspection.exchanges
    where exchange.isEnabled && !exchange.markets.contains(where: \.isEnabled) {
      result.append(.noEnabledMarket(source.name, at: ExchangeNameCheck.key(of: source) ?? source.node))
    }
    return result
  }

  /// Returns the members of a key that no table uses.
  private static func unused(
    _ key: BlockKey, in tables: [Inspection.Table], isUsed: (ConfigMember, Inspection.Table) -> Bool
  ) -> [ConfigMember] {
    var used: [Place: (member: ConfigMember, isUsed: Bool)] = [:]
    for table in tables {
      for member in table.members(of: key) {
        let before = used[member.key.place]?.isUsed ?? false
        used[member.key.place] = (member, before || isUsed(member, table))
      }
    }
    return used.values.filter { !$0.isUsed }.map(\.member)
  }

  private static func constants(in tables: [Inspection.Table]) -> [Finding] {
    unused(.set, in: tables) { member, table in
      member.name == table.spec.productConstant?.name || uses(member.name, table)
    }.map { .unusedConstant($0.name, at: $0.key) }
  }

  static func uses(_ name: String, _ table: Inspection.Table) -> Bool {
    var templates = table.requests.flatMap(\.templates) + table.spec.headers.map(\.value)
    if case .stream(let stream) = table.kind { templates += stream.templates }
    if templates.contains(where: { $0.plainNames.contains { $0.name == name } }) { return true }
    return table.allValues.contains { value in
      if case .template(let template) = value.origin { return template.plainNames.contains { $0.name == name } }
      guard case .path(let path, .request) = value.origin else { return false }
      guard let steps = path?.query.singularSteps else { return true }
      return steps.first.map { $0 == .member(name) } ?? true
    }
  }

  private static func lookups(in tables: [Inspection.Table]) -> [Finding] {
    unused(.lookups, in: tables) { member, table in table.usedLookups.contains(member.name) }
      .map { .unusedLookup($0.name, at: $0.key) }
  }

  /// Finds constants and lookups of streams that no channel of the exchange, or of one that inherits it, uses.
  private static func looseEndsOfStreams(in inspection: Inspection) -> [Finding] {
    var result: [Finding] = []
    for (source, _) in inspection.exchanges {
      let texts = source.streamTexts
      // A channel that is switched off is not read, and may be all that uses them.
      guard !texts.contains(where: { $0.node["enabled"]?.json.boolean == false }) else { continue }
      let channels = inspection.streams.filter { table in
        table.source.map { $0.name == source.name || $0.inherits(from: source) } ?? false
      }
      if channels.isEmpty { continue }
      for text in texts {
        func unused(_ key: String, _ isUsed: (String, Inspection.Table) -> Bool) -> [ConfigMember] {
          (text.node[key]?.members ?? []).filter { member in
            !member.value.json.isNull && member.name != "$comment" && !channels.contains { isUsed(member.name, $0) }
          }
        }
        result += unused("set", uses).map { .unusedConstant($0.name, at: $0.key) }
        result += unused("lookups") { $1.usedLookups.contains($0) }.map { .unusedLookup($0.name, at: $0.key) }
      }
    }
    return result
  }

  /// Finds aliases that a nearer level replaces in every table.
  private static func overriddenAliases(in inspection: Inspection) -> [Finding] {
    let tables = inspection.allTables
    let seen = Set(tables.flatMap { $0.members(of: .aliases).map(\.key.place) })
    var result: [Finding] = []
    for (source, _) in inspection.exchanges {
      for object in source.own {
        for member in object["aliases"]?.members ?? []
        where !member.value.json.isNull && !seen.contains(member.key.place) {
          result.append(.unusedAlias(member.name, "a nearer level replaces it everywhere", at: member.key))
        }
      }
    }
    return result
  }
}

extension ExchangeSource {
  /// Returns whether the other exchange's text is what this one starts from.
  fileprivate func inherits(from other: ExchangeSource) -> Bool { base.contains { other.owns($0.place) } }
}

/// A check for tables whose rows have no price or rate, and exchange files without a language version.
enum MissingPartCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    let files = inspection.configuration.files.filter { $0.root["version"] == nil && $0.root["exchanges"] != nil }
    return files.map { .noVersion(at: $0.root) }
      + inspection.tables.filter { $0.source != nil && $0.isBulk && $0.spec.fields["price"] == nil }
      .map { $0.own(.noPrice(at: $0.spec.node.place)) }
      + inspection.tables.filter { $0.source == nil && $0.spec.fields["rate"] == nil }
      .map { .noRate(at: $0.spec.node.place) }
  }
}
