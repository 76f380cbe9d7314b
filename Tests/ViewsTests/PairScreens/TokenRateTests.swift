import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// The premium of a live chart by the price of a dollar token, bar by bar.
@Suite struct TokenRateTests {
  /// Returns Upbit at 142,800 won and Binance at 100 USDT for ten hours, with the market of USDT in won.
  static func tokenBoard(_ token: CandleList? = nil) -> PairBoard {
    let local = { Pair(asset: $0, payment: "KRW") }
    var board = PairBoard(
      [SamplePairBoards.source("Upbit", "UP", local("BTC")), SamplePairBoards.source("Binance", "BN")],
      token: SamplePairBoards.source("Upbit", "UP", local("USDT")))
    let lists =
      [142_800, 100].map { CandleList(CandleStateTests.flat($0, from: "2026-11-17T20:00:00Z", 10)) }
      + [token].compactMap(\.self)
    for (place, list) in lists.enumerated() {
      board.take(.candles(list), of: place)
    }
    return board
  }

  /// USDT at 1,400 won, without its third bar.
  static var token: CandleList {
    let whole = CandleStateTests.flat(1400, from: "2026-11-17T20:00:00Z", 10)
    return CandleList(whole.with(whole.candles.enumerated().filter { $0.offset != 2 }.map(\.element)))
  }

  /// `p` leads from the premium at the official rate to that by a token's price, bar by bar, and to none; a bar without a rate
  /// is a gap that is counted.
  @Test func premiumByToken() {
    func line(_ board: PairBoard, _ keys: String) -> String? {
      let view = SamplePairBoards.view(board, CandleScreen(), [Key](keys)).view
      return view.texts(columns: 120).dropFirst().first { $0.contains("premium") && !$0.contains("scale") }
    }
    let board = Self.tokenBoard(Self.token)
    #expect(
      line(board, "pp")?.hasPrefix(
        "premium of Upbit over Binance  +2.00 %  by USDT/KRW at Upbit  1 without a rate: no bar of USDT/KRW  high +2.00"
      )
        == true)
    #expect(SamplePairBoards.view(board, CandleScreen(), [Key]("ppp")).view.screen.premiumRate == nil)
    let plain = CandleStateTests.pair(CandleStateTests.flat(100, from: "2026-11-13T06:00:00Z", 120))
    #expect(SamplePairBoards.view(plain, CandleScreen(), [Key]("pp")).view.screen.premiumRate == nil)
  }

  /// The title's premium is measured by what `p` has chosen, and says if that is a token's price; without a recent one, it
  /// has none.
  @Test(arguments: [
    ("", 0, "BTC  Upbit 142800  Binance 100  premium -2.29 %"),
    ("p", 0, "BTC  Upbit 142800  Binance 100  premium -2.29 %"),
    ("pp", 0, "BTC  Upbit 142800  Binance 100  premium +2.00 % by USDT/KRW"),
    ("pp", 29, "BTC  Upbit 142800  Binance 100  premium +2.00 % by USDT/KRW"),
    ("pp", 30, "BTC  Upbit 142800  Binance 100"), ("ppp", 30, "BTC  Upbit 142800  Binance 100  premium -2.29 %"),
  ])
  func titleFollowsTheBasis(_ keys: String, _ seconds: Int, _ title: String) {
    var board = PairScreenTests.rated(Self.tokenBoard(Self.token))
    let now = SamplePairBoards.moment(seconds)
    for (place, price) in [142_800, 100].enumerated() {
      let list = CandleList(CandleStateTests.flat(Decimal(price), from: "2026-11-18T05:00:00Z", 1))
      board.take(.candles(list), of: place, at: now)
    }
    let view = SamplePairBoards.view(board, CandleScreen(), [Key](keys)).view
    let line = view.texts(columns: 160, at: now)[0]
    #expect(line.hasPrefix(title + "   "), "\(line)")
  }

  /// By a clock that was set back, a bar that has not begun is not the newest, as its close is no last price.
  @Test(arguments: [(0, 1500), (-1800, 1400)] as [(Int, Decimal)])
  func barToComeHasNoRate(_ seconds: Int, _ rate: Decimal) throws {
    let past = CandleStateTests.flat(1400, from: "2026-11-17T20:00:00Z", 9)
    let running = CandleStateTests.flat(1500, from: "2026-11-18T05:00:00Z", 1)
    let board = Self.tokenBoard(CandleList(past.with(past.candles + running.candles)))
    let rates = TokenRates(try #require(board.token), dollarTokens: ["USDT"])
    let now = SamplePairBoards.moment(seconds)
    #expect(rates.latest(from: "USDT", at: now)?.rate == rate)
  }

  /// Without the token's bars, the line that needs them says why it is not there.
  @Test func tokenWithoutBarsSaysWhy() {
    let timeout = CandleList(
      CandleSeries([], on: CandleGrid(.oneHour)), shortfall: .page(AnswerFailure(.timeout)))
    for (list, reason) in [(nil, "loading"), (timeout, "timeout")] as [(CandleList?, String)] {
      let lines = CandleStateTests.texts(Self.tokenBoard(list), "pp")
      #expect(lines.contains { $0.hasPrefix("Binance BTC/USDT  -  no rate to KRW by USDT/KRW at Upbit: \(reason)") })
      #expect(!lines.contains { $0.contains("premium of") || $0.contains("premium UP>BN") })
    }
  }

  /// The token's bars are requested once they are needed, the newest again after ten seconds, or by a clock that was set
  /// back.
  @Test func tokenBarsAreRequested() {
    func ofToken(_ effects: [PairEffect]) -> [PairEffect] {
      effects.filter { if case .older(let source, _, _) = $0 { source == 2 } else { false } }
    }
    let end = SampleCandles.moment("2026-11-18T06:00:00Z")
    var (view, effects) = SamplePairBoards.view(Self.tokenBoard(), CandleScreen(), [Key]("p"))
    #expect(ofToken(effects) == [])
    effects = view.press("p")
    #expect(ofToken(effects) == [.older(source: 2, before: end, count: 70)])
    func take(_ source: Int, _ list: CandleList, after seconds: Int) -> [PairEffect] {
      let arrival = SamplePairBoards.moment(seconds)
      return ofToken(view.take([PairEvent(source: source, .candles(list), arrival: arrival)], SamplePairBoards.size))
    }
    let list = CandleList(CandleStateTests.flat(1400, from: "2026-11-17T20:00:00Z", 10), shortfall: .notOffered)
    #expect(take(2, list, after: 1) == [])
    let newest = CandleList(CandleStateTests.flat(100, from: "2026-11-18T05:00:00Z", 1))
    #expect(take(1, newest, after: 9) == [])
    #expect(take(1, newest, after: 10) == [.older(source: 2, before: end, count: 1)])
    var screen = view.screen
    let earlier = Self.tokenBoard(list)
    #expect(ofToken(screen.wanted(earlier, SamplePairBoards.size)) == [.older(source: 2, before: end, count: 1)])
    #expect(ofToken(screen.wanted(earlier, SamplePairBoards.size)) == [])
  }
}
