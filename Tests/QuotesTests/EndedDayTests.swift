import Quotes
import Testing

/// Which figures of a row are of a calendar day that has ended.
@Suite struct EndedDayTests {
  private static let figures: [TickerField: String] = [
    .price: "3150", .changePricePercent24: "5", .open: "3000", .high: "3200", .low: "2990",
  ]
  private static let all: [TickerField] = [.changePricePercent24, .open, .high, .low]

  private static func moment(_ text: String) throws -> Instant {
    try #require(Instant.iso8601(text, defaultOffsetSeconds: 0))
  }

  private static func row(
    _ figures: [TickerField: String] = figures, of basis: ChangeBasis? = .utcDay, price: PriceBasis = .last,
    time: String? = nil, _ timeBasis: TimeBasis = .trade, arrival: String? = nil
  ) throws -> Ticker {
    var row = MeaningCheckTests.ticker(figures, of: basis, price: price)
    (row.time, row.timeBasis) = (try time.map(moment), timeBasis)
    row.arrival = try arrival.map(moment)
    return row
  }

  /// A day begins at midnight of its own zone, and our clock may be five seconds ahead of the exchange's.
  @Test(
    arguments: [
      (.utcDay, "2026-12-02T23:58:42Z", "2026-12-03T00:00:40Z", true),
      (.utcDay, "2026-12-02T23:59:59.999Z", "2026-12-03T00:00:05Z", true),
      (.utcDay, "2026-12-02T23:59:59.999Z", "2026-12-03T00:00:04.999Z", false),
      (.utcDay, "2026-12-03T00:00:00Z", "2026-12-03T00:00:40Z", false),
      (.utcDay, "2026-12-02T00:00:00Z", "2026-12-02T23:59:59Z", false),
      (.utcDay, "2026-11-30T12:00:00Z", "2026-12-03T12:00:00Z", true),
      (.kstDay, "2026-12-02T14:59:59Z", "2026-12-02T15:00:05Z", true),
      (.kstDay, "2026-12-02T15:00:00Z", "2026-12-02T15:00:05Z", false),
      (.kstDay, "2026-12-02T23:58:42Z", "2026-12-03T00:00:40Z", false),
      (.utc8Day, "2026-12-02T15:59:59Z", "2026-12-02T16:00:05Z", true),
      (.utc8Day, "2026-12-02T14:59:59Z", "2026-12-02T15:00:05Z", false),
      (.rolling24h, "2026-11-30T12:00:00Z", "2026-12-03T12:00:00Z", false),
      (.venueDay, "2026-11-30T12:00:00Z", "2026-12-03T12:00:00Z", false),
      (.previousClose, "2026-11-30T12:00:00Z", "2026-12-03T12:00:00Z", false),
      (nil, "2026-11-30T12:00:00Z", "2026-12-03T12:00:00Z", false),
    ] as [(ChangeBasis?, String, String, Bool)], [TimeBasis.trade, .quote])
  func endAtMidnight(_ example: (ChangeBasis?, time: String, now: String, Bool), _ basis: TimeBasis) throws {
    let row = try Self.row(of: example.0, time: example.time, basis)
    #expect(row.endedFigures(at: try Self.moment(example.now)).fields == (example.3 ? Self.all : []))
  }

  /// By the exchange's clock, a day ends at once.
  @Test func endByExchangesClock() throws {
    let row = try Self.row(time: "2026-12-02T23:59:59Z")
    let ends = try ["2026-12-02T23:59:59.999Z", "2026-12-03T00:00:00Z"].map {
      row.endedFigures(byTheirClock: try Self.moment($0)).fields
    }
    #expect(ends == [[], Self.all])
  }

  /// What fits a day without a trade is of the new day.
  @Test(
    arguments: [
      ([.price: "3150", .changePricePercent24: "0.00", .open: "3150.0", .high: "3150", .low: "3150.00"], []),
      ([.price: "3150", .changePricePercent24: "0", .open: "3150", .high: "3200", .low: "2990"], [.high, .low]),
      ([.price: "3150", .changePricePercent24: "-0.01", .high: "3150", .low: "3150"], [.changePricePercent24]),
      ([.price: "3150"], []), ([.changePricePercent24: "5", .high: "3200"], [.changePricePercent24, .high]),
    ] as [([TickerField: String], [TickerField])])
  func untradedDay(_ figures: [TickerField: String], _ ended: [TickerField]) throws {
    let row = try Self.row(figures, time: "2026-12-02T23:58:42Z")
    #expect(row.endedFigures(at: try Self.moment("2026-12-03T00:00:40Z")).fields == ended)
  }

  /// High and low may be of another span than the change.
  @Test func eachFigureHasItsOwnDay() throws {
    var row = try Self.row(time: "2026-12-02T23:58:42Z")
    (row.highBasis, row.lowBasis) = (.rolling24h, .kstDay)
    #expect(row.endedFigures(at: try Self.moment("2026-12-03T00:00:40Z")).fields == [.changePricePercent24, .open])
    row.changeBasis = .rolling24h
    #expect(row.endedFigures(at: try Self.moment("2026-12-03T15:00:40Z")).fields == [.low])
  }

  /// Without a time of the price, a row is as new as its answer. A time in a wrong unit is none.
  @Test(
    arguments: [
      (.last, nil, nil, "2026-12-02T23:59:50Z", true), (.last, nil, nil, "2026-12-03T00:00:10Z", false),
      (.last, nil, "2026-12-02T23:59:50Z", "2026-12-03T00:00:10Z", true),
      (.last, "1970-01-21T15:10:00Z", nil, "2026-12-03T00:00:10Z", false),
      (.mark, "2026-12-02T23:58:42Z", nil, "2026-12-03T00:00:10Z", false),
      (.last, nil, nil, nil, false),
    ] as [(PriceBasis, String?, String?, String?, Bool)])
  func rowsWithoutTime(
    _ price: PriceBasis, _ time: String?, _ made: String?, _ arrival: String?, _ isEnded: Bool
  ) throws {
    let row = try Self.row(price: price, time: time, arrival: arrival)
    let ended = row.endedFigures(at: try Self.moment("2026-12-03T00:00:40Z"), made: try made.map(Self.moment))
    #expect(ended.fields == (isEnded ? Self.all : []))
  }
}
