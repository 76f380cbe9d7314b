import Config
import Quotes
import Testing

/// A channel, a sequence of messages, and the reading of each.
struct StreamCase: Sendable, CustomTestStringConvertible {
  /// A table of two pairs: the initial values of every stream here.
  static let table =
    #"[{"s": "BTC-USDT", "p": "65000.50", "v": "12.5"}, {"s": "ETH-USDT", "p": "3000", "v": "7"}]"#
  static let fields = #""fields": {"price": "$.p", "volume24": "$.v"}"#

  let testDescription: String
  var channel = StreamChannel.ticker
  /// Members of the channel besides its subscription.
  var own = ""
  /// Members of `streams` besides the channel.
  var streams = #""symbol": "$.s""#
  var tickers = fields
  var table = table
  var lookups: [String: String] = [:]
  var market = Market.spot
  let messages: [(message: String, line: String)]

  init(
    _ description: String, channel: StreamChannel = .ticker, own: String = "", streams: String = #""symbol": "$.s""#,
    tickers: String = fields, table: String = table, lookups: [String: String] = [:], market: Market = .spot,
    _ messages: [(message: String, line: String)]
  ) {
    testDescription = description
    (self.channel, self.own, self.streams) = (channel, own, streams)
    (self.tickers, self.table, self.lookups, self.market) = (tickers, table, lookups, market)
    self.messages = messages
  }

  func stream() throws -> TestStream {
    let subscribe = channel == .tickers ? #""subscribe": "all""# : #""subscribe": {"args": ["{symbol}"]}"#
    let members = own.isEmpty ? subscribe : "\(subscribe), \(own)"
    // A stream without its own rows uses the table's.
    let rows = own.contains(#""rows""#) ? "" : #""rows": "$", "#
    var stream = try TestStream(
      channel, streams: #"\#(rows)\#(streams), "\#(channel.rawValue)": {\#(members)}"#, tickers: tickers, table: table,
      market: market, lookups: lookups)
    stream.interval = .oneMinute
    return stream
  }

  func check() throws {
    let lines = try stream().lines(messages.map(\.message))
    #expect(lines == messages.map(\.line))
  }
}
