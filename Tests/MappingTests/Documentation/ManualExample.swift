import HTTP
import JSON
import Mapping
import Quotes
import Testing

@testable import Config

/// A config from the manual with everything that the page says about it.
struct ManualExample: Sendable, CustomTestStringConvertible {
  let place: String
  private let text: String
  private let market: Market
  private var pair: Pair?
  private var keys: String?
  private var secrets: [String: String] = [:]
  private var responses: [String] = []
  private var lookups: [String: String] = [:]
  private var table: [String]?
  private var requests: [String]?
  private var book: [String]?
  private var trades: [String]?
  private var candles: [String]?
  private var names: [String]?
  private var page: [String]?
  /// For candles: the interval, the wanted span, and the clock.
  private var interval: CandleInterval?
  private var span: (start: Instant, end: Instant)?
  private var now: Instant?
  private var findings: [String] = []

  var testDescription: String { place }

  init(_ block: Manual.Block, page: String) {
    place = "\(page):\(block.line)"
    text = block.text
    market = block.words.contains("futures") ? .futures : .spot
    for (word, next) in zip(block.words, block.words.dropFirst()) {
      switch word {
      case "ask":
        let names = next.split(separator: "/").map(String.init)
        pair = Pair(asset: names[0], payment: names[names.count - 1])
      case "keys": keys = next
      case "interval": interval = CandleInterval(rawValue: next)
      case "now": now = Instant.iso8601(next, defaultOffsetSeconds: 0)
      case "wanted":
        let moments = next.split(separator: "/").compactMap { Instant.iso8601(String($0), defaultOffsetSeconds: 0) }
        if moments.count == 2 { span = (moments[0], moments[1]) }
      case "secret":
        let parts = next.split(separator: "=").map(String.init)
        secrets[parts[0]] = parts[parts.count - 1]
      default: break
      }
    }
  }

  mutating func take(_ block: Manual.Block) {
    let lines = block.text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    switch block.words.first {
    case "json" where block.words.dropFirst().first == "lookup":
      lookups[block.words[block.words.count - 1]] = block.text
    case "json": responses.append(block.text)
    case "table": table = lines
    case "book": book = lines
    case "trades": trades = lines
    case "candles": candles = lines
    case "names": names = lines
    case "page": page = lines
    case "request": requests = lines
    case "findings": findings = lines
    default: break
    }
  }

  /// The text as a complete config: a piece of one is placed where its first key belongs.
  var config: String {
    if text.hasPrefix("{") { return text }
    let keys = Self.names(of: "{\(text)}")
    let isAny = { (names: [String]) in names.contains(where: keys.contains) }
    if isAny(["watchlist", "fx", "settings"]) { return #"{"version": 1, \#(text)}"# }
    if isAny(["markets"]) { return #"{"version": 1, "exchanges": {"Exchange": {\#(text)}}}"# }
    let streams = keys.contains("streams") ? #""streams": {"urls": ["wss://exchange.test/ws"]}, "# : ""
    let defaults =
      streams + #""baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"}"#
    let request = keys.contains("request") ? "" : #""request": {"path": "/tickers"}, "#
    let tickers =
      isAny(["orderbook", "trades", "candles"]) ? #""tickers": {"request": {"path": "/tickers"}}, \#(text)"# : text
    let level =
      isAny(["tickers", "ticker", "orderbook", "trades", "candles", "names", "page"])
      ? tickers : #""tickers": {\#(request)\#(text)}"#
    return #"{"version": 1, "exchanges": {"Exchange": {\#(defaults), "markets": {"\#(market)": {\#(level)}}}}}"#
  }

  private static func names(of text: String) -> [String] {
    ((try? JSONDocument(parsing: Array(text.utf8)))?.root.members).map { $0.map(\.name) } ?? []
  }

  // MARK: Checking

  func check() throws {
    let file = try ConfigFile(name: place, bytes: Array(config.utf8))
    let shipped = try ConfigFile(name: "builtin", bytes: Array("{}".utf8))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in shipped }
    let found = configuration.readWhole().findings.map { finding in
      "\(finding.code.rawValue) \(finding.message)" + (finding.help.map { "; \($0)" } ?? "")
    }
    #expect(found == findings)
    guard findings.isEmpty, let source = configuration.exchanges.last else { return }
    let exchange = try #require(configuration.read(source).exchange)
    guard let side = exchange.market(market) else { return }
    // As in the program: a single pair is requested by `ticker` if there is one.
    if let page, let pair {
      #expect([side.page(of: pair, row: nil, globalAliases: [:])] == page)
      return
    }
    let parts = pair == nil || side.ticker.isEmpty ? side.tickers : side.ticker
    if let book {
      let spec = try #require(side.orderbooks.first)
      #expect(try bookLines(spec) == book)
      if let requests { #expect([try wire(spec.table)] == requests) }
      return
    }
    if let trades {
      let spec = try #require(side.trades.first)
      #expect(try tradeLines(spec) == trades)
      if let requests { #expect([try wire(spec)] == requests) }
      return
    }
    if let names {
      let spec = try #require(side.names)
      #expect(try nameLines(spec) == names)
      if let requests { #expect([try wire(spec)] == requests) }
      return
    }
    if let interval, let spec = side.candles.first {
      if let requests { #expect(try pages(spec, interval) == requests) }
      if let candles { #expect(try candleLines(spec, interval) == candles) }
      return
    }
    if let requests {
      let found = try parts.map { try wire($0) }
      #expect(found == requests)
    }
    if let table {
      let found = try lines(parts)
      #expect(found == table)
    }
  }

  private func context() -> RequestContext {
    RequestContext(pair: pair, keys: keys, now: now ?? Asked().now, secret: { [secrets] in secrets[$0] })
  }

  private func context(of table: TableSpec) -> RequestContext {
    var context = context()
    context.spelling = pair.map { table.spelling(of: $0) }
    context.count = table.count(for: .max)
    return context
  }

  private func wire(_ spec: TableSpec) throws -> String {
    var writer = RequestWriter(spec, context(of: spec))
    return line(of: try writer.request(named: "tickers"))
  }

  /// Returns the requests of all pages, as if each response were complete.
  private func pages(_ spec: CandleSpec, _ interval: CandleInterval) throws -> [String] {
    let plan = CandlePlan(try #require(spec[interval]))
    let span = try #require(span)
    let pages = CandlePages(plan, from: span.start, to: span.end, now: context().now)
    var lines: [String] = []
    var page: CandlePages.Page? = pages.first
    while let asked = page {
      var context = context(of: plan.spec.table)
      context.count = plan.spec.table.count(for: asked.count)
      context.candles = CandleRequest(word: plan.spec.word, from: asked.from, to: asked.to)
      var writer = RequestWriter(plan.spec.table, context)
      lines.append(line(of: try writer.request(named: "candles")))
      page = pages.next(after: asked, oldest: asked.from, advanced: true)
    }
    return lines
  }

  private func line(of request: HTTPRequest) -> String {
    let headers = request.headers.map { " \($0.name): \($0.value)" }.joined()
    let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
    return "\(request.method) \(request.urls[0])\(headers)\(body)"
  }

  /// Returns lines like `bid 100.5 2`, best price first.
  private func bookLines(_ spec: BookSpec) throws -> [String] {
    let answer = HTTPResponse(body: Array((responses.first ?? "").utf8))
    let books = try [true, false].map { usesScan in
      try BookPlan(spec, usesScan: usesScan).book(
        in: answer, ReadingContext(context(of: spec.table), lookups: lookupStates(of: spec.table)))
    }
    #expect(books[0] == books[1], "the scan and the tree read the answer differently")
    let book = books[0]
    func lines(_ name: String, _ levels: [OrderBook.Level]) -> [String] {
      levels.map { "\(name) \($0.price) \($0.size)" }
    }
    return lines("bid", book.bids) + lines("ask", book.asks)
  }

  /// Returns lines like `2024-02-29T15:30:00.25Z 65000.2 0.02 buy 11`, oldest first.
  private func tradeLines(_ spec: TableSpec) throws -> [String] {
    let answer = HTTPResponse(body: Array((responses.first ?? "").utf8))
    let read = try [true, false].map { usesScan in
      try TradePlan(spec, usesScan: usesScan).trades(
        in: answer, ReadingContext(context(of: spec), lookups: lookupStates(of: spec))
      ).trades
    }
    #expect(read[0] == read[1], "the scan and the tree read the answer differently")
    return read[0].map { trade in
      [
        trade.time.iso8601, "\(trade.price)", text(trade.size), trade.side?.rawValue ?? "side-unknown", trade.id ?? "-",
      ].joined(separator: " ")
    }
  }

  /// Returns `2024-02-29T15:25:00Z 100 102 99 101 3 302`, oldest first, and gaps. Builds an interval if not offered.
  private func candleLines(_ spec: CandleSpec, _ interval: CandleInterval) throws -> [String] {
    let grid = CandleGrid(interval, zoneSeconds: spec[interval]?.zoneSeconds ?? 0)
    let source = try #require(spec[interval] ?? grid.source(among: spec.intervals))
    let answer = HTTPResponse(body: Array((responses.first ?? "").utf8))
    let read = try [true, false].map { usesScan in
      let plan = CandlePlan(source, usesScan: usesScan)
      return CandleSeries(
        try plan.candles(
          in: answer, ReadingContext(context(of: source.table), lookups: lookupStates(of: source.table))
        ).candles, on: plan.grid)
    }
    #expect(read[0] == read[1], "the scan and the tree read the answer differently")
    let series = source.interval == interval ? read[0] : read[0].built(on: grid, reachesBack: true)
    return series.candles.map { candle in
      let numbers = [candle.open, candle.high, candle.low, candle.close].map(\.description)
      return ([candle.start.iso8601] + numbers + [text(candle.volume), text(candle.turnover)]).joined(separator: " ")
    } + series.gaps.map { "gap \($0.start.iso8601) \($0.count)" }
  }

  /// Returns lines like `BTC 비트코인 Bitcoin`, ordered by symbol.
  private func nameLines(_ spec: TableSpec) throws -> [String] {
    let answer = HTTPResponse(body: Array((responses.first ?? "").utf8))
    let read = try [true, false].map { usesScan in
      try AssetNamePlan(spec, usesScan: usesScan).names(
        in: answer, ReadingContext(context()), globalAliases: [:])
    }
    #expect(read[0] == read[1], "the scan and the tree read the answer differently")
    return read[0].sorted { $0.key < $1.key }.map {
      [$0.key, $0.value.korean ?? "-", $0.value.english ?? "-"].joined(separator: " ")
    }
  }

  private func text(_ cell: Cell) -> String { cell.value?.description ?? cell.missing?.code ?? "" }

  private func lookupStates(of spec: TableSpec) -> [String: LookupState] {
    let asked = Asked(lookups: lookups)
    let states = spec.lookups.filter { $0.request != nil }.map { ($0.name, asked.state(of: $0)) }
    return Dictionary(states, uniquingKeysWith: { first, _ in first })
  }

  private func lines(_ parts: [TableSpec]) throws -> [String] {
    try #require(parts.count == responses.count, "one answer for each part")
    var read: [TickerTable] = []
    for (spec, response) in zip(parts, responses) {
      let tables = [true, false].map { usesScan in
        let plan = TablePlan(spec, market: market, usesScan: usesScan)
        let options = Interpretation(check: MeaningCheck())
        return plan.interpret(
          HTTPResponse(body: Array(response.utf8)), request: context(), lookups: lookupStates(of: spec), options)
      }
      #expect(tables[0].outcome == tables[1].outcome, "the scan and the tree read the answer differently")
      read.append(tables[0])
    }
    let gathered = TickerTable(joining: read)
    let names = Set(parts.flatMap { $0.fields.keys })
    let fields = TickerField.allCases.filter { names.contains($0.rawValue) }
    return [(["pair"] + fields.map(\.rawValue)).joined(separator: " ")] + TableText.lines(of: gathered, fields: fields)
  }

  /// Every key in the example's text, at any depth.
  var keysWritten: Set<String> {
    guard let document = try? JSONDocument(parsing: Array(config.utf8)) else { return [] }
    var keys: Set<String> = []
    func collect(_ node: JSONNode) {
      for member in node.members {
        keys.insert(member.name)
        collect(member.value)
      }
      for element in node.elements { collect(element) }
    }
    collect(document.root)
    return keys
  }
}
