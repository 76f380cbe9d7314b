package import Config
package import Mapping
package import Quotes

/// Where a message came from and what was read of it: what `--explain` shows of an event.
package struct StreamExplanation: Sendable {
  /// What the connection is for: `spot-ticker-BTC-USDT`.
  package let connection: String
  /// As recordings name it: without what a handshake gave.
  package let address: String
  package let message: ExplainedMessage
}

/// What is heard of one channel of a market.
package struct StreamEvent: Sendable {
  package enum Content: Sendable {
    /// The whole row, with what is new laid over it.
    case ticker(Ticker)
    /// Oldest first.
    case trades([Trade])
    case orderbook(OrderBook)
    case candle(Candle, CandleInterval)
    /// The connection is open and its pairs are subscribed.
    case connected
    /// The pairs are asked by REST, for this reason; when the stream is tried again, nil where it is not.
    case fallback(TableFailure, retry: Instant?)
    /// Something was lost: the order book begins anew.
    case gap(String)
    /// Trades between those that were told before and those that come now: nobody has seen them, or knows how many.
    case missed
    /// An error of the exchange on a connection that stays open, or a message that cannot be read.
    case refused(TableFailure)
    /// A trade or a candle that cannot be: it is not told.
    case leftOut(DataFinding)
    /// A sign of life, whatever it says.
    case life
    /// There is nothing to be had of the pair by REST either.
    case failed(TableFailure)
  }

  package let exchange: String
  package let market: Market
  package let channel: StreamChannel
  /// nil for what is said of the connection as a whole.
  package let pair: Pair?
  /// The exchange's group of futures; nil where there is none.
  package let product: String?
  package var content: Content
  /// Whether a stream said so; else an answer to a request.
  package let isStreamed: Bool
  /// When the message or the answer came.
  package let arrival: Instant
  /// nil where nobody asked, and of what no message said.
  package var explanation: StreamExplanation?

  /// Whether it says something of a market, rather than of how that is heard.
  package var isData: Bool {
    switch content {
    case .ticker, .trades, .orderbook, .candle: true
    case .connected, .fallback, .gap, .missed, .refused, .leftOut, .life, .failed: false
    }
  }

  /// The exchange's own time of it; nil where it does not say.
  package var time: Instant? {
    switch content {
    case .ticker(let ticker): ticker.time
    case .trades(let trades): trades.last?.time
    case .orderbook(let book): book.time
    case .candle(let candle, _): candle.start
    case .connected, .fallback, .gap, .missed, .refused, .leftOut, .life, .failed: nil
    }
  }
}

extension TableFailure {
  /// Closed by the exchange, or cut without a word.
  static func streamClosed(_ code: Int, _ words: String) -> TableFailure {
    TableFailure(.stream(InternedText("stream-closed \(code)")), words.isEmpty ? nil : words)
  }

  static let streamSilent = TableFailure(.stream("stream-silent"), "no sign of life")

  static let streamContradicted = TableFailure(.stream("stream-silent"), "answers by REST differ from what it said")

  static let streamWithoutHello = TableFailure(.stream("stream-silent"), "the first message did not come")

  static let streamClockSetBack = TableFailure(.stream("stream-silent"), "the clock was set back")

  static func streamGap(_ what: String) -> TableFailure { TableFailure(.stream("stream-gap"), what) }

  /// The first price is another coin's, or in another unit.
  static func streamDiffers(_ streamed: Decimal, _ polled: Decimal) -> TableFailure {
    TableFailure(.stream("stream-differs"), "\(streamed.shortest) by stream, \(polled.shortest) by REST")
  }

  /// It was believed before: an answer decides.
  static func streamJumped(_ streamed: Decimal, from before: Decimal) -> TableFailure {
    TableFailure(.stream("stream-differs"), "\(streamed.shortest) by stream, after \(before.shortest)")
  }

  static let streamUnpriced = TableFailure(.stream("stream-bad"), "no message of a minute says a price")

  static func streamBad(_ what: String) -> TableFailure { TableFailure(.stream("stream-bad"), what) }

  /// An error of the exchange, for the pairs that it leaves without data; what cannot be read has its own reason.
  static func streamRefused(_ failure: TableFailure) -> TableFailure {
    guard case .exchangeError(let code) = failure.reason else { return failure }
    let own = "\(code)"
    return TableFailure(
      .stream(InternedText(own.isEmpty ? "stream-refused" : "stream-refused \(own)")), failure.message)
  }
}
