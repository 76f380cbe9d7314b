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

  /// Returns the moment so many seconds after ``now``.
  static func moment(_ seconds: Int) -> Instant { now.advanced(by: .seconds(seconds)) }

  /// Returns a board as it is drawn.
  static func scene(
    _ board: PairBoard, columns: Int = 80, rows: Int = 24, _ language: Language = .english, zone: ClockZone = .seoul,
    at now: Instant = SamplePairBoards.now
  ) -> PairScene {
    PairScene(
      board: board, settings: settings(language, zone: zone), room: ScreenSize(columns: columns, rows: rows), now: now)
  }

  /// Returns a price that a source has sent.
  static func ticker(_ price: Decimal, of source: PairBoard.Source) -> Ticker {
    Ticker(exchange: source.exchange, market: .spot, symbol: "BTCUSDT", pair: source.pair, price: .value(price))
  }

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
    board.take(.name(name))
    return board
  }

  private static let fees = [Decimal("0.26"), Decimal("0.3")]

  /// Returns books of Binance and Indodax, or of the first only.
  static func books(_ count: Int = 2) -> PairBoard {
    let all = [source("Binance", "BN", fee: fees[0]), source("Indodax", "ID", fee: fees[1])]
    var board = named(PairBoard(Array(all.prefix(count))))
    for (place, answer) in [SampleResponses.binance, SampleResponses.indodax].prefix(count).enumerated() {
      if let book = answer.value { board.take(.orderbook(book), of: place) }
    }
    return board
  }

  /// Returns tapes and days of two exchanges, or of the first only.
  static func tapes(_ count: Int = 2) -> PairBoard {
    let won = Pair(asset: "BTC", payment: "KRW")
    var board = named(PairBoard(Array([source("Upbit", "UP", won), source("Gate", "GT")].prefix(count))))
    for (place, answer) in [SampleResponses.upbit, SampleResponses.gate].prefix(count).enumerated() {
      board.take(.trades(answer.value ?? []), of: place)
      let days = SampleCandles.series(.oneDay, from: "2026-11-10T00:00:00Z", count: 9, price: 134_000_000, unit: 1000)
      board.take(.days(.success(CandleList(days))), of: place)
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
      board.take(.candles(CandleList(series[place], shortfall: shortfall)), of: place)
    }
    return board
  }

  /// Returns two exchanges whose prices of one pair differ by a factor of a thousand: books, or candles.
  static func apart(candles: Bool) -> PairBoard {
    var board = named(PairBoard([source("Binance", "BN"), source("Bitso", "BS")]))
    if candles {
      for (place, price) in [Decimal(91_000), 91_000_000].enumerated() {
        let series = SampleCandles.series(.oneHour, from: "2026-11-14T00:00:00Z", count: 102, price: price, seed: 9)
        board.take(.candles(CandleList(series)), of: place)
      }
    } else {
      for (place, answer) in [SampleResponses.binance, SampleResponses.thousandfold].enumerated() {
        if let book = answer.value { board.take(.orderbook(book), of: place) }
      }
    }
    return board
  }

  /// Returns the board after the first ticker said 65000 and then nothing for 42 seconds, while its book goes on.
  static func unpriced(_ board: PairBoard) -> PairBoard {
    var board = board
    board.take(.ticker(.success(ticker(65_000, of: board.sources[0]))))
    let later = moment(42)
    board.take(.ticker(.failure(AnswerFailure(.http(500)))), at: later)
    if let book = board.sources[0].book { board.take(.orderbook(book), at: later) }
    return board
  }

  /// Returns the board with a stream delivering new data, but without the history.
  static func unfilled(_ board: PairBoard) -> PairBoard {
    var board = board
    board.take(.trades([]), isStreamed: true)
    board.take(.unfilled(AnswerFailure(.http(500)), retry: moment(5)))
    return board
  }

  /// Returns the board after a stream reported a trade dated tomorrow.
  static func doubtful(_ board: PairBoard) -> PairBoard {
    var board = board
    let trade = Trade(time: moment(86_400), price: 1, size: .value(1), side: .buy, id: "tomorrow")
    for finding in TradeCheck.separatingImpossible([trade], arrival: now, after: nil).findings {
      board.take(.leftOut(finding), isStreamed: true)
    }
    return board
  }

  /// Returns the board after a stream sent something that is neither text nor compressed text.
  static func refused(_ board: PairBoard) -> PairBoard {
    var board = board
    let failure = AnswerFailure.unreadableBytes
    board.take(.refused(failure), isStreamed: true)
    return board
  }

  static func failed(_ reason: Missing, _ board: PairBoard, retry seconds: Int) -> PairBoard {
    var board = board
    board.take(.failed(AnswerFailure(reason), retry: moment(seconds)))
    return board
  }
}

extension PairBoard {
  /// Takes what a source has sent.
  mutating func take(
    _ content: PairEvent.Content, of source: Int = 0, at arrival: Instant = SamplePairBoards.now,
    isStreamed: Bool = false
  ) {
    take(PairEvent(source: source, content, arrival: arrival, isStreamed: isStreamed))
  }
}

extension PairView {
  mutating func press(_ key: Key) -> [PairEffect] { press(key, SamplePairBoards.size, at: SamplePairBoards.now) }

  /// Returns the lines of the screen.
  func texts(columns: Int = 80, rows: Int = 24, at now: Instant = SamplePairBoards.now) -> [String] {
    frame(in: ScreenSize(columns: columns, rows: rows), at: now).lines.map { $0.painted(with: .plain) }
  }

  /// Returns the whole screen.
  func text(columns: Int = 80, at now: Instant = SamplePairBoards.now) -> String {
    frame(in: ScreenSize(columns: columns, rows: 24), at: now).text(with: .plain)
  }
}

extension LivePairScreen {
  /// Returns the lines below the header.
  func texts(in scene: PairScene) -> [String] { content(scene).lines.map { $0.painted(with: .plain) } }
}

extension String {
  /// The text without trailing spaces.
  var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
