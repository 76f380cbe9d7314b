import Config
import HTTP
import Mapping
import MarketData
import Quotes
import Synchronization
import TestSupport
import Testing
import Transport

/// The shipped routes with made-up responses: which providers they request, how often, and the resulting rates.
@Suite("Requests for exchange rates")
struct RateAskingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func withWorld(
    _ now: String, keys: [String] = ["OpenExchangeRates"], _ body: (RateWorld) async throws -> Void
  ) async throws {
    try await body(try RateWorld(now, RateMemory(folder.cache), keys: keys))
  }

  @Test func dayAndNightSources() async throws {
    try await withWorld("2026-11-18T14:12:07") { world in
      world.answer("dunamu", RateWorld.hana("1461.50", "2026-11-18T14:11:48", change: "-3.30"))
      world.answer("openexchangerates", RateWorld.world("1462.00", "2026-11-18T14:00:00"))
      #expect(await world.text("USD/KRW") == "1461.50 (-0.23) by Dunamu")
      // The first rate has a witness; from then on there is a rate to check the next one against. Kept for a minute.
      #expect(world.calls.count == 2)
      world.turn(to: "2026-11-18T14:13:06")
      #expect(await world.text("USD/KRW") == "1461.50 (-0.23) by Dunamu")
      #expect(world.calls.count == 0)
      world.turn(to: "2026-11-18T14:13:07")
      world.answer("dunamu", .silence)
      #expect(await world.text("USD/KRW") == "1461.50 (-0.23) by Dunamu last-known timeout")
      #expect(world.calls.count == 1)

      // At night both are requested, but the bank only once, since its close does not change.
      world.turn(to: "2026-11-19T01:20:00")
      world.answer("dunamu", RateWorld.hana("1460.00", "2026-11-18T23:59:50", change: "-4.80"))
      world.answer("openexchangerates", RateWorld.world("1462.92", "2026-11-19T01:00:00"))
      #expect(await world.text("USD/KRW") == "1462.92 (+0.20) by OpenExchangeRates")
      #expect(world.calls.count == 2)
      world.turn(to: "2026-11-19T02:00:29")
      #expect(await world.text("USD/KRW") == "1462.92 (+0.20) by OpenExchangeRates")
      #expect(world.calls == [])
      world.turn(to: "2026-11-19T02:00:30")
      let report = await world.rate("USD/KRW")
      #expect(report.notes.count == 1)
      #expect(
        report.notes.first?.hasSuffix("call 3 of 1000 this month; its time, 2026-11-18T16:00:00Z, has not moved")
          == true)
      #expect(world.calls.count == 1)
    }
  }

  /// What a clock nine hours ahead took for the bank's close is requested once more when the clock is right.
  @Test func closeOfClockAheadIsRequestedAgain() async throws {
    try await withWorld("2026-11-19T03:00:40") { world in
      world.answer("dunamu", RateWorld.hana("1450.00", "2026-11-18T17:59:50"))
      world.answer("openexchangerates", RateWorld.world("1450.40", "2026-11-18T17:00:00"))
      _ = await world.rate("USD/KRW")
      world.turn(to: "2026-11-19T01:00:40")
      world.answer("dunamu", RateWorld.hana("1470.00", "2026-11-18T23:59:50"))
      world.answer("openexchangerates", RateWorld.world("1471.00", "2026-11-19T01:00:00"))
      #expect(await world.text("USD/KRW") == "1471.00 (+0.07) by OpenExchangeRates")
      world.turn(to: "2026-11-19T08:50:40")
      world.answer("dunamu", .silence)
      world.answer("openexchangerates", RateWorld.world("1471.00", "2026-11-19T08:00:00"))
      #expect(await world.text("USD/KRW") == "1471.00 (+0.07) by OpenExchangeRates")
    }
  }

  @Test func nightWithoutKeys() async throws {
    try await withWorld("2026-11-19T03:00:40", keys: []) { world in
      world.answer("dunamu", RateWorld.hana("1460.00", "2026-11-18T23:59:50"))
      world.answer("open.er-api", RateWorld.daily("1461.00", "2026-11-18T09:02:31"))
      #expect(await world.text("USD/KRW") == "1461.00 (-) by ExchangeRateApi daily")
      world.turn(to: "2026-11-20T03:00:40")
      world.answer("open.er-api", .silence)
      // Yesterday's known rate is never today's.
      #expect(
        await world.text("USD/KRW")
          == "- OpenExchangeRates: no-secret; ExchangeRateHost: no-secret; KoreaEximbank: no-secret; "
          + "ExchangeRateApi: timeout; Frankfurter: timeout | last known 1460.00")
    }
  }

  /// A daily provider that answers but has published nothing for a year gives way to the next.
  @Test func stoppedDailyProvider() async throws {
    try await withWorld("2026-11-19T03:00:40", keys: []) { world in
      world.answer("dunamu", RateWorld.hana("1460.00", "2026-11-18T23:59:50"))
      world.answer("open.er-api", RateWorld.daily("1390.00", "2025-11-19T09:02:31"))
      world.answer("frankfurter", .body(#"{"date": "2026-11-18", "rates": {"KRW": 1464.5}}"#))
      #expect(await world.text("USD/KRW") == "1464.50 (-) by Frankfurter daily")
      world.answer("frankfurter", .silence)
      world.turn(to: "2026-11-20T03:00:40")
      #expect(await world.text("USD/KRW") == "1390.00 (-) by ExchangeRateApi old unconfirmed")
    }
  }

  @Test(arguments: [
    ("[]", "empty-answer"), (#"{"status": 400, "error": "Bad Request", "message": "codes"}"#, "venue-error 400"),
    ("<html>", "not-json"), (#"[{"basePrice": 0, "currencyUnit": 1}]"#, "zero"),
    (#"[{"basePrice": -1461.5, "currencyUnit": 1}]"#, "negative"), (#"[{"basePrice": null}]"#, "json-null"),
    (#"[{"basePrice": "1,461.50"}]"#, "not-a-number"), (#"[{"currencyUnit": 1}]"#, "path-miss"),
    (#"[{"basePrice": 1461.5, "currencyUnit": 1, "date": "2026-11-19", "time": "14:11:48"}]"#, "stale"),
    (#"[{"basePrice": 1461.5}]"#, "path-miss"), (#"[{"basePrice": 1461.5, "currencyUnit": null}]"#, "json-null"),
    (#"[{"basePrice": 1461.5, "currencyUnit": "hundred"}]"#, "not-a-number"),
    (#"[{"basePrice": 1461.5, "basePrice": 1300, "currencyUnit": 1}]"#, "path-many"),
    (#"[{"basePrice": 1461.5, "currencyUnit": 1}, {"basePrice": 930, "currencyUnit": 1}]"#, "path-many"),
    (#"[{"basePrice": 1461.5, "currencyUnit": 1}, {"basePrice": null, "currencyUnit": 1}]"#, "path-many"),
    (Self.rows(("2026-11-18", -20), ("2026-11-18", -1)), "path-many"),
    (Self.rows(("2026-11-15", -20), ("2026-11-18", -20)), "path-many"),
  ])
  func unusableResponsesFallThroughToNextProvider(body: String, code: String) async throws {
    try await withWorld("2026-11-18T14:12:07") { world in
      world.answer("dunamu", .body(body))
      world.answer("openexchangerates", RateWorld.world("1462.92", "2026-11-18T14:00:00"))
      let report = await world.rate("USD/KRW")
      #expect(report.quote?.provider == "OpenExchangeRates")
      #expect(report.steps.prefix(2).map(\.verdict.code) == [code, "taken"])
      #expect(report.openReason?.description == "Dunamu: \(code)")
      #expect(report.quote?.changePercent == .missing(.openUnknown))
    }
  }

  /// Returns an answer with rows of one rate, each with a day and a change of its own.
  private static func rows(_ rows: (day: String, change: Decimal)...) -> String {
    let texts = rows.map { day, change in
      #"{"basePrice": 1461.5, "currencyUnit": 1, "signedChangePrice": \#(change), "date": "\#(day)", "time": "14:11:48"}"#
    }
    return "[\(texts.joined(separator: ", "))]"
  }

  @Test func equalRowsAreOne() async throws {
    try await withWorld("2026-11-18T14:12:07", keys: []) { world in
      world.answer("dunamu", .body(Self.rows(("2026-11-18", -20), ("2026-11-18", -20))))
      #expect(await world.text("USD/KRW") == "1461.50 (-1.35) by Dunamu unchecked")
    }
  }

  /// Numbers may be texts.
  @Test func numberAsText() async throws {
    try await withWorld("2026-11-18T14:12:07") { world in
      world.answer("dunamu", RateWorld.hana(#""1461.50""#, "2026-11-18T14:11:48", change: #""-3.30""#))
      #expect(await world.text("USD/KRW") == "1461.50 (-0.23) by Dunamu unchecked")
    }
  }

  @Test(arguments: [
    (#"{"error": true, "status": 401, "message": "invalid_app_id", "description": "Invalid App ID"}"#, 401, "http-401"),
    (#"{"error": true, "status": 429, "message": "too_many"}"#, 200, "venue-error 429"),
    (#"{"timestamp": 1794978000, "rates": {"USD": 1}}"#, 200, "path-miss"),
  ])
  func worldProviderErrors(body: String, status: Int, code: String) async throws {
    try await withWorld("2026-11-18T03:12:07") { world in
      world.answer("openexchangerates", .body(body, status: status))
      let report = await world.rate("USD/KRW")
      #expect(report.quote == nil)
      #expect(report.steps[1].verdict.code == code)
    }
  }

  /// A hanging source must not use up the time of those after it.
  @Test func hangingSourceLeavesTimeForNext() async throws {
    try await withWorld("2026-11-18T14:12:07") { world in
      world.answer("openexchangerates", RateWorld.world("1462.92", "2026-11-18T14:00:00"))
      #expect(await world.text("USD/KRW") == "1462.92 (-) by OpenExchangeRates unchecked")
      #expect(world.shares == [2])
    }
  }

  /// A rate without a valid time is not passed off as new; milliseconds given as seconds are not a time.
  @Test(arguments: ["", #""timestamp": 1794978000000000, "#, #""timestamp": "soon", "#])
  func rateWithoutValidTimeIsNotNew(member: String) async throws {
    try await withWorld("2026-11-18T03:12:07") { world in
      world.answer("openexchangerates", .body(#"{\#(member)"rates": {"USD": 1, "KRW": 1462.92}}"#))
      #expect(await world.text("USD/KRW") == "1462.92 (-) by OpenExchangeRates undated unchecked")
    }
  }

  /// A refused rate does not become the last known one.
  @Test func refusedRateIsNotLastKnown() async throws {
    try await withWorld("2026-11-18T14:12:07", keys: []) { world in
      world.answer("dunamu", RateWorld.hana("1461.50", "2026-11-18T14:11:48"))
      _ = await world.rate("USD/KRW")
      world.turn(to: "2026-11-19T14:13:08")
      world.answer("dunamu", RateWorld.hana("146150", "2026-11-19T14:12:48"))
      let report = await world.rate("USD/KRW")
      #expect(report.quote == nil)
      #expect(report.lastKnown?.rate.rateText == "1461.50")
    }
  }

  /// An implausible number does not replace the known rate, until a second source agrees with it.
  @Test func implausibleRateNeedsConfirmation() async throws {
    try await withWorld("2026-11-18T14:12:07") { world in
      world.answer("dunamu", RateWorld.hana("1461.50", "2026-11-18T14:11:48"))
      world.answer("openexchangerates", RateWorld.world("1462.00", "2026-11-18T14:00:00"))
      _ = await world.rate("USD/KRW")
      world.turn(to: "2026-11-18T14:14:00")
      world.answer("dunamu", RateWorld.hana("14615.0", "2026-11-18T14:13:48"))
      let report = await world.rate("USD/KRW")
      #expect(report.quote?.rate.rateText == "1461.50")
      #expect(report.quote?.labels.map(\.code) == ["last-known implausible"])
      // Tomorrow there is no earlier response from the same day.
      world.turn(to: "2026-11-19T09:10:00")
      world.answer("dunamu", RateWorld.hana("14615.0", "2026-11-19T09:09:50"))
      world.answer("openexchangerates", RateWorld.world("1462.00", "2026-11-19T09:00:00"))
      #expect(await world.text("USD/KRW") == "1462.00 (+0.03) by OpenExchangeRates")
      world.turn(to: "2026-11-19T10:10:00")
      world.answer("openexchangerates", RateWorld.world("14700.0", "2026-11-19T10:00:00"))
      world.answer("dunamu", RateWorld.hana("14615.0", "2026-11-19T10:09:50"))
      #expect(await world.text("USD/KRW") == "14615.0 (+0.00) by Dunamu confirmed OpenExchangeRates")
      world.turn(to: "2026-11-19T10:12:00")
      #expect(await world.text("USD/KRW") == "14615.0 (+0.00) by Dunamu")
    }
  }

  /// A rate that jumps says so, in later runs as well, until another provider agrees.
  @Test func jumpStaysUnconfirmed() async throws {
    try await withWorld("2026-11-18T14:12:07") { world in
      world.answer("dunamu", RateWorld.hana("1461.50", "2026-11-18T14:11:48"))
      world.answer("openexchangerates", RateWorld.world("1462.00", "2026-11-18T14:00:00"))
      _ = await world.rate("USD/KRW")
      for minute in [14, 16] {
        world.turn(to: "2026-11-18T14:\(minute):00")
        world.answer("dunamu", RateWorld.hana("1690.00", "2026-11-18T14:\(minute - 1):48"))
        #expect(await world.rate("USD/KRW").quote?.labels == [.unconfirmed(since: Decimal("1461.50") ?? 0)])
      }
      world.turn(to: "2026-11-18T15:02:00")
      world.answer("openexchangerates", RateWorld.world("1680.00", "2026-11-18T15:00:00"))
      #expect(await world.rate("USD/KRW").quote?.labels == [])
    }
  }

  /// One response from the world's provider serves every pair.
  @Test func oneResponseServesAllPairs() async throws {
    try await withWorld("2026-11-18T14:12:07") { world in
      world.answer("openexchangerates", RateWorld.world("1462.00", "2026-11-18T14:00:00"))
      #expect(await world.text("USD/EUR") == "0.800000 (-) by OpenExchangeRates unchecked")
      #expect(await world.text("EUR/USD") == "1.25000 (-) by OpenExchangeRates unchecked")
      // A currency that it lacks costs no call, and affects no other pair.
      _ = await world.rate("USD/XAU")
      #expect(await world.text("USD/EUR") == "0.800000 (-) by OpenExchangeRates unchecked")
      #expect(world.calls.filter { $0.contains("openexchangerates") }.count == 1)
    }
  }

  @Test func invertedAndCrossedThroughDollar() async throws {
    try await withWorld("2026-11-18T14:12:07", keys: []) { world in
      world.answer("KRWUSD", RateWorld.hana("1250.00", "2026-11-18T14:11:48", change: "250.00"))
      world.answer("base=EUR&symbols=USD", .body(#"{"date": "2026-11-17", "rates": {"USD": 1.2}}"#))
      #expect(await world.text("KRW/USD") == "0.000800000 (-20.00) by Dunamu unchecked inverse")
      #expect(await world.text("EUR/KRW") == "1500.00 (-) by Frankfurter, Dunamu daily unchecked via USD")
      #expect(await world.text("KRW/KRW") == "1.00000 (-) by -")
    }
  }

  /// The Eximbank has no rates at weekends: walking back requests each day once, and past days are not requested again.
  @Test func walkingBackRequestsEachDayOnce() async throws {
    try await withWorld("2026-11-22T12:00:00", keys: ["KoreaEximbank"]) { world in
      world.answer("koreaexim", .body("[]"))
      world.answer(
        "searchdate=20261120",
        .body(
          #"[{"result": 1, "cur_unit": "JPY(100)", "deal_bas_r": "945.98"}, {"result": 1, "cur_unit": "USD", "deal_bas_r": "1,461.2"}]"#
        ))
      let report = await world.rate("JPY/KRW", only: "KoreaEximbank")
      #expect(report.quote?.rate.shortest == "9.4598")
      #expect(report.quote?.date == "2026-11-20")
      #expect(report.quote?.labels == [.daily, .unchecked])
      func days(_ calls: [String]) -> [String] {
        calls.compactMap { $0.split(separator: "=").first { $0.hasPrefix("2026") }.map { String($0.prefix(8)) } }
      }
      #expect(days(world.calls) == ["20261122", "20261121", "20261120"])
      world.turn(to: "2026-11-22T13:00:00")
      #expect(await world.rate("USD/KRW", only: "KoreaEximbank").quote?.rate.shortest == "1461.2")
      #expect(days(world.calls) == ["20261122"])
    }
  }

  @Test(arguments: [(3, "venue-error 3"), (4, "venue-error 4")]) func eximbankResultCodes(result: Int, code: String)
    async throws
  {
    try await withWorld("2026-11-18T12:00:00", keys: ["KoreaEximbank"]) { world in
      world.answer("koreaexim", .body(#"[{"result": \#(result), "cur_unit": null, "deal_bas_r": null}]"#))
      let report = await world.rate("USD/KRW", only: "KoreaEximbank")
      #expect(report.steps.map(\.verdict.code) == [code])
      #expect(world.calls.count == 1)
    }
  }

  /// Looking at another moment requests nothing and changes nothing.
  @Test func lookingRequestsNothing() async throws {
    let live = try RateWorld("2026-11-18T14:12:07", RateMemory(folder.cache))
    live.answer("dunamu", RateWorld.hana("1461.50", "2026-11-18T14:11:48", change: "-3.30"))
    _ = await live.rate("USD/KRW")
    let look = try RateWorld("2026-11-18T15:00:00", RateMemory(folder.cache, mayCall: false))
    #expect(await look.text("USD/KRW") == "1461.50 (-0.23) by Dunamu unchecked")
    look.turn(to: "2026-11-19T03:00:00")
    #expect(await look.text("USD/KRW").hasSuffix("| last known 1461.50"))
    #expect(look.calls == [])
  }

  /// A rate known to another config is neither a reference nor a response of this config's providers (X2).
  @Test func rateOfAnotherConfigIsNotTrusted() async throws {
    let other = try RateWorld("2026-11-18T14:12:07", RateMemory(folder.cache), configPath: "/evil.json")
    other.answer("dunamu", RateWorld.hana("1900.00", "2026-11-18T14:11:48"))
    #expect(await other.text("USD/KRW").hasSuffix(" by Dunamu unchecked"))
    let own = try RateWorld("2026-11-18T14:12:20", RateMemory(folder.cache), configPath: "/mine.json")
    own.answer("dunamu", RateWorld.hana("1461.50", "2026-11-18T14:12:10", change: "-3.30"))
    #expect(await own.text("USD/KRW") == "1461.50 (-0.23) by Dunamu unchecked")
    #expect(await other.text("USD/KRW").hasPrefix("1900.00 ("))
  }

  /// A recording must contain every response used, cached or new.
  @Test func cachedResponsesAreReported() async throws {
    let told = Mutex<[String]>([])
    let memory = RateMemory(folder.cache) { request, response in
      told.withLock { $0.append("\(request.name) \(response.status) \(response.body.count > 10)") }
    }
    let world = try RateWorld("2026-11-18T14:12:07", memory)
    world.answer("dunamu", RateWorld.hana("1461.50", "2026-11-18T14:11:48", change: "-3.30"))
    for _ in 0..<3 { _ = await world.rate("USD/KRW") }
    #expect(world.calls.filter { $0.contains("dunamu") }.count == 1)
    #expect(told.withLock { $0 } == ["rate-USD-KRW 200 true", "rate-USD-KRW 200 true"])
  }

  /// A replay has no memory, and checks nothing against it.
  @Test func replayHasNoMemory() async throws {
    let world = try RateWorld("2026-11-18T14:12:07", nil)
    world.answer("dunamu", RateWorld.hana("1461.50", "2026-11-18T14:11:48", change: "-3.30"))
    for _ in 0..<3 { #expect(await world.text("USD/KRW") == "1461.50 (-0.23) by Dunamu") }
    #expect(world.calls.count == 3)
  }
}
