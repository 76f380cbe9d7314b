import Config
import HTTP
import Mapping
import Quotes
import Testing

@testable import MarketData

/// A fictitious exchange, its timed messages, and how the links of a run react, as one text: lines beginning with `>`
/// are incoming, those below each are the resulting actions and events. The clock is the script's own.
///
///     One pair, one message.
///
///     streams: "symbol": "$.s"
///
///     > at 0
///     0 #0 open wss://exchange.test/ws
///     > #0 opened
///     0 #0 send {"args":["BTC-USDT","ETH-USDT"]}
///     0 #0 connected
///     > #0 got {"s": "BTC-USDT", "p": "65001"}
///     0 #0 BTC/USDT 65001
struct StreamScript {
  /// 2024-02-29T15:30:00Z.
  static let start = Instant(nanoseconds: 1_709_220_600_000_000_000)

  private let text: [Substring]
  private let subjects: [StreamSubject]
  private var hub: StreamHub
  /// The generation of each link, according to its last command.
  private var generations: [Int: Int] = [:]
  private var now = start
  private var lines: [String] = []

  /// - Parameter script: a description, settings (`channel`, `streams`, `own`, `table`, `links`, `refresh`,
  ///   `filled`), and the incoming lines.
  init(_ script: String) throws {
    text = script.split(separator: "\n", omittingEmptySubsequences: false)
    var settings: [Substring: String] = [:]
    for line in text.drop(while: { !$0.isEmpty }) where !line.hasPrefix(">") {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].allSatisfy(\.isLetter) else { continue }
      settings[line[..<colon]] = line[line.index(after: colon)...].drop { $0 == " " }.description
    }
    let channel = try #require(StreamChannel(rawValue: settings["channel"] ?? "ticker"))
    var subject = try Self.subject(
      channel, streams: settings["streams"] ?? #""symbol": "$.s""#, own: settings["own"] ?? "",
      table: settings["table"] ?? "BTC-USDT 65000, ETH-USDT 3000", refresh: Int(settings["refresh"] ?? "5") ?? 5)
    subject.pollsWhenOffline = settings["filled"] != "no"
    subjects = Array(repeating: subject, count: Int(settings["links"] ?? "1") ?? 1)
    hub = StreamHub(
      chance: { _ in 0.5 },
      inflate: { (bytes) throws(UnreadableBytes) in
        guard bytes.starts(with: [0x1F, 0x8B]) else {
          return String(validating: bytes, as: UTF8.self) == nil ? nil : bytes
        }
        if bytes.contains(UInt8(ascii: "*")) {
          throw UnreadableBytes(failure: AnswerFailure(.noAnswer(.tooLarge), "16 MiB"), code: 1009)
        }
        return Array(bytes.dropFirst(2))
      })
  }

  /// Returns the script with the links' reactions.
  static func played(_ script: String) throws -> String {
    var player = try StreamScript(script)
    for subject in player.subjects { player.hub.add(subject, at: start) }
    for line in player.text {
      if line.hasPrefix("> ") {
        player.lines.append(String(line))
        try player.take(line.dropFirst(2))
      } else if player.lines.last?.first != ">", !player.isPlaying {
        player.lines.append(String(line))
      }
    }
    return player.lines.joined(separator: "\n") + "\n"
  }

  private var isPlaying: Bool { lines.contains { $0.hasPrefix(">") } }

  // MARK: Receiving

  private mutating func take(_ line: Substring) throws {
    let words = line.split(separator: " ", maxSplits: 2)
    if words[0] == "at" {
      try advance(to: try #require(Double(words[1])))
    } else if words[0] == "clock" {
      let step = try #require(Int(words[1]))
      now = now.advanced(by: .seconds(step))
      note(step < 0 ? hub.restart(because: .stream(.silent(.clockSetBack)), at: now) : hub.tick(at: now))
    } else if words[0] == "end" {
      note(hub.close())
    } else {
      let link = try #require(Int(words[0].dropFirst()))
      try #require(link < hub.count, "there is no link \(link)")
      try take(words[1], words.count > 2 ? String(words[2]) : "", of: link)
    }
  }

  private mutating func take(_ word: Substring, _ rest: String, of link: Int) throws {
    func signal(_ signals: StreamSignal...) {
      note(hub.take(.signals(signals, link: link, generation: generations[link] ?? 0), at: now))
    }
    let words = rest.split(separator: " ").map(String.init)
    switch word {
    case "opened": signal(.opened)
    case "got": signal(.message(Array(rest.replacing("\\n", with: "\n").utf8), isText: true))
    case "bytes":
      signal(.message(try words.map { try #require(UInt8($0, radix: 16)) }, isText: false))
    case "gzip": signal(.message([0x1F, 0x8B] + Array(rest.utf8), isText: false))
    case "life": signal(.life)
    case "closed": signal(.closed(.closed(code: Int(words[0]) ?? 0, words: words.dropFirst().joined(separator: " "))))
    case "refused":
      signal(.closed(.refused(status: Int(words[0]) ?? 0, retryAfter: words.count > 1 ? String(words[1]) : nil)))
    case "violation": signal(.closed(.violation(code: 1002, rest)))
    case "timeout": signal(.closed(.failed(.timeout)))
    case "old":
      note(
        hub.take(
          .signals(
            [.message(Array(rest.utf8), isText: true)], link: link, generation: (generations[link] ?? 0) - 2), at: now))
    case "answered":
      let status = Int(words[0]) ?? 0
      let body = words.dropFirst().joined(separator: " ")
      note(hub.take(.answered(.success(HTTPResponse(status: status, body: Array(body.utf8))), link: link), at: now))
    case "unanswered": note(hub.take(.answered(.failure(AnswerFailure(.timeout)), link: link), at: now))
    case "polled": note(hub.take(.polled([try polled(words, of: link)], link: link), at: now))
    default: Issue.record("no such word: \(word)")
    }
  }

  /// Parses `BTC-USDT 65000`, perhaps with a volume, `BTC-USDT failed`, `BTC-USDT unlisted`, `BTC-USDT 7:65000:0.1` for trades, `BTC-USDT 64999 65001` for an order
  /// book or an offer, `BTC-USDT 64999x2 64998 65001 65002` for one with more levels, `BTC-USDT 64999 65001 @5` for one of five
  /// seconds after the start, as a row may be, or `BTC-USDT 60 65000 2` for a candle that begins 60 seconds after the start, with its
  /// close and volume, perhaps after the one before it.
  private func polled(_ words: [String], of link: Int) throws -> PolledPair {
    let pairs = hub.subject(of: link).pairs
    let pair = try #require(pairs.firstIndex { $0.row.symbol == words[0] })
    if words[1] == "failed" { return PolledPair(pair: pair, .failure(AnswerFailure(.timeout))) }
    if words[1] == "unlisted" { return PolledPair(pair: pair, .failure(AnswerFailure(.notListed))) }
    let seconds = words.last.flatMap { $0.first == "@" ? Int64($0.dropFirst()) : nil }
    let time = seconds.map { Self.start.advanced(by: .seconds($0)) }
    let words = words.filter { $0.first != "@" }
    switch hub.subject(of: link).channel {
    case .trades:
      return PolledPair(pair: pair, .success(.trades(try words.dropFirst().map(Self.trade))))
    case .offers, .orderbook:
      let levels = try words.dropFirst().map { word in
        let numbers = word.split(separator: "x").map(String.init)
        return OrderBook.Level(
          price: try #require(Decimal(numbers[0])), size: try #require(Decimal(numbers.count > 1 ? numbers[1] : "1")))
      }
      let half = levels.count / 2
      let book = OrderBook(bids: Array(levels[..<half]), asks: Array(levels[half...]), time: time)
      let isOffer = hub.subject(of: link).channel == .offers
      return PolledPair(
        pair: pair, .success(isOffer ? .ticker(pairs[pair].row.taking(offersOf: book, arrival: now)) : .orderbook(book))
      )
    case .candles:
      let candles = try stride(from: 1, to: words.count, by: 3).map { try Self.candle(words[$0..<$0 + 3]) }
      return PolledPair(pair: pair, .success(.candle(try #require(candles.last), previous: candles.dropLast().last)))
    default:
      var row = pairs[pair].row
      row.price = .value(try #require(Decimal(words[1])))
      if words.count > 2 { row.volume24 = .value(try #require(Decimal(words[2]))) }
      if let time { (row.time, row.timeMissing) = (time, nil) }
      return PolledPair(pair: pair, .success(.ticker(row)))
    }
  }

  private static func candle(_ words: ArraySlice<String>) throws -> Candle {
    let numbers = try words.map { try #require(Decimal($0)) }
    let seconds = try #require(words.first.flatMap { Int64($0) })
    return Candle(
      start: start.advanced(by: .seconds(seconds)), open: numbers[1], high: numbers[1], low: numbers[1],
      close: numbers[1], volume: .value(numbers[2]), turnover: .missing(.notOffered))
  }

  /// Parses `7:65000:0.1`, with `-` for no number, or `7:65000:0.1:5` for a trade five seconds after the start.
  private static func trade(_ text: String) throws -> Trade {
    let parts = text.split(separator: ":").map(String.init)
    let seconds = parts.count > 3 ? try #require(Int64(parts[3])) : 0
    return Trade(
      time: start.advanced(by: .seconds(seconds)), price: try #require(Decimal(parts[1])),
      size: .value(try #require(Decimal(parts[2]))), side: nil, id: parts[0] == "-" ? nil : parts[0])
  }

  /// Advances to the given seconds after the start, stopping wherever something is due.
  private mutating func advance(to seconds: Double) throws {
    let end = Self.start.advanced(by: .milliseconds(Int64(seconds * 1000)))
    var turns = 0
    while let deadline = hub.deadline, deadline <= end, turns < 10_000 {
      turns += 1
      now = max(now, deadline)
      note(hub.tick(at: now))
    }
    now = max(now, end)
  }

  // MARK: Actions and events

  private mutating func note(_ output: StreamHub.Output) {
    let time = Self.seconds(now)
    for (link, command) in output.commands {
      let what: String
      switch command {
      case .ask(let request): what = "ask \(request.urls.first ?? "")"
      case .open(let request, let generation):
        generations[link] = generation
        let protocols = [request.subprotocol].compactMap(\.self).map { "as \($0)" }
        let headers = request.headers.map { "\($0.name): \($0.value)" }
        what = (["open \(request.url)"] + protocols + headers).joined(separator: " ")
      case .send(let message): what = "send \(message.text)"
      case .ping: what = "ping"
      case .close(let code): what = "close \(code)"
      case .poll(let places, let isAgain):
        let pairs = hub.subject(of: link).pairs
        let isTape = hub.subject(of: link).channel == .trades
        what =
          (isTape && isAgain ? "poll again " : "poll ")
          + places.map { "\(pairs[$0].pair)" }.joined(separator: " ")
      }
      lines.append("\(time) #\(link) \(what)")
    }
    lines += output.events.map { "\(time) \(Self.text(of: $0))" }
  }

  private static func text(of event: StreamEvent) -> String {
    let pair = event.pair.map { "\($0) " } ?? ""
    let end = event.isStreamed ? "" : " by REST"
    switch event.content {
    case .ticker(let row):
      let volume = row.volume24.value.map { " \($0)" } ?? ""
      let offer = row.bid.value.map { " bid \($0)" } ?? ""
      let stale = row.flags.contains { $0.kind == .stale } ? " stale" : ""
      return pair + (row.price.value.map { "\($0)" } ?? "-") + volume + offer + stale + end
    case .trades(let trades):
      return pair + "trades " + trades.map { $0.id ?? "\($0.price)" }.joined(separator: " ") + end
    case .orderbook(let book):
      return pair + "book " + [book.bids.first, book.asks.first].map { "\($0?.price ?? .zero)" }.joined(separator: " ")
        + end
    case .candle(let candle, let interval): return pair + "\(interval.rawValue) \(candle.close)" + end
    case .connected: return pair + "connected"
    case .fallback(let failure, let retry):
      let words = failure.message.map { " (\($0))" } ?? ""
      return pair + "polled by REST: \(failure.reason.code)\(words)" + (retry.map { ", again at \(seconds($0))" } ?? "")
    case .gap(let what): return pair + "gap: \(what)"
    case .missed: return pair + "missed" + end
    case .refused(let failure):
      return pair + "refused: \(failure.reason.code)" + (failure.message.map { " (\($0))" } ?? "")
    case .leftOut(let finding): return pair + "left out: \(finding.kind.rawValue) (\(finding.message))" + end
    case .life: return pair + "alive"
    case .failed(let failure): return pair + "failed: \(failure.reason.code)"
    }
  }

  static func seconds(_ moment: Instant) -> String {
    Decimal(mantissa: Int128(moment.nanoseconds(since: start)), exponent: -9).shortest
  }

  // MARK: The exchange

  static func subject(
    _ channel: StreamChannel, streams: String, own: String = "", table: String, refresh: Int = 5,
    fields tableFields: String = #""price": "$.p", "volume24": "$.v""#
  ) throws -> StreamSubject {
    let rows = own.contains(#""rows""#) ? "" : #""rows": "$", "#
    let when = own.contains(#""when""#) ? "" : #""when": [{"path": "$.s", "is": "present"}], "#
    let subscribe = own.contains(#""subscribe""#) ? "" : #""subscribe": {"args": ["{symbol}"]}, "#
    let fields = ["trades": #""price": "$.p", "size": "$.q", "id": "$.i""#, "orderbook": ""][channel.rawValue]
    let members = subscribe + when + own
    let ownFields = fields.map { $0.isEmpty || own.contains(#""fields""#) ? "" : #", "fields": {\#($0)}"# } ?? ""
    let block = (members.hasSuffix(", ") ? String(members.dropLast(2)) : members) + ownFields
    let urls = streams.contains(#""urls""#) ? "" : #""urls": ["wss://exchange.test/ws"], "#
    let config = """
      {"version": 1, "exchanges": {"Exchange": {
        "baseUrls": ["https://exchange.test"], "rows": "$[*]", "symbol": {"path": "$.s", "split": "-"},
        "streams": {\(urls)\(rows)\(streams), "\(channel.rawValue)": {\(block)}},
        "markets": {"spot": {"tickers": {
          "request": {"path": "/tickers"}, "fields": {\(tableFields)}}}}}}}
      """
    let configuration = try Configuration(text: config)
    let source = try #require(configuration.exchanges.first)
    let (exchange, diagnostics) = configuration.read(source)
    let market = try #require(
      exchange?.market(.spot), Comment(rawValue: "\(diagnostics.map(\.message)) in \(config)"))
    let spec = try #require(
      market.streams.first?[channel], Comment(rawValue: "\(diagnostics.map(\.message)) in \(config)"))
    let pairs = try table.split(separator: ",").map { row -> StreamPair in
      let words = row.split(separator: " ").map(String.init)
      let names = words[0].split(separator: "-").map(String.init)
      var ticker = Ticker(
        exchange: "Exchange", market: .spot, symbol: words[0], pair: Pair(asset: names[0], payment: names[1]),
        price: .value(try #require(Decimal(words[1]))), arrival: start)
      if words.count > 2 { ticker.volume24 = .value(try #require(Decimal(words[2]))) }
      return StreamPair(
        row: ticker, spelling: PairSpelling(asset: names[0], payment: names[1], symbol: words[0]))
    }
    var subject = StreamSubject(
      exchange: "Exchange", market: .spot, channel: spec.channel, spec: spec, pairs: pairs,
      interval: channel == .candles ? .oneMinute : nil, options: Interpretation(check: MeaningCheck()),
      refreshMilliseconds: refresh * 1000)
    subject.unsaid = spec.unsaid(of: try #require(market.tickers.first))
    return subject
  }
}
