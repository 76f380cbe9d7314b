package import Config
package import Mapping
package import Quotes

/// The source and interpretation of a message, as `--explain` shows it for an event.
package struct StreamExplanation: Sendable {
  /// The connection's purpose: `spot-ticker-BTC-USDT`.
  package let connection: String
  /// The address as in recordings, without values from a handshake.
  package let address: String
  package let message: ExplainedMessage
}

/// An event on one channel of a market.
package struct StreamEvent: Sendable {
  package enum Content: Sendable {
    /// The whole row, updated with new data.
    case ticker(Ticker)
    /// Oldest first.
    case trades([Trade])
    case orderbook(OrderBook)
    case candle(Candle, CandleInterval)
    /// The connection is open and its pairs are subscribed.
    case connected
    /// The pairs are polled by REST, for this reason; `retry` is when the stream is retried, nil if it is not.
    case fallback(AnswerFailure, retry: Instant?)
    /// Something was lost, so the order book starts over.
    case gap(String)
    /// An unknown number of trades between earlier and current ones were missed.
    case missed
    /// An error from the exchange on a connection that stays open, or an unreadable message.
    case refused(AnswerFailure)
    /// An impossible trade or candle, which is dropped.
    case leftOut(DataFinding)
    /// A sign of life, whatever its content.
    case life
    /// The pair is unavailable by REST as well.
    case failed(AnswerFailure)
  }

  package let exchange: String
  package let market: Market
  package let channel: StreamChannel
  /// nil for events about the connection as a whole.
  package let pair: Pair?
  /// The exchange's group of futures; nil if there is none.
  package let product: String?
  package var content: Content
  /// Whether it came from a stream, rather than from an answer to a request.
  package let isStreamed: Bool
  /// When the message or the answer arrived.
  package let arrival: Instant
  /// nil if not requested, and for events not caused by a message.
  package var explanation: StreamExplanation?

  /// Whether it contains market data, rather than the state of the connection.
  package var isData: Bool {
    switch content {
    case .ticker, .trades, .orderbook, .candle: true
    case .connected, .fallback, .gap, .missed, .refused, .leftOut, .life, .failed: false
    }
  }

  /// The exchange's own time; nil if there is none.
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

extension AnswerFailure {
  /// The opening handshake was answered with a status other than 101.
  static func streamNotOpened(_ status: Int) -> AnswerFailure {
    switch status {
    case 200...299: AnswerFailure(.http(status), ours: "the server did not open a WebSocket")
    case 300...399: AnswerFailure(.http(status), ours: "a redirect, which streams do not follow")
    default: .status(status)
    }
  }

  /// An error from the exchange, for the pairs that it leaves without data; unreadable messages keep their own reason.
  static func streamRefused(_ failure: AnswerFailure) -> AnswerFailure {
    guard case .exchangeError(let code) = failure.reason else { return failure }
    return .stream(.refused(code, failure.message))
  }
}
