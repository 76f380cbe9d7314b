import Config
import Mapping
import Quotes
import TestSupport
import Testing

/// Each rule of the schedule, one moment at a time.
@Suite struct RateDecisionTests {
  static let pair = Pair(asset: "USD", payment: "KRW")

  /// Returns a route: Hana by day, World at night with Hana's close as the open, Daily if World fails.
  static func route() throws -> RateRoute {
    let config = #"""
      { "version": 1, "fx": { "routes": { "USD/KRW": { "zone": "+09:00", "rules": [
        { "from": "09:00", "to": "24:00", "use": "Hana", "when": { "date": "today" } },
        { "use": "World", "open": "Hana" }, { "use": "Daily", "open": "Hana" }] } } } }
      """#
    let file = try ConfigFile(name: "test", bytes: Array(config.utf8))
    return try #require(try Configuration(file) { () throws(ConfigSyntaxError) in file }.routes.first)
  }

  static func instant(_ text: String) -> Instant { .seoul(text) }

  /// Returns what a provider said at a moment, in Seoul time.
  static func said(
    _ rate: String, at time: String, heard: String? = nil, change: String? = nil, trouble: Missing? = nil,
    isDaily: Bool = false
  ) -> RouteProvider {
    var reading = RateReading(pair: pair, rate: Decimal(rate) ?? 0)
    reading.time = instant(time)
    reading.change = change.flatMap { Decimal($0) }
    return .known(
      ProviderState(
        replies: [.init(.success(reading), arrival: instant(heard ?? time))],
        trouble: trouble.map { AnswerFailure($0) },
        isDaily: isDaily))
  }

  /// Returns several replies of a provider, the last one first.
  static func said(_ rates: [String], at times: [String]) -> RouteProvider {
    let replies = zip(rates, times).map { rate, time in
      var reading = RateReading(pair: pair, rate: Decimal(rate) ?? 0)
      reading.time = instant(time)
      return ProviderState.Reply(.success(reading), arrival: instant(time))
    }
    return .known(ProviderState(replies: replies))
  }

  private static func undated(_ rate: String) -> RouteProvider {
    let reading = RateReading(pair: pair, rate: Decimal(rate) ?? 0)
    return .known(ProviderState(replies: [.init(.success(reading), arrival: nil)]))
  }

  static func failed(_ reason: Missing) -> RouteProvider {
    .known(ProviderState(trouble: AnswerFailure(reason)))
  }

  private static func answered(_ reason: Missing) -> RouteProvider {
    .known(ProviderState(replies: [.init(.failure(AnswerFailure(reason)), arrival: nil)]))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let moment: String
    let providers: [String: RouteProvider]
    var known: RateDecision.Known = .unremembered
    var isOtherTime = false
    /// `rate (percent) open provider`, then the labels; the verdicts if there is no rate.
    let result: String
    var openReason: String?
  }

  static let cases = [
    Case(
      testDescription: "by day: the bank's rate, the open from its own change", moment: "2023-07-27T11:58:51",
      providers: ["Hana": said("1272.00", at: "2023-07-27T11:58:36", change: "-2.00")],
      result: "1272.00 (-0.16) since 1274.00 by Hana"),
    Case(
      testDescription: "an answer with an older rate than the one before", moment: "2023-07-27T11:58:51",
      providers: ["Hana": said(["1271.00", "1272.00"], at: ["2023-07-27T11:56:00", "2023-07-27T11:57:36"])],
      result: "1272.00 (-) since - by Hana"),
    Case(
      testDescription: "a zero change has a plus sign", moment: "2023-07-27T11:58:51",
      providers: ["Hana": said("1272.00", at: "2023-07-27T11:58:36", change: "0")],
      result: "1272.00 (+0.00) since 1272.00 by Hana"),
    Case(
      testDescription: "at night: the world's rate since the bank's close", moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T00:01:00", change: "-2.00"),
        "World": said("1275.18", at: "2023-07-28T03:00:00"),
      ],
      result: "1275.18 (+0.25) since 1272.00 by World"),
    Case(
      testDescription: "at night: a close received before midnight does not count", moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": said(
          "1272.00", at: "2023-07-27T23:50:40", heard: "2023-07-27T23:51:00", change: "-2.00", trouble: .timeout),
        "World": said("1275.18", at: "2023-07-28T03:00:00"),
      ],
      result: "1275.18 (-) since - by World",
      openReason: "Hana: it was last requested before midnight, so its rate may not be a close (timeout)"),
    Case(
      testDescription: "at night: a close received at midnight counts", moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T00:00:00", change: "-2.00"),
        "World": said("1275.18", at: "2023-07-28T03:00:00"),
      ],
      result: "1275.18 (+0.25) since 1272.00 by World"),
    Case(
      testDescription: "at night: a close received by a clock that was ahead does not count",
      moment: "2023-07-28T01:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T17:59:50", heard: "2023-07-28T01:01:01", trouble: .timeout),
        "World": said("1275.18", at: "2023-07-28T01:00:00"),
      ],
      result: "1275.18 (-) since - by World",
      openReason: "Hana: a clock that was ahead recorded when it was last requested, so its rate may not be a close "
        + "(timeout)"),
    Case(
      testDescription: "at night: a close received by a clock a minute ahead counts", moment: "2023-07-28T01:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:50", heard: "2023-07-28T01:01:00"),
        "World": said("1275.18", at: "2023-07-28T01:00:00"),
      ],
      result: "1275.18 (+0.25) since 1272.00 by World"),
    Case(
      testDescription: "at night, looked back on: a close received since then counts", moment: "2023-07-28T01:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:50", heard: "2023-07-28T08:00:00"),
        "World": said("1275.18", at: "2023-07-28T01:00:00"),
      ], isOtherTime: true,
      result: "1275.18 (+0.25) since 1272.00 by World"),
    Case(
      testDescription: "at night: a rate of the new day is no close", moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-28T00:00:10", heard: "2023-07-28T00:01:00", change: "-2.00"),
        "World": said("1275.18", at: "2023-07-28T03:00:00"),
      ],
      result: "1275.18 (-) since - by World",
      openReason: "Hana: its rate is from today, so it is not a close"),
    Case(
      testDescription: "a weekend: the bank's rate is from Friday", moment: "2023-07-29T15:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-28T23:59:40", heard: "2023-07-29T14:59:30"),
        "World": said("1278.00", at: "2023-07-29T14:00:00"),
      ],
      result: "1278.00 (+0.47) since 1272.00 by World"),
    Case(
      testDescription: "the morning after ten days of Chuseok and weekends", moment: "2017-10-10T08:00:00",
      providers: [
        "Hana": said("1145.00", at: "2017-09-29T23:59:40", heard: "2017-10-10T00:01:00"),
        "World": said("1147.29", at: "2017-10-10T08:00:00"),
      ],
      result: "1147.29 (+0.20) since 1145.00 by World"),
    Case(
      testDescription: "a bank whose feed has stopped has no last close", moment: "2017-10-11T10:00:00",
      providers: [
        "Hana": said("1145.00", at: "2017-09-29T23:59:40", heard: "2017-10-11T10:00:00"),
        "World": said("1147.29", at: "2017-10-11T10:00:00"),
      ],
      result: "1147.29 (-) since - by World",
      openReason: "Hana: its last rate is 12 days old, so it is not the last close"),
    Case(
      testDescription: "a rate without a date may be older than the close", moment: "2023-07-29T15:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-28T23:59:40", heard: "2023-07-29T14:59:30"), "World": undated("1278.00"),
      ],
      result: "1278.00 (-) since - by World undated",
      openReason: "Hana: its last rate may be later than this one, which has no date"),
    Case(
      testDescription: "by day the bank fails: its rate of today is kept", moment: "2023-07-27T15:00:00",
      providers: ["Hana": said("1272.00", at: "2023-07-27T11:58:36", change: "-2.00", trouble: .timeout)],
      result: "1272.00 (-0.16) since 1274.00 by Hana last-known timeout"),
    Case(
      testDescription: "by day the bank fails without a rate of today: its earlier one is the open",
      moment: "2023-07-27T15:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-26T22:00:00", heard: "2023-07-26T22:00:10", trouble: .timeout),
        "World": said("1273.00", at: "2023-07-27T15:00:00"),
      ],
      result: "1273.00 (+0.08) since 1272.00 by World"),
    Case(
      testDescription: "by day the bank never responded: the change is unknown", moment: "2023-07-27T15:00:00",
      providers: ["Hana": failed(.timeout), "World": said("1273.00", at: "2023-07-27T15:00:00")],
      result: "1273.00 (-) since - by World", openReason: "Hana: timeout"),
    Case(
      testDescription: "between nine and the first quote: the world's rate since the close",
      moment: "2023-07-28T09:00:20",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T09:00:10"),
        "World": said("1274.00", at: "2023-07-28T08:00:00"),
      ],
      result: "1274.00 (+0.16) since 1272.00 by World"),
    Case(
      testDescription: "the last second of the night", moment: "2023-07-28T08:59:59",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T00:01:00"),
        "World": said("1274.00", at: "2023-07-28T08:00:00"),
      ],
      result: "1274.00 (+0.16) since 1272.00 by World"),
    Case(
      testDescription: "the last second of the day", moment: "2023-07-27T23:59:59",
      providers: ["Hana": said("1272.00", at: "2023-07-27T23:59:40", change: "1.00")],
      result: "1272.00 (+0.08) since 1271.00 by Hana"),
    Case(
      testDescription: "without a key the night has a daily rate, and says so", moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T00:01:00"), "World": failed(.noSecret),
        "Daily": said("1270.00", at: "2023-07-27T09:02:00", heard: "2023-07-27T12:00:00", isDaily: true),
      ],
      result: "1270.00 (-) since - by Daily daily", openReason: "Hana: its last rate is later than this one"),
    Case(
      testDescription: "a daily rate newer than the close has a change", moment: "2023-07-29T15:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-28T23:59:40", heard: "2023-07-29T00:01:00"), "World": failed(.noSecret),
        "Daily": said("1270.00", at: "2023-07-29T09:02:00", isDaily: true),
      ],
      result: "1270.00 (-0.16) since 1272.00 by Daily daily"),
    Case(
      testDescription: "an hourly rate that stopped before the close", moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T00:01:00"),
        "World": said("1275.18", at: "2023-07-27T23:59:40"),
      ],
      result: "1275.18 (-) since - by World", openReason: "Hana: its last rate is later than this one"),
    Case(
      testDescription: "a daily rate of Friday on the Tuesday after a holiday", moment: "2023-08-01T08:00:00",
      providers: [
        "Hana": failed(.timeout), "World": failed(.noSecret),
        "Daily": said("1270.00", at: "2023-07-28T09:02:00", isDaily: true),
      ],
      result: "1270.00 (-) since - by Daily daily", openReason: "Hana: timeout"),
    Case(
      testDescription: "a daily provider that stopped days ago: the next one's newer rate is taken",
      moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": failed(.timeout), "World": said("1210.00", at: "2023-07-18T09:02:00", isDaily: true),
        "Daily": said("1270.00", at: "2023-07-27T09:02:00", isDaily: true),
      ],
      result: "1270.00 (-) since - by Daily daily", openReason: "Hana: timeout"),
    Case(
      testDescription: "all have stopped: the newest is taken, and labelled", moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": failed(.timeout), "World": said("1210.00", at: "2023-07-18T09:02:00", isDaily: true),
        "Daily": said("1220.00", at: "2023-07-19T09:02:00", isDaily: true),
      ],
      result: "1220.00 (-) since - by Daily old", openReason: "Hana: timeout"),
    Case(
      testDescription: "an hourly rate that stopped is still newer than a daily one", moment: "2023-07-28T08:00:00",
      providers: [
        "Hana": failed(.timeout), "World": said("1275.18", at: "2023-07-27T20:00:00"),
        "Daily": said("1270.00", at: "2023-07-27T09:02:00", isDaily: true),
      ],
      result: "1275.18 (-) since - by World old", openReason: "Hana: timeout"),
    Case(
      testDescription: "the bank's rate of today is never passed on", moment: "2023-07-27T23:00:00",
      providers: ["Hana": said("1272.00", at: "2023-07-27T16:00:00", change: "-2.00")],
      result: "1272.00 (-0.16) since 1274.00 by Hana old"),
    Case(
      testDescription: "no provider: yesterday's rate is never today's", moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T00:01:00"), "World": failed(.noSecret),
        "Daily": failed(.timeout),
      ],
      result: "outside-hours, no-secret, timeout"),
    Case(
      testDescription: "over budget: today's rate is kept, and labelled", moment: "2023-07-28T05:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T00:01:00"),
        "World": said("1275.18", at: "2023-07-28T02:00:00", trouble: .noAnswer(.overBudget)),
      ],
      result: "1275.18 (+0.25) since 1272.00 by World last-known no-answer over-budget"),
    Case(
      testDescription: "over budget for days: an old rate passes to the next provider", moment: "2023-07-29T05:00:00",
      providers: [
        "Hana": said("1272.00", at: "2023-07-28T23:59:40", heard: "2023-07-29T00:01:00"),
        "World": said("1275.18", at: "2023-07-28T02:00:00", trouble: .noAnswer(.overBudget)),
        "Daily": failed(.http(500)),
      ],
      result: "outside-hours, no-answer over-budget, http-500"),
    Case(
      testDescription: "a repeated response with its earlier time still counts",
      moment: "2023-07-28T05:00:40",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T23:59:40", heard: "2023-07-28T00:01:00"),
        "World": said("1275.18", at: "2023-07-28T04:00:00", heard: "2023-07-28T05:00:31"),
      ],
      result: "1275.18 (+0.25) since 1272.00 by World"),
    Case(
      testDescription: "a zero rate", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": answered(.zero), "World": answered(.exchangeError("401")), "Daily": answered(.emptyAnswer),
      ],
      result: "zero, venue-error 401, empty-answer"),
    Case(
      testDescription: "a time in the future", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T12:00:36"), "World": said("1273.00", at: "2023-07-27T11:00:00"),
      ],
      result: "1273.00 (-) since - by World", openReason: "Hana: stale"),
    Case(
      testDescription: "a clock half a minute slow", moment: "2023-07-27T11:58:51",
      providers: ["Hana": said("1272.00", at: "2023-07-27T11:59:21", change: "-2.00")],
      result: "1272.00 (-0.16) since 1274.00 by Hana"),
    Case(
      testDescription: "the first rate, and nothing to compare it with", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T11:58:36", change: "-2.00"), "World": failed(.noSecret),
        "Daily": failed(.timeout),
      ], known: .none,
      result: "1272.00 (-0.16) since 1274.00 by Hana unchecked"),
    Case(
      testDescription: "the first rate, and a second provider's is near", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T11:58:36", change: "-2.00"),
        "World": said("1300.00", at: "2023-07-27T11:00:00"),
      ], known: .none,
      result: "1272.00 (-0.16) since 1274.00 by Hana"),
    Case(
      testDescription: "the first rate, and a second provider's is 15 % away", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1462.80", at: "2023-07-27T11:58:36", change: "-2.00"),
        "World": said("1272.00", at: "2023-07-27T11:00:00"), "Daily": failed(.timeout),
      ], known: .none,
      result: "1462.80 (-0.14) since 1464.80 by Hana unconfirmed"),
    Case(
      testDescription: "the first rate, and a third provider's is near", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1462.80", at: "2023-07-27T11:58:36", change: "-2.00"),
        "World": said("1272.00", at: "2023-07-27T11:00:00"), "Daily": said("1460.00", at: "2023-07-27T11:00:00"),
      ], known: .none,
      result: "1462.80 (-0.14) since 1464.80 by Hana"),
    Case(
      testDescription: "the first rate is a hundred times that of two others", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("127200", at: "2023-07-27T11:58:36", change: "-2.00"),
        "World": said("1272.50", at: "2023-07-27T11:00:00"), "Daily": said("1270.00", at: "2023-07-27T11:00:00"),
      ], known: .none,
      result: "1272.50 (-) since - by World", openReason: "Hana: implausible"),
    Case(
      testDescription: "the very first two rates contradict each other", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("127200", at: "2023-07-27T11:58:36", change: "-2.00"),
        "World": said("1272.50", at: "2023-07-27T11:00:00"), "Daily": failed(.timeout),
      ], known: .none,
      result: "implausible, implausible, timeout"),
    Case(
      testDescription: "no later rate of the same provider confirms its first one", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T11:58:36", change: "-2.00"), "World": failed(.noSecret),
        "Daily": failed(.timeout),
      ], known: .unchecked(1271, provider: "Hana"),
      result: "1272.00 (-0.16) since 1274.00 by Hana unchecked"),
    Case(
      testDescription: "nor replaces it, far from it", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("127200", at: "2023-07-27T11:58:36"), "World": failed(.noSecret), "Daily": failed(.timeout),
      ], known: .unchecked(1271, provider: "Hana"),
      result: "implausible, no-secret, timeout"),
    Case(
      testDescription: "with nobody else who could answer, the newer one counts", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T11:58:36"), "World": failed(.noSecret), "Daily": failed(.noSecret),
      ], known: .unchecked(127_200, provider: "Hana"),
      result: "1272.00 (-) since - by Hana unchecked"),
    Case(
      testDescription: "but not one that has jumped", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1320.00", at: "2023-07-27T11:58:36"), "World": failed(.noSecret), "Daily": failed(.noSecret),
      ], known: .unchecked(1271, provider: "Hana", at: instant("2023-07-23T11:59:00")),
      result: "1320.00 (-) since - by Hana unconfirmed"),
    Case(
      testDescription: "however far", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T11:58:36"), "World": failed(.noSecret), "Daily": failed(.noSecret),
      ], known: .unchecked(127_200, provider: "Hana", at: instant("2023-07-27T11:57:00")),
      result: "1272.00 (-) since - by Hana unconfirmed"),
    Case(
      testDescription: "unless the older one is of days before", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1320.00", at: "2023-07-27T11:58:36"), "World": failed(.noSecret), "Daily": failed(.noSecret),
      ], known: .unchecked(1271, provider: "Hana", at: instant("2023-07-23T11:58:00")),
      result: "1320.00 (-) since - by Hana unchecked"),
    Case(
      testDescription: "a rate of the month before last is no witness", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T11:58:36"), "World": failed(.noSecret),
        "Daily": said("12.72", at: "2023-06-01T11:00:00", heard: "2023-07-27T11:58:40"),
      ], known: .none,
      result: "1272.00 (-) since - by Hana unchecked"),
    Case(
      testDescription: "nor is one of 32 days before", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T11:58:36"), "World": failed(.noSecret),
        "Daily": said("12.72", at: "2023-06-25T11:00:00", heard: "2023-07-27T11:58:40"),
      ], known: .none,
      result: "1272.00 (-) since - by Hana unchecked"),
    Case(
      testDescription: "one of 31 days before is", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T11:58:36"), "World": failed(.noSecret),
        "Daily": said("1280.00", at: "2023-06-26T11:00:00", heard: "2023-07-27T11:58:40"),
      ], known: .none,
      result: "1272.00 (-) since - by Hana"),
    Case(
      testDescription: "another provider's does", moment: "2023-07-27T11:58:51",
      providers: ["Hana": said("1272.00", at: "2023-07-27T11:58:36", change: "-2.00")],
      known: .unchecked(1271, provider: "World"), result: "1272.00 (-0.16) since 1274.00 by Hana"),
    Case(
      testDescription: "an unchecked first rate refuses no other", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1272.00", at: "2023-07-27T11:58:36", change: "-2.00"),
        "World": said("1270.00", at: "2023-07-27T11:00:00"),
      ], known: .unchecked(127_200, provider: "Hana"),
      result: "1272.00 (-0.16) since 1274.00 by Hana"),
    Case(
      testDescription: "a close a hundred times the rate", moment: "2023-07-28T03:00:00",
      providers: [
        "Hana": said("127200", at: "2023-07-27T23:59:40", heard: "2023-07-28T00:01:00"),
        "World": said("1275.18", at: "2023-07-28T03:00:00"),
      ],
      result: "1275.18 (-) since - by World", openReason: "Hana: implausible"),
    Case(
      testDescription: "a fifth away from the last known is near enough", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1200.00", at: "2023-07-27T11:58:36", change: "-2.00"), "World": failed(.noSecret),
        "Daily": failed(.timeout),
      ], known: .rate(1000),
      result: "1200.00 (-0.17) since 1202.00 by Hana unconfirmed"),
    Case(
      testDescription: "3 % are no jump", moment: "2023-07-27T11:58:51",
      providers: ["Hana": said("1030.00", at: "2023-07-27T11:58:36", change: "-2.00")], known: .rate(1000),
      result: "1030.00 (-0.19) since 1032.00 by Hana"),
    Case(
      testDescription: "more than 3 % are one", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1030.01", at: "2023-07-27T11:58:36", change: "-2.00"), "World": failed(.noSecret),
        "Daily": failed(.timeout),
      ], known: .rate(1000),
      result: "1030.01 (-0.19) since 1032.01 by Hana unconfirmed"),
    Case(
      testDescription: "a jump that a second provider confirms", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1350.00", at: "2023-07-27T11:58:36", change: "-2.00"),
        "World": said("1340.00", at: "2023-07-27T11:00:00"),
      ], known: .rate(1272),
      result: "1350.00 (-0.15) since 1352.00 by Hana"),
    Case(
      testDescription: "a jump that no other provider made", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1350.00", at: "2023-07-27T11:58:36", change: "-2.00"),
        "World": said("1273.00", at: "2023-07-27T11:00:00"), "Daily": said("1271.00", at: "2023-07-27T09:02:00"),
      ], known: .rate(1272),
      result: "1350.00 (-0.15) since 1352.00 by Hana unconfirmed"),
    Case(
      testDescription: "further than a fifth: flagged, and the next is taken", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1600.00", at: "2023-07-27T11:58:36"), "World": said("1272.50", at: "2023-07-27T11:00:00"),
        "Daily": failed(.timeout),
      ],
      known: .rate(1272), result: "1272.50 (-) since - by World", openReason: "Hana: implausible"),
    Case(
      testDescription: "further than a fifth, and a second provider agrees", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1600.00", at: "2023-07-27T11:58:36", change: "-2.00"),
        "World": said("1630.00", at: "2023-07-27T11:00:00"),
      ],
      known: .rate(1272), result: "1600.00 (-0.12) since 1602.00 by Hana confirmed World"),
    Case(
      testDescription: "two rates far from the last and from each other", moment: "2023-07-27T11:58:51",
      providers: [
        "Hana": said("1600.00", at: "2023-07-27T11:58:36"), "World": said("1640.00", at: "2023-07-27T11:00:00"),
        "Daily": failed(.timeout),
      ],
      known: .rate(1272), result: "implausible, implausible, timeout"),
  ]

  @Test(arguments: cases) func decides(_ sample: Case) throws {
    let decision = RateDecision(
      try Self.route(), at: Self.instant(sample.moment), sample.providers, known: sample.known,
      isOtherTime: sample.isOtherTime)
    #expect(decision.wanted == [])
    #expect(Self.text(decision) == sample.result)
    #expect(decision.openReason?.description == sample.openReason)
  }

  private static func text(_ decision: RateDecision) -> String {
    guard let quote = decision.quote else { return decision.verdicts.map(\.code).joined(separator: ", ") }
    let percent = quote.changePercent.value?.signedPercentText ?? "-"
    let head = "\(quote.rate.rateText) (\(percent)) since \(quote.open.value?.rateText ?? "-") by \(quote.provider)"
    return ([head] + quote.labels.map(\.code)).joined(separator: " ")
  }
}
