import Cassettes
import Config
import HTTP
import Hooks
import Mapping
import MarketData
import Quotes
import TestSupport
import Testing
import Transport

/// The shipped rate providers, queried on the cassettes.
@Suite("Shipped exchange rates")
struct ShippedRateTests {
  private func reading(of text: String, by name: String) async throws -> RateReading {
    let spec = try table(of: name)
    let names = text.split(separator: "/").map(String.init)
    let pair = Pair(asset: names[0], payment: names[1])
    let player = try CassettePlayer(directory: Project.cassettes)
    let context = RequestContext(pair: pair, now: player.latestArrival ?? Instant(nanoseconds: 0)) { _ in "key" }
    var writer = RequestWriter(spec, context)
    let request = try writer.request(named: "rate")
    let answer = try await player.handler(request)
    let read = [true, false].map { usesScan in
      Result { () throws(AnswerFailure) in
        try RatePlan(spec, usesScan: usesScan).reading(
          in: answer, ReadingContext(context, hooks: HookRegistry(shippedHooks)), globalAliases: ShippedConfig.aliases)
      }
    }
    #expect(read[0] == read[1], "the scan and the tree read the answer differently")
    return try read[0].get()
  }

  private func table(of name: String) throws -> TableSpec {
    let provider = try #require(try ShippedConfig.read().readProvider(name).provider)
    guard case .table(let spec, _) = provider.source else { throw AnswerFailure(.pathMiss, "\(name) has no table") }
    return spec
  }

  /// 하나은행 quotes USD/KRW; the open is the rate minus its change.
  @Test func dunamu() async throws {
    let rate = try await reading(of: "USD/KRW", by: "Dunamu")
    #expect(rate.rate.description == "1461.50")
    #expect(rate.open?.description == "1464.80")
    #expect(rate.change?.description == "-3.30")
    #expect(rate.changePercent?.rounded(toPlaces: 2).description == "-0.23")
    #expect(rate.quotedBy == "하나은행")
    #expect(rate.date == "2026-11-18")
    #expect(rate.time?.iso8601 == "2026-11-18T05:11:48Z")
  }

  /// Yen are quoted per hundred.
  @Test func dunamuQuotesYenPerHundred() async throws {
    let rate = try await reading(of: "JPY/KRW", by: "Dunamu")
    #expect(rate.rate.shortest == "9.4611")
    #expect(rate.open?.shortest == "9.4491")
    #expect(rate.change?.shortest == "0.012")
  }

  @Test func dunamuWithoutRequestedPair() async throws {
    let failure = await #expect(throws: AnswerFailure.self) { try await reading(of: "NOPE/KRW", by: "Dunamu") }
    #expect(failure?.reason == .emptyAnswer)
  }

  @Test(arguments: [("USD/KRW", "1462.07"), ("EUR/KRW", "1694.8"), ("USD/EUR", "0.86266"), ("JPY/KRW", "9.4645")])
  func openExchangeRates(pair: String, rate: String) async throws {
    let reading = try await reading(of: pair, by: "OpenExchangeRates")
    #expect(
      reading.rate.rounded(toSignificantDigits: rate.filter(\.isNumber).drop { $0 == "0" }.count).description == rate)
    #expect(reading.time?.iso8601 == "2026-11-18T05:00:00Z")
    #expect(reading.open == nil && reading.change == nil)
  }

  @Test func europeanCentralBank() async throws {
    let rate = try await reading(of: "EUR/KRW", by: "EuropeanCentralBank")
    #expect(rate.rate.description == "1694.83")
    #expect(rate.date == "2026-11-17")
    #expect(rate.time == nil)
  }

  @Test(arguments: [("EUR", "USD", true), ("USD", "KRW", false), ("USD", "EUR", false)])
  func europeanCentralBankHasOnlyEuroPairs(asset: String, payment: String, canHold: Bool) throws {
    let provider = try #require(try ShippedConfig.read().readProvider("EuropeanCentralBank").provider)
    #expect(provider.canHold(Pair(asset: asset, payment: payment)) == canHold)
  }

  @Test(arguments: [
    (
      "Dunamu",
      [
        "https://quotation-api-cdn.dunamu.com/v1/forex/recent?codes=FRX.KRWUSD",
        "https://quotation-api.dunamu.com/v1/forex/recent?codes=FRX.KRWUSD",
        "https://crix-api-cdn.upbit.com/v1/forex/recent?codes=FRX.KRWUSD",
      ]
    ),
    ("OpenExchangeRates", ["https://openexchangerates.org/api/latest.json?app_id=key"]),
    ("EuropeanCentralBank", ["https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"]),
  ])
  func requests(of name: String, urls: [String]) throws {
    let pair = Pair(asset: "USD", payment: "KRW")
    var writer = RequestWriter(
      try table(of: name), RequestContext(pair: pair, now: Instant(nanoseconds: 0)) { _ in "key" })
    #expect(try writer.request(named: "rate").urls == urls)
  }

  @Test(arguments: [
    (
      "USD/KRW", "USD/KRW",
      ["Dunamu", "OpenExchangeRates", "ExchangeRateHost", "KoreaEximbank", "ExchangeRateApi", "Frankfurter"]
    ),
    ("EUR/KRW", "*/KRW", ["Dunamu", "OpenExchangeRates", "KoreaEximbank", "ExchangeRateApi", "Frankfurter"]),
    (
      "USD/JPY", "*",
      ["OpenExchangeRates", "ExchangeRateHost", "ExchangeRateApi", "Frankfurter", "EuropeanCentralBank"]
    ),
  ])
  func routes(pair: String, pattern: String, providers: [String]) throws {
    let names = pair.split(separator: "/").map(String.init)
    let route = try ShippedConfig.read().routes.route(for: Pair(asset: names[0], payment: names[1]))
    #expect(route?.pattern.description == pattern)
    #expect(route?.rules.map(\.use) == providers)
  }

  /// The bodies behind the dates in `verified`.
  @Test(
    .enabled(if: SharedCorpora.arePresent),
    arguments: [
      ("Dunamu", "raw/dunamu/fx-forex-recent@orakl2024.json", "1338.00", "2024-02-20T06:31:14Z"),
      ("OpenExchangeRates", "raw/openexchangerates/fx-latest@money-oxr.json", nil, "2014-10-22T20:00:44Z"),
    ])
  func recordings(of name: String, file: String, rate: String?, time: String) throws {
    let spec = try table(of: name)
    let pair = Pair(asset: "USD", payment: "KRW")
    let body = try Project.bytes("\(SharedCorpora.root ?? "")/recordings/\(file)")
    let reading = try RatePlan(spec).reading(
      in: HTTPResponse(body: body), ReadingContext(RequestContext(pair: pair, now: Instant(nanoseconds: 0))),
      globalAliases: [:])
    if let rate { #expect(reading.rate.description == rate) }
    #expect(reading.time?.iso8601 == time)
    #expect(spec.verified.map { time.hasPrefix($0) } == true)
    // The provider's own change must be that from the open.
    if let open = reading.open, let percent = reading.changePercent {
      let computed = ((reading.rate - open) * 100).divided(by: open)
      #expect(computed?.rounded(toPlaces: 6) == percent.rounded(toPlaces: 6))
    }
  }
}
