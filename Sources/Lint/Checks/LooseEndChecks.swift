import Config
import JSON
import JSONPath
import Quotes

/// Constants, lookups and aliases that nothing uses, in the exchange that has them or in one that starts from it.
enum LooseEndCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    guard !inspection.hasBrokenExchanges else { return [] }
    var result =
      constants(in: inspection.tables) + lookups(in: inspection.tables + inspection.accounts)
      + overriddenAliases(in: inspection)
    for (source, exchange) in inspection.exchanges
    where exchange.isEnabled && !exchange.markets.contains(where: \.isEnabled) {
      result.append(.noEnabledMarket(source.name, at: ExchangeNameCheck.key(of: source) ?? source.node))
    }
    return result
  }

  /// The members of a key in all tables, with whether any of them uses it.
  private static func unused(
    _ key: BlockKey, in tables: [Inspection.Table], isUsed: (ConfigMember, Inspection.Table) -> Bool
  ) -> [ConfigMember] {
    var used: [Place: (member: ConfigMember, isUsed: Bool)] = [:]
    for table in tables {
      for member in table.spec.block?.members(of: key) ?? [] {
        let before = used[member.key.place]?.isUsed ?? false
        used[member.key.place] = (member, before || isUsed(member, table))
      }
    }
    return used.values.filter { !$0.isUsed }.map(\.member)
  }

  private static func constants(in tables: [Inspection.Table]) -> [Finding] {
    unused(.set, in: tables) { member, table in
      // The product is named by `product`, else by the first constant.
      let set = table.spec.set
      let product = set.contains { $0.name == "product" } ? "product" : set.first?.name
      return member.name == product || uses(member.name, table)
    }.map { .unusedConstant($0.name, at: $0.key) }
  }

  private static func uses(_ name: String, _ table: Inspection.Table) -> Bool {
    let templates = table.requests.flatMap(\.templates) + table.spec.headers.map(\.value)
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

/// Tables whose rows have no price or no rate, and a file of exchanges that does not say which version of the language it is in.
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

/// Exchanges that ask the same host the same thing: one of them is a copy.
enum SameRequestCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var owners: [[String]: String] = [:]
    var result: [Finding] = []
    for table in inspection.tables where table.isBulk && table.isEnabled {
      guard let source = table.source, let host = table.spec.baseURLs.first else { continue }
      let request = table.spec.request
      let key =
        [host, request.method, request.node["path"]?.json.string ?? ""]
        + ["query", "body"].map { request.node[$0].map { String($0.json.text.filter { !$0.isWhitespace }) } ?? "" }
        + table.spec.set.flatMap { [$0.name, $0.value] }
        + (table.spec.block?.members(of: .headers) ?? []).map { "\($0.name): \($0.value.json.text)" }
      guard let owner = owners[key] else {
        owners[key] = source.name
        continue
      }
      guard owner != source.name else { continue }
      // Where the request is inherited, it is the heir that ought to differ.
      let place = source.isAuthor(of: request.node.place) ? request.node : source.personal("like") ?? source.node
      result.append(.sameRequest(as: owner, table.market, host: host, at: place))
    }
    return result
  }
}

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
        result.append(.duplicateEntry(name, line: line, at: entry.node))
        continue
      }
      lines[entry.pair] = entry.node.place.start.line
      // What a broken exchange could have is unknown.
      guard entry.isEnabled, !inspection.hasBrokenExchanges else { continue }
      let payment = configuration.aliases[entry.pair.payment] ?? entry.pair.payment
      let isServed = inspection.tables.contains { table in
        table.isOfTickers && table.isEnabled
          && table.spec.canHold(payment: payment, globalAliases: configuration.aliases)
      }
      if !isServed { result.append(.unservedEntry(name, at: entry.node)) }
    }
    return result
  }
}

/// Two numbers that are read from the same place, as a volume and a turnover: one of them is not what it is called.
enum SamePlaceCheck: ConfigCheck {
  private static let fields = [
    ("volume", "turnover"), ("volume24", "turnover24"), ("high", "low"), ("high24", "low24"), ("open", "close"),
    ("price", "open"), ("price", "size"), ("bid", "ask"),
  ]

  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.tables.flatMap { table in
      var nodes = table.spec.fields.mapValues(\.node)
      if let book = table.book {
        nodes["price"] = book.bids.price.node
        nodes["size"] = book.bids.size.node
        nodes["bid"] = table.spec.block?[.bids]
        nodes["ask"] = table.spec.block?[.asks]
      }
      return fields.compactMap { first, second -> Finding? in
        guard let one = nodes[first], let other = nodes[second], one.json.text == other.json.text else { return nil }
        return table.own(.samePlace(second, as: first, at: other))
      }
    }
  }
}

/// Tables of one pair that name it neither in the request nor in a path: every pair would have the numbers of the same one.
enum AskedPairCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.tables.compactMap { table in
      guard table.source != nil, case .request = table.spec.symbol, table.spec.hook == nil else { return nil }
      switch table.kind {
      case .bulk, .single, .block: break
      case .names, .account: return nil
      }
      let templates =
        table.spec.request.templates + table.spec.headers.map(\.value) + table.allValues.flatMap(\.templates)
      let names = Set(templates.flatMap(\.plainNames).map(\.name))
      if !names.isDisjoint(with: ["symbol", "keys"]) { return nil }
      // A doubled brace has a finding of its own.
      if table.spec.request.node.json.text.contains("{{") { return nil }
      let payments = Set(table.spec.paymentCurrencies.flatMap(\.currencies))
      if names.contains("asset"), names.contains("payment") || payments.count == 1 { return nil }
      let missing = names.contains("asset") ? "payment" : "asset"
      return table.own(.unnamedPair(lacking: missing, at: table.spec.request.node))
    }
  }
}

/// A factor that is applied where the number has it already.
enum ScaleCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    inspection.tables.flatMap { table in
      table.allValues.compactMap(finding).map(table.own)
    }
  }

  private static func finding(_ value: ValueSpec) -> Finding? {
    guard value.scale != nil, let node = value.node["scale"] else { return nil }
    if case .fromOpen = value.origin {
      return .scaledTwice("the change from an open is a percentage already", at: node)
    }
    guard value.parts.contains(where: { $0.withParts.contains { $0.scale != nil } }) else { return nil }
    return .scaledTwice("a part of this value has its own 'scale'", at: node)
  }
}
