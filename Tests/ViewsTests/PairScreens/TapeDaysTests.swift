import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// The days of `trades -w`, which arrive once a minute, beside trades that arrive all the time.
@Suite struct TapeDaysTests {
  private static let now = SamplePairBoards.now

  /// What happens, by the seconds since the days have arrived.
  enum Step: Sendable {
    case trade(Int)
    case failure(Int)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var steps: [Step] = []
    let seconds: Int
    var language = Language.english
    /// The start of the newest day's row, and its change.
    let row: String
    var change = "+20000"
    /// What the line above says about the days; empty for nothing.
    var state = ""
  }

  private static let cases = [
    Case(testDescription: "new", seconds: 9, row: "2026-11-18 (Wed) now  134099000"),
    Case(testDescription: "silent", seconds: 42, row: "2026-11-18 (Wed) old  134099000", state: "days 40s old"),
    Case(
      testDescription: "a newer trade", steps: [.trade(40)], seconds: 42,
      row: "2026-11-18 (Wed) now  134600000", change: "+521000", state: "days 40s old"),
    Case(
      testDescription: "a newer trade that is old itself", steps: [.trade(20)], seconds: 42,
      row: "2026-11-18 (Wed) old  134600000", change: "+521000", state: "days 40s old"),
    Case(
      testDescription: "failing", steps: [.failure(60), .trade(119)], seconds: 121,
      row: "2026-11-18 (Wed) now  134600000", change: "+521000", state: "days: http-500, 2m old"),
    Case(
      testDescription: "Korean", steps: [.failure(60)], seconds: 121, language: .korean,
      row: "2026-11-18 (수) 지연   134099000", state: "일별: http-500, 2분 전"),
    Case(
      testDescription: "a trade of the next day", steps: [.trade(68_000)], seconds: 68_001,
      row: "2026-11-18 (Wed) old  134099000", state: "days 18h old"),
  ]

  private static func board(after steps: [Step]) -> PairBoard {
    let won = Pair(asset: "BTC", payment: "KRW")
    var board = PairBoard([SamplePairBoards.source("Upbit", "UP", won)])
    let days = SampleCandles.series(.oneDay, from: "2026-11-10T00:00:00Z", count: 9, price: 134_000_000, unit: 1000)
    board.take(.days(.success(CandleList(days.requested(at: now)))), at: now)
    for step in steps {
      switch step {
      case .trade(let seconds):
        let time = now.advanced(by: .seconds(seconds))
        let trade = Trade(time: time, price: 134_600_000, size: .value(1), side: .buy, id: "\(seconds)")
        board.take(.trades([trade]), at: time, isStreamed: true)
      case .failure(let seconds):
        let failure = AnswerFailure(.http(500))
        board.take(.days(.failure(failure)), at: now.advanced(by: .seconds(seconds)))
      }
    }
    return board
  }

  private static func scene(_ board: PairBoard, _ columns: Int, _ sample: Case) -> PairScene {
    SamplePairBoards.scene(board, columns: columns, sample.language, at: now.advanced(by: .seconds(sample.seconds)))
  }

  /// The running day has the newest price and is `now` only if that is; alone and beside the tape, the line above says
  /// how old the rest is.
  @Test(arguments: cases, [80, 170]) func runningDay(_ sample: Case, _ columns: Int) {
    let screen = TapeScreen(showsDays: columns < 100)
    let scene = Self.scene(Self.board(after: sample.steps), columns, sample)
    let lines = screen.texts(in: scene)
    #expect(lines[2].contains(sample.row), "\(lines[2])")
    if columns < 100 { #expect(lines[2].contains(sample.change), "\(lines[2])") }
    let word = sample.language("days", "일별")
    #expect(sample.state.isEmpty ? !lines[0].contains(word) : lines[0].contains(sample.state), "\(lines[0])")
  }

  /// A file has the close that is shown.
  @Test func savedDays() throws {
    let sample = Case(testDescription: "", steps: [.trade(40)], seconds: 42, row: "")
    let scene = Self.scene(Self.board(after: sample.steps), 80, sample)
    let saved = try #require(TapeScreen(showsDays: true).saved(as: .csv, scene))
    #expect(String(decoding: saved, as: UTF8.self).contains(",134600000,521000,"))
  }

  /// What does not fit in the days is named above them, and they are not said to begin at a midnight if they do not.
  @Test(
    arguments: [
      (0, 2, 1, "", "days from 00:00 UTC "), (0, -2, 1, "candle-shape", "days from 00:00 UTC "),
      (0, -2, 100, "candle-shape, candle-jump", "days from 00:00 UTC "), (-3600, 2, 1, "candle-grid", "days UTC "),
    ] as [(Int, Decimal, Decimal, String, String)], [80, 170])
  func doubtfulDays(
    _ sample: (shift: Int, volume: Decimal, lastFactor: Decimal, code: String, title: String), _ columns: Int
  ) {
    let clean = SampleCandles.series(.oneDay, from: "2026-11-10T00:00:00Z", count: 9)
    let candles = clean.candles.enumerated().map { place, day in
      let factor = place == 8 ? sample.lastFactor : 1
      return Candle(
        start: day.start.advanced(by: .seconds(sample.shift)), open: day.open * factor, high: day.high * factor,
        low: day.low * factor, close: day.close * factor,
        volume: place == 3 ? .value(sample.volume) : .missing(.notOffered), turnover: .missing(.notOffered))
    }
    var board = PairBoard([SamplePairBoards.source("Upbit", "UP")])
    let days = CandleList(CandleSeries(candles, on: clean.grid))
    board.take(.days(.success(days)), at: Self.now)
    let scene = Self.scene(board, columns, Case(testDescription: "", seconds: 0, row: ""))
    let lines = TapeScreen(showsDays: columns < 100).texts(in: scene)
    let ending = sample.code.isEmpty ? "" : ", \(sample.code)"
    if columns < 100 {
      #expect(lines[0] == "Upbit spot, loading\(ending)")
      #expect(lines[1].hasPrefix("  \(sample.title)"), "\(lines[1])")
    } else {
      #expect(lines[0].hasSuffix(" Upbit\(ending)"), "\(lines[0])")
      #expect(lines[1].contains("  \(sample.title)"), "\(lines[1])")
    }
  }

  /// Without any days, the reason stands in their place.
  @Test func neverArrived() {
    var board = PairBoard([SamplePairBoards.source("Upbit", "UP")])
    let sample = Case(testDescription: "", seconds: 0, row: "")
    let screen = TapeScreen(showsDays: true)
    #expect(screen.texts(in: Self.scene(board, 80, sample))[1] == "  loading")
    board.take(.days(.failure(AnswerFailure(.timeout))), at: Self.now)
    #expect(screen.texts(in: Self.scene(board, 80, sample))[1] == "  -  timeout")
  }
}
