import MarketData
import Quotes
import Terminal
import Testing

@testable import Views

/// What the keys `x` and `Y` save and copy of the live screens of one pair.
@Suite struct SavedScreenTests {
  private static func files(_ effects: [PairEffect]) -> [SavedView] {
    effects.compactMap { if case .save(let file) = $0 { file } else { nil } }
  }

  private static func saved(_ effects: [PairEffect]) -> [String] {
    files(effects).map { file in
      let text = String(decoding: file.bytes, as: UTF8.self)
      return "\(file.subject).\(file.form.rawValue) \(text.prefix { !$0.isNewline }.prefix(36))"
    }
  }

  /// `x` asks for the format, which the next key selects; any other key cancels.
  @Test(arguments: [
    ([Key]("xt"), ["chart-BTC-USDT.txt BTC/USDT  Bitcoin  Binance 91430    "]),
    ([Key]("xs"), ["chart-BTC-USDT.svg <svg xmlns=\"http://www.w3.org/2000/s"]),
    ([Key]("xc"), ["chart-BTC-USDT.csv exchange,market,pair,interval,start,"]),
    ([Key]("xj"), ["chart-BTC-USDT.json {"]),
    ([Key]("xㅊ"), ["chart-BTC-USDT.csv exchange,market,pair,interval,start,"]), ([Key]("xq"), []),
    ([Key]("x") + [Key(.escape)], []), ([Key]("x?"), []),
  ])
  func savesAChart(_ keys: [Key], _ expected: [String]) {
    let (view, effects) = SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), keys)
    #expect(Self.saved(effects) == expected)
    #expect(!effects.contains(.quit) && !view.isLineOpen)
  }

  /// A chart without a bar has nothing for a file but its reasons.
  @Test(arguments: [
    ("xs", []), ("xc", []), ("xj", ["chart-BTC-USDT.json {"]),
    ("xt", ["chart-BTC-USDT.txt BTC/USDT  Bitcoin  Binance -        "]),
  ])
  func savesNoEmptyChart(_ keys: String, _ expected: [String]) throws {
    let (view, effects) = SamplePairBoards.view(SamplePairBoards.candles(1, bars: 0), CandleScreen(), [Key](keys))
    #expect(Self.saved(effects) == expected)
    #expect(view.text().contains("nothing to save yet") == expected.isEmpty)
  }

  @Test func savesBooksAndTrades() {
    let book = SamplePairBoards.view(SamplePairBoards.books(), BookScreen(), [Key]("xsxc")).effects
    #expect(Self.saved(book) == ["orderbook-BTC-USDT.csv exchange,market,pair,side,level,pric"])
    let tape = SamplePairBoards.view(SamplePairBoards.tapes(1), TapeScreen(), [Key]("xc") + [Key(.tab)] + [Key]("xc"))
      .effects
    #expect(
      Self.saved(tape) == [
        "trades-BTC-KRW.csv exchange,market,pair,time,price,size",
        "trades-BTC-KRW.csv exchange,market,pair,date,start,clos",
      ])
  }

  /// What is on the screen is saved to the file, and nothing else: `49 bars from 2026-11-16 12:00 UTC`.
  @Test(arguments: ["++++HH", "----", "++++ ", "HHw", "-----w "]) func onlyTheVisibleChartIsSaved(_ keys: String) throws
  {
    let (view, effects) = SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), [Key](keys) + [Key]("xc"))
    let saved = try #require(Self.files(effects).first)
    let lines = String(decoding: saved.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let series = try #require(view.board.sources.first?.candles)
    let picture = view.text()
    #expect(picture.contains(" \(lines.count - 1) bars from "), "\(picture)")
    #expect(lines.count - 1 <= series.candles.count)
    let end = try #require(view.screen.end ?? series.candles.last?.start)
    #expect(lines.last?.contains(end.iso8601) == true)
  }

  /// The values shown at the crosshair are those of that bar in the file.
  @Test func crosshairValuesMatchTheFile() throws {
    let (view, effects) = SamplePairBoards.view(SamplePairBoards.candles(1), CandleScreen(), [Key]("hhhxc"))
    let hair = try #require(view.screen.hair)
    let saved = try #require(Self.files(effects).first)
    let lines = String(decoding: saved.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let titles = try #require(lines.first).split(separator: ",", omittingEmptySubsequences: false)
    let row = try #require(lines.first { $0.contains(hair.iso8601) })
      .split(separator: ",", omittingEmptySubsequences: false)
    let picture = view.text()
    for name in ["open", "high", "low", "close", "volume"] {
      let place = try #require(titles.firstIndex { $0 == name })
      let value = try #require(Decimal(String(row[place])))
      #expect(picture.contains("\(name) \(value.shortest)"))
    }
  }

  @Test func copiesTheScreen() {
    let (view, effects) = SamplePairBoards.view(SamplePairBoards.tapes(1), TapeScreen(), ["Y"])
    guard case .copy(let text)? = effects.first else {
      Issue.record("nothing copied")
      return
    }
    #expect(text.hasPrefix("BTC/KRW"))
    #expect(view.text().contains("copied the screen"))
  }
}
