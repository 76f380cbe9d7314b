import Config
import HTTP
import JSON
import Mapping
import Quotes
import Testing

extension String {
  /// Returns an object's members, preceded by the usual one unless it is among them.
  func completed(_ usual: String) throws -> String {
    let names = try JSONDocument(parsing: Array("{\(self)}".utf8)).root.members.map(\.name)
    return names.contains { usual.hasPrefix("\"\($0)\"") } ? self : "\(usual), \(self)"
  }
}

/// One table of a fictitious exchange: a few config members on top of the simplest possible mapping.
struct TestTable {
  let exchange: Exchange
  let market: Market

  /// - Parameter members: members of the `tickers` block, such as `"rows": "$.data[*]"`.
  init(_ members: String, market: Market = .spot, origin: SourceFile.Origin = .other) throws {
    let config = """
      {"version": 1, "exchanges": {"Exchange": {
        "baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "markets": {"\(market)": {"tickers": {\(try members.completed(#""request": {"path": "/tickers"}"#))}}}}}}
      """
    self = try TestTable(config: config, market: market, origin: origin)
  }

  /// - Parameter config: a complete config with one exchange.
  init(config: String, market: Market? = nil, origin: SourceFile.Origin = .other) throws {
    let file = try ConfigFile(name: "exchanges.json", bytes: Array(config.utf8), origin: origin)
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    let source = try #require(configuration.exchanges.first)
    let (exchange, diagnostics) = configuration.read(source)
    let messages = (configuration.diagnostics + diagnostics).map {
      "\($0.place?.start.line ?? 0): \($0.code.rawValue) \($0.message)"
    }
    self.exchange = try #require(exchange, Comment(rawValue: messages.joined(separator: "\n")))
    self.market = try #require(market ?? self.exchange.markets.first?.market)
  }

  var parts: [TableSpec] { exchange.market(market)?.tickers ?? [] }

  func part(_ index: Int = 0) throws -> TableSpec {
    try #require(parts.indices.contains(index) ? parts[index] : nil)
  }

  /// Returns the table read from a response, one line per row and remark.
  func lines(_ response: String, _ asked: Asked = Asked()) throws -> [String] {
    TableText.lines(of: try table(Array(response.utf8), asked), fields: try fields())
  }

  /// Returns the fields offered by the mapping, in order.
  func fields() throws -> [TickerField] {
    let names = Set(parts.flatMap { $0.fields.keys })
    return TickerField.allCases.filter { names.contains($0.rawValue) }
  }

  /// Reads a response with both engines, which must agree.
  func table(_ body: [UInt8], _ asked: Asked = Asked(), part index: Int = 0) throws -> TickerTable {
    let spec = try part(index)
    let scanned = try read(body, asked, TablePlan(spec, market: market, usesScan: true))
    let walked = try read(body, asked, TablePlan(spec, market: market, usesScan: false))
    #expect(scanned.outcome == walked.outcome, "the scan and the tree read the answer differently")
    return scanned
  }

  private func read(_ body: [UInt8], _ asked: Asked, _ plan: TablePlan) throws -> TickerTable {
    var states: [String: LookupState] = [:]
    for lookup in plan.spec.lookups where lookup.request != nil {
      states[lookup.name] = asked.state(of: lookup)
    }
    var context = RequestContext(pair: asked.pair, keys: asked.keys, now: asked.now)
    context.date = asked.now
    var options = Interpretation(globalAliases: asked.globalAliases, check: MeaningCheck(), hooks: asked.hooks)
    options.namesUnsplit = asked.namesUnsplit
    let answer = HTTPResponse(status: asked.status, body: body, arrival: asked.arrival)
    return TickerTable(joining: [plan.interpret(answer, request: context, lookups: states, options)])
  }
}

extension TestTable {
  /// Returns the compiled mapping of the first part.
  func plan() throws -> TablePlan { TablePlan(try part(), market: market) }
}
