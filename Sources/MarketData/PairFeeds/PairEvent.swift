package import Mapping
package import Quotes

/// An event from the sources of a live view about one pair, polled or streamed.
package struct PairEvent: Sendable {
  package enum Content: Sendable {
    /// If it failed, the previous ticker is kept.
    case ticker(Result<Ticker, AnswerFailure>)
    /// The whole book.
    case orderbook(OrderBook)
    /// Oldest first; some of them may have been delivered before. `incomplete` is the number of rows that are not
    /// trades.
    case trades([Trade], incomplete: Int = 0)
    /// Candles of the displayed interval; later ones replace earlier ones with the same start.
    case candles(CandleList)
    /// The current state of one candle.
    case candle(Candle, CandleInterval)
    /// Daily candles. If they failed, the previous ones are kept.
    case days(Result<CandleList, AnswerFailure>)
    /// The header's exchange rate; it has no source.
    case rate(RateReport)
    /// The asset's display name; it has no source.
    case name(AssetName)
    /// A request failed; it is retried at this time.
    case failed(AnswerFailure, retry: Instant?)
    /// A stream provides the data, but a request for earlier data failed; it is retried at this time.
    case unfilled(AnswerFailure, retry: Instant?)
    /// The stream that should provide the data is broken, and polling takes its place.
    case fallback(AnswerFailure, retry: Instant?)
    /// Something was lost, so the book starts over.
    case gap
    /// A stream sent an impossible trade or candle, which was dropped.
    case leftOut(DataFinding)
    /// A stream sent an error or something unreadable, and continues.
    case refused(AnswerFailure)
    /// Trades may be missing from a stream; an answer will show which.
    case missed
  }

  /// The index of the source; irrelevant for a rate and a name.
  package let source: Int
  package private(set) var content: Content
  /// When the message or the answer arrived.
  package internal(set) var arrival: Instant
  /// Whether it came from a stream, rather than from an answer to a request.
  package let isStreamed: Bool
  /// Whether all earlier candles are to be discarded, because too many between them and these were not requested.
  package var replacesAll = false
  /// The group of futures that it is about; nil if the market has only one, or that is unknown.
  package var product: String?
  /// What makes the sizes of an answer's trades doubtful; nil if nothing does.
  var doubt: DataFinding?

  package init(source: Int, _ content: Content, arrival: Instant, isStreamed: Bool = false) {
    self.source = source
    self.content = content
    self.arrival = arrival
    self.isStreamed = isStreamed
  }

  /// Why there is no answer; nil if there is one.
  var failure: AnswerFailure? { if case .failed(let failure, _) = content { failure } else { nil } }

  /// Returns the event without an answer's newest candle, if that is the one that a stream provides. An answer that
  /// replaces everything, or has no other, keeps it.
  func without(runningCandle start: Instant) -> PairEvent {
    guard case .candles(var list) = content, !replacesAll, list.series.candles.count > 1,
      list.series.candles.last?.start == start
    else { return self }
    list.series = list.series.within(Instant(nanoseconds: .min), start)
    var event = self
    event.content = .candles(list)
    return event
  }

  /// Converts a stream event; returns nil for those that change nothing on the screen.
  ///
  /// - Parameter source: The index of its market among the view's sources.
  package init?(_ event: StreamEvent, source: Int) {
    let content: Content
    switch event.content {
    case .ticker(let ticker): content = .ticker(.success(ticker))
    case .trades(let trades): content = .trades(trades)
    case .orderbook(let book): content = .orderbook(book)
    case .candle(let candle, let interval): content = .candle(candle, interval)
    case .fallback(let failure, let retry): content = .fallback(failure, retry: retry)
    case .gap: content = .gap
    case .leftOut(let finding): content = .leftOut(finding)
    case .refused(let failure): content = .refused(failure)
    case .missed: content = .missed
    case .connected, .life, .failed: return nil
    }
    self.init(source: source, content, arrival: event.arrival, isStreamed: event.isStreamed)
    product = event.product
  }
}
