import Config
import Mapping
import Quotes
import Testing

/// Which providers are requested, and what becomes of each.
extension RateDecisionTests {
  @Test(arguments: [
    ("2023-07-27T12:00:00", ["Hana"]), ("2023-07-27T03:00:00", ["World", "Hana since 2023-07-26T15:00:00Z"]),
    ("2023-07-27T08:59:59", ["World", "Hana since 2023-07-26T15:00:00Z"]), ("2023-07-27T09:00:00", ["Hana"]),
  ])
  func firstRequestedProviders(moment: String, wanted: [String]) throws {
    let decision = RateDecision(try Self.route(), at: Self.instant(moment), [:], known: .unremembered)
    #expect(decision.wanted.map { $0.provider + ($0.since.map { " since \($0.iso8601)" } ?? "") } == wanted)
    #expect(decision.quote == nil)
  }

  /// By day no other provider is requested while the bank responds; if it fails, the open needs no second call.
  @Test func requestsNoMoreProvidersThanNeeded() throws {
    let moment = Self.instant("2023-07-29T15:00:00")
    let states = ["Hana": Self.said("1272.00", at: "2023-07-28T23:59:40", heard: "2023-07-29T14:59:30")]
    let decision = RateDecision(try Self.route(), at: moment, states, known: .unremembered)
    #expect(decision.wanted.map(\.provider) == ["World"])
    #expect(decision.verdicts.map(\.code) == ["not-of-today"])
  }

  /// The very first rate needs a second one, requested along with it; a later one only if it is far from the last.
  @Test(arguments: [
    (nil, RateDecision.Known.none, ["Hana", "World"]), (nil, .rate(1272), ["Hana"]), ("1272.00", .none, ["World"]),
    ("1272.00", .rate(1260), []), ("1600.00", .rate(1272), ["World"]),
    ("1272.00", .unchecked(1271, provider: "Hana"), ["World"]), ("1272.00", .unchecked(1271, provider: "World"), []),
  ])
  func witnesses(rate: String?, known: RateDecision.Known, wanted: [String]) throws {
    let states = rate.map { ["Hana": Self.said($0, at: "2023-07-27T11:58:36", change: "-2.00")] } ?? [:]
    let moment = Self.instant("2023-07-27T11:58:51")
    let decision = RateDecision(try Self.route(), at: moment, states, known: known)
    #expect(decision.wanted.map(\.provider) == wanted)
  }

  /// Every rule says what became of it: a rate that is too old, one no newer, a provider asked only to check another.
  @Test(arguments: [
    ("2023-07-18T09:02:00", "2023-07-28T09:02:00", "not-of-today, old, taken"),
    ("2023-07-18T09:02:00", "2023-07-18T09:02:00", "not-of-today, taken, old"),
    ("2023-07-27T20:00:00", "2023-07-27T09:02:00", "not-of-today, taken, not-newer"),
    ("2023-07-28T09:30:00", "2023-07-28T09:02:00", "not-of-today, taken, witness"),
    ("2023-07-28T09:30:00", "no-secret", "not-of-today, taken, not-needed"),
    ("2023-07-28T09:30:00", nil, "not-of-today, taken, not-needed"),
  ])
  func verdicts(world: String, daily: String?, codes: String) throws {
    var states = [
      "Hana": Self.said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T10:00:00"),
      "World": Self.said("1275.18", at: world, isDaily: world.hasPrefix("2023-07-18")),
    ]
    if daily == "no-secret" {
      states["Daily"] = Self.failed(.noSecret)
    } else if let daily {
      states["Daily"] = Self.said("1270.00", at: daily, isDaily: true)
    }
    let decision = RateDecision(
      try Self.route(), at: Self.instant("2023-07-28T10:00:00"), states, known: .unremembered)
    #expect(decision.verdicts.map(\.code).joined(separator: ", ") == codes)
  }

  @Test func datedRateIsDailyForFourDaysAndNotFromTheFuture() throws {
    var reading = RateReading(pair: Self.pair, rate: 1270)
    reading.date = "20230727"
    let route = try Self.route().only("Daily")
    func decision(at moment: String) -> RateDecision {
      RateDecision(
        route, at: Self.instant(moment),
        ["Daily": .known(ProviderState(replies: [.init(.success(reading), arrival: nil)]))], known: .unremembered)
    }
    #expect(decision(at: "2023-07-31T23:00:00").quote?.labels == [.daily])
    #expect(decision(at: "2023-08-01T00:00:00").quote?.labels == [.old])
    #expect(decision(at: "2023-07-26T10:00:00").verdicts.map(\.code) == ["stale"])
    // Where the day begins first, fourteen hours ahead of UTC.
    #expect(decision(at: "2023-07-26T18:59:59").verdicts.map(\.code) == ["stale"])
    #expect(decision(at: "2023-07-26T19:00:00").quote?.labels == [.daily])
  }

  /// A rate of the future is one of a wrong clock, unit or zone; for a time other than now it is only too late.
  @Test(arguments: [
    ("2023-07-27T12:09:00", false, "its time, 2023-07-27T03:09:00Z, is in the future: check both clocks"),
    ("2023-07-27T21:00:00", false, "its time, 2023-07-27T12:00:00Z, is in the future: check unit and zone"),
    ("2023-07-27T21:00:00", true, "its time, 2023-07-27T12:00:00Z, is later: it was not known at that time"),
    ("2023-07-29", false, "its date, 2023-07-29, is in the future"),
    ("2023-07-29", true, "its date, 2023-07-29, is later: it was not known at that time"),
  ])
  func rateOfTheFuture(_ stamp: String, _ isOtherTime: Bool, _ message: String) throws {
    var reading = RateReading(pair: Self.pair, rate: 1270)
    if stamp.contains("T") { reading.time = Self.instant(stamp) } else { reading.date = stamp }
    let decision = RateDecision(
      try Self.route().only("Daily"), at: Self.instant("2023-07-27T12:00:00"),
      ["Daily": .known(ProviderState(replies: [.init(.success(reading), arrival: nil)]))], known: .unremembered,
      isOtherTime: isOtherTime)
    #expect(decision.verdicts == [.failed(AnswerFailure(.stale, message))])
  }
}
