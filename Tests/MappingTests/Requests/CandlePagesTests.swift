import Config
import Mapping
import Quotes
import TestSupport
import Testing

/// Pages of exchanges that include or exclude the edges of a span, cut long responses at either end, floor the start or
/// not, and leave out candles: whatever they do, the span is complete.
@Suite struct CandlePagesTests {
  /// An exchange defined by its habits.
  struct SimulatedExchange: Sendable, CustomTestStringConvertible {
    let count: Int
    let countsEndIn: Bool
    let countsStartIn: Bool
    let keepsNewest: Bool
    let floorsStart: Bool
    /// The number of candles missing out of ten.
    let missing: Int
    let interval: CandleInterval

    var testDescription: String {
      "\(interval.rawValue) x \(count), end \(countsEndIn), start \(countsStartIn), newest \(keepsNewest), floors \(floorsStart), missing \(missing)"
    }

    /// - Parameter isToEnd: whether `to` limits the ends of candles rather than their starts.
    func starts(_ all: [Instant], from: Instant?, to: Instant, isToEnd: Bool) -> [Instant] {
      let to = isToEnd ? Instant(nanoseconds: to.nanoseconds - interval.nanoseconds) : to
      let grid = CandleGrid(interval)
      let from = from.map { floorsStart ? grid.start(containing: $0) : $0 }
      let found = all.filter { start in
        (from.map { countsStartIn ? start >= $0 : start > $0 } ?? true) && (countsEndIn ? start <= to : start < to)
      }
      return keepsNewest || from == nil ? Array(found.suffix(count)) : Array(found.prefix(count))
    }
  }

  static let venues: [SimulatedExchange] = [3, 4, 10, 100].flatMap { count in
    [true, false].flatMap { end in
      [true, false].flatMap { start in
        [true, false].flatMap { newest in
          [true, false].flatMap { floors in
            [0, 2, 7].flatMap { missing in
              [CandleInterval.fiveMinutes, .oneHour].map {
                SimulatedExchange(
                  count: count, countsEndIn: end, countsStartIn: start, keepsNewest: newest, floorsStart: floors,
                  missing: missing, interval: $0)
              }
            }
          }
        }
      }
    }
  }

  private static let now = Instant.iso8601("2024-02-29T15:27:30Z", defaultOffsetSeconds: 0) ?? Instant(nanoseconds: 0)

  private func gathered(_ venue: SimulatedExchange, _ paging: CandlePaging, span: Int, isToEnd: Bool = false) -> (
    found: Set<Instant>, wanted: Set<Instant>
  ) {
    let grid = CandleGrid(venue.interval)
    let end = grid.end(of: grid.start(containing: Self.now))
    let start = grid.moment(-span, after: end)
    var generator = SeededGenerator(seed: UInt64(span * 31 + venue.count * 7 + venue.missing))
    let all = (-300..<0).map { grid.moment($0, after: end) }.filter { _ in
      Int.random(in: 0..<10, using: &generator) >= venue.missing
    }
    let pages = CandlePages(paging, grid, most: venue.count, from: start, to: end, now: Self.now)
    var found: Set<Instant> = []
    var page: CandlePages.Page? = pages.first
    var asked = 0
    while let current = page, asked < 400 {
      asked += 1
      let before = found.min()
      let starts = venue.starts(all, from: paging == .windows ? current.from : nil, to: current.to, isToEnd: isToEnd)
      found.formUnion(starts)
      page = pages.next(after: current, oldest: found.min(), advanced: found.min() != before)
    }
    #expect(asked < 400, "asks without end")
    if paging == .windows { #expect(asked == pages.requestCount) }
    // An unfinished candle does not exist for those who ask by ends.
    let last = isToEnd ? grid.start(containing: Self.now) : end
    return (found.filter { $0 >= start && $0 < last }, Set(all.filter { $0 >= start && $0 < last }))
  }

  @Test(arguments: venues) func pagingByWindowsIsComplete(_ venue: SimulatedExchange) {
    for span in [1, 7, 60] {
      let (found, wanted) = gathered(venue, .windows, span: span)
      #expect(found == wanted, "\(span) candles")
    }
  }

  @Test(arguments: venues.filter { $0.countsStartIn && $0.keepsNewest && !$0.floorsStart }, [false, true])
  func pagingBackwardsIsComplete(_ venue: SimulatedExchange, _ isToEnd: Bool) {
    for span in [1, 7, 60] {
      let (found, wanted) = gathered(venue, .backwards, span: span, isToEnd: isToEnd)
      #expect(found == wanted, "\(span) candles")
    }
  }

  /// A span that needs too many requests is recognized before the first one.
  @Test(arguments: [(CandlePaging.windows, 1000, 112), (.backwards, 1000, 111), (.single, 1000, 1)])
  func requestsAreCountedInAdvance(_ paging: CandlePaging, _ span: Int, _ count: Int) {
    let grid = CandleGrid(.oneHour)
    let end = grid.end(of: grid.start(containing: Self.now))
    let pages = CandlePages(paging, grid, most: 10, from: grid.moment(-span, after: end), to: end, now: Self.now)
    #expect(pages.requestCount == count)
  }

  /// An answer to a request without times ends now: it has to reach from there to the start.
  @Test(arguments: [(nil, 0, 6), (nil, 100, 106), (50, 100, 50)] as [(Int?, Int, Int)])
  func requestsWithoutTimesReachBackFromNow(_ most: Int?, _ age: Int, _ count: Int) {
    let grid = CandleGrid(.oneHour)
    let end = grid.moment(-age, after: grid.end(of: grid.start(containing: Self.now)))
    let pages = CandlePages(.single, grid, most: most, from: grid.moment(-5, after: end), to: end, now: Self.now)
    #expect(pages.first.count == count)
    #expect(pages.next(after: pages.first, oldest: nil, advanced: false) == nil)
  }

  @Test(arguments: [(CalendarUnit.day, 3, 3), (.month, 40, 2), (.year, 40, 1)])
  func calendarPagesAreCounted(_ unit: CalendarUnit, _ days: Int, _ count: Int) {
    let grid = CandleGrid(.oneDay)
    let end = grid.end(of: grid.start(containing: Self.now))
    let pages = CandlePages(
      .calendar(unit, zoneSeconds: 0), grid, most: nil, from: grid.moment(-days, after: end), to: end, now: Self.now)
    #expect(pages.requestCount == count)
  }
}
