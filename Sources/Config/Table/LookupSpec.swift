import JSON

package struct LookupSpec: Sendable {
  package let name: String
  /// nil to look up in the row's own response.
  package let request: RequestSpec?
  package let baseURLs: [String]
  package let headers: [(name: String, value: Template)]
  package let success: SuccessSpec
  package var rows: RowsSpec
  package var conditions: [ConditionSpec]
  package var key: ValueSpec
  /// The row's value to look up.
  package var match: ValueSpec
  package let timeToLiveSeconds: Int
  package let hook: String?
  /// Whether rows are kept if it fails, as if they met the conditions that read it.
  package var isOptional = false
  /// Whether its request is signed, like those of its block.
  package var isSigned = false
  /// Whether it is built from messages of a stream.
  package var isOfMessages = false
  package let node: ConfigNode
  /// Of a list of accounts, each of which is requested: its conditions and those of all others that read the same list.
  /// Only the first such lookup has them.
  package internal(set) var claims: [[ConditionSpec]] = []
}

package struct BatchSpec: Sendable {
  package let lookup: String
  package let maximum: Int
  package let separator: String
}

extension SpecReader {
  /// Returns the lookups of a table, unless there are too many: each may be a response that is kept in memory.
  mutating func bounded(_ lookups: [ConfigMember]) -> [ConfigMember] {
    let most = 200
    guard lookups.count > most, let last = lookups.last else { return lookups }
    report(.invalidNumber("at most \(most) lookups in a table, found \(lookups.count)", at: last.key))
    return []
  }

  /// - Parameters:
  ///   - table: the table that the lookup belongs to, whose host, headers and success rule are the default.
  ///   - isDecisive: whether rows come and go with it: what is traded changes from minute to minute.
  mutating func readLookup(
    _ member: ConfigMember, of table: TableSpec, lookups: [String], isDecisive: Bool = false
  ) -> LookupSpec? {
    let node = member.value
    guard checkKeys(node, .lookup) else { return nil }
    let constants = table.set.map(\.name)
    let request = node["request"].flatMap { readRequest($0, names: ["keys"] + constants) }
    let name = "the lookup '\(member.name)'"
    guard let rowsNode = required("rows", of: node, in: name), let keyNode = required("key", of: node, in: name) else {
      return nil
    }
    let rows = readRows(rowsNode)
    let key = readValue(keyNode, as: .text, lookups: [])
    let conditions = node["where"].map { readConditions($0) } ?? []
    for value in [key].compactMap(\.self) + conditions.map(\.value) {
      refuse([.request], in: value, of: "a lookup's own rows")
      refuseTemplates(in: value, of: "a lookup's own rows")
    }
    let others = lookups.filter { $0 != member.name }
    let match =
      node["match"].map { readMatch($0, names: Template.PairPart.names + constants, lookups: others) }
      ?? key
    let ttl = node["ttl"].map { readMilliseconds($0, in: .keeping) } ?? (isDecisive ? 600_000 : 3_600_000)
    let namesHosts = table.block.flatMap { source?.inheritsHosts(of: node, to: $0) } ?? true
    guard let rows, let key, let match, let ttl, node["request"] == nil || request != nil else { return nil }
    return LookupSpec(
      name: member.name,
      request: request,
      baseURLs: (namesHosts ? node["baseUrls"].map { readBaseURLs($0) } : nil) ?? table.baseURLs,
      headers: node["headers"].flatMap { readMembers($0) }.map { readHeaders($0) } ?? table.headers,
      success: node["success"].map { readSuccess($0) } ?? table.success,
      rows: rows,
      conditions: conditions,
      key: key,
      match: match,
      timeToLiveSeconds: ttl / 1000,
      hook: node["hook"].flatMap { readHook($0) },
      isOptional: node["optional"].flatMap { readBoolean($0) } ?? false,
      isSigned: node["signed"].flatMap { readBoolean($0) } ?? false,
      node: node)
  }

  /// Reports lookups whose rows depend on each other: none of them could be read first.
  mutating func checkOrder(of lookups: [LookupSpec]) {
    var rest = lookups
    // Those that need none of the rest can be read; whatever remains is part of a cycle, or depends on one.
    while let index = rest.firstIndex(where: { lookup in
      rest.allSatisfy { !lookup.match.lookupNames.contains($0.name) }
    }) {
      rest.remove(at: index)
    }
    if let first = rest.first { report(.circularLookups(rest.map(\.name), at: first.node)) }
  }
}
