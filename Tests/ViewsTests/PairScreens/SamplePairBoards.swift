import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport

@testable import Views

/// Boards of live views, as if two exchanges had responded.
enum SamplePairBoards {
  static let now = SampleResponses.now
  static let size = ScreenSize(columns: 80, rows: 24)

  /// Returns a view after some keys, and what they asked for.
  static func view<Screen: LivePairScreen>(
    _ board: PairBoard, _ screen: Screen, _ keys: [Key]
  ) -> (view: PairView<Screen>, effects: [PairEffect]) {
    var view = PairView(board, screen, settings(.english))
    var effects: [PairEffect] = []
    for key in keys { effects += view.press(key, size, at: now) }
    return (view, effects)
  }

  static func source(_ exchange: String, _ badge: String, _ pair: Pair = SampleResponses.pair, fee: Decimal? = nil)
    -> PairBoard.Source
  {
    PairBoard.Source(exchange: exchange, badge: badge, market: .spot, pair: pair, takerFee: fee)
  }

  static func settings(_ language: Language, zone: ClockZone = .seoul) -> PairSettings {
    var settings = PairSettings(language: language, zone: zone, identity: .standard, rule: .standard)
    settings.dollarTokens = ["USDT"]
    return settings
  }

  /// Returns the board with the asset's common names.
  private static func named(_ board: PairBoard) -> PairBoard {
    var board = board
    let name = AssetName(korean: "비트코인", english: "Bitcoin")
    board.take(PairEvent(source: 0, .name(name), arrival: now))
    return board
  }

  private static let fees = [Decimal("0.26"), Decimal("0.3")]

  /// Returns books of Binance and Indodax, or of the first only.
  static func books(_ count: Int = 2) -> PairBoard {
    let all = [source("Binance", "BN", fee: fees[0]), source("Indodax", "ID", fee: fees[1])]
    var board = named(PairBoard(Array(all.prefix(count))))
    for (place, answer) in [SampleResponses.binance, SampleResponses.indodax].prefix(count).enumerated() {
      if let book = answer.value { board.take(PairEvent(source: place, .orderbook(book), arrival: now)) }
    }
    return board
  }

  /// Returns tapes and days of two exchanges, or of the first only.
  static func tapes(_ count: Int = 2) -> PairBoard {
    let won = Pair(asset: "BTC", payment: "KRW")
    var board = named(PairBoard(Array([source("Upbit", "UP", won), source("Gate", "GT")].prefix(count))))
    for (place, answer) in [SampleResponses.upbit, SampleResponses.gate].prefix(count).enumerated() {
      board.take(PairEvent(source: place, .trades(answer.value ?? []), arrival: now))
      let days = SampleCandles.series(.oneDay, from: "2026-11-10T00:00:00Z", count: 9, price: 134_000_000, unit: 1000)
      board.take(PairEvent(source: place, .days(.success(CandleList(days))), arrival: now))
    }
    return board
  }

  /// Returns hourly candles of Binance in dollars and of Upbit in won with a rate, or of the first only.
  static func candles(_ count: Int = 2, bars: Int = 120, shortfall: CandleList.Shortfall? = nil) -> PairBoard {
    let won = Pair(asset: "BTC", payment: "KRW")
    var board = named(PairBoard(Array([source("Binance", "BN"), source("Upbit", "UP", won)].prefix(count))))
    let start = CandleGrid(.oneHour).moment(1 - bars, after: SampleCandles.moment("2026-11-18T05:00:00Z")).iso8601
    let series = [
      SampleCandles.series(.oneHour, from: start, count: bars, missing: [bars - 9]),
      SampleCandles.series(.oneHour, from: start, count: bars, price: 134_000_000, unit: 1461, seed: 8),
    ]
    for place in 0..<count {
      board.take(PairEvent(source: place, .candles(CandleList(series[place], shortfall: shortfall)), arrival: now))
    }
    return board
  }

  /// Returns two exchanges whose prices of one pair differ by a factor of a thousand: books, or candles.
  static func apart(candles: Bool) -> PairBoard {
    var board = named(PairBoard([source("Binance", "BN"), source("Bitso", "BS")]))
    if candles {
      for (place, price) in [Decimal(91_000), 91_000_000].enumerated() {
        let series = SampleCandles.series(.oneHour, from: "2026-11-14T00:00:00Z", count: 102, price: price, seed: 9)
        board.take(PairEvent(source: place, .candles(CandleList(series)), arrival: now))
      }
    } else {
      for (place, answer) in [SampleResponses.binance, SampleResponses.thousandfold].enumerated() {
        if let book = answer.value { board.take(PairEvent(source: place, .orderbook(book), arrival: now)) }
      }
    }
    return board
  }

  /// Returns the board after the first ticker said 65000 and then nothing for 42 seconds, while its book goes on.
  static func unpriced(_ board: PairBoard) -> PairBoard {
    var board = board
    let ticker = Ticker(
      exchange: "Binance", market: .spot, symbol: "BTCUSDT", pair: board.sources[0].pair, price: .value(65000))
    board.take(PairEvent(source: 0, .ticker(.success(ticker)), arrival: now))
    let later = now.advanced(by: .seconds(42))
    board.take(PairEvent(source: 0, .ticker(.failure(TableFailure(.http(500)))), arrival: later))
    if let book = board.sources[0].book { board.take(PairEvent(source: 0, .orderbook(book), arrival: later)) }
    return board
  }

  /// Returns the board with a stream delivering new data, but without the history.
  static func unfilled(_ board: PairBoard) -> PairBoard {
    var board = board
    board.take(PairEvent(source: 0, .trades([]), arrival: now, isStreamed: true))
    let failure = TableFailure(.http(500))
    board.take(PairEvent(source: 0, .unfilled(failure, retry: now.advanced(by: .seconds(5))), arrival: now))
    return board
  }

  /// Returns the board after a stream reported a trade dated tomorrow.
  static func doubtful(_ board: PairBoard) -> PairBoard {
    var board = board
    let trade = Trade(
      time: now.advanced(by: .seconds(86_400)), price: 1, size: .value(1), side: .buy, id: "tomorrow")
    for finding in TradeCheck.separatingImpossible([trade], arrival: now, after: nil).findings {
      board.take(PairEvent(source: 0, .leftOut(finding), arrival: now, isStreamed: true))
    }
    return board
  }

  /// Returns the board after a stream sent something that is neither text nor compressed text.
  static func refused(_ board: PairBoard) -> PairBoard {
    var board = board
    let failure = TableFailure(.stream("stream-bad"), "bytes that are neither text nor compressed text")
    board.take(PairEvent(source: 0, .refused(failure), arrival: now, isStreamed: true))
    return board
  }

  static func failed(_ reason: Missing, _ board: PairBoard, retry seconds: Int) -> PairBoard {
    var board = board
    board.take(
      PairEvent(
        source: 0, .failed(TableFailure(reason), retry: now.advanced(by: .seconds(seconds))),
        arrival: now))
    return board
  }
}
