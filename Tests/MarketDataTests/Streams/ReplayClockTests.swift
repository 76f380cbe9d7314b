import Quotes
import Testing

@testable import MarketData

/// What the clock of a replay shows.
@Suite struct ReplayClockTests {
  private static func second(_ second: Int64) -> Instant { Instant(nanoseconds: second * Instant.second) }

  /// It goes back with the clock of the run, but for no answer or message that has its turn late.
  @Test func goesBackWithTheRun() async {
    let clock = ReplayClock()
    #expect(clock.time == nil)
    clock.turn(to: Self.second(100))
    clock.turn(to: Self.second(99))
    #expect(clock.time == Self.second(100))
    let moments: [(time: Int64, shown: Int64, expected: Int64)] = [
      (98, 98, 100), (105, 105, 105), (106, 46, 46), (110, 50, 50), (109, 49, 50),
    ]
    for (time, shown, expected) in moments {
      #expect(await clock.reach(ReplayMoment(Self.second(time), showing: Self.second(shown)), speed: nil))
      #expect(clock.time == Self.second(expected))
    }
    clock.turn(to: Self.second(52))
    #expect(clock.time == Self.second(52))
  }
}
