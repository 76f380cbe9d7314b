import HTTP
import JSON
package import Quotes

/// An exchange as the config describes it.
package struct Exchange: Sendable {
  package let name: String
  /// Further names by which people know it.
  package var names: [String] = []
  /// Up to three letters or an emoji, for places without room.
  package var badge: String?
  package var documentation: String?
  package var note: String?
  package var isEnabled = true
  package var markets: [ExchangeMarket] = []
  /// What it tells the owner of an account; nil where that was not read.
  package var account: AccountSpec?
  package let node: ConfigNode

  package func market(_ market: Market) -> ExchangeMarket? { markets.first { $0.market == market } }

  /// All that is asked by REST.
  fileprivate var tables: [TableSpec] {
    var tables: [TableSpec] = []
    for market in markets {
      tables += market.tickers + market.ticker + market.blockTables
      if let names = market.names { tables.append(names) }
    }
    return tables + (account?.parts.map(\.table) ?? [])
  }

  /// Those of some markets that may be asked.
  package func enabled(among wanted: [Market]) -> [(exchange: Exchange, market: ExchangeMarket)] {
    isEnabled ? markets.filter { $0.isEnabled && wanted.contains($0.market) }.map { (self, $0) } : []
  }
}

/// The spot or the futures side of an exchange.
package struct ExchangeMarket: Sendable {
  package let market: Market
  package var isEnabled = true
  /// How often a live view asks.
  package var refreshMilliseconds = 1000
  /// All pairs: the parts of one table; empty where `isOfOnePair`.
  package var tickers: [TableSpec] = []
  /// One pair: the parts that can be asked for it. Empty where the config has no `ticker`.
  package var ticker: [TableSpec] = []

  /// How the order book, the newest trades and the candles of one pair are asked for, each by the parts of the table;
  /// empty where the exchange does not offer them.
  package var orderbooks: [BookSpec] = []
  package var trades: [TableSpec] = []
  package var candles: [CandleSpec] = []
  /// What the exchange sends by itself, part by part of the table of all pairs; empty where streams were not read.
  package var streams: [StreamPart] = []
  /// What people call the assets; nil where the config does not say how to ask for it.
  package var names: TableSpec?
  /// nil where the config does not say.
  package var takerFees: TakerFees?

  /// Whether the tables of all pairs were left unread: those of `ticker` hold the same pairs.
  package var isOfOnePair = false

  /// Whether a pair that the request for one does not list may stand in the table of all under a newer name.
  package var renamesPairs = false

  /// The hosts that its requests go to, each once, in the order of failover.
  package var hosts: [String] {
    let tables = tickers + ticker + [names].compactMap(\.self)
    let urls = (tables + blockTables).flatMap { $0.baseURLs + $0.lookups.flatMap(\.baseURLs) }
    return urls.map { HostName(of: $0).text }.unique
  }

  /// What order books, trades and candles are asked with.
  package var blockTables: [TableSpec] {
    orderbooks.map(\.table) + trades + candles.flatMap(\.tables)
  }

  /// The intervals that are offered, shortest first.
  package var intervals: [CandleInterval] {
    Set(candles.flatMap { $0.intervals.map(\.interval) }).sorted()
  }

  /// True where names such as 1000PEPE, or a renamed pair, may be hidden from a request for one pair.
  package var mayHidePairs: Bool { renamesPairs || (tickers + ticker).contains { !$0.multipliers.isEmpty } }
}

/// What an exchange takes of a trade that is filled at once, at the rate of a customer without discounts.
package struct TakerFees: Sendable {
  /// In percent, by payment currency; `*` stands for every other one.
  let percents: [(payment: String, percent: Decimal)]

  /// In percent of the trade; nil where the config does not say.
  package func percent(forPayment payment: String) -> Decimal? {
    (percents.first { $0.payment == payment } ?? percents.first { $0.payment == "*" })?.percent
  }
}

extension SpecReader {
  /// One number for every payment currency, or an object of them.
  mutating func readTakerFees(_ node: ConfigNode) -> TakerFees? {
    guard node.json.kind == .object else {
      return readFee(node).map { TakerFees(percents: [("*", $0)]) }
    }
    return TakerFees(
      percents: node.members.compactMap { member in
        readFee(member.value).map { (member.name.uppercased(), $0) }
      })
  }

  /// Some exchanges take nothing; none takes a tenth.
  private mutating func readFee(_ node: ConfigNode) -> Decimal? {
    guard let text = node.json.scalarText, let percent = Decimal(text), percent.signum >= 0, percent < 10 else {
      report(.invalidNumber("a fee in percent, from 0 to below 10", at: node))
      return nil
    }
    return percent
  }
}

/// How much of an exchange's block is read. What is left out stays text: it costs nothing, and nobody is told of its faults.
package struct ExchangeExtent: Sendable {
  package var markets: [Market]
  /// Whether the tables of all pairs are left out of a market that can be asked for one pair.
  package var isOfOnePair: Bool
  /// What else is read of a market.
  package var blocks: [BlockKind]
  package var hasStreams: Bool
  package var hasNames: Bool
  package var hasAccount: Bool
  package var hasPages: Bool

  package init(
    markets: [Market] = Market.allCases, isOfOnePair: Bool = false, blocks: [BlockKind] = [],
    hasStreams: Bool = false, hasNames: Bool = false, hasAccount: Bool = false, hasPages: Bool = false
  ) {
    self.markets = markets
    self.isOfOnePair = isOfOnePair
    self.blocks = blocks
    self.hasStreams = hasStreams
    self.hasNames = hasNames
    self.hasAccount = hasAccount
    self.hasPages = hasPages
  }

  /// All of it: what a reader needs who wants to know that the block is right.
  package static let whole = ExchangeExtent(
    blocks: BlockKind.allCases, hasStreams: true, hasNames: true, hasAccount: true, hasPages: true)
}

extension SpecReader {
  /// Reads one exchange with its markets.
  ///
  /// - Returns: nil where what is read has an error: an exchange is whole or it is not used.
  package mutating func readExchange(_ source: ExchangeSource, _ extent: ExchangeExtent = .whole) -> Exchange? {
    let before = diagnostics.count
    self.source = source
    defer { self.source = nil }
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
    if markets.isEmpty { report(.missingKey("markets", in: "the exchange '\(source.name)'", at: source.node)) }
    for object in markets { _ = checkKeys(object, .markets) }
    for market in extent.markets where !source.level(["markets", market.rawValue]).isEmpty {
      if let market = readMarket(market, of: source, extent) { exchange.markets.append(market) }
    }
    if extent.hasAccount { exchange.account = readAccount(of: source) }
    // A key path in the place of the inner closure would take longer to make than all that it reads.
    checkHosts(of: exchange.tables, streams: exchange.markets.flatMap { $0.streams.flatMap { $0.values } })
    return diagnostics[before...].contains { $0.severity == .error } ? nil : exchange
  }

  private mutating func readMarket(
    _ market: Market, of source: ExchangeSource, _ extent: ExchangeExtent
  ) -> ExchangeMarket? {
    let path = ["markets", market.rawValue]
    let tickersPath = path + ["tickers"]
    for object in source.level(path) {
      _ = checkKeys(object, .market)
    }
    for object in source.level(tickersPath) { _ = checkKeys(object, .tickers) }
    for object in source.level(path + ["ticker"]) {
      if checkKeys(object, .ticker), let miss = object["onMiss"] { checkMiss(miss) }
    }

    var result = ExchangeMarket(market: market)
    result.isEnabled = source.personal("enabled", of: path).flatMap { readBoolean($0) } ?? true
    if let refresh = source.value("refresh", of: path) ?? source.value("refresh", of: []) {
      result.refreshMilliseconds = readMilliseconds(refresh) ?? 1000
    }
    result.renamesPairs = source.value("onMiss", of: path + ["ticker"]) != nil
    result.takerFees =
      (source.value("takerFee", of: path) ?? source.value("takerFee", of: [])).flatMap { readTakerFees($0) }
    result.isOfOnePair = extent.isOfOnePair && source.asksForPair(at: path)
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
    guard !source.level(tickersPath).isEmpty else {
      // An exchange may know single pairs alone.
      guard !ticker.isEmpty else {
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
      // A part may know a request for one pair that the others do not.
      let own = part?["ticker"].flatMap { checkKeys($0, .ticker) ? $0 : nil }
      if let own { source.overlay(own, on: &single) }
      if !result.isOfOnePair, var table = readTable(bulk, owner: source.name, fields: .ticker, batch: batch) {
        table.page = page
        result.tickers.append(table)
      }
      if own != nil || !ticker.isEmpty, var table = readTable(single, owner: source.name, fields: .ticker) {
        table.page = page
        result.ticker.append(table)
      }
    }
  }

  /// - Parameter around: the levels of the table of all pairs, which names the pairs.
  private mutating func readPage(
    of source: ExchangeSource, at path: [String], part: ConfigNode?, around: Block, _ extent: ExchangeExtent
  ) -> PageSpec? {
    guard extent.hasPages, let node = source.page(at: path, part: part) else { return nil }
    let page = readPage(node, constants: around.members(of: .set).map(\.name))
    let namesSymbol = page?.template.plainNames.contains { $0.name == "symbol" } ?? false
    if namesSymbol, around[.symbol]?["path"] == nil { report(.symbolWithoutText(at: node)) }
    return page
  }

  /// Reads what one part of a market says of order books, trades and candles.
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

  /// `{symbol}` is the text by which the table of all pairs names a pair.
  private mutating func checkSymbol(of table: TableSpec, around: Block) {
    let matches = table.lookups.contains { lookup in
      if case .template(let template) = lookup.match.origin {
        template.plainNames.contains { $0.name == "symbol" }
      } else {
        false
      }
    }
    guard table.request.names.contains("symbol") || matches else { return }
    let symbol = around[.symbol]
    if symbol?["path"] == nil { report(.symbolWithoutText(at: table.request.node)) }
  }

  /// What follows a pair that is not listed: there is one choice.
  private mutating func checkMiss(_ node: ConfigNode) {
    guard !node.json.isNull, let text = readText(node), text != "tickers" else { return }
    report(.unknownValue(["tickers"], found: text, at: node))
  }

  private mutating func readBadge(_ node: ConfigNode) -> String? {
    guard let text = readText(node) else { return nil }
    guard (1...3).contains(text.count) else {
      report(.invalidText("up to three letters or an emoji", at: node))
      return nil
    }
    return text
  }

  /// The parts of a table: nil stands for the one part of a table without `forEach`.
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
  /// Whether each part of a market has a request for one pair, for all the payment currencies of the part.
  fileprivate func asksForPair(at market: [String]) -> Bool {
    var requests = level(market + ["ticker"])
    if requests.isEmpty {
      let parts = value("forEach", of: market + ["tickers"])?.elements ?? []
      requests = parts.compactMap { $0["ticker"] }.filter { $0.json.kind == .object }
      if requests.count < parts.count { return false }
    }
    return !requests.isEmpty && requests.allSatisfy { $0[BlockKey.paymentCurrencies.rawValue] == nil }
  }
}
