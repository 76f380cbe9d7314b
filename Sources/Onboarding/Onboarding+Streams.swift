import Cassettes
import Config
import Files
import HTTP
import Inference
import JSON
import Mapping
import MarketData
import Proving
import Quotes
import Shell
import Terminal

extension Onboarding {
  /// Shows the proposed channel of an exchange, based on recorded messages and the current table. Nothing is written:
  /// the URL and the subscription are up to the user.
  ///
  /// - Parameter text: the path of the messages, one per line, or of a recording; unless they are tickers, with their
  ///   kind in front: `trades=`.
  /// - Returns: whether the block reads its own messages.
  mutating func proposeStream(_ text: String) async throws -> Bool {
    let word = SampleWord(text, labels: BlockKind.allCases.map(\.rawValue) + [StreamChannel.ticker.rawValue])
    let kind = word.label.flatMap { BlockKind(rawValue: $0) }
    let owner = try draft.spelling(of: options.name ?? "")
    let place = try draft.place(of: owner)
    guard place.isOwn || place.isShipped else {
      throw OnboardingProblem.unknownExchange(owner, path: draft.path, suggestion: nil)
    }
    let exchange = try draft.exchange(named: owner)
    guard let side = exchange.market(market), !side.tickers.isEmpty else {
      throw OnboardingProblem.noMarket(market, of: owner)
    }
    let sample = try StreamSample(word.text, now: context.now())
    var nearest: SampleProblem?
    var reason = "it has none"
    var shown: (found: FoundChannel, spec: TableSpec, rows: [Ticker])?
    for spec in side.tickers {
      let table = await self.table(of: spec)
      if let failure = table.failures.first?.failure { reason = failure.message ?? failure.reason.code }
      let rows = table.rows.map(\.ticker)
      guard !rows.isEmpty else { continue }
      do throws(SampleProblem) {
        let inference = sample.inference(beside: rows, of: spec)
        if let kind {
          shown = (FoundChannel(try inference.proposal(of: kind, isFutures: market == .futures)), spec, rows)
        } else {
          let basis = spec.fields[TickerField.changePricePercent24.rawValue]?.basis
          shown = (FoundChannel(try inference.proposal(), basis: basis), spec, rows)
        }
        break
      } catch { nearest = error }
    }
    if let (found, spec, rows) = shown { return try show(found, sample, spec, rows, of: exchange) }
    if let nearest { throw OnboardingProblem.sample(nearest) }
    throw OnboardingProblem.noTableBeside(owner, reason: reason)
  }

  private func table(of spec: TableSpec) async -> TickerTable {
    let client = MarketClient(
      handler: context.handler, credentials: Credentials(nil) { _ in nil }, hooks: .shipped, now: context.now)
    let options = Interpretation(check: MeaningCheck(), hooks: .shipped)
    let question = TableQuery(market: market, pair: nil, fields: Set(TickerField.allCases), options: options)
    return await client.table(of: [spec], question).table
  }

  // MARK: Output

  /// A channel of rows or records proposed from messages.
  private struct FoundChannel {
    let channel: StreamChannel
    let frame: StreamFrame
    let block: ConfigValue
    let fields: [FieldEvidence]

    init(_ proposal: StreamProposal, basis: String?) {
      (channel, frame, fields) = (.ticker, proposal.frame, proposal.fields.map { FieldEvidence($0) })
      block = proposal.block(basis: basis)
    }

    init(_ proposal: StreamBlockProposal) {
      (channel, frame, fields) = (proposal.kind.channel, proposal.frame, proposal.fields.map { FieldEvidence($0) })
      block = proposal.block
    }
  }

  private mutating func show(
    _ found: FoundChannel, _ sample: StreamSample, _ spec: TableSpec, _ rows: [Ticker], of exchange: Exchange
  ) throws -> Bool {
    let block = sample.block(found.channel, found.block, rows)
    let reading = try StreamPreview(found.channel, block, sample, rows, spec, market, exchange, draft)
    if options.isJSON {
      context.write(json: json(found, exchange.name, block))
    } else {
      context.write(text(of: found) + "\n" + reading.text(in: context))
      context.write(
        TerminalText.sanitizedLines("\n\"streams\": \(block.text(lead: ConfigValue.lineWidth))\n"))
    }
    if let problem = reading.problem { context.note("the block does not read its own messages: \(problem)") }
    let more =
      found.channel == .candles
      ? ", what subscribes, and \"intervals\" if it has its own words" : " and what subscribes"
    context.note(
      "nothing was written: put it into \(exchange.name), at markets.\(market.rawValue), with its \"urls\"\(more)")
    return reading.problem == nil
  }

  private func text(of found: FoundChannel) -> String {
    let frame = found.frame
    let lines =
      ["rows    \(frame.rows)", "symbol  \(frame.symbolText)"]
      + frame.conditions.map { "when    \($0.text(lead: 0))" }
      + ["taken   \(frame.takenCount) of \(frame.messageCount) messages", ""]
    return lines.map { TerminalText.sanitized($0) + "\n" }.joined()
      + found.fields.text(context.columns, context.palette)
  }

  private func json(_ found: FoundChannel, _ name: String, _ block: ConfigValue) -> JSONValue {
    [
      "exchange": .string(name), "market": .string(market.rawValue), "channel": .string(found.channel.rawValue),
      "messages": .integer(found.frame.messageCount), "taken": .integer(found.frame.takenCount),
      "block": JSONValue(block), "fields": .list(found.fields, \.json),
    ]
  }
}

/// Recorded messages, and what is known about their connection.
struct StreamSample {
  let messages: [[UInt8]]
  /// When each arrived; the time of reading if unknown.
  let arrivals: [Instant]
  /// nil if only messages were saved.
  let url: String?
  let sent: [String]

  /// The maximum file size in bytes.
  private static let limit = 64 << 20

  /// - Parameter path: a recording, or a file with one message per line.
  init(_ path: String, now: Instant) throws(OnboardingProblem) {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileSystem.read(path, limit: Self.limit, from: .anything) } catch {
      throw .file(error)
    }
    if let tape = try? StreamTape(parsing: bytes, file: path) {
      let all = tape.messages.compactMap { message in message.bytes.map { (message.at, $0) } }
      (arrivals, messages) = (all.map(\.0), all.map(\.1))
      (url, sent) = (tape.url, tape.sent)
      return
    }
    let isWhole = (try? JSONDocument(parsing: bytes)) != nil
    let lines = isWhole ? [bytes] : bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    messages = lines.filter { line in line.contains { $0 > 0x20 } }
    arrivals = messages.map { _ in now }
    (url, sent) = (nil, [])
  }

  func inference(beside rows: [Ticker], of spec: TableSpec) -> StreamInference {
    StreamInference(messages, beside: rows, of: spec, tablePaths: StreamInference.plainPaths(of: spec))
  }

  /// Returns the block of `streams` with a channel; if a recording contains them, with the URL and the subscription.
  func block(_ channel: StreamChannel, _ members: ConfigValue, _ rows: [Ticker]) -> ConfigValue {
    var block = ConfigValue.object([])
    if let url, url.hasPrefix("wss://"), !url.contains("token") { block.set(["urls"], to: .list([.text(url)])) }
    var own = members
    if let subscription = subscription(rows) {
      own = .object([("subscribe", subscription)] + (members.members ?? []))
    }
    block.set([channel.rawValue], to: own)
    return block
  }

  /// Returns what was sent about a pair, with templates in its place; nil if there is nothing.
  private func subscription(_ rows: [Ticker]) -> ConfigValue? {
    for text in sent {
      for symbol in Set(rows.map(\.symbol)).sorted(by: { ($0.count, $0) > ($1.count, $1) }) where symbol.count >= 5 {
        for (spelled, template) in [
          (symbol, "{symbol}"), (symbol.lowercased(), "{symbol|lower}"), (symbol.uppercased(), "{symbol|upper}"),
        ] where text.contains(spelled) {
          // The message's own braces are those of its JSON.
          guard let document = try? JSONDocument(parsing: Array(text.replacing(spelled, with: template).utf8)) else {
            continue
          }
          return ConfigValue(document.root)
        }
      }
    }
    return nil
  }
}

/// A proposed channel's reading of the messages it is based on.
struct StreamPreview {
  private let table: Table
  /// Why it cannot be used.
  let problem: String?

  /// The fields shown.
  private static let fields: [TickerField] = [.price, .changePricePercent24, .volume24, .bid, .ask]

  init(
    _ channel: StreamChannel, _ block: ConfigValue, _ sample: StreamSample, _ rows: [Ticker], _ spec: TableSpec,
    _ market: Market, _ exchange: Exchange, _ draft: ConfigDraft
  ) throws {
    // The URL and the subscription do not affect how messages are read. The host is one of the exchange's, since a
    // local one cannot be combined with others.
    var whole = block
    if whole["urls"] == nil {
      let base = spec.baseURLs.first { $0.hasPrefix("http") } ?? "https://stream.invalid"
      whole.set(["urls"], to: .list([.text("ws" + base.dropFirst(4))]))
    }
    let name = channel.rawValue
    if whole[[name, "subscribe"]] == nil { whole.set([name, "subscribe"], to: .text("{symbol}")) }
    if channel == .candles { whole.set([name, "intervals"], to: .object([("1m", .text("1m"))])) }
    var trial = draft
    try trial.setStreams(of: exchange.name, market, whole)
    let side = try trial.exchange(named: exchange.name).market(market)
    let own = side?.tickers.firstIndex { $0.node.place == spec.node.place }
    guard let part = own ?? side?.tickers.indices.first, let stream = side?.streams[part][channel] else {
      (table, problem) = (Table(columns: []), "the config does not accept it")
      return
    }
    let pairs = rows.map { StreamPair($0, of: spec) }
    var reader = StreamReader(stream, market: market, pairs, Interpretation(check: MeaningCheck()))
    var last: [Int: Ticker] = [:]
    var (trades, books, candles): ([Trade], [OrderBook], [Candle]) = ([], [], [])
    for (message, arrival) in zip(sample.messages, sample.arrivals) {
      for case .updates(let updates) in reader.read(message, arrival: arrival) {
        for update in updates {
          switch update.value {
          case .ticker(let row): last[update.pair] = row
          case .trades(let all): trades += all
          case .orderbook(let book): books.append(book)
          case .candle(let candle, _): candles.append(candle)
          case .unusable: break
          }
        }
      }
    }
    switch channel {
    case .trades: table = Table(of: trades)
    case .orderbook: table = Table(of: books.last ?? OrderBook(bids: [], asks: []))
    case .candles: table = Table(of: candles)
    case .ticker, .tickers, .offers: table = Self.table(of: last.sorted { $0.key < $1.key }.map(\.value))
    }
    let isEmpty = last.isEmpty && trades.isEmpty && books.isEmpty && candles.isEmpty
    problem = isEmpty ? "it accepts none of them" : nil
  }

  private static func table(of rows: [Ticker]) -> Table {
    var table = Table(columns: [TableColumn("pair")] + fields.map { TableColumn($0.rawValue, .decimal) })
    for row in rows.prefix(SamplePreview.rowCount) {
      let cells = fields.map { field in row.cell(field).value.map(\.preview) ?? "-" }
      table.addRow((["\(row.pair)"] + cells).map { StyledText($0) })
    }
    return table
  }

  func text(in context: OnboardingContext) -> String {
    table.rendered(width: context.columns, palette: context.palette)
  }
}
