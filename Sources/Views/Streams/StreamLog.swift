import Config
import Mapping
package import MarketData
package import Quotes
package import Terminal

/// Stream events as human-readable lines.
///
///     05:12:07.720 Binance spot BTC/USDT 91542.31 +1.36 % bid 91542.30 ask 91542.31
///     05:12:07.727 Upbit spot BTC/KRW trade buy 0.012 at 133700000
///     05:12:08.001 Okx spot ticker: stream-closed 1006, polled by REST until the next try at 05:12:09
package struct StreamLog: Sendable {
  private let zone: ClockZone
  private let isExplained: Bool

  package init(zone: ClockZone, isExplained: Bool = false) { (self.zone, self.isExplained) = (zone, isExplained) }

  package func lines(_ event: StreamEvent) -> [StyledText] {
    let head =
      StyledText(zone.clock(event.arrival, withMilliseconds: true), .dim) + " "
      + StyledText(name(StreamBacklog.Feed(event)), event.isStreamed ? .neutral : .dim)
    let explanation = isExplained ? Explanation.lines(of: event).map { StyledText("  " + $0, .dim) } : []
    return contents(event).map { head + " " + $0 } + explanation
  }

  package func line(missed count: Int, of feed: StreamBacklog.Feed) -> StyledText {
    let what = feed.channel == .trades ? "trades" : "older events"
    return StyledText("\(name(feed)) \(feed.channel.rawValue): missed \(count) \(what)", .warning)
  }

  /// `Binance futures USDT-M BTC/USDT`
  private func name(_ feed: StreamBacklog.Feed) -> String {
    let parts = [feed.exchange, feed.market.rawValue, feed.product, feed.pair?.description]
    return TerminalText.sanitized(parts.compactMap(\.self).joined(separator: " "))
  }

  private func contents(_ event: StreamEvent) -> [StyledText] {
    switch event.content {
    case .ticker(let row): [event.channel == .offers ? offers(row) + remarks(row) : ticker(row, of: event)]
    case .trades(let trades): trades.map { trade($0, event.arrival) }
    case .orderbook(let book): [orderbook(book)]
    case .candle(let candle, let interval): [self.candle(candle, interval)]
    case .life: []
    case .connected: [state(of: event, "connected", .dim)]
    case .fallback(let failure, let retry):
      [state(of: event, "\(failure.wordsInParentheses), \(next(retry))")]
    case .gap(let what): [state(of: event, "gap, \(what); starts over")]
    case .missed: [state(of: event, "missed an unknown number of trades")]
    case .refused(let failure): [state(of: event, failure.wordsInParentheses)]
    case .leftOut(let finding): [state(of: event, "left out, \(finding.kind.rawValue) (\(finding.message))")]
    case .failed(let failure): [state(of: event, failure.wordsInParentheses, .dim)]
    }
  }

  /// Returns the state of an event's channel: `ticker: connected`.
  private func state(of event: StreamEvent, _ words: String, _ style: Style = .warning) -> StyledText {
    StyledText("\(event.channel.rawValue): \(words)", style)
  }

  /// Returns what replaces the stream, and until when.
  private func next(_ retry: Instant?) -> String {
    retry.map { "polled by REST until the next try at \(zone.clock($0))" } ?? "polled by REST"
  }

  private func ticker(_ row: Ticker, of event: StreamEvent) -> StyledText {
    var text = cell(row, .price)
    // The message has other figures alone.
    if event.isStreamed, let told = row.otherPriceArrival, row.price.value != nil {
      let age = Language.english.quietAge(nanoseconds: max(0, event.arrival.nanoseconds(since: told)))
      text += StyledText(age.map { " (\($0) old)" } ?? "", .dim)
    }
    if let change = row.changePricePercent24.value {
      text += StyledText(" \(change.signedPercentText) %", Style(ofChange: change))
      let basis = row.basisText()
      if basis.width > 0 { text += " " + basis }
    }
    let offers = offers(row)
    return text + (offers.width > 0 ? " " + offers : offers) + remarks(row)
  }

  private func offers(_ row: Ticker) -> StyledText {
    let sides = [("bid", TickerField.bid), ("ask", .ask)].filter { row.cell($0.1).value != nil }
    return sides.map { StyledText("\($0.0) ", .dim) + cell(row, $0.1) }.joined()
  }

  private func remarks(_ row: Ticker) -> StyledText {
    let remarks = row.remarks()
    return remarks.width > 0 ? " " + remarks : remarks
  }

  private func cell(_ row: Ticker, _ field: TickerField) -> StyledText {
    if let digits = row.digits(field) { return StyledText(digits) }
    return StyledText("-(\(row.cell(field).missing?.code ?? ""))", .dim)
  }

  private func trade(_ trade: Trade, _ arrival: Instant) -> StyledText {
    // Polled trades predate their answer; the line shows its arrival time.
    let age = Language.english.quietAge(nanoseconds: max(0, arrival.nanoseconds(since: trade.time)))
    let side = trade.side.map { StyledText($0.rawValue, $0 == .buy ? .up : .down) } ?? StyledText("side-unknown", .dim)
    return StyledText("trade ", .dim) + side + " " + trade.size.text(\.description)
      + StyledText(" at \(trade.price.description)") + StyledText(age.map { " (\($0) old)" } ?? "", .dim)
  }

  private func orderbook(_ book: OrderBook) -> StyledText {
    func best(_ name: String, _ levels: [OrderBook.Level]) -> StyledText {
      guard let level = levels.first else { return StyledText("no \(name)s", .dim) }
      return StyledText("\(name) ", .dim) + StyledText("\(level.size.description) at \(level.price.description)")
    }
    return StyledText("orderbook ", .dim) + best("bid", book.bids) + " " + best("ask", book.asks)
      + StyledText(" (\(book.bids.count) and \(book.asks.count) levels)", .dim)
      + StyledText(book.flags.map { " \($0.code)" }.joined(), .warning)
  }

  private func candle(_ candle: Candle, _ interval: CandleInterval) -> StyledText {
    let prices = [("open", candle.open), ("high", candle.high), ("low", candle.low), ("close", candle.close)]
    let text = prices.map { "\($0.0) \($0.1.description)" }.joined(separator: " ")
    return StyledText("candle \(interval.rawValue) \(zone.hourAndMinute(candle.start)) ", .dim) + StyledText(text)
      + " volume " + candle.volume.text(\.description)
  }
}
