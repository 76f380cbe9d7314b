import JSON
import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

@Suite struct CandlesReportTests {
  @Test func table() {
    let answers = [
      SampleResponses.candles("Binance", .oneHour, from: "2026-11-17T22:00:00Z", count: 8, missing: [2, 3, 5]),
      SampleResponses.failed("Luno", .notOffered),
    ]
    let report = CandlesReport(answers, at: SampleResponses.now, zone: .utc)
    Golden.expect(report.forms(widths: [80, 160]), matches: "candles.txt")
    #expect(
      report.notes == [
        "Binance spot: 3 intervals have no candle: 2 from 2026-11-18 00:00, 1 from 2026-11-18 03:00 (UTC)"
      ])
  }

  /// A built series says so, and so does one whose older pages are missing.
  @Test func shortfall() {
    let series = SampleCandles.series(.fiveMinutes, from: "2026-11-18T05:00:00Z", count: 3)
    let answer = PairAnswer(
      exchange: "KuCoin", market: .spot, pair: SampleResponses.pair,
      .success(series.built(on: CandleGrid(.tenMinutes), reachesBack: true)),
      shortfall: AnswerFailure(.timeout, "page 2"),
      notes: ["reaches back to 2026-11-18T05:00:00Z"])
    let report = CandlesReport([answer], at: SampleResponses.now, zone: .seoul)
    Golden.expect(report.forms(widths: [80]), matches: "candles-shortfall.txt")
    #expect([answer].failureLines(isVerbose: false) == ["KuCoin spot, in part: timeout (page 2)"])
  }

  /// Whatever the reason, and however many there are: what is missing of an answer is said.
  @Test func partialAnswers() {
    let series = SampleCandles.series(.fiveMinutes, from: "2026-11-18T05:00:00Z", count: 3)
    func answer(_ exchange: String, _ shortfall: AnswerFailure?) -> PairAnswer<CandleSeries> {
      PairAnswer(
        exchange: exchange, market: .spot, pair: SampleResponses.pair, .success(series), shortfall: shortfall, notes: []
      )
    }
    #expect(
      [answer("A", AnswerFailure(.notListed, "page 2"))].failureLines(isVerbose: false) == [
        "A spot, in part: not-listed (page 2)"
      ])
    let several = ["A", "B", "C"].map { answer($0, AnswerFailure(.notJSON)) }
    #expect(several.failureLines(isVerbose: false) == ["3 markets, in part: not-json (A, B, C; -v shows more)"])
    let absent = PairAnswer<CandleSeries>(
      exchange: "D", market: .spot, pair: SampleResponses.pair, .failure(AnswerFailure(.notListed)))
    #expect(absent.absenceLine == "D spot: not-listed" && answer("A", nil).absenceLine == nil)
    #expect([absent].failureLines(isVerbose: false) == [])
  }

  /// If no exchange answers, the doctor finds out why, unless recordings are asked.
  @Test(arguments: [true, false]) func noAnswers(isReplay: Bool) {
    let failed = ["A", "B", "C"].map { exchange in
      PairAnswer<CandleSeries>(
        exchange: exchange, market: .spot, pair: SampleResponses.pair, .failure(AnswerFailure(.notJSON)))
    }
    let hint = isReplay ? [] : ["no exchange answers; find out why with: market doctor --live"]
    #expect(
      failed.failureLines(isVerbose: false, isReplay: isReplay) == ["3 markets: not-json (A, B, C; -v shows more)"]
        + hint)
  }

  private static func chart(_ kind: String) -> ChartReport {
    let names = kind == "candles" ? ["업비트"] : ["Binance", "업비트", "Gopax"]
    let sources = names.enumerated().map { index, name in
      ChartReport.Source(
        SampleResponses.candles(
          name, .tenMinutes, from: "2026-11-17T21:00:00Z", count: 50, price: 91000 + Decimal(200 * index),
          missing: index == 0 ? [20, 21] : [], seed: UInt64(index + 4)),
        badge: ["BN", "UP", "GP"][index], rate: { _ in TimedRate(1, isContemporaneous: index != 1) })
    }
    let failed = ChartReport.Source(SampleResponses.failed("Luno <&>", .notOffered), badge: "LU")
    return ChartReport(
      kind == "candles" ? sources : sources + [failed], currency: "USDT",
      premium: kind == "premium" ? (of: 1, over: 0) : nil, identity: .standard,
      at: SampleResponses.now, zone: .seoul, rows: 19)
  }

  /// In Korean a chart is drawn alike, with other words above and below it.
  @Test(
    arguments: [
      (
        "candles",
        [
          0: "BTC/USDT 차트", 1: "UTC 2026-11-18 (수) 05:12:07",
          2: "업비트 현물 BTC/USDT  10분봉  48개 (2026-11-18 06:00 KST부터)", 3: "중간선을 그릴 자리 없음",
          4: "2026-11-18 14:10 KST  시가 91280  고가 91298.5  저가 91271  종가 91275  -0.01%",
          5: "중간값 91277.5  거래량 54 BTC  진행 중",
          -2: "업비트 현물: 봉 없는 구간 2개: 2026-11-18 09:20부터 2개 (KST)",
        ]
      ),
      (
        "premium",
        [
          0: "BTC/USDT 차트", 1: "UTC 2026-11-18 (수) 05:12:07", 2: "Luno <&> 현물 BTC/USDT  -  not-offered",
          4: "10분봉  50구간 (2026-11-18 06:00 KST부터)  USDT 환산",
          18: "업비트의 Binance 대비 프리미엄  +0.22 %  최고 +0.40 (12:40)  최저 -0.11 (07:50)",
          19: "평균 +0.15  현재 표시 구간의 58 %보다 높음",
          -3: "Binance 현물: 봉 없는 구간 2개: 2026-11-18 09:20부터 2개 (KST)",
          -2: "업비트 BTC/USDT: 모두 당시 환율이 아닌 최신 환율로 USDT 환산",
        ]
      ),
    ] as [(String, [Int: String])])
  func koreanCharts(_ kind: String, _ words: [Int: String]) {
    let report = Self.chart(kind)
    func lines(_ language: Language) -> [String] {
      report.text(on: Page(palette: .plain, width: 80, language: language)).split(
        separator: "\n", omittingEmptySubsequences: false
      ).map(String.init)
    }
    var expected = lines(.english)
    for (place, line) in words { expected[place < 0 ? expected.count + place : place] = line }
    #expect(lines(.korean) == expected)
  }

  /// A candle chart, lines, and a premium: on a terminal, and as SVG.
  @Test(arguments: ["candles", "lines", "premium"]) func charts(_ kind: String) throws {
    let report = Self.chart(kind)
    let texts = [80, 160].map { (width: Int) in "--- \(width) columns\n" + report.text(on: SampleResponses.page(width))
    }
    Golden.expect(texts.joined(), matches: "chart-\(kind).txt")
    let svg = report.svg(scheme: .kr)
    #expect(svg == report.svg(scheme: .kr))
    Golden.expect(String(decoding: svg, as: UTF8.self), matches: "chart-\(kind).svg")
    let lines = String(decoding: report.ndjson(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.contains("\"type\":\"premium\"") } == (kind == "premium" ? 48 : 0))
    for line in lines { _ = try JSONDocument(parsing: Array(line.utf8)) }
    _ = try JSONDocument(parsing: report.json())
  }

  /// A premium of prices in two currencies says what makes them comparable, in every form.
  @Test(
    arguments: [
      (.official, "at the latest official rate", "official"),
      (.token(Pair(asset: "USDT", payment: "KRW")), "by USDT/KRW", "USDT/KRW"), (nil, nil, nil),
    ] as [(ChartReport.RateBasis?, String?, String?)])
  func basisOfPremium(_ basis: ChartReport.RateBasis?, _ words: String?, _ code: String?) throws {
    let won = SampleResponses.candles("Upbit", .oneHour, from: "2026-11-17T00:00:00Z", count: 5, price: 91000)
    let local = PairAnswer(
      exchange: "Upbit", market: .spot, pair: Pair(asset: "BTC", payment: "KRW"), won.result, requests: won.requests)
    let dollars = SampleResponses.candles("Binance", .oneHour, from: "2026-11-17T00:00:00Z", count: 5, price: 91000)
    let report = ChartReport(
      [.init(local, badge: "UP", basis: basis), .init(dollars, badge: "BN")], currency: "USDT",
      premium: (of: 0, over: 1), identity: .standard, at: SampleResponses.now, zone: .utc, rows: 12)
    let line = "premium of Upbit over Binance  +0.00 %" + (words.map { "  \($0)" } ?? "") + "  high "
    #expect(report.text(on: SampleResponses.page(120)).contains(line))
    let title = "premium of Upbit over Binance" + (words.map { ", \($0)" } ?? "") + "<"
    #expect(String(decoding: report.svg(scheme: .us), as: UTF8.self).contains(title))
    #expect(try JSONDocument(parsing: report.json()).root["premium"]?["basis"]?.string == code)
  }

  /// There is no premium over what cannot be the same coin, and every form says why.
  @Test func premiumOverAnotherCoin() throws {
    let sources = [Decimal(91000), 91].enumerated().map { index, price in
      ChartReport.Source(
        SampleResponses.candles(
          ["Binance", "Luno"][index], .oneHour, from: "2026-11-17T00:00:00Z", count: 20, price: price, seed: 5),
        badge: ["BN", "LU"][index])
    }
    let report = ChartReport(
      sources, currency: "USDT", premium: (of: 0, over: 1), identity: .standard, at: SampleResponses.now, zone: .utc,
      rows: 12)
    let note = try #require(report.notes.last)
    #expect(note.hasPrefix("premium of Binance over Luno: 20 intervals left out, identity: price "))
    #expect(report.text(on: SampleResponses.page(80)).contains("premium of Binance over Luno  -  identity\n"))
    let premium = try #require(try JSONDocument(parsing: report.json()).root["premium"])
    #expect(premium["last"]?.kind == .null && premium["points"]?[0] == nil)
    #expect(premium["leftOut"]?["count"]?.numberText == "20")
    #expect(premium["leftOut"]?["reason"]?.string == "identity")
    #expect(String(decoding: report.csv(), as: UTF8.self) == "of,over,start,percent,rateOfItsTime,ofPair,overPair\r\n")
    let failed = ChartReport(
      [sources[0], .init(SampleResponses.failed("Luno", .notOffered), badge: "LU")], currency: "USDT",
      premium: (of: 0, over: 1), identity: .standard, at: SampleResponses.now, zone: .utc)
    #expect(try JSONDocument(parsing: failed.json()).root["premium"]?["reason"]?.string == "not-offered")
    #expect(premium["reason"]?.string == "identity")
    let lines = String(decoding: report.ndjson(), as: UTF8.self).split(separator: "\n")
    #expect(
      lines.filter { $0.contains("\"type\":\"premium\"") } == [
        "{\"type\":\"premium\",\"of\":\"Binance\",\"ofPair\":\"BTC/USDT\",\"over\":\"Luno\",\"overPair\":\"BTC/USDT\",\"start\":null,\"percent\":null,\"reason\":\"identity\"}"
      ])
  }

  /// Without an interval in common there is no premium, and every form says so.
  @Test func premiumWithoutCommonInterval() throws {
    let sources = ["2026-11-17T00:00:00Z", "2026-11-17T12:00:00Z"].enumerated().map { index, start in
      ChartReport.Source(
        SampleResponses.candles(["Binance", "Luno"][index], .oneHour, from: start, count: 6),
        badge: ["BN", "LU"][index])
    }
    let report = ChartReport(
      sources, currency: "USDT", premium: (of: 0, over: 1), identity: .standard, at: SampleResponses.now, zone: .utc,
      rows: 12)
    #expect(report.notes == ["premium of Binance over Luno: no interval has both prices"])
    // No room is kept for a chart of it.
    let title = "premium of Binance over Luno"
    let end = "\(title)  -  no-common-interval\n\(title): no interval has both prices\n"
    #expect(report.lacksPremium && report.text(on: SampleResponses.page(80)).hasSuffix(end))
    #expect(try JSONDocument(parsing: report.json()).root["premium"]?["reason"]?.string == "no-common-interval")
    #expect(String(decoding: report.ndjson(), as: UTF8.self).contains("\"reason\":\"no-common-interval\"}\n"))
  }

  /// A chart in percent and one of logarithms, of candles and of lines: on a terminal, and as SVG, whose titles name the
  /// scale. A candle without a place is counted.
  @Test(arguments: [ChartScale.percent, .log], [1, 2]) func scales(_ scale: ChartScale, _ count: Int) {
    let sources = (0..<count).map { index in
      ChartReport.Source(
        SampleResponses.candles(
          ["Binance", "Gopax"][index], .tenMinutes, from: "2026-11-17T21:00:00Z", count: 50,
          price: 91000 + Decimal(200 * index), seed: UInt64(index + 4)), badge: ["BN", "GP"][index])
    }
    let report = ChartReport(
      sources, currency: "USDT", identity: .standard, at: SampleResponses.now, zone: .seoul, rows: 19, scale: scale)
    let (name, words) = (
      "chart-\(scale.rawValue)-\(count)", scale == .log ? "logarithmic" : "in percent from the left edge"
    )
    let text = report.text(on: SampleResponses.page(80))
    #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words))
    Golden.expect(text, matches: name + ".txt")
    let svg = String(decoding: report.svg(scheme: .us), as: UTF8.self)
    #expect(svg.contains("\(words)</title>"))
    Golden.expect(svg, matches: name + ".svg")
  }

  /// A candle whose columns are mixed up is drawn as far as its prices reach, as on a terminal.
  @Test func mixedUpCandlesAreDrawnWhole() {
    func paths(_ high: Decimal, _ low: Decimal) -> [Substring] {
      let grid = CandleGrid(.oneHour, zoneSeconds: 0)
      let candles = [(high, low), (110, 90)].enumerated().map { hour, prices in
        Candle(
          start: grid.moment(hour, after: SampleCandles.moment("2026-11-01T00:00:00Z")), open: 110, high: prices.0,
          low: prices.1, close: 90, volume: .value(1), turnover: .missing(.notOffered))
      }
      let answer = PairAnswer(
        exchange: "Binance", market: .spot, pair: SampleResponses.pair, .success(CandleSeries(candles, on: grid)))
      let report = ChartReport(
        [.init(answer, badge: "BN")], currency: "USDT", identity: .standard, at: SampleResponses.now, zone: .utc)
      return String(decoding: report.svg(scheme: .us), as: UTF8.self).split(separator: "\n").filter {
        $0.contains("<path")
      }
    }
    #expect(paths(100, 105) == paths(110, 90))
  }

  /// A text counts those among the bars that it draws, a picture with room for all of them all.
  @Test(arguments: [(3, 1), (3, 2), (300, 1), (300, 2)]) func barsWithoutPlaceAreCounted(_ bars: Int, _ lines: Int) {
    let grid = CandleGrid(.oneHour)
    let candles = (0..<bars).map { 100 * $0 }.enumerated().map { hour, price in
      Candle(
        start: grid.moment(hour, after: SampleCandles.moment("2026-11-01T00:00:00Z")), open: Decimal(price),
        high: Decimal(price), low: Decimal(price), close: Decimal(price), volume: .value(1),
        turnover: .missing(.notOffered))
    }
    let answer = PairAnswer(
      exchange: "Binance", market: .spot, pair: SampleResponses.pair, .success(CandleSeries(candles, on: grid)))
    let sources = Array(repeating: ChartReport.Source(answer, badge: "BN"), count: lines)
    for (scale, isSaid) in [(ChartScale.price, false), (.percent, true), (.log, true)] {
      let report = ChartReport(
        sources, currency: "USDT", identity: .standard, at: SampleResponses.now, zone: .utc, scale: scale)
      let note = "\(lines.counted("bar")) not drawn: price not above zero"
      #expect(report.text(on: SampleResponses.page(80)).contains(note) == (isSaid && bars == 3))
      #expect(String(decoding: report.svg(scheme: .us), as: UTF8.self).contains(note) == isSaid)
    }
  }

  /// In percent, a line that begins later than the chart says from when its changes are.
  @Test(arguments: [ChartScale.price, .percent, .log]) func laterLinesHaveTheirBase(_ scale: ChartScale) {
    let starts = ["2026-11-18T00:00:00Z", "2026-11-18T03:00:00Z"]
    let sources = zip(["Binance", "Gate"], starts).enumerated().map { index, one in
      ChartReport.Source(
        SampleResponses.candles(one.0, .oneHour, from: one.1, count: 6 - 3 * index), badge: ["BN", "GT"][index])
    }
    let report = ChartReport(
      sources, currency: "USDT", identity: .standard, at: SampleResponses.now, zone: .utc, scale: scale)
    let text = report.text(on: SampleResponses.page(160))
    #expect(text.contains(" from 03:00") == (scale == .percent))
    #expect(!text.contains(" from 00:00"))
  }

  /// The data of a chart have the prices that are drawn: each at the rate of its own time, although the answer knows
  /// the latest rate as well.
  @Test func dataAreConvertedLikeTheLines() throws {
    var dollars = SampleResponses.candles("Binance", .oneHour, from: "2026-11-18T03:00:00Z", count: 2, price: 100)
    let dollar = Pair(asset: "USD", payment: "KRW")
    dollars.conversion = Conversion(
      from: "USDT", to: "KRW",
      by: RateReport(
        pair: dollar, moment: SampleResponses.now, quote: RateQuote(dollar, 9999, since: nil, provider: "Bank")),
      dollarTokens: ["USDT"], at: SampleResponses.now)
    let starts = dollars.value?.candles.map(\.start) ?? []
    let sources = [
      ChartReport.Source(dollars, badge: "BN") { $0 == starts.first ? TimedRate(1400) : nil },
      ChartReport.Source(SampleResponses.candles("Okx", .oneHour, from: "2026-11-18T03:00:00Z", count: 1), badge: "OK")
      {
        _ in TimedRate(1500)
      },
    ]
    let report = ChartReport(sources, currency: "KRW", identity: .standard, at: SampleResponses.now, zone: .utc)
    let close = try #require(dollars.value?.candles.first?.close)
    let expected = (close * 1400).shortest
    let json = try JSONDocument(parsing: report.json()).root
    #expect(json["lines"]?[0]?["points"]?[0]?["price"]?.string == expected)
    let candles = try #require(json["candles"]?["venues"]?[0]?["candles"])
    #expect(candles[0]?["converted"]?.string == expected)
    #expect(candles[0]?["rateOfItsTime"]?.kind == .true)
    #expect(candles[1]?["converted"]?.kind == .null && candles[1]?["rateOfItsTime"]?.kind == .null)
    // The latest rate is used nowhere.
    #expect(json["candles"]?["venues"]?[0]?["conversion"] == nil)
    #expect(candles[1]?["reasons"]?["converted"]?.string == "no-rate")
    let rows = String(decoding: report.csv(), as: UTF8.self).split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).suffix(4).joined(separator: ",")
    }
    #expect(rows.prefix(3) == ["inKRW,rateOfItsTime,reasons,product", "\(expected),true,,", ",,inKRW no-rate,"])
    #expect(rows.count == 4)
  }

  /// One exchange's candles are drawn in the requested currency; without a rate as sent, and with no other change.
  @Test(arguments: [(Decimal(1500), "KRW"), (nil, "USDT")])
  func inAnotherCurrency(_ rate: Decimal?, _ currency: String) {
    var answer = SampleResponses.candles("Binance", .oneHour, from: "2026-11-17T22:00:00Z", count: 8)
    let last = answer.value?.candles.last?.close ?? 0
    let dollar = Pair(asset: "USD", payment: "KRW")
    let quote = rate.map { RateQuote(dollar, $0, since: nil, provider: "Bank") }
    answer.conversion = Conversion(
      from: "USDT", to: "KRW", by: RateReport(pair: dollar, moment: SampleResponses.now, quote: quote),
      dollarTokens: ["USDT"], at: SampleResponses.now)
    let shown = (last * (rate ?? 1)).shortest
    let report = ChartReport(
      [.init(answer, badge: "BN") { _ in rate.map { TimedRate($0, isContemporaneous: false) } }], currency: "KRW",
      identity: .standard, at: SampleResponses.now, zone: .utc, rows: 12)
    let text = report.text(on: SampleResponses.page(100))
    #expect(text.contains("8 candles from 2026-11-17 22:00 UTC  in \(currency)\n"), "\(text)")
    #expect(text.contains(" close \(shown)") && text.contains("◂\(shown)"), "\(text)")
    let rates =
      rate == nil
      ? "in KRW: no rate for USD/KRW; USDT counted as one USD"
      : "in KRW at the latest rate, not the rate at the time: USD/KRW 1500.00, Bank; USDT counted as one USD"
    #expect(report.notes == [rates])
    let svg = String(decoding: report.svg(scheme: .us), as: UTF8.self)
    #expect(svg.contains("BTC/USDT Binance, 1h, in \(currency)</title>") && svg.contains("last \(shown) \(currency)."))
  }

  /// If there is nothing to draw, the report says so, with the reason.
  @Test func empty() {
    let report = ChartReport(
      [.init(SampleResponses.failed("Luno", .notOffered), badge: "LU")], currency: "USDT", identity: .standard,
      at: SampleResponses.now,
      zone: .utc)
    #expect(report.isEmpty)
    #expect(report.text(on: SampleResponses.page(80)).hasSuffix("Luno spot BTC/USDT  -  not-offered\n"))
  }

  /// No size traps.
  @Test func noSizeTraps() {
    let sources = ["Binance", "Upbit"].map { name in
      ChartReport.Source(
        SampleResponses.candles(name, .oneHour, from: "2026-11-17T00:00:00Z", count: 30), badge: String(name.prefix(2)))
    }
    for width in Array(1...30) + [79, 200] {
      for rows in [0, 1, 2, 3, 5, 12, 40] {
        for kind in ["candles", "lines", "premium"] {
          let report = ChartReport(
            kind == "candles" ? Array(sources.prefix(1)) : sources, currency: "USDT",
            premium: kind == "premium" ? (of: 0, over: 1) : nil, identity: .standard, at: SampleResponses.now,
            zone: .utc, rows: rows)
          #expect(!report.text(on: SampleResponses.page(width)).isEmpty)
        }
      }
    }
  }
}
