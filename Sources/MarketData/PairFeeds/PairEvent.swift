package import Mapping
package import Quotes

/// What is heard of the sources of a live view about one pair: whoever asks, or listens, tells it in these words.
package struct PairEvent: Sendable {
  package enum Content: Sendable {
    /// Where it could not be had, what was known before stands.
    case ticker(Result<Ticker, TableFailure>)
    /// The whole book.
    case orderbook(OrderBook)
    /// Oldest first; some of them may have been told before.
    case trades([Trade])
    /// Candles of the interval that is shown; later ones of one start replace earlier ones.
    case candles(CandleList)
    /// One candle, as far as it has come.
    case candle(Candle, CandleInterval)
    /// Candles of a day each.
    case days(Result<CandleSeries, TableFailure>)
    /// The exchange rate of the header; its source is none.
    case rate(RateReport)
    /// What people call the asset; its source is none.
    case name(AssetName)
    /// What was asked for did not come; when it is asked for again.
    case failed(TableFailure, retry: Instant?)
    /// A stream brings it, and what was before did not come; when that is asked for again.
    case unfilled(TableFailure, retry: Instant?)
    /// The stream that should send it is broken, and requests fill in.
    case fallback(TableFailure, retry: Instant?)
    /// A stream sends it from now on.
    case connected
    /// Something was lost: the book begins anew.
    case gap
    /// A stream said a trade or a candle that cannot be: it is left out.
    case leftOut(DataFinding)
    /// A stream said an error, or something that cannot be read, and goes on.
    case refused(TableFailure)
  }

  /// Which of the sources; no matter for a rate and a name.
  package let source: Int
  package let content: Content
  /// When the message or the answer came.
  package let arrival: Instant
  /// Whether a stream said so; else an answer to a request.
  package let isStreamed: Bool
  /// Whether all candles that were told before are given up for it: between them and these too many were not asked for.
  package var beginsAnew = false

  package init(source: Int, _ content: Content, arrival: Instant, isStreamed: Bool = false) {
    self.source = source
    self.content = content
    self.arrival = arrival
    self.isStreamed = isStreamed
  }

  /// Why there is no answer; nil where there is one.
  var failure: TableFailure? { if case .failed(let failure, _) = content { failure } else { nil } }

  /// What a stream has said; nil for what changes nothing: a sign of life, and trades that were missed, which a board sees for
  /// itself.
  ///
  /// - Parameter source: the place of its market among the sources of the view.
  package init?(_ event: StreamEvent, source: Int) {
    let content: Content
    switch event.content {
    case .ticker(let ticker): content = .ticker(.success(ticker))
    case .trades(let trades): content = .trades(trades)
    case .orderbook(let book): content = .orderbook(book)
    case .candle(let candle, let interval): content = .candle(candle, interval)
    case .connected: content = .connected
    case .fallback(let failure, let retry): content = .fallback(failure, retry: retry)
    case .gap: content = .gap
    case .leftOut(let finding): content = .leftOut(finding)
    case .refused(let failure): content = .refused(failure)
    case .life, .missed: return nil
    case .failed(let failure): content = .failed(failure, retry: nil)
    }
    self.init(source: source, content, arrival: event.arrival, isStreamed: event.isStreamed)
  }
}
