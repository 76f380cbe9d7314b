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
      // The product is given by `product`, or else by the first constant.
      let set = table.spec.set
      let product = set.contains { $0.name == "product" } ? "product" : set.first?.name
      return member.name == product || uses(member.name, table)
    }.map { .unusedConstant($0.name, at: $0.key) }
  }

  fileprivate static func uses(_ name: String, _ table: Inspection.Table) -> Bool {
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

/// A check for exchanges that send the same request to the same host, one of which is a copy, and for tables of one
/// exchange that read the same rows of one answer.
enum SameRequestCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var owners: [[String]: String] = [:]
    var readers: [[String]: [Inspection.Table]] = [:]
    var result: [Finding] = []
    for table in inspection.tables where table.isBulk && table.isEnabled {
      guard let source = table.source, let host = table.spec.baseURLs.first else { continue }
      let node = table.spec.request.node
      let request = request(of: table, to: host)
      if let owner = owners[request], owner != source.name {
        // If the request is inherited, the inheriting exchange should change it.
        let place = source.owns(node.place) ? node : source.personal("like") ?? source.node
        result.append(.sameRequest(as: owner, table.market, host: host, at: place))
        continue
      }
      owners[request] = source.name
      let rows = request + reading(of: table)
      if let other = readers[rows]?.first(where: table.mayShareRows) {
        result.append(table.own(.sameRows(table.market, as: other.market, at: node)))
      }
      readers[rows, default: []].append(table)
    }
    return result
  }

  /// Returns what tells a request apart from others.
  private static func request(of table: Inspection.Table, to host: String) -> [String] {
    let request = table.spec.request
    return [host, request.method, request.node["path"]?.json.string ?? ""]
      + ["query", "body", "form"].map { text(request.node[$0]) }
      + table.spec.set.filter { LooseEndCheck.uses($0.name, table) }.flatMap { [$0.name, $0.value] }
      + table.members(of: .headers).map { "\($0.name): \($0.value.json.text)" }
  }

  /// Returns what decides which rows of an answer are read, as which pairs, and where their prices are.
  private static func reading(of table: Inspection.Table) -> [String] {
    let spec = table.spec
    let texts = [BlockKey.rows, .where, .symbol].map { text(spec.block?[$0]) }
    let lookups = table.members(of: .lookups).map { "\($0.name): \(text($0.value))" }
    let prices = spec.fields["price"]?.places.sorted() ?? []
    return texts + lookups + [spec.batch?.lookup ?? ""] + prices
  }

  private static func text(_ node: ConfigNode?) -> String { node?.json.text.filter { !$0.isWhitespace } ?? "" }
}

extension Inspection.Table {
  /// Returns whether the payment currencies of two tables allow both to have the same pair.
  fileprivate func mayShareRows(with other: Inspection.Table) -> Bool {
    let lists = [self, other].map { Set($0.spec.paymentCurrencies.flatMap(\.currencies)) }
    return lists.contains(where: \.isEmpty) || !lists[0].isDisjoint(with: lists[1])
  }
}

/// A check for order books, trades and candles that name their pair neither in the request nor in a path, so that all
/// pairs would have the same numbers. Reading a table of prices already finds that. These are read all the same, but
/// used only if the exchange lists a single pair, or if the answer says which pair it is about.
///
/// A table of all pairs is requested without one, so that its request cannot name it.
enum AskedPairCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.tables.compactMap { table in
      if table.source != nil, table.isBulk {
        let spec = table.spec
        let names = spec.request.names.union(spec.headers.flatMap { $0.value.plainNames.map(\.name) })
          .subtracting(spec.set.map(\.name))
        return ["asset", "payment", "symbol"].first(where: names.contains).map {
          table.own(.pairOfAllPairs($0, at: spec.request.node))
        }
      }
      guard let source = table.source, case .block(let book) = table.kind,
        let missing = book.map(\.missingName) ?? table.spec.missingName,
        !inspection.exchanges.contains(where: { other, exchange in
          other.name == source.name
            && exchange.markets.contains { $0.market.rawValue == table.market && $0.onlyPair != nil }
        })
      else { return nil }
      return table.own(.unnamedPair(lacking: missing, at: table.spec.request.node))
    }
  }
}

extension ExchangeSource {
  /// Returns whether the other exchange's text is what this one starts from.
  fileprivate func inherits(from other: ExchangeSource) -> Bool { base.contains { other.owns($0.place) } }
}

/// A check for requests that cost more than their limit allows at once: each waits for several of its windows.
enum CostCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var result: [Finding] = []
    var reported: Set<Place> = []
    for table in inspection.tables + inspection.accounts {
      for request in table.requests.sorted(by: { $0.cost > $1.cost }) {
        guard let limit = table.spec.limit, request.cost > limit.requests, let cost = request.node["cost"] else {
          continue
        }
        // Of a cost that ships with the program and the user's own limit, the limit is the newer.
        var node = cost
        if cost.isShipped, let own = table.spec.block?[.limit]?["requests"] {
          if own.file !== cost.file { node = own }
        }
        if node.file === cost.file || reported.insert(node.place).inserted {
          result.append(table.own(.costAboveLimit(request.cost, limit: limit.requests, at: node)))
        }
      }
    }
    return result
  }
}

/// A check for names that are read from the key of rows in several lists: the key of a list's element is its index, and
/// the names of the lists are not in their rows.
enum IndexKeyCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.allTables.flatMap { table in
      (findings(in: table.spec.symbol.values, rows: table.spec.rows)
        + table.spec.lookups.flatMap { findings(in: [$0.key], rows: $0.rows) }).map(table.own)
    }
  }

  private static func findings(in values: [ValueSpec], rows: RowsSpec) -> [Finding] {
    // A single `[*]` may be of an object, whose keys are names.
    guard case .path(let path) = rows, path.text.hasSuffix("[*]"), path.text.dropLast(3).contains("*") else {
      return []
    }
    return values.flatMap(\.withParts).compactMap { value in
      guard case .path(_, .key) = value.origin, value.levelsUp == 0 else { return nil }
      return .keyIsIndex(path.text, at: value.node["from"] ?? value.node)
    }
  }
}

/// A check for factors that are applied to numbers which already include them.
enum ScaleCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.allTables.flatMap { table in
      table.allValues.compactMap(finding).map(table.own)
    }
  }

  private static func finding(_ value: ValueSpec) -> Finding? {
    guard value.scale != nil, let node = value.node["scale"] else { return nil }
    if case .fromOpen = value.origin {
      return .scaledTwice("the change from an open is already a percentage", at: node)
    }
    guard value.parts.contains(where: { $0.withParts.contains { $0.scale != nil } }) else { return nil }
    return .scaledTwice("a part of this value has its own 'scale'", at: node)
  }
}
