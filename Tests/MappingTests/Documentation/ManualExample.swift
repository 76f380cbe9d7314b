import Config
import HTTP
import JSON
import Mapping
import Quotes
import Testing

/// A config of the manual with everything that the page says about it.
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
    case "request": requests = lines
    case "findings": findings = lines
    default: break
    }
  }

  /// The text as a whole config: a piece of one is put where its first key belongs.
  private var config: String {
    if text.hasPrefix("{") { return text }
    let keys = Self.names(of: "{\(text)}")
    let isAny = { (names: [String]) in names.contains(where: keys.contains) }
    if isAny(["watchlist", "fx", "settings"]) { return #"{"version": 1, \#(text)}"# }
    if isAny(["markets"]) { return #"{"version": 1, "exchanges": {"Exchange": {\#(text)}}}"# }
    let defaults = #""baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"}"#
    let request = keys.contains("request") ? "" : #""request": {"path": "/tickers"}, "#
    let tickers = isAny(["orderbook"]) ? #""tickers": {"request": {"path": "/tickers"}}, \#(text)"# : text
    let level = isAny(["tickers", "ticker", "orderbook"]) ? tickers : #""tickers": {\#(request)\#(text)}"#
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
    let found = configuration.allDiagnostics().map { finding in
      "\(finding.code.rawValue) \(finding.message)" + (finding.help.map { "; \($0)" } ?? "")
    }
    #expect(found == findings)
    guard findings.isEmpty, let source = configuration.exchanges.last else { return }
    let exchange = try #require(configuration.read(source).exchange)
    guard let side = exchange.market(market) else { return }
    // As the program does it: one pair is asked for by `ticker`, where there is one.
    let parts = pair == nil || side.ticker.isEmpty ? side.tickers : side.ticker
    if let book {
      #expect(try bookLines(try #require(side.orderbook)) == book)
      if let requests { #expect([try wire(try #require(side.orderbook), of: parts[0])] == requests) }
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
    RequestContext(pair: pair, keys: keys, now: Asked().now, secret: { [secrets] in secrets[$0] })
  }

  private func wire(_ spec: TableSpec) throws -> String {
    var writer = RequestWriter(spec, context())
    return line(of: try writer.request(named: "tickers"))
  }

  private func wire(_ book: BookSpec, of spec: TableSpec) throws -> String {
    var writer = RequestWriter(spec, context())
    return line(of: try writer.request(for: book))
  }

  private func line(of request: HTTPRequest) -> String {
    let headers = request.headers.map { " \($0.name): \($0.value)" }.joined()
    let body = request.body.map { " " + String(decoding: $0, as: UTF8.self) } ?? ""
    return "\(request.method) \(request.urls[0])\(headers)\(body)"
  }

  /// `bid 100.5 2`, best price first.
  private func bookLines(_ spec: BookSpec) throws -> [String] {
    let answer = HTTPResponse(body: Array((responses.first ?? "").utf8))
    let book = try BookReader.book(spec, answer: answer, hooks: HookRegistry())
    func lines(_ name: String, _ levels: [OrderBook.Level]) -> [String] {
      levels.map { "\(name) \($0.price) \($0.size)" }
    }
    return lines("bid", book.bids) + lines("ask", book.asks)
  }

  private func lines(_ parts: [TableSpec]) throws -> [String] {
    try #require(parts.count == responses.count, "one answer for each part")
    let asked = Asked(lookups: lookups)
    var gathered = TickerTable()
    for (index, (spec, response)) in zip(parts, responses).enumerated() {
      let tables = [true, false].map { usesScan in
        let plan = TablePlan(spec, market: market, usesScan: usesScan)
        var options = Interpretation(wanted: pair, check: MeaningCheck())
        options.partIndex = index
        let states = spec.lookups.filter { $0.request != nil }.map { ($0.name, asked.state(of: $0)) }
        return plan.interpret(
          HTTPResponse(body: Array(response.utf8)), request: context(),
          lookups: Dictionary(states, uniquingKeysWith: { first, _ in first }), options)
      }
      #expect(tables[0].outcome == tables[1].outcome, "the scan and the tree read the answer differently")
      gathered.append(tables[0])
    }
    gathered.flagDuplicates()
    let names = Set(parts.flatMap { $0.fields.keys })
    let fields = TickerField.allCases.filter { names.contains($0.rawValue) }
    return [(["pair"] + fields.map(\.rawValue)).joined(separator: " ")] + TableText.lines(of: gathered, fields: fields)
  }

  /// Every key that the example writes, at any depth.
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
