import Config
import JSON
import Quotes

/// A config read as a whole, for checks that compare its parts.
struct Inspection {
  /// A table with the exchange that it belongs to; a rate provider's has none.
  struct Table {
    let source: ExchangeSource?
    /// `spot`; empty for a rate provider.
    let market: String
    let isEnabled: Bool
    let spec: TableSpec
    /// Whether this is the table of all pairs, rather than the request for one.
    let isBulk: Bool
  }

  /// The order book of a market.
  struct Book {
    let source: ExchangeSource
    let spec: BookSpec
    /// The constants that its request may name.
    let setNames: [String]

    func own(_ finding: Finding) -> Finding { finding.found(in: source) }
  }

  let configuration: Configuration
  let hooks: [String]?
  /// The exchanges whose blocks have no error.
  let exchanges: [(source: ExchangeSource, exchange: Exchange)]
  /// Whether an exchange could not be read: then nothing is known of what it would have used or served.
  let hasBrokenExchanges: Bool
  let providers: [RateProvider]
  let tables: [Table]
  let books: [Book]

  init(_ configuration: Configuration, hooks: [String]?) {
    self.configuration = configuration
    self.hooks = hooks
    exchanges = configuration.exchanges.compactMap { source in
      configuration.read(source, hooks: hooks).exchange.map { (source, $0) }
    }
    hasBrokenExchanges = exchanges.count < configuration.exchanges.count
    providers = configuration.providerNames.compactMap { configuration.readProvider($0, hooks: hooks).provider }
    var tables: [Table] = []
    var books: [Book] = []
    for (source, exchange) in exchanges {
      for market in exchange.markets {
        let isEnabled = exchange.isEnabled && market.isEnabled
        tables += market.tickers.map {
          Table(source: source, market: market.market.rawValue, isEnabled: isEnabled, spec: $0, isBulk: true)
        }
        if let book = market.orderbook {
          books.append(Book(source: source, spec: book, setNames: market.tickers.flatMap { $0.set.map(\.name) }))
        }
        tables += market.ticker.map {
          Table(source: source, market: market.market.rawValue, isEnabled: isEnabled, spec: $0, isBulk: false)
        }
      }
    }
    for provider in providers {
      guard case .table(let spec, _) = provider.source else { continue }
      tables.append(Table(source: nil, market: "", isEnabled: provider.isEnabled, spec: spec, isBulk: true))
    }
    self.tables = tables
    self.books = books
  }
}

extension Inspection.Table {
  /// The finding, with the exchange as an heir where the text is another's.
  func own(_ finding: Finding) -> Finding { source.map { finding.found(in: $0) } ?? finding }
}

extension TableSpec {
  /// The requests of the table and of its lookups.
  var requests: [RequestSpec] { [request] + lookups.compactMap(\.request) }

  /// Every value of the table, those that others are made of included.
  var allValues: [ValueSpec] {
    var values = Array(fields.values) + conditions.map(\.value)
    values += (success.conditions + success.unlisted.flatMap { $0.compactMap(\.condition) }).map(\.value)
    values += [success.code].compactMap(\.self)
    values += symbol.values
    for lookup in lookups { values += [lookup.key, lookup.match] + lookup.conditions.map(\.value) }
    return values.flatMap(\.withParts)
  }

  /// The names of the lookups that something of this table reads.
  var usedLookups: Set<String> {
    var names = Set(batch.map { [$0.lookup] } ?? [])
    for value in allValues {
      if case .path(_, .lookup(let name)) = value.origin { names.insert(name) }
    }
    return names
  }
}

extension BookSpec {
  /// Every value of the book, those that others are made of included.
  var values: [ValueSpec] { [bids, asks].flatMap { [$0.price, $0.size] }.flatMap(\.withParts) }
}

extension ValueSpec {
  /// The value and all that it is made of.
  var withParts: [ValueSpec] { [self] + parts.flatMap(\.withParts) }
}

extension RequestSpec {
  /// The texts that a request is made of, each with the name under which it is sent; the path has none.
  var texts: [(name: String?, node: ConfigNode)] {
    var result: [(String?, ConfigNode)] = []
    if let path = node["path"] { result.append((nil, path)) }
    result += (node["query"]?.members ?? []).map { ($0.name, $0.value) }
    func add(_ node: ConfigNode, as name: String?) {
      switch node.json.kind {
      case .string: result.append((name, node))
      case .array: for element in node.elements { add(element, as: name) }
      case .object: for member in node.members { add(member.value, as: member.name) }
      default: break
      }
    }
    if let body = node["body"] { add(body, as: nil) }
    return result
  }
}
