import Config
import HTTP
import JSON
import Quotes

/// A config read as a whole, for checks that compare its parts.
struct Inspection {
  /// A table and its exchange, which is nil for a rate provider. A class, as every check goes through all of them.
  final class Table: Sendable {
    let source: ExchangeSource?
    /// `spot`; empty for a rate provider.
    let market: String
    let isEnabled: Bool
    let spec: TableSpec
    let kind: Kind
    /// Every value of the table, including those that others are made of.
    let allValues: [ValueSpec]

    init(source: ExchangeSource?, market: String, isEnabled: Bool, spec: TableSpec, kind: Kind) {
      (self.source, self.market, self.isEnabled, self.spec, self.kind) = (source, market, isEnabled, spec, kind)
      allValues = spec.values + kind.values.flatMap(\.withParts)
    }

    enum Kind: Sendable {
      /// All pairs.
      case bulk
      /// One pair's ticker.
      case single
      /// One pair's order book, trades or candles.
      case block(BookSpec?)
      /// The names of assets.
      case names
      /// One part of an account, with the values it reads besides the fields of its rows.
      case account([ValueSpec])
      /// One channel of streams, whose rows are in messages.
      case stream(StreamSpec)
    }

    var isBulk: Bool { if case .bulk = kind { true } else { false } }

    var isOfTickers: Bool {
      switch kind {
      case .bulk, .single: source != nil
      case .block, .names, .account, .stream: false
      }
    }

    var isOfStream: Bool { if case .stream = kind { true } else { false } }

  }

  let configuration: Configuration
  let hooks: [String]?
  /// nil skips known answers.
  let crypto: (any Cryptography)?
  /// The exchanges whose blocks have no errors.
  let exchanges: [(source: ExchangeSource, exchange: Exchange)]
  /// Whether any exchange could not be read, so that what it would have used or offered is unknown.
  let hasBrokenExchanges: Bool
  let providers: [RateProvider]
  let tables: [Table]
  /// The tables about accounts, whose rows do not belong to a market.
  let accounts: [Table]
  /// The channels of streams, whose rows are those of messages.
  let streams: [Table]

  let allTables: [Table]

  init(
    _ configuration: Configuration, _ reading: Configuration.WholeReading, hooks: [String]?,
    crypto: (any Cryptography)?
  ) {
    (self.configuration, self.hooks, self.crypto) = (configuration, hooks, crypto)
    exchanges = reading.exchanges.compactMap { source, exchange in exchange.map { (source, $0) } }
    hasBrokenExchanges = exchanges.count < reading.exchanges.count
    providers = reading.providers
    var (tables, streams): ([Table], [Table]) = ([], [])
    for (source, exchange) in exchanges {
      for market in exchange.markets {
        let isEnabled = exchange.isEnabled && market.isEnabled
        func table(_ spec: TableSpec, _ kind: Table.Kind) -> Table {
          Table(source: source, market: market.market.rawValue, isEnabled: isEnabled, spec: spec, kind: kind)
        }
        tables += market.tickers.map { table($0, .bulk) } + market.ticker.map { table($0, .single) }
        tables += market.orderbooks.map { table($0.table, .block($0)) }
        tables += (market.trades + market.candles.flatMap(\.tables)).map { table($0, .block(nil)) }
        tables += [market.names].compactMap(\.self).map { table($0, .names) }
        streams += market.streams.flatMap { part in StreamChannel.allCases.compactMap { part[$0] } }
          .map { table($0.table, .stream($0)) }
      }
    }
    for provider in providers {
      guard case .table(let spec, _) = provider.source else { continue }
      tables.append(Table(source: nil, market: "", isEnabled: provider.isEnabled, spec: spec, kind: .bulk))
    }
    (self.tables, self.streams) = (tables, streams)
    accounts = exchanges.flatMap { source, exchange in
      (exchange.account?.readings ?? []).map { part, values in
        Table(source: source, market: "", isEnabled: exchange.isEnabled, spec: part.table, kind: .account(values))
      }
    }
    allTables = tables + accounts + streams
  }
}

extension AccountSpec {
  /// Every part with the values it reads besides the fields of its rows.
  fileprivate var readings: [(part: Part, values: [ValueSpec])] {
    balances.flatMap(\.parts).map { ($0, []) }
      + wallets.map { wallets in
        let values = [wallets.network, wallets.message].compactMap(\.self)
        return (wallets.part, values + (wallets.deposit + wallets.withdraw).map(\.value))
      }
      + permissions.map { permissions in
        let conditions = (permissions.trade + permissions.withdraw).joined().compactMap(\.condition)
        return (permissions.part, [permissions.expires].compactMap(\.self) + conditions.map(\.value))
      }
  }
}

extension Inspection.Table {
  /// Returns the finding, with the exchange as an heir if it inherits the text.
  func own(_ finding: Finding) -> Finding { source.map { finding.found(in: $0) } ?? finding }

  /// The members of a key, as far as no nearer level replaces them.
  func members(of key: BlockKey) -> [ConfigMember] { spec.block?.members(of: key) ?? [] }

  var requests: [RequestSpec] {
    let own = isOfStream ? [] : [spec.request]
    return own + spec.lookups.compactMap(\.request)
  }

  /// The locations of rows: the table's own, those of its sides, and those of its lookups.
  var rows: [RowsSpec] {
    let books = kind.books
    let own = books.isEmpty ? [spec.rows] : books.flatMap { [$0.bids.rows, $0.asks.rows] }
    return own + spec.lookups.map(\.rows)
  }

  /// The names of the lookups that anything in this table reads.
  var usedLookups: Set<String> {
    Set((spec.batch.map { [$0.lookup] } ?? []) + allValues.flatMap(\.lookupNames))
  }
}

extension Inspection.Table.Kind {
  /// The order books as they are read: of a stream, the whole and its changes.
  var books: [BookSpec] {
    switch self {
    case .block(let book): [book].compactMap(\.self)
    case .stream(let stream): [stream.book?.whole, stream.book?.changes].compactMap(\.self)
    case .bulk, .single, .names, .account: []
    }
  }

  /// The values that are not of the rows' fields.
  fileprivate var values: [ValueSpec] {
    var values: [ValueSpec] = []
    for book in books {
      for side in [book.bids, book.asks] { values += [side.price, side.size] + side.conditions.map(\.value) }
      values += [book.time, book.sequence].compactMap(\.self)
    }
    if case .account(let others) = self { values += others }
    if case .stream(let stream) = self { values += stream.ownValues }
    return values
  }
}

extension RequestSpec {
  /// The texts of a request, each with the name it is sent under; the path has none.
  var texts: [(name: String?, node: ConfigNode)] {
    var result: [(String?, ConfigNode)] = []
    if let path = node["path"] { result.append((nil, path)) }
    result += node["query"]?.texts() ?? []
    result += node["body"]?.texts() ?? []
    return result
  }
}

extension ConfigNode {
  /// The strings in a value that is sent, each with the name it is sent under.
  func texts(named name: String? = nil) -> [(name: String?, node: ConfigNode)] {
    switch json.kind {
    case .string: [(name, self)]
    case .array: elements.flatMap { $0.texts(named: name) }
    case .object: members.flatMap { $0.value.texts(named: $0.name) }
    default: []
    }
  }
}
