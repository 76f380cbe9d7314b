import Files
import HTTP
import JSON
import Quotes
import TestSupport

@testable import Config
@testable import Mapping

/// One channel of a shipped exchange, with a file of recorded messages.
///
/// The table at the start of the connection was not recorded, so the pairs are those named by the messages, according
/// to the table's rules. Contracts have the sizes in the exchange's cassette, where it lists them.
struct RecordedStream {
  let exchange: String
  let market: Market
  let spec: StreamSpec
  let file: String
  let messages: [[UInt8]]
  let pairs: [StreamPair]
  private let lookups: [String: LookupState]

  static let arrival = Instant(nanoseconds: 1_900_000_000_000_000_000)

  init(
    _ exchange: String, _ market: Market, _ part: TableSpec, _ spec: StreamSpec, _ file: String, _ messages: [[UInt8]]
  ) {
    (self.exchange, self.market, self.spec, self.file, self.messages) = (exchange, market, spec, file, messages)
    pairs = Self.pairs(of: messages, exchange, market, part, spec)
    let symbols = Set(pairs.map(\.row.symbol))
    lookups = Dictionary(
      spec.table.lookups.filter { $0.request != nil }.map { ($0.name, Self.state(of: $0, exchange, symbols)) },
      uniquingKeysWith: { first, _ in first })
  }

  func reader(usesScan: Bool) -> StreamReader {
    StreamReader(
      spec, market: market, pairs, interval: spec.intervals.first?.interval, lookups: lookups,
      Interpretation(check: MeaningCheck()), usesScan: usesScan)
  }

  // MARK: Pairs

  private static func pairs(
    of messages: [[UInt8]], _ exchange: String, _ market: Market, _ part: TableSpec, _ spec: StreamSpec
  ) -> [StreamPair] {
    let plan = MessagePlan<TickerField>(spec, fields: [:], market: market, usesScan: false)
    var compiler = ValueCompiler()
    var visitor = PairVisitor(
      plan: plan, isSpelled: { if case .spelled = spec.symbol { true } else { false } }(),
      rules: SymbolReader(plan: SymbolPlan(part, market: market, &compiler), globalAliases: [:]),
      currency: part.paymentCurrencies.first?.currencies.first ?? "USD")
    let scope = ValueScope(plan.record.lookups, states: [:])
    var scanner = plan.record.scanner
    for message in messages { _ = try? plan.record.readMessage(message, by: &scanner, scope, &visitor) }
    return visitor.found.values.sorted { ($0.text ?? "") < ($1.text ?? "") }.compactMap { names in
      guard part.canHold(payment: names.pair.payment, globalAliases: [:]) else { return nil }
      var row = Ticker(
        exchange: exchange, market: market, product: names.product, symbol: names.text ?? "", pair: names.pair)
      if let multiplier = names.multiplier { row.multiplier = multiplier }
      let spelling = PairSpelling(asset: names.asset, payment: names.payment, symbol: names.text)
      return StreamPair(row: row, spelling: spelling)
    }
  }

  /// Collects the symbols of the messages' rows.
  private struct PairVisitor: MessageVisitor {
    let plan: MessagePlan<TickerField>
    let isSpelled: Bool
    let rules: SymbolReader
    /// A currency that the part can contain.
    let currency: String
    var found: [String: ReadSymbol] = [:]

    private func names(of symbol: String) -> ReadSymbol? {
      var symbol = symbol
      let reading = symbol.withUTF8 { text in
        rules.read(text) { value in if case .constant(let text) = value.origin { text } else { nil } }
      }
      if case .pair(let names) = reading { return names }
      // Rules that read other members of the table's rows: the whole text becomes the pair's name. Expiring futures
      // have no row in a table.
      guard rules.plan.rules.contains(where: { $0.asset != nil }),
        symbol.wholeMatch(of: #/.*([0-9]{6}|[0-9]{1,2}[A-Z]{3}[0-9]{2}).*|.*[FHJKMNQUVXZ][0-9]{2}/#) == nil
      else { return nil }
      return ReadSymbol(
        text: symbol, pair: Pair(asset: symbol, payment: currency), asset: symbol, payment: currency, product: nil,
        rank: ProductRank(), multiplier: nil)
    }

    mutating func read<Rows>(_ reader: ValueReader<Rows>) {
      guard case .rows = plan.kind(of: reader) else { return }
      var selector = RowSelector(plan.record, wanted: nil, globalAliases: [:])
      for index in 0..<reader.rows.count {
        let place = RowPlace(index: index)
        guard isSpelled else {
          if let names = selector.names(reader, at: place) { found[names.text ?? "\(names.pair)"] = names }
          continue
        }
        guard let text = plan.record.symbol.text.flatMap({ reader.text($0, at: place) }) else { continue }
        // The table may use another letter case.
        for spelling in [text, text.uppercased(), text.lowercased()] where found[text.uppercased()] == nil {
          found[text.uppercased()] = names(of: spelling)
        }
      }
    }
  }

  // MARK: Lookups

  /// Returns the recorded response from the exchange's cassette that lists one of these pairs.
  private static func state(of lookup: LookupSpec, _ exchange: String, _ symbols: Set<String>) -> LookupState {
    let folder = Checkout.path("Tests/Cassettes/\(exchange)")
    let names = ((try? FileSystem.names(in: folder)) ?? []).filter {
      $0.hasSuffix(".body") && $0.contains("-lookup-\(lookup.name)")
    }
    for name in names.sorted() {
      guard let body = try? FileSystem.read("\(folder)/\(name)"),
        let table = try? LookupTable(lookup, answer: HTTPResponse(body: body), hooks: HookRegistry()),
        table.keys.contains(where: symbols.contains)
      else { continue }
      return .table(table)
    }
    return .failed(AnswerFailure(.timeout))
  }
}

/// Messages in the order in which they were recorded.
struct MessageRecording {
  let exchange: String
  /// The subject as named by the recorder: `ticker`, `book-ticker`, `mixed`.
  let kind: String
  /// The market it was filed under; nil if unknown.
  let market: Market?
  let file: String
  let messages: [[UInt8]]

  init(exchange: String, kind: String, market: String, file: String, bytes: [UInt8]) {
    (self.exchange, self.kind, self.file) = (exchange, kind, file)
    self.market = market == "spot" ? .spot : market.isEmpty ? nil : .futures
    // In a file that is not one JSON text, each line is a message.
    let all =
      (try? JSONDocument(parsing: bytes)) != nil
      ? [bytes] : bytes.split(separator: UInt8(ascii: "\n")).map(Array.init).filter { !$0.isEmpty }
    messages = all.filter { !Self.isOfAnOlderInterface($0, exchange) }
  }

  /// Whether a message is from Bitget's first API, which shares names with today's but needs other subscriptions.
  private static func isOfAnOlderInterface(_ message: [UInt8], _ exchange: String) -> Bool {
    exchange == "Bitget" && String(decoding: message, as: UTF8.self).contains(#/"instType":\s*"(mc|sp|MC|SP)"/#)
  }
}

/// All recorded messages of shipped exchanges.
enum RecordedStreams {
  /// The recordings' names of exchanges that differ from ours in lower case.
  private static let names = [
    "gateio": "Gate", "huobi": "Htx", "okx_v3": "Okx", "krakenfutures": "Kraken", "coinbase_pro": "Coinbase",
  ]

  static func recordings(of exchanges: [String]) -> [MessageRecording] {
    let byName = Dictionary(exchanges.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    return RecordedAnswer.all.compactMap { answer in
      guard answer.kind.hasPrefix("ws-"), answer.market != "options",
        let exchange = names[answer.exchange] ?? byName[answer.exchange]
      else { return nil }
      return MessageRecording(
        exchange: exchange, kind: String(answer.kind.dropFirst(3)), market: answer.market, file: answer.file,
        bytes: answer.bytes)
    }
  }

  /// The shipped exchanges with streams.
  static func exchanges() throws -> [Exchange] {
    let file = try ConfigFile(
      name: "exchanges.json", bytes: try FileSystem.read(Checkout.path("exchanges.json")), origin: .shipped)
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    return configuration.exchanges.compactMap { configuration.read($0).exchange }.filter { exchange in
      exchange.markets.contains { $0.streams.contains { !$0.isEmpty } }
    }
  }

  /// Returns each channel that may have produced a file's messages, its own market's first, since some files hold both.
  static func streams(
    of recording: MessageRecording, _ exchange: Exchange, _ channels: [StreamChannel] = StreamChannel.allCases
  ) -> [RecordedStream] {
    let markets =
      exchange.markets.filter { $0.market == recording.market }
      + exchange.markets.filter { $0.market != recording.market }
    return markets.flatMap { side in
      zip(side.tickers, side.streams).flatMap { part, streams in
        channels.compactMap { channel in
          streams[channel].map {
            RecordedStream(exchange.name, side.market, part, $0, recording.file, recording.messages)
          }
        }
      }
    }
  }
}
