import Config
import Mapping
import Quotes
import Testing

/// The shipped route of USD/KRW through a week, minute by minute: with a holiday, a weekend, failures by day and by
/// night, late first quotes, and a provider whose time stands still.
@Suite("USD/KRW through a week")
struct ShippedScheduleTests {
  private static let pair = Pair(asset: "USD", payment: "KRW")
  /// Monday, 2026-11-16, 00:00 in Seoul.
  private static let start = 1_794_754_800

  /// What the sources would respond at a given second of the simulated week.
  private struct World {
    /// Thursday is a holiday.
    static func isBusiness(_ day: Int) -> Bool { [0, 1, 2, 4].contains(day) }

    /// Returns the seconds from midnight to the bank's first quote; on Tuesday it is half an hour late.
    static func firstQuote(_ day: Int) -> Int { day == 1 ? 9 * 3600 + 1800 : 9 * 3600 + 45 }

    /// The bank fails on Tuesday from 13:00 to 14:30, on Wednesday from 08:30 to 10:30, on Friday from 00:00 to 02:00.
    static func bankFails(_ day: Int, _ second: Int) -> Bool {
      let failures = [1: 46_800..<52_200, 2: 30_600..<37_800, 4: 0..<7200]
      return failures[day]?.contains(second) ?? false
    }

    /// The world's rates fail on Friday from 03:00 to 05:00, and on Saturday until 00:30.
    static func worldFails(_ day: Int, _ second: Int) -> Bool {
      let failures = [4: 10_800..<18_000, 5: 0..<1800]
      return failures[day]?.contains(second) ?? false
    }

    /// Returns the bank's newest quote at a moment: one every ten seconds during its hours.
    static func bankQuote(_ time: Int) -> (time: Int, rate: Int) {
      var day = time / 86_400
      var second = time % 86_400
      while day < 0 || !isBusiness(day) || second < firstQuote(day) {
        day -= 1
        second = 86_399
        // The week was preceded by an ordinary Friday.
        if day < 0 { return (-3 * 86_400 + 86_390, 146_000) }
      }
      let quoted = day * 86_400 + (second - second % 10)
      return (quoted, 146_000 + quoted % 977)
    }

    /// Returns the world's newest quote. On Sunday from 02:00 to 06:00 the time stands still.
    static func worldQuote(_ time: Int) -> (time: Int, rate: Int) {
      var hour = time / 3600
      if (6 * 24 + 2..<6 * 24 + 6).contains(hour) { hour = 6 * 24 + 2 }
      return (hour * 3600, 146_500 + hour)
    }
  }

  /// A provider's state as known to the program.
  private struct Known {
    var reading: RateReading?
    var arrival = 0
    var calls = 0
  }

  private static func instant(_ second: Int) -> Instant {
    Instant(nanoseconds: Int64(start + second) * 1_000_000_000)
  }

  private static func reading(_ quote: (time: Int, rate: Int), change: Int?) -> RateReading {
    var reading = RateReading(pair: pair, rate: Decimal(mantissa: Int128(quote.rate), exponent: -2))
    reading.time = instant(quote.time)
    reading.change = change.map { Decimal(mantissa: Int128($0), exponent: -2) }
    return reading
  }

  @Test func everyMinuteOfAWeek() throws {
    let route = try #require(try ShippedConfig.read().routes.route(for: Self.pair))
    var bank = Known()
    var world = Known()
    var minutes: [String: Int] = [:]
    for minute in 0..<(7 * 1440) {
      let time = minute * 60 + 35
      let (day, second) = (time / 86_400, time % 86_400)
      var states: [String: RouteProvider] = [
        "ExchangeRateHost": .known(ProviderState(trouble: AnswerFailure(.noSecret))),
        "KoreaEximbank": .known(ProviderState(trouble: AnswerFailure(.noSecret))),
        "Frankfurter": .excluded(.disabled),
      ]
      func ask(_ want: RateDecision.Want) {
        let isBank = want.provider == "Dunamu"
        var known = isBank ? bank : world
        var trouble: AnswerFailure?
        if want.provider == "ExchangeRateApi" {
          var daily = Self.reading((time: day * 86_400, rate: 146_200), change: nil)
          daily.date = nil
          states[want.provider] = .known(
            ProviderState(replies: [.init(.success(daily), arrival: Self.instant(time))], isDaily: true))
          return
        }
        let isEnough = want.since.map { known.reading != nil && Self.instant(known.arrival) >= $0 } ?? false
        if !isEnough {
          known.calls += 1
          if isBank ? World.bankFails(day, second) : World.worldFails(day, second) {
            trouble = AnswerFailure(.timeout)
          } else {
            known.reading = Self.reading(
              isBank ? World.bankQuote(time) : World.worldQuote(time), change: isBank ? -150 : nil)
            known.arrival = time
          }
        }
        if isBank { bank = known } else { world = known }
        let replies = known.reading.map {
          [ProviderState.Reply(.success($0), arrival: Self.instant(known.arrival))]
        }
        states[want.provider] = .known(ProviderState(replies: replies ?? [], trouble: trouble))
      }
      var decision = RateDecision(route, at: Self.instant(time), states, known: .rate(1460))
      var rounds = 0
      while !decision.wanted.isEmpty, rounds < 9 {
        for want in decision.wanted { ask(want) }
        decision = RateDecision(route, at: Self.instant(time), states, known: .rate(1460))
        rounds += 1
      }

      let expected = Self.expectation(day, second, bank, world)
      let quote = decision.quote
      let labels = quote?.labels.map(\.code).joined(separator: " ") ?? ""
      let found = "\(quote?.provider ?? "-") \(quote?.open.value?.description ?? "unknown") \(labels)"
      if found != expected {
        Issue.record("day \(day), \(second / 3600):\(second / 60 % 60): \(found), not \(expected)")
        return
      }
      // Change and percent are derived from rate and open, or missing with them; missing numbers never become zero.
      if let quote {
        #expect(quote.rate > 1400)
        #expect(quote.change.value == quote.open.value.map { quote.rate - $0 })
      }
      minutes["\(quote?.provider ?? "-")\(labels.isEmpty ? "" : " " + labels)", default: 0] += 1
    }
    // Four business days of fifteen hours are 3,600 minutes: 31 are lost to late first quotes on Tuesday and Monday, 1
    // on Friday, 90 to the failure on Wednesday; during 90 on Tuesday an earlier response of the day is kept.
    #expect(
      minutes == [
        "Dunamu": 3_388, "Dunamu last-known timeout": 90, "OpenExchangeRates": 6_452,
        "OpenExchangeRates last-known timeout": 120, "ExchangeRateApi daily": 30,
      ])
  }

  /// Returns the schedule in other words: `provider open labels`.
  private static func expectation(_ day: Int, _ second: Int, _ bank: Known, _ world: Known) -> String {
    let isOpen = second >= 9 * 3600
    let bankDay = bank.reading?.day(zoneSeconds: 9 * 3600)
    let today = CivilTime(instant(day * 86_400), offsetSeconds: 9 * 3600).dayNumber
    if isOpen, bankDay == today {
      let open = (bank.reading?.rate ?? 0) - Decimal(mantissa: -150, exponent: -2)
      return "Dunamu \(open) " + (World.bankFails(day, second) ? "last-known timeout" : "")
    }
    let isClose = isOpen ? bankDay.map { $0 < today } ?? false : bank.reading != nil && bank.arrival >= day * 86_400
    let open = isClose ? "\(bank.reading?.rate ?? 0)" : "unknown"
    guard World.worldFails(day, second) else { return "OpenExchangeRates \(open) " }
    let worldDay = world.reading?.day(zoneSeconds: 9 * 3600)
    return worldDay == today ? "OpenExchangeRates \(open) last-known timeout" : "ExchangeRateApi \(open) daily"
  }
}
