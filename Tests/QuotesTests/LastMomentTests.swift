import Quotes
import Testing

/// How far a clock was set back, by what it showed, in seconds.
struct LastMomentTests {
  @Test(
    arguments: [
      ([0, 1, 1, 90], [0, 0, 0, 0]), ([100, 70, 71, 1], [0, 30, 0, 70]), ([100, 3700, 101, 102], [0, 0, 3599, 0]),
    ] as [([Int64], [Int])])
  func setBack(_ shown: [Int64], _ spans: [Int]) {
    var last = LastMoment()
    #expect(shown.map { last.take(Instant(nanoseconds: $0 * 1_000_000_000)) } == spans.map { .seconds($0) })
  }
}
