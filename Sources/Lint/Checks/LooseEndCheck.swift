import Config
import JSON
import JSONPath
import Quotes

/// Constants, lookups and aliases that nothing uses, in the exchange that has them or in one that starts from it.
enum LooseEndCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    guard !inspection.hasBrokenExchanges else { return [] }
    let asked = Set(inspection.books.flatMap { $0.spec.request.templates.flatMap { $0.plainNames.map(\.name) } })
    var result =
      constants(in: inspection.tables, asked) + lookups(in: inspection.tables) + overriddenAliases(in: inspection)
    for (source, exchange) in inspection.exchanges
    where exchange.isEnabled && !exchange.markets.contains(where: \.isEnabled) {
      result.append(.noEnabledMarket(source.name, at: ExchangeNameCheck.key(of: source) ?? source.node))
    }
    return result
  }

  /// The members of a key in all tables, with whether any of them uses it.
  private static func unused(
    _ key: BlockKey, in tables: [Inspection.Table], isUsed: (ConfigMember, TableSpec) -> Bool
  ) -> [ConfigMember] {
    var used: [Place: (member: ConfigMember, isUsed: Bool)] = [:]
    for table in tables {
      for member in table.spec.block?.members(of: key) ?? [] {
        let before = used[member.key.place]?.isUsed ?? false
        used[member.key.place] = (member, before || isUsed(member, table.spec))
      }
    }
    return used.values.filter { !$0.isUsed }.map(\.member)
  }

  /// - Parameter asked: the names that requests for order books are filled with.
  private static func constants(in tables: [Inspection.Table], _ asked: Set<String>) -> [Finding] {
    unused(.set, in: tables) { member, spec in
      // The product is named by `product`, else by the first constant.
      let product = spec.set.contains { $0.name == "product" } ? "product" : spec.set.first?.name
      return member.name == product || asked.contains(member.name) || uses(member.name, spec)
    }.map { .unusedSet($0.name, at: $0.key) }
  }

  private static func uses(_ name: String, _ spec: TableSpec) -> Bool {
    let templates = spec.requests.flatMap(\.templates) + spec.headers.map(\.value)
    if templates.contains(where: { $0.plainNames.contains { $0.name == name } }) { return true }
    return spec.allValues.contains { value in
      guard case .path(let path, .request) = value.origin else { return false }
      guard let steps = path?.query.singularSteps else { return true }
      return steps.first.map { $0 == .member(name) } ?? true
    }
  }

  private static func lookups(in tables: [Inspection.Table]) -> [Finding] {
    unused(.lookups, in: tables) { member, spec in spec.usedLookups.contains(member.name) }
      .map { .unusedLookup($0.name, at: $0.key) }
  }

  /// Aliases that a nearer level replaces in every table: no table ever sees them.
  private static func overriddenAliases(in inspection: Inspection) -> [Finding] {
    let seen = Set(inspection.tables.flatMap { $0.spec.block?.members(of: .aliases).map(\.key.place) ?? [] })
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
