import Config
import HTTP
import JSON
import Quotes

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
        // Of two of one name, that is what is wrong.
        if Spelling.folded(owner) == Spelling.folded(source.name) { continue }
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
        let placeholders = spec.request.placeholders.union(spec.headers.flatMap(\.value.placeholders))
        return Template.PairPart.allCases.first { part in
          placeholders.contains(.pair(part)) && !spec.set.contains { $0.name == part.rawValue }
        }.map { table.own(.pairOfAllPairs($0, at: spec.request.node)) }
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
