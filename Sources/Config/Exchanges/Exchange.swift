import HTTP
import JSON
package import Quotes

/// An exchange as the config describes it.
package struct Exchange: Sendable {
  package let name: String
  /// Alternative names.
  package var names: [String] = []
  /// Up to three letters or an emoji, for where space is tight.
  package var badge: String?
  package var documentation: String?
  package var note: String?
  package var isEnabled = true
  package var markets: [ExchangeMarket] = []
  /// The data that the exchange provides only to account owners; nil if it was not read.
  package var account: AccountSpec?
  package let node: ConfigNode

  package func market(_ market: Market) -> ExchangeMarket? { markets.first { $0.market == market } }

  /// The tables of all REST requests.
  fileprivate var tables: [TableSpec] {
    var tables: [TableSpec] = []
    for market in markets {
      tables += market.tickers + market.ticker + market.blockTables
      if let names = market.names { tables.append(names) }
    }
    return tables + (account?.parts.map(\.table) ?? [])
  }

  /// Returns the enabled markets among those wanted; none if the exchange is disabled.
  package func enabled(among wanted: [Market]) -> [(exchange: Exchange, market: ExchangeMarket)] {
    isEnabled ? markets.filter { $0.isEnabled && wanted.contains($0.market) }.map { (self, $0) } : []
  }
}

/// The spot or the futures side of an exchange.
package struct ExchangeMarket: Sendable {
  package let market: Market
  package var isEnabled = true
  /// The polling interval of a live view.
  package var refreshMilliseconds = 1000
  /// All pairs: the parts of one table; empty if `isSinglePair`.
  package var tickers: [TableSpec] = []
  /// One pair: the parts that support requests for a single pair. Empty if the config has no `ticker`.
  package var ticker: [TableSpec] = []

  /// The way the order book, latest trades and candles of one pair are requested, one entry per part of the table;
  /// empty if the exchange does not offer them.
  package var orderbooks: [BookSpec] = []
  package var trades: [TableSpec] = []
  package var candles: [CandleSpec] = []
  /// The streams of each part of the table of all pairs; empty if streams were not read.
  package var streams: [StreamPart] = []
  /// The names of the assets; nil if the config does not say how to request them.
  package var names: TableSpec?
  /// nil if not configured.
  package var takerFees: TakerFees?

  /// Whether the tables of all pairs were left unread because those of `ticker` hold the same pairs.
  package var isSinglePair = false

  /// Whether a pair missing from the single-pair response may appear in the table of all pairs under a newer name.
  package var renamesPairs = false

  /// The first part of the table of all pairs, or else of the single-pair request.
  package var firstTable: TableSpec? { tickers.first ?? ticker.first }

  /// What it offers for one pair besides tickers.
  package var blocks: [BlockKind] {
    let missing = [(BlockKind.orderbook, orderbooks.isEmpty), (.trades, trades.isEmpty), (.candles, candles.isEmpty)]
    return missing.filter { !$0.1 }.map(\.0)
  }

  /// The hosts of its requests, without duplicates, in failover order.
  package var hosts: [String] {
    let tables = tickers + ticker + [names].compactMap(\.self)
    let urls = (tables + blockTables).flatMap { $0.baseURLs + $0.lookups.flatMap(\.baseURLs) }
    return urls.map { HostName(of: $0).text }.unique
  }

  /// The tables used to request order books, trades and candles.
  package var blockTables: [TableSpec] { orderbooks.map(\.table) + trades + candles.flatMap(\.tables) }

  /// The offered intervals, shortest first.
  package var intervals: [CandleInterval] { Set(candles.flatMap { $0.intervals.map(\.interval) }).sorted() }

  /// The groups of futures in the order of the config, each with the payment currencies of its pairs as the exchange spells
  /// them, which are none if the config has no list; empty for spot.
  package var products: [(name: String, payments: [String])] {
    guard market == .futures else { return [] }
    var products: [(name: String, payments: [String])] = []
    for table in tickers.isEmpty ? ticker : tickers {
      let payments = table.paymentCurrencies.flatMap(\.currencies)
      let found = payments.flatMap { payment in
        table.products(of: payment.uppercased(), globalAliases: [:]).map { (name: $0, payments: [payment]) }
      }
      for (name, payments) in payments.isEmpty ? [(table.product, [])] : found {
        guard let name else { continue }
        let index = products.firstIndex { $0.name == name } ?? products.endIndex
        if index == products.endIndex { products.append((name, [])) }
        products[index].payments = (products[index].payments + payments).unique
      }
    }
    return products
  }

  /// The market's only pair, as the exchange spells it, if the config names it outright.
  package var onlyPair: (asset: String, payment: String)? {
    guard let first = (tickers + ticker).first?.symbol.constantPair,
      (tickers + ticker).allSatisfy({ $0.symbol.constantPair.map { $0 == first } ?? false })
    else { return nil }
    return first
  }

  /// Whether a request for one pair may miss names such as 1000PEPE, or a renamed pair.
  package var mayOmitRenamedPairs: Bool { renamesPairs || (tickers + ticker).contains { !$0.multipliers.isEmpty } }
}

/// The fees of a trade that is filled immediately, at the rate of a customer without discounts.
package struct TakerFees: Sendable {
  /// In percent, by pair; those for fewer pairs come first.
  private let percents: [(pattern: PairPattern, percent: Decimal)]

  init(_ percents: [(pattern: PairPattern, percent: Decimal)]) {
    // The standard library's sort is stable.
    self.percents = percents.sorted { $0.pattern.exactness > $1.pattern.exactness }
  }

  /// Returns the fee in percent of the trade; nil if not configured.
  package func percent(of pair: Pair) -> Decimal? { percents.first { $0.pattern.matches(pair) }?.percent }
}

extension SpecReader {
  /// Reads one number for all pairs, or an object by payment currency or pair.
  mutating func readTakerFees(_ node: ConfigNode) -> TakerFees? {
    let all = PairPattern(asset: nil, payment: nil)
    guard node.json.kind == .object else { return readFee(node).map { TakerFees([(all, $0)]) } }
    return TakerFees(
      node.members.compactMap { member in
        let name = member.name == "*" || member.name.contains("/") ? member.name : "*/\(member.name)"
        guard let pattern = PairPattern(name) else { return rejected(.invalidPair(member.name, at: member.key.place)) }
        return readFee(member.value).map { (pattern, $0) }
      })
  }

  /// Some exchanges charge nothing; none charges a tenth.
  private mutating func readFee(_ node: ConfigNode) -> Decimal? {
    guard let text = node.json.scalarText, let percent = Decimal(text), percent.signum >= 0, percent < 10 else {
      return rejected(.invalidNumber("a fee in percent, from 0 to below 10", at: node))
    }
    return percent
  }
}

/// The extent to which an exchange's block is read. The rest stays text: it costs nothing, and its errors go
/// unreported.
package struct ExchangeExtent: Sendable {
  package var markets: [Market]
  /// Whether to skip the tables of all pairs in markets that support requests for one pair.
  package var isSinglePair: Bool
  /// The blocks of a market to read as well.
  package var blocks: [BlockKind]
  package var hasStreams: Bool
  package var hasNames: Bool
  package var hasAccount: Bool
  package var hasPages: Bool

  package init(
    markets: [Market] = Market.allCases, isSinglePair: Bool = false, blocks: [BlockKind] = [],
    hasStreams: Bool = false, hasNames: Bool = false, hasAccount: Bool = false, hasPages: Bool = false
  ) {
    self.markets = markets
    self.isSinglePair = isSinglePair
    self.blocks = blocks
    self.hasStreams = hasStreams
    self.hasNames = hasNames
    self.hasAccount = hasAccount
    self.hasPages = hasPages
  }

  /// Everything, for readers that need to know whether the block is correct.
  package static let whole = ExchangeExtent(
    blocks: BlockKind.allCases, hasStreams: true, hasNames: true, hasAccount: true, hasPages: true)
}

extension SpecReader {
  /// Reads one exchange with its markets.
  ///
  /// - Returns: nil if anything that was read has an error: an exchange is used whole or not at all.
  package mutating func readExchange(_ source: ExchangeSource, _ extent: ExchangeExtent = .whole) -> Exchange? {
    let before = diagnostics.count
    self.source = source
    defer { self.source = nil }
    if !Spelling.canBeTyped(source.name) { report(.invalidText("a name that can be typed", at: source.node)) }
    for object in source.base + source.own {
      checkDuplicates(in: object)
      _ = checkKeys(object, .exchange)
    }
    for kind in extent.blocks { checkBlocks(kind, in: source.level([])) }
    if extent.hasStreams { checkStreams(source.level([])) }
    var exchange = Exchange(name: source.name, node: source.node)
    exchange.isEnabled = source.personal("enabled").flatMap { readBoolean($0) } ?? true
    exchange.names = source.personal("names").flatMap { readTexts($0) } ?? []
    exchange.badge = source.personal("badge").flatMap { readBadge($0) }
    exchange.documentation = source.personal("docs").flatMap { readText($0) }
    exchange.note = source.personal("note").flatMap { readText($0) }
    let markets = source.level(["markets"])
    if !reportStrays(at: ["markets"], of: source), markets.isEmpty {
      report(.missingKey("markets", in: "the exchange '\(source.name)'", at: source.node))
    }
    for object in markets { _ = checkKeys(object, .markets) }
    for market in extent.markets where !source.level(["markets", market.rawValue]).isEmpty {
      if let market = readMarket(market, of: source, extent) { exchange.markets.append(market) }
    }
    if extent.hasAccount { exchange.account = readAccount(of: source) }
    // A key path in place of the inner closure takes longer to create than everything it reads.
    checkHosts(of: exchange.tables, streams: exchange.markets.flatMap { $0.streams.flatMap { $0.values } })
    return hasErrors(since: before) ? nil : exchange
  }

  /// Reports what is written in place of the objects of a level, and returns whether there is anything.
  private mutating func reportStrays(at path: [String], of source: ExchangeSource) -> Bool {
    let strays = source.strays(at: path)
    for node in strays { report(.wrongType("an object", at: node)) }
    return !strays.isEmpty
  }

  private mutating func readMarket(
    _ market: Market, of source: ExchangeSource, _ extent: ExchangeExtent
  ) -> ExchangeMarket? {
    let path = ["markets", market.rawValue]
    let tickersPath = path + ["tickers"]
    for object in source.level(path) { _ = checkKeys(object, .market) }
    for object in source.level(tickersPath) { _ = checkKeys(object, .tickers) }
    for object in source.level(path + ["ticker"]) {
      if checkKeys(object, .ticker), let miss = object["onMiss"] { checkMiss(miss) }
    }

    var result = ExchangeMarket(market: market)
    result.isEnabled = source.personal("enabled", of: path).flatMap { readBoolean($0) } ?? true
    if let refresh = source.value("refresh", of: path) ?? source.value("refresh", of: []) {
      result.refreshMilliseconds = readMilliseconds(refresh, in: .refresh) ?? 1000
    }
    result.renamesPairs = source.value("onMiss", of: path + ["ticker"]) != nil
    result.takerFees =
      (source.value("takerFee", of: path) ?? source.value("takerFee", of: [])).flatMap { readTakerFees($0) }
    result.isSinglePair = extent.isSinglePair && source.asksForPair(at: path)
    for kind in extent.blocks { checkBlocks(kind, in: source.level(path)) }
    if extent.hasStreams { checkStreams(source.level(path)) }
    if extent.hasNames {
      checkAssetNames(in: source.level(path))
      result.names = readAssetNames(of: source, at: path)
    }
    readTables(of: source, at: path, extent, into: &result)
    return result.tickers.isEmpty && result.ticker.isEmpty ? nil : result
  }

  private mutating func readTables(
    of source: ExchangeSource, at path: [String], _ extent: ExchangeExtent, into result: inout ExchangeMarket
  ) {
    let tickersPath = path + ["tickers"]
    let ticker = source.level(path + ["ticker"])
    let hasStrays = [reportStrays(at: tickersPath, of: source), reportStrays(at: path + ["ticker"], of: source)]
    guard !source.level(tickersPath).isEmpty else {
      // Some exchanges support only single pairs.
      guard !ticker.isEmpty else {
        if hasStrays.contains(true) { return }
        let node = source.level(path).last ?? source.node
        report(.missingKey("tickers", in: "the market '\(result.market.rawValue)'", at: node))
        return
      }
      let page = readPage(of: source, at: path, part: nil, around: source.block(to: path), extent)
      if var table = readTable(source.block(to: path + ["ticker"]), owner: source.name, fields: .ticker) {
        table.page = page
        result.ticker = [table]
      }
      readBlocks(of: source, at: path, part: nil, around: source.block(to: path), extent, into: &result)
      if extent.hasStreams { result.streams.append([:]) }
      return
    }
    let base = source.block(to: tickersPath)
    let batch = source.value("batch", of: tickersPath)
    for part in readParts(source.value("forEach", of: tickersPath)) {
      var bulk = base
      if let part { source.overlay(part, on: &bulk) }
      var single = bulk
      for level in ticker { source.overlay(level, on: &single) }
      readBlocks(of: source, at: path, part: part, around: bulk, extent, into: &result)
      if extent.hasStreams {
        if let part { checkStreams([part]) }
        let candles = source.block(.candles, market: path, part: part, around: bulk)
        result.streams.append(readStreams(of: source, at: path, part: part, around: bulk, candles: candles))
      }
      let page = readPage(of: source, at: path, part: part, around: bulk, extent)
      // A part may have a request for one pair that the others lack.
      let own = part?["ticker"].flatMap { checkKeys($0, .ticker) ? $0 : nil }
      if let own { source.overlay(own, on: &single) }
      if !result.isSinglePair, var table = readTable(bulk, owner: source.name, fields: .ticker, batch: batch) {
        table.page = page
        table.isOptional = part?["optional"].flatMap { readBoolean($0) } ?? false
        result.tickers.append(table)
      }
      if own != nil || !ticker.isEmpty, var table = readTable(single, owner: source.name, fields: .ticker) {
        table.page = page
        result.ticker.append(table)
      }
    }
  }

  /// - Parameter around: the levels of the table of all pairs, whose symbols name the pairs.
  private mutating func readPage(
    of source: ExchangeSource, at path: [String], part: ConfigNode?, around: Block, _ extent: ExchangeExtent
  ) -> PageSpec? {
    guard extent.hasPages, let node = source.page(at: path, part: part) else { return nil }
    let page = readPage(node, constants: around.members(of: .set).map(\.name))
    if page?.template.namesSymbol == true, around[.symbol]?["path"] == nil { report(.symbolWithoutText(at: node)) }
    return page
  }

  /// Reads the order books, trades and candles of one part of a market.
  private mutating func readBlocks(
    of source: ExchangeSource, at path: [String], part: ConfigNode?, around: Block, _ extent: ExchangeExtent,
    into result: inout ExchangeMarket
  ) {
    for kind in BlockKind.allCases where extent.blocks.contains(kind) {
      if let part { checkBlocks(kind, in: [part]) }
      guard let block = source.block(kind, market: path, part: part, around: around) else { continue }
      let before = diagnostics.count
      var tables: [TableSpec] = []
      switch kind {
      case .orderbook:
        if let book = readBook(block, owner: source.name) {
          result.orderbooks.append(book)
          tables = [book.table]
        }
      case .trades:
        tables = readTable(block, owner: source.name, fields: .trade).map { [$0] } ?? []
        result.trades += tables
      case .candles:
        if let candles = readCandles(block, of: source) {
          result.candles.append(candles)
          tables = candles.tables
        }
      }
      guard !hasErrors(since: before) else { continue }
      for table in tables { checkSymbol(of: table, around: around) }
    }
  }

  /// Checks that the table of all pairs has a symbol text to fill `{symbol}` with.
  private mutating func checkSymbol(of table: TableSpec, around: Block) {
    guard table.namesSymbol else { return }
    let symbol = around[.symbol]
    let isNamedByKey = symbol?["from"]?.json.string == "key"
    if symbol?["path"] == nil, !isNamedByKey { report(.symbolWithoutText(at: table.request.node)) }
  }

  /// Checks the fallback for an unlisted pair, which can only be `tickers`.
  private mutating func checkMiss(_ node: ConfigNode) {
    guard !node.json.isNull, let text = readText(node), text != "tickers" else { return }
    report(.unknownValue(["tickers"], found: text, at: node))
  }

  private mutating func readBadge(_ node: ConfigNode) -> String? {
    guard let text = readText(node) else { return nil }
    guard (1...3).contains(text.count) else {
      return rejected(.invalidText("up to three letters or an emoji", at: node))
    }
    return text
  }

  /// Reads the parts of a table; nil stands for the single part of a table without `forEach`.
  private mutating func readParts(_ node: ConfigNode?) -> [ConfigNode?] {
    guard let node else { return [nil] }
    guard let elements = readElements(node), !elements.isEmpty else {
      report(.wrongType("at least one part", at: node))
      return []
    }
    return elements.filter { checkKeys($0, .part) }
  }
}

extension ExchangeSource {
  /// Returns whether every part of a market has a request for one pair that covers all the part's payment currencies.
  fileprivate func asksForPair(at market: [String]) -> Bool {
    if level(market + ["tickers"]).isEmpty { return false }
    var requests = level(market + ["ticker"])
    if requests.isEmpty {
      let parts = value("forEach", of: market + ["tickers"])?.elements ?? []
      requests = parts.compactMap { $0["ticker"] }.filter { $0.json.kind == .object }
      if requests.count < parts.count { return false }
    }
    return !requests.isEmpty && requests.allSatisfy { $0[BlockKey.paymentCurrencies.rawValue] == nil }
  }
}
