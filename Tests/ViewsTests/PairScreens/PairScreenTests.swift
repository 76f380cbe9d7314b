import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// Whole live screens of one pair, drawn from made-up answers.
@Suite struct PairScreenTests {
  /// A screen whose kind does not matter to a test.
  struct Picture: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The frame at a size, after the keys were pressed there.
    let frame: @Sendable (_ size: ScreenSize, _ language: Language) -> WatchFrame

    init(
      _ name: String, _ board: PairBoard, _ screen: some LivePairScreen, keys: [Key] = [], later seconds: Int = 0,
      zone: ClockZone = .seoul
    ) {
      testDescription = name
      frame = { size, language in
        var view = PairView(board, screen, MadeUpPairs.settings(language, zone: zone))
        for key in keys { _ = view.press(key, size, at: MadeUpPairs.now) }
        return view.frame(in: size, at: MadeUpPairs.now.advanced(by: .seconds(seconds)))
      }
    }
  }

  static let pictures = [
    Picture("book", MadeUpPairs.books(1), BookScreen()),
    Picture("books", MadeUpPairs.books(), BookScreen(order: Decimal("0.1"))),
    Picture("books-step", MadeUpPairs.books(), BookScreen(), keys: ["+", "+", "o"]),
    Picture("book-size", MadeUpPairs.books(1), BookScreen(), keys: ["z", "5", ",", "x", Key(.enter)]),
    Picture("book-failed", MadeUpPairs.failed(.timeout, MadeUpPairs.books(1), retry: 5), BookScreen(), later: 42),
    Picture("book-loading", PairBoard([MadeUpPairs.source("Binance", "BN")]), BookScreen()),
    Picture("tape", MadeUpPairs.tapes(1), TapeScreen()),
    Picture("tapes", MadeUpPairs.tapes(), TapeScreen(), keys: ["j", "j", " "], later: 31),
    Picture("days", MadeUpPairs.tapes(1), TapeScreen(), keys: [Key(.tab)]),
    Picture("candles", MadeUpPairs.candles(1, shortfall: .notOffered), CandleScreen()),
    Picture("candles-hair", MadeUpPairs.candles(1), CandleScreen(), keys: ["+", "h", "h", "h", "h"]),
    Picture("candles-back", MadeUpPairs.candles(1), CandleScreen(), keys: ["-", "H", "H", "H", "H", "H", "H", "H"]),
    Picture("lines", MadeUpPairs.candles(), CandleScreen(), zone: .utc),
    Picture("premium", rated(MadeUpPairs.candles()), CandleScreen(showsPremium: true), keys: ["h", "h"], zone: .utc),
    Picture("premium-apart", MadeUpPairs.apart(candles: true), CandleScreen(showsPremium: true), zone: .utc),
    Picture("books-apart", MadeUpPairs.apart(candles: false), BookScreen(order: Decimal("0.1"))),
    Picture("candles-won", rated(MadeUpPairs.candles(1)), CandleScreen(), keys: ["w"]),
    Picture("candles-unrated", MadeUpPairs.candles(1), CandleScreen(), keys: ["w"]),
    Picture("lines-won", rated(MadeUpPairs.candles()), CandleScreen(), keys: ["w"], zone: .utc),
    Picture("save", MadeUpPairs.candles(1), CandleScreen(), keys: ["x"]),
    Picture("help", MadeUpPairs.candles(), CandleScreen(), keys: ["?"]),
  ]

  /// With a rate of the dollar in won.
  private static func rated(_ board: PairBoard) -> PairBoard {
    var board = board
    let pair = Pair(asset: "USD", payment: "KRW")
    let quote = RateQuote(pair, Decimal("1461.5") ?? 1, since: nil, provider: "Dunamu")
    board.take(
      PairEvent(
        source: 0, .rate(RateReport(pair: pair, moment: MadeUpPairs.now, quote: quote)), arrival: MadeUpPairs.now))
    return board
  }

  @Test(arguments: pictures, [(60, 20), (80, 24), (160, 50)])
  func golden(_ picture: Picture, _ size: (Int, Int)) {
    for language in Language.allCases {
      let frame = picture.frame(ScreenSize(columns: size.0, rows: size.1), language)
      let cursor = frame.cursor.map { "cursor \($0.row) \($0.column)\n" } ?? ""
      Golden.expect(
        frame.text(with: .plain) + cursor,
        matches: "\(picture.testDescription)-\(size.0)x\(size.1)-\(language.rawValue).txt")
    }
  }

  /// Whatever the size: as many lines as it has rows, none wider than it.
  @Test(arguments: pictures) func everySize(_ picture: Picture) {
    for columns in Array(1...41) + Array(stride(from: 42, through: 200, by: 7)) {
      for rows in [1, 2, 7, 8, 9, 11, 16, 24, 60] {
        let frame = picture.frame(ScreenSize(columns: columns, rows: rows), columns % 2 == 0 ? .english : .korean)
        #expect(frame.lines.count == rows, "\(columns)x\(rows)")
        let widest = frame.lines.map(\.width).max() ?? 0
        #expect(widest <= columns, "\(columns)x\(rows)")
      }
    }
  }
}
