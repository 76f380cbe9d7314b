import Config
import Files
import Mapping
import Quotes

/// Reading the messages of a connection, on one thread.
struct StreamBenchmarks {
  private let configuration: Configuration
  private let pairs: [StreamPair]

  init(config path: String) throws {
    let file = try ConfigFile(name: "exchanges.json", bytes: try FileSystem.read(path))
    configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    pairs = (0..<50).map { index in
      let pair = Pair(asset: index == 0 ? "BTC" : "ASSET\(index)", payment: "USDT")
      let row = Ticker(exchange: "Exchange", market: .spot, symbol: pair.asset + pair.payment, pair: pair)
      return StreamPair(row: row, spelling: PairSpelling(asset: pair.asset, payment: pair.payment, symbol: row.symbol))
    }
  }

  /// Binance's ticker messages, one per line.
  var tickerText: [String] { tickers.map { String(decoding: $0, as: UTF8.self) } }

  /// Returns thousands of messages per second, by message kind.
  func measured() throws -> [(String, Double)] {
    let cases = [
      ("stream-ticker", "Binance", Market.spot, StreamChannel.ticker, tickers),
      ("stream-trades", "Bybit", .futures, .trades, trades), ("stream-book", "Bybit", .futures, .orderbook, changes),
      ("stream-book-whole", "Binance", .spot, .orderbook, books),
      ("stream-ticker-rule", "Kraken", .spot, .ticker, ruled),
    ]
    return try cases.map { name, exchange, market, channel, messages in
      // Each round is a connection of its own: repeated messages would be dropped by their numbers.
      let connected = try reader(exchange, market, channel)
      var reader = connected
      for message in messages { try read(message, &reader) }
      let milliseconds = TableBenchmarks.best {
        var reader = connected
        for message in messages { try? read(message, &reader) }
      }
      return (name, Double(messages.count) / milliseconds)
    }
  }

  /// Reads one kind of message `times` times, for profilers.
  func read(_ name: String, times: Int) throws {
    let connected = try reader(
      name == "book" ? "Bybit" : "Binance", name == "book" ? .futures : .spot, name == "book" ? .orderbook : .ticker)
    let messages = name == "book" ? changes : tickers
    for _ in 0..<times {
      var reader = connected
      for message in messages { try read(message, &reader) }
    }
  }

  private struct UnreadMessage: Error {
    let text: String
  }

  private func reader(_ exchange: String, _ market: Market, _ channel: StreamChannel) throws -> StreamReader {
    guard let source = configuration.exchange(named: exchange),
      let side = configuration.read(source).exchange?.market(market), let spec = side.streams.first?[channel]
    else { throw TableBenchmarks.MissingExchange() }
    let known = pairs.map { pair in
      var row = pair.row
      if market == .futures { row.product = spec.table.set.first?.value }
      return StreamPair(row: row, spelling: pair.spelling)
    }
    return StreamReader(spec, market: market, known, Interpretation(check: MeaningCheck()))
  }

  private func read(_ message: [UInt8], _ reader: inout StreamReader) throws {
    let readings = reader.read(message, arrival: Instant(nanoseconds: 1_700_000_000_000_000_000))
    guard case .one(.updates(let updates)) = readings, updates.count == 1 else {
      throw UnreadMessage(text: String(decoding: message, as: UTF8.self))
    }
  }

  // MARK: Messages

  private var tickers: [[UInt8]] {
    (0..<1000).map { number in
      let symbol = pairs[number % pairs.count].row.symbol
      return Array(
        """
        {"stream":"\(symbol.lowercased())@ticker","data":{"e":"24hrTicker","E":1700000000000,"s":"\(symbol)",\
        "p":"-1241.93000000","P":"-1.335","w":"92458.14018229","x":"93041.10000000","c":"91799.\(10 + number % 90)000000",\
        "Q":"0.00066000","b":"91799.10000000","B":"4.77193000","a":"91799.11000000","A":"0.89231000","o":"93041.03000000",\
        "h":"93758.79000000","l":"90900.00000000","v":"22172.78457000","q":"2050052229.94120310","O":1699999999999,\
        "C":1700000000000,"F":5532482901,"L":5536743219,"n":4260319}}
        """.utf8)
    }
  }

  private var ruled: [[UInt8]] {
    (0..<1000).map { number in
      let pair = pairs[number % pairs.count].pair
      return Array(
        """
        {"channel":"ticker","type":"update","data":[{"symbol":"\(pair.asset)/\(pair.payment)","bid":91799.1,"bid_qty":4.77193,\
        "ask":91799.2,"ask_qty":0.89231,"last":91799.\(number % 10),"volume":2172.78457,"vwap":92458.1,"low":90900.0,"high":93758.7,\
        "change":-1241.9,"change_pct":-1.33,"timestamp":"2023-11-14T22:13:20.100000Z"}]}
        """.utf8)
    }
  }

  private var trades: [[UInt8]] {
    (0..<1000).map { number in
      Array(
        """
        {"topic":"publicTrade.BTCUSDT","type":"snapshot","ts":\(1_700_000_000_000 + number),"data":[{"T":\(1_700_000_000_000 + number),\
        "s":"BTCUSDT","S":"Buy","v":"0.003","p":"91799.\(10 + number % 90)","L":"PlusTick","i":"20f43950-d8dd-5b31-9112-\(number)","BT":false}]}
        """.utf8)
    }
  }

  /// A full order book with 200 levels per side, then changes of 20 levels.
  private var changes: [[UInt8]] {
    func levels(_ numbers: some Sequence<Int>, _ size: (Int) -> String) -> String {
      numbers.map { #"["\#(91800 + $0 / 10).\#(abs($0 % 10))0","\#(size($0))"]"# }.joined(separator: ",")
    }
    let whole = #"""
      {"topic":"orderbook.50.BTCUSDT","type":"snapshot","ts":1700000000000,"data":{"s":"BTCUSDT","b":[\#(levels((0..<200).map { 1990 - $0 * 10 }) { _ in "1.205" })],\#
      "a":[\#(levels((0..<200).map { 2000 + $0 * 10 }) { _ in "0.871" })],"u":1,"seq":1},"cts":1700000000000}
      """#
    return [Array(whole.utf8)]
      + (1..<1000).map { number in
        let bids = levels((0..<10).map { 1990 - ($0 * 7 + number % 50) * 10 }) { "\(($0 + number) % 3).205" }
        let asks = levels((0..<10).map { 2000 + ($0 * 7 + number % 50) * 10 }) { "\(($0 + number) % 3).871" }
        return Array(
          #"""
          {"topic":"orderbook.50.BTCUSDT","type":"delta","ts":1700000000000,"data":{"s":"BTCUSDT","b":[\#(bids)],\#
          "a":[\#(asks)],"u":\#(number + 1),"seq":\#(number + 1)},"cts":1700000000000}
          """#.utf8)
      }
  }

  private var books: [[UInt8]] {
    (0..<1000).map { number in
      func levels(_ first: Int, _ step: Int) -> String {
        (0..<20).map { #"["\#(first + $0 * step).10000000","0.\#(100 + (number + $0) % 900)00000"]"# }.joined(
          separator: ",")
      }
      return Array(
        """
        {"stream":"btcusdt@depth20@100ms","data":{"lastUpdateId":\(number),"bids":[\(levels(91799, -1))],"asks":[\(levels(91800, 1))]}}
        """.utf8)
    }
  }
}
