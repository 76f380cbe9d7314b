import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import Testing

/// Candles of an exchange that pages, fails, repeats itself or knows the pair by another name.
@Suite struct CandleAskingTests {
  private static func config(_ block: String, market: String = "") -> String {
    #"""
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.test"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
      "fields": { "price": "$.p" }, "success": { "where": [{ "path": "$.error", "is": "absent" }], "unlisted": [{ "path": "$.error", "equals": "unknown" }] },
      "markets": { "spot": { \#(market) "tickers": { "request": { "path": "/all" } },
        "candles": { \#(block), "rows": "$[*]",
          "fields": { "time": { "path": "$[0]", "unit": "s" }, "open": "$[1]", "high": "$[2]", "low": "$[3]", "close": "$[4]" } },
        "trades": { "request": { "path": "/trades/{symbol}" }, "rows": "$[*]",
          "fields": { "price": "$.p", "size": "$.q", "time": { "path": "$.t", "unit": "s" } } } } } } } }
    """#
  }

  private static let windows =
    #""request": { "path": "/c", "query": { "s": "{asset}-{payment}", "i": "{interval}", "from": "{from.s}", "to": "{to.s}" } }, "count": 4, "intervals": { "5m": "5" }"#

  /// 1,000,000,200 seconds are on the five-minute grid.
  private static let now = Instant(nanoseconds: 1_000_000_320 * 1_000_000_000)

  private static func row(_ start: Int) -> String { "[\(start),\"1\",\"2\",\"1\",\"2\"]" }

  private func candles(
    _ config: String, interval: CandleInterval = .fiveMinutes, zoneSeconds: Int? = nil, asset: String = "BTC",
    newest: Int = 6, headers: [HTTPHeader] = [],
    answering answer: @escaping @Sendable (_ url: String, _ number: Int) -> (Int, String)
  ) async throws -> (answer: PairAnswer<CandleList>, asked: [String]) {
    let urls = Mutex<[String]>([])
    let exchanges = try StubExchanges(config: config)
    let found = try await exchanges.candles(
      of: Pair(asset: asset, payment: "USDT"), interval, zoneSeconds: zoneSeconds, newest: newest, now: Self.now,
      headers: headers
    ) { url in
      let number = urls.withLock { urls in
        urls.append(String(url.dropFirst("https://alpha.test".count)))
        return urls.count
      }
      let (status, body) = answer(url, number)
      return .success((status, Array(body.utf8)))
    }
    return (found, urls.withLock { $0 })
  }

  private static func starts(_ answer: PairAnswer<CandleList>) -> [Int64] {
    (answer.value?.series.candles ?? []).map { ($0.start.nanoseconds / 1_000_000_000) - 1_000_000_000 }
  }

  private static func window(_ url: String) -> [Int] {
    func value(_ name: String) -> Int {
      url.split(separator: "\(name)=").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }
    let (from, to) = (value("from"), value("to"))
    return Array(stride(from: from, through: to, by: 300))
  }

  @Test func pagesOverlapByOne() async throws {
    let (answer, asked) = try await candles(Self.config(Self.windows)) { url, _ in
      (200, "[\(Self.window(url).map(Self.row).joined(separator: ","))]")
    }
    #expect(Self.starts(answer) == [-1300, -1000, -700, -400, -100, 200].map { Int64($0) })
    #expect(
      asked == [
        "/c?s=BTC-USDT&i=5&from=999999300&to=1000000320", "/c?s=BTC-USDT&i=5&from=999998400&to=999999599",
      ])
    #expect(answer.value?.shortfall == nil)
  }

  /// The newer candles are returned, with how far they reach.
  @Test func failingOlderPageEndsPaging() async throws {
    let (answer, asked) = try await candles(Self.config(Self.windows), newest: 12) { url, number in
      number == 1 ? (200, "[\(Self.window(url).map(Self.row).joined(separator: ","))]") : (500, "{}")
    }
    #expect(Self.starts(answer) == [-700, -400, -100, 200].map { Int64($0) })
    guard case .page(let failure)? = answer.value?.shortfall else {
      Issue.record("no shortfall")
      return
    }
    #expect(failure.reason.code == "http-500")
    #expect(asked.count == 2)
  }

  @Test func failingNewestPageIsTheFailure() async throws {
    let (answer, _) = try await candles(Self.config(Self.windows)) { _, _ in (500, "{}") }
    #expect(answer.failure?.reason.code == "http-500")
  }

  /// An exchange that ignores the span always sends its newest candles: no endless paging, no duplicate rows.
  @Test func ignoredSpanDoesNotPageForever() async throws {
    let (answer, asked) = try await candles(Self.config(Self.windows), newest: 60) { _, _ in
      (200, "[\([1_000_000_200, 999_999_900].map(Self.row).joined(separator: ","))]")
    }
    #expect(Self.starts(answer) == [-100, 200].map { Int64($0) })
    #expect(answer.value?.shortfall == .notOffered)
    #expect(asked.count == 2)
  }

  private static let daily = windows.replacing(#""path": "/c""#, with: #""path": "/c/{from:yyyyMMdd}""#)
    .replacing(#", "from": "{from.s}", "to": "{to.s}""#, with: "")

  /// Where each day has a file, a pair without trades of today has none, and none from before it was listed.
  /// After five, older ones are not asked for, but the table of all pairs.
  @Test(arguments: [(6, 7, nil), (5, 12, nil), (3, 11, "not-listed"), (0, 8, "not-listed")] as [(Int, Int, String?)])
  func daysWithoutFiles(_ empty: Int, _ requests: Int, _ shortfall: String?) async throws {
    // Eleven days.
    let (answer, asked) = try await candles(Self.config(Self.daily), newest: 3000) { _, number in
      let isKnown = number == empty + 1 || number == empty + 2
      return (200, isKnown ? "[\(Self.row(1_000_000_200 - 86_400 * (number - 1)))]" : #"{"error": "unknown"}"#)
    }
    #expect(answer.failure?.reason.code == (empty > 5 ? "not-listed" : nil))
    #expect(answer.value?.series.candles.count == (empty > 5 ? nil : 2))
    let reason: Missing? = if case .page(let failure)? = answer.value?.shortfall { failure.reason } else { nil }
    #expect(reason?.code == shortfall)
    #expect(asked.count == requests)
  }

  /// A day without a file has no candles of a pair that the table of all pairs has.
  @Test(arguments: [("BTC", "empty-answer"), ("NOPE", "not-listed")])
  func onlyDayHasNoFile(_ asset: String, _ reason: String) async throws {
    let (answer, asked) = try await candles(Self.config(Self.daily), asset: asset, newest: 1) { url, _ in
      (200, url.hasSuffix("/all") ? #"[{"s": "BTC-USDT", "p": "2"}]"# : #"{"error": "unknown"}"#)
    }
    #expect(answer.failure?.reason.code == reason)
    #expect(asked == ["/c/20010909?s=\(asset)-USDT&i=5", "/all"])
  }

  /// A request without an end, for a time without trades, is answered with the candles after it.
  @Test func pauseLongerThanAPage() async throws {
    let open = Self.windows.replacing(#", "to": "{to.s}""#, with: "")
    let known = [999_997_200, 1_000_000_200]
    let (answer, asked) = try await candles(Self.config(open), newest: 12) { url, _ in
      let from = Self.window(url + "&to=1000000500").first ?? 0
      return (200, "[\(known.filter { $0 >= from }.prefix(4).map(Self.row).joined(separator: ","))]")
    }
    #expect(Self.starts(answer) == [-2800, 200].map { Int64($0) })
    #expect(answer.value?.shortfall == nil)
    #expect(asked.count == 4)
    // One that ignores the time altogether is not asked for ever.
    let (same, again) = try await candles(Self.config(open), newest: 60) { _, _ in
      (200, "[\([1_000_000_200, 999_999_900].map(Self.row).joined(separator: ","))]")
    }
    let reason = AnswerFailure(.emptyAnswer, "6 answers in a row had nothing older")
    #expect(same.value?.shortfall == .page(reason))
    #expect(again.count == 7)
  }

  /// The candle before a pause, which two pages share, is not the oldest.
  @Test func pauseBeginsWithSharedCandle() async throws {
    let open = Self.windows.replacing(#", "to": "{to.s}""#, with: "")
    let known = [999_995_700, 999_999_300, 999_999_600, 999_999_900, 1_000_000_200]
    let (answer, _) = try await candles(Self.config(open), newest: 16) { url, _ in
      let from = Self.window(url + "&to=1000000500").first ?? 0
      return (200, "[\(known.filter { $0 >= from }.prefix(4).map(Self.row).joined(separator: ","))]")
    }
    #expect(Self.starts(answer) == known.map { Int64($0) - 1_000_000_000 })
    #expect(answer.value?.shortfall == nil)
  }

  /// Rows that cannot be read took part in an answer that was full.
  @Test func unreadableRowsCountAsHeld() async throws {
    let single = Self.windows.replacing(#", "from": "{from.s}", "to": "{to.s}""#, with: "")
    let (answer, _) = try await candles(Self.config(single), newest: 6) { _, _ in
      let rows = [999_999_900, 1_000_000_200].map(Self.row)
      return (200, "[[999999300,null,null,null,null],[999999600,null,null,null,null],\(rows.joined(separator: ","))]")
    }
    #expect(answer.value?.shortfall == .notOffered)
  }

  /// An answer that could have held more begins with the pair's first candle; a full one may not.
  @Test(arguments: [(4, CandleList.Shortfall?.none), (3, .notOffered)])
  func firstCandleOfAnExchangeWithoutPages(_ most: Int, _ shortfall: CandleList.Shortfall?) async throws {
    let single = Self.windows.replacing(#", "from": "{from.s}", "to": "{to.s}""#, with: "")
      .replacing(#""count": 4"#, with: #""count": \#(most)"#)
    let (answer, _) = try await candles(Self.config(single), newest: 6) { _, _ in
      (200, "[\([999_999_900, 1_000_000_200].map(Self.row).joined(separator: ","))]")
    }
    #expect(Self.starts(answer) == [-100, 200].map { Int64($0) })
    #expect(answer.value?.shortfall == shortfall)
  }

  /// Two candles with the same start in one response are reported if they differ.
  @Test func candlesWithSameStart() async throws {
    let (answer, _) = try await candles(Self.config(Self.windows), newest: 3) { url, _ in
      let rows = Self.window(url).map(Self.row)
      return (200, "[\((rows + [rows[1].replacing("\"2\"", with: "\"3\"")]).joined(separator: ","))]")
    }
    #expect(answer.value?.contradiction != nil)
  }

  /// Pages share a candle: if it had ended long before, and opens at two prices, one of them is of something else.
  @Test(arguments: [false, true]) func pagesContradictEachOther(_ doContradict: Bool) async throws {
    let (answer, _) = try await candles(Self.config(Self.windows), newest: 6) { url, number in
      let rows = Self.window(url).map(Self.row)
      return (
        200,
        "[\((doContradict && number > 1 ? rows.map { $0.replacing("\"1\"", with: "\"2\"") } : rows).joined(separator: ","))]"
      )
    }
    let findings = answer.value?.findings(arrival: Self.now) ?? []
    #expect(
      findings.filter { $0.kind == .candleTwice }.map(\.message)
        == (doContradict
          ? [
            "two candles start at 2001-09-09T01:35:00Z and differ: low 2 and 1 (1 of 6): are rows of another pair, market or interval mixed in?"
          ] : []))
    // That of the newer page is kept.
    #expect(
      answer.value?.series.candles.map { $0.open.shortest } == (doContradict ? ["2", "2"] : ["1", "1"]) + [
        "1", "1", "1", "1",
      ])
  }

  /// Whatever was received is checked, not only the few candles that were requested, and in units of the asset.
  @Test(arguments: [.fiveMinutes, .tenMinutes] as [CandleInterval])
  func everythingReceivedIsChecked(_ interval: CandleInterval) async throws {
    let hours = (0..<12).map { Self.row(1_000_000_200 - 3600 * $0) }
    let (answer, _) = try await candles(Self.config(Self.backwards), interval: interval, newest: 2) { _, _ in
      (200, "[\(hours.joined(separator: ","))]")
    }
    #expect(answer.value?.series.candles.count == 1)
    #expect(
      answer.value?.findings(arrival: Self.now).filter { $0.kind != .candleTime }.map(\.message) == [
        "12 5m candles start multiples of 3600 s apart: check the name configured for this interval, and the unit of the time"
      ])
  }

  /// Every candle is one interval late: one that has not begun reveals this, and is in no series.
  @Test func endTimesReadAsStartTimes() async throws {
    let (answer, _) = try await candles(Self.config(Self.windows), newest: 3) { url, _ in
      (200, "[\(Self.window(url).map { Self.row($0 + 300) }.joined(separator: ","))]")
    }
    #expect(Self.starts(answer) == [-400, -100, 200])
    #expect(answer.value?.future == Instant(nanoseconds: 1_000_000_500 * 1_000_000_000))
    #expect(answer.value?.tail == nil)
  }

  /// Past intervals without a candle are reported; the running one need not have a candle.
  @Test(arguments: [(0, nil), (1, nil), (2, 1), (3, 2)] as [(Int, Int?)])
  func missingNewestCandlesAreReported(_ lacking: Int, _ count: Int?) async throws {
    let (answer, _) = try await candles(Self.config(Self.windows), newest: 4) { url, _ in
      (200, "[\(Self.window(url).dropLast(lacking).map(Self.row).joined(separator: ","))]")
    }
    #expect(answer.value?.tail?.count == count)
    #expect(answer.value?.wantedStart == Instant(nanoseconds: 999_999_300 * 1_000_000_000))
  }

  @Test func spanOfTooManyRequestsIsRefused() async throws {
    let (answer, asked) = try await candles(Self.config(Self.windows), newest: 1000) { _, _ in (200, "[]") }
    #expect(answer.failure?.reason.code == "no-answer too-many-requests")
    #expect(answer.failure?.message == "it would take 334 requests; the maximum is 100")
    #expect(asked.isEmpty)
  }

  private static let backwards =
    #""request": { "path": "/c", "query": { "s": "{asset}-{payment}", "to": "{to.s}" } }, "intervals": { "5m": "5" }"#

  /// If the number of candles per response is unknown, requests are counted on the way, and missing ones are reported.
  @Test func omittedPagesAreReported() async throws {
    let (answer, asked) = try await candles(Self.config(Self.backwards), newest: 500) { url, _ in
      let to = url.split(separator: "to=").last.flatMap { Int($0) } ?? 0
      return (200, "[\(Self.row((to + 100) / 300 * 300 - 100))]")
    }
    #expect(asked.count == 100)
    guard case .page(let failure)? = answer.value?.shortfall else {
      Issue.record("no shortfall")
      return
    }
    #expect(failure.reason.code == "no-answer too-many-requests")
  }

  @Test func unofferedIntervalIsBuilt() async throws {
    let (answer, _) = try await candles(Self.config(Self.windows), interval: .tenMinutes, newest: 2) { url, _ in
      (200, "[\(Self.window(url).map(Self.row).joined(separator: ","))]")
    }
    #expect(Self.starts(answer) == [-400, 200].map { Int64($0) })
    #expect(answer.value?.series.source == .fiveMinutes)
  }

  /// A clock that is ahead ends no candle that is still running by the exchange's, with the second of its `Date`. One
  /// that is behind, as the next candle shows, keeps none running that had ended by that, unless parts of it were not
  /// requested, or the answer was made before its date.
  @Test(
    arguments: [
      ("01:52:00", nil, false, 5, [true, false]), ("01:49:59", nil, false, 5, [true, false]),
      ("01:49:58", nil, false, 5, [false, false]), ("01:54:59", nil, true, 5, [true, false]),
      ("01:55:00", nil, true, 5, [true, true]), ("01:59:00", nil, true, 5, [true, true]),
      ("01:59:00", nil, false, 5, [true, false]), ("01:59:00", "0", true, 5, [true, true]),
      ("01:59:00", "1", true, 5, [true, false]), ("01:52:00", nil, true, 5, [true, false]),
      ("02:01:00", nil, true, 10, [true, false]), ("later", nil, false, 5, [true, false]),
    ] as [(String, String?, Bool, Int, [Bool])])
  func exchangesClockEndsCandles(
    _ time: String, _ age: String?, _ hasNext: Bool, _ minutes: Int, _ complete: [Bool]
  ) async throws {
    var headers = [HTTPHeader(name: "Date", value: "Sun, 09 Sep 2001 \(time) GMT")]
    if let age { headers.append(HTTPHeader(name: "Age", value: age)) }
    let (answer, _) = try await candles(
      Self.config(Self.windows), interval: minutes == 5 ? .fiveMinutes : .tenMinutes, newest: 2, headers: headers
    ) { url, number in
      let next = hasNext && number == 1 ? [1_000_000_500] : []
      return (200, "[\((Self.window(url) + next).map(Self.row).joined(separator: ","))]")
    }
    // Only a clock that is known to be behind explains the next candle.
    let isExplained = time > "01:52:00" && age != "1"
    #expect((answer.value?.future != nil) == (hasNext && !isExplained))
    let series = try #require(answer.value).series
    #expect(series.candles.map { series.isComplete($0, at: Self.now) } == complete)
  }

  /// Findings about the smaller candles are reported for the built ones, which do not reveal them.
  @Test func sourceCandlesAreChecked() async throws {
    let (answer, _) = try await candles(Self.config(Self.windows), interval: .tenMinutes, newest: 2) { url, _ in
      (200, "[\(Self.window(url).map { Self.row($0 - 120) }.joined(separator: ","))]")
    }
    let findings = answer.value?.findings(arrival: Self.now) ?? []
    let grid = findings.filter { $0.kind == .candleGrid }
    #expect(grid.map(\.fact.description) == ["a 5m candle starts at 2001-09-09T01:33:00Z"])
  }

  /// A part that has not begun does not belong to the running candle.
  @Test func futurePartsAreLeftOutOfBuiltCandles() async throws {
    let (answer, _) = try await candles(Self.config(Self.windows), interval: .tenMinutes, newest: 1) { url, _ in
      let rows = Self.window(url).filter { $0 <= 1_000_000_200 }.map(Self.row)
      return (200, "[\((rows + ["[1000000500,\"1\",\"9\",\"1\",\"2\"]"]).joined(separator: ","))]")
    }
    #expect(answer.value?.series.candles.map(\.high) == [2])
    #expect(answer.value?.future == Instant(nanoseconds: 1_000_000_500 * 1_000_000_000))
  }

  /// A page that fails does not matter if another one brought its candles.
  @Test func failedPageIsNoShortfallIfNothingIsMissing() async throws {
    let all = (-11...0).map { Self.row(1_000_000_200 + 300 * $0) }.joined(separator: ",")
    let (answer, asked) = try await candles(Self.config(Self.windows), newest: 12) { _, number in
      number == 1 ? (200, "[\(all)]") : (500, "{}")
    }
    #expect(answer.value?.series.candles.count == 12)
    #expect(answer.value?.shortfall == nil)
    #expect(asked.count == 2)
  }

  /// In a given zone weeks begin on Mondays, whatever the exchange's own day, if it has days to build them from.
  @Test func weeksOfAZoneAreBuilt() async throws {
    let config = Self.config(Self.windows.replacing(#""5m": "5""#, with: #""1d": "d", "1w": "w""#))
    let (answer, _) = try await candles(config, interval: .oneWeek, zoneSeconds: 0, newest: 2) { url, _ in
      #expect(url.contains("i=d&"))
      return (200, "[\(Self.window(url).filter { $0 % 86_400 == 0 }.map(Self.row).joined(separator: ","))]")
    }
    let series = try #require(answer.value).series
    #expect(series.source == .oneDay)
    // 2001-09-03 was a Monday, as was 2001-08-27.
    #expect(series.candles.map(\.start.iso8601) == ["2001-08-27T00:00:00Z", "2001-09-03T00:00:00Z"])
  }

  /// Weeks begin on the exchange's own day, here Sunday.
  @Test(arguments: [1, 2, 5]) func weeksBeginOnTheExchangesDay(_ newest: Int) async throws {
    let config = Self.config(Self.windows.replacing(#""5m": "5""#, with: #""1w": "w""#))
    let week = 604_800
    // 2001-09-09 was a Sunday.
    let running = 999_993_600
    let (answer, _) = try await candles(config, interval: .oneWeek, newest: newest) { url, _ in
      let window = Self.window(url)
      let starts = (-20...0).map { running + $0 * week }.filter { (window[0]...(window.last ?? 0)).contains($0) }
      return (200, "[\(starts.map(Self.row).joined(separator: ","))]")
    }
    #expect(Self.starts(answer) == (1 - newest...0).map { Int64(running + $0 * week - 1_000_000_000) })
    #expect(answer.value?.wantedStart == answer.value?.series.candles.first?.start)
    #expect(answer.value?.tail == nil)
    #expect(answer.value?.series.grid.weekday == .sunday)
  }

  /// Ten-minute intervals begin at the same moments in most time zones, but not all.
  @Test(arguments: [(0, nil), (32_400, nil), (20_700, .fiveMinutes)] as [(Int, CandleInterval?)])
  func otherTimeZoneIsNotAnotherInterval(_ zone: Int, _ source: CandleInterval?) async throws {
    let config = Self.config(Self.windows.replacing("\"5m\": \"5\"", with: "\"5m\": \"5\", \"10m\": \"10\""))
    let (answer, _) = try await candles(config, interval: .tenMinutes, zoneSeconds: zone, newest: 2) { url, _ in
      let step = url.contains("i=10") ? 600 : 300
      return (200, "[\(Self.window(url).filter { $0 % step == 0 }.map(Self.row).joined(separator: ","))]")
    }
    #expect(Self.starts(answer) == (source == nil ? [-400, 200] : [-700, -100]))
    #expect(answer.value?.series.source == source)
    #expect(answer.value?.series.grid.zoneSeconds == zone)
  }

  @Test func unbuildableIntervalIsNotOffered() async throws {
    let (answer, asked) = try await candles(Self.config(Self.windows), interval: .oneMinute) { _, _ in (200, "[]") }
    #expect(answer.failure?.reason.code == "not-offered")
    #expect(asked.isEmpty)
  }

  /// An hour of the grid without trades is a gap, and a page without trades is not a failure.
  @Test func emptyPageIsNotAFailure() async throws {
    let (answer, asked) = try await candles(Self.config(Self.windows), newest: 9) { url, number in
      (200, number == 2 ? "[]" : "[\(Self.window(url).map(Self.row).joined(separator: ","))]")
    }
    #expect(asked.count == 3)
    #expect(answer.value?.series.gaps.map(\.count) == [2])
  }

  /// The pair behind `1000PEPE` is found in the table of all pairs, also if the exchange has another name for the coin,
  /// and its prices are per single unit.
  @Test(arguments: [("PEPE", "PEPE"), ("PUMP", "PUMPFUN")])
  func otherNameIsLookedUp(_ asset: String, _ own: String) async throws {
    let config = Self.config(
      Self.windows, market: #""multiplier": { "1000": 1000 }, "aliases": { "PUMPFUN": "PUMP" },"#)
    let (answer, asked) = try await candles(config, asset: asset, newest: 3) { url, _ in
      if url.hasSuffix("/all") { return (200, #"[{"s": "BTC-USDT", "p": 1}, {"s": "1000\#(own)-USDT", "p": 1}]"#) }
      if !url.contains("1000\(own)") { return (200, #"{"error": "unknown"}"#) }
      return (200, "[\(Self.window(url).map(Self.row).joined(separator: ","))]")
    }
    #expect(asked.map { $0.split(separator: "&")[0] } == ["/c?s=\(own)-USDT", "/all", "/c?s=1000\(own)-USDT"])
    #expect(answer.multiplier == 1000)
    #expect(answer.value?.series.candles.map(\.close.shortest) == ["0.002", "0.002", "0.002"])
  }

  /// `{symbol}` is the name used in the table of all pairs.
  @Test func tablesOwnNameIsRequested() async throws {
    let urls = Mutex<[String]>([])
    let exchanges = try StubExchanges(config: Self.config(Self.windows))
    let answer = try await exchanges.trades(of: Pair(asset: "BTC", payment: "USDT"), now: Self.now) { url in
      urls.withLock { $0.append(String(url.dropFirst("https://alpha.test".count))) }
      return .success(
        (
          200,
          Array(
            (url.hasSuffix("/all") ? #"[{"s": "BTC-USDT", "p": 1}]"# : #"[{"p": 5, "q": 2, "t": 1000000000}]"#).utf8)
        ))
    }
    #expect(urls.withLock { $0 } == ["/all", "/trades/BTC-USDT"])
    #expect(answer.value?.trades.map(\.price) == [5])
  }

  /// A lookup finds the pair by that name, wherever in its `match` that is.
  @Test(arguments: [#""{symbol}""#, #"{ "first": ["$.name", "{symbol}"] }"#])
  func tablesOwnNameIsLookedUp(_ match: String) async throws {
    let sizes = #"{ "request": { "path": "/sizes" }, "rows": "$[*]", "key": "$.s", "match": \#(match) }"#
    let config = Self.config(Self.windows, market: #""lookups": { "sizes": \#(sizes) },"#)
      .replacing("/trades/{symbol}", with: "/trades/{asset}-{payment}")
      .replacing(#""size": "$.q""#, with: #""size": { "product": ["$.q", { "from": "sizes", "path": "$.m" }] }"#)
    let answer = try await StubExchanges(config: config).trades(
      of: Pair(asset: "BTC", payment: "USDT"), now: Self.now
    ) { url in
      let body =
        switch url.dropFirst("https://alpha.test".count) {
        case "/all": #"[{"s": "BTC-USDT", "p": 1}]"#
        case "/sizes": #"[{"s": "BTC-USDT", "m": 3}]"#
        default: #"[{"p": 5, "q": 2, "t": 1000000000}]"#
        }
      return .success((200, Array(body.utf8)))
    }
    #expect(answer.value?.trades.map(\.size) == [.value(6)])
  }

  /// A table in batches is searched until one has the pair, those first whose keys name its asset.
  @Test(arguments: [
    ("PEPE", ["/names", "/some?k=3_PEPE", "/trades/PEPE-USDT"]),
    ("BTC", ["/names", "/some?k=1_X", "/some?k=2_X", "/trades/BTC-USDT"]),
    ("NONE", ["/names", "/some?k=1_X", "/some?k=2_X", "/some?k=3_PEPE"]),
  ]) func batchesHaveTheNameAsWell(_ asset: String, _ asked: [String]) async throws {
    let urls = Mutex<[String]>([])
    let names = #""lookups": { "names": { "request": { "path": "/names" }, "rows": "$[*]", "key": "$" } },"#
    let batched =
      #""request": { "path": "/some", "query": { "k": "{keys}" } }, "batch": { "of": "names", "max": 1 }"#
    let config = Self.config(Self.windows, market: names)
      .replacing(#""request": { "path": "/all" }"#, with: batched)
    let exchanges = try StubExchanges(config: config)
    let answer = try await exchanges.trades(of: Pair(asset: asset, payment: "USDT"), now: Self.now) { url in
      let path = String(url.dropFirst("https://alpha.test".count))
      urls.withLock { $0.append(path) }
      let body =
        switch path {
        case "/names": #"["1_X", "2_X", "3_PEPE"]"#
        case "/some?k=1_X": #"[{"s": "ETH-USDT", "p": 1}]"#
        case "/some?k=2_X": #"[{"s": "BTC-USDT", "p": 1}]"#
        case "/some?k=3_PEPE": #"[{"s": "PEPE-USDT", "p": 1}]"#
        default: #"[{"p": 5, "q": 2, "t": 1000000000}]"#
        }
      return .success((200, Array(body.utf8)))
    }
    #expect(urls.withLock { $0 } == asked)
    #expect(answer.value?.trades.map(\.price) == (asset == "NONE" ? nil : [5]))
    #expect(answer.failure?.reason.code == (asset == "NONE" ? "not-listed" : nil))
  }
}
