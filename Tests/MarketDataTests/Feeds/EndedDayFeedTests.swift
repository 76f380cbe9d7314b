import HTTP
import Mapping
import Quotes
import Synchronization
import Testing

@testable import MarketData

/// The figures of a day on a board, once that day has ended.
@Suite struct EndedDayFeedTests {
  private static let pair = Pair(asset: "XRP", payment: "KRW")
  private static let key = FeedKey(exchange: "Stub", market: .spot)

  private static func moment(_ text: String) throws -> Instant {
    try #require(Instant.iso8601(text, defaultOffsetSeconds: 0))
  }

  /// A row of a price of 3150.
  ///
  /// - Parameter figures: change, high and low; nil if they have been left out.
  private static func row(
    _ figures: (Decimal, Decimal, Decimal)?, of pair: Pair = pair, time: Instant, arrival: Instant
  ) -> TickerRow {
    func cell(_ value: Decimal?) -> Cell { value.map(Cell.value) ?? .missing(.stale) }
    let ticker = Ticker(
      exchange: key.exchange, market: key.market, symbol: "KRW-\(pair.asset)", pair: pair, price: .value(3150),
      changePricePercent24: cell(figures?.0), high: cell(figures?.1), low: cell(figures?.2), time: time,
      arrival: arrival, changeBasis: .utcDay, highBasis: .utcDay, lowBasis: .utcDay, timeBasis: .trade)
    return TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
  }

  private static func figures(_ row: TickerRow?) -> [String] {
    let fields: [TickerField] = [.changePricePercent24, .high, .low]
    return fields.compactMap { field in row?.ticker.text(field) ?? row?.ticker.cell(field).missing?.code }
  }

  /// A table is newer than the figures of a streamed row whose day has ended since, or that the row has lost.
  @Test(
    arguments: [
      ((5, 3200, 2990), "2026-12-02T23:59:58Z", "2026-12-02T23:59:59.9Z", ["+5.00", "3200", "2990"]),
      ((5, 3200, 2990), "2026-12-02T23:59:58Z", "2026-12-03T00:00:00.1Z", ["+0.00", "3150", "3150"]),
      ((0, 3200, 3150), "2026-12-02T23:59:58Z", "2026-12-03T00:00:00.1Z", ["+0.00", "3150", "3150"]),
      (nil, "2026-12-03T00:00:07Z", "2026-12-03T00:00:08Z", ["+0.00", "3150", "3150"]),
      ((1, 3150, 3118), "2026-12-03T00:00:07Z", "2026-12-03T00:00:08Z", ["+1.00", "3150", "3118"]),
    ] as [((Decimal, Decimal, Decimal)?, String, String, [String])])
  func tablesRenewStreamedRows(
    _ streamed: (Decimal, Decimal, Decimal)?, _ time: String, _ arrival: String, _ figures: [String]
  ) throws {
    let (time, arrival) = (try Self.moment(time), try Self.moment(arrival))
    var rows = FeedRows()
    rows.take([Self.row(streamed, time: time, arrival: time)], pairs: nil)
    rows.replace(
      with: [Self.row((0, 3150, 3150), time: time, arrival: arrival)], pairs: nil, isPartial: false,
      streamed: [Self.pair], asked: arrival.advanced(by: .milliseconds(-100)))
    #expect(Self.figures(rows.rows.first) == figures)
  }

  /// A message without the figures, or with those of the day before, leaves those of its day as they are.
  @Test(
    arguments: [
      ((1, 3150, 3118), "2026-12-03T00:00:08Z", nil, "2026-12-03T00:00:09Z", ["+1.00", "3150", "3118"]),
      ((0, 3150, 3150), "2026-12-03T00:00:08Z", (5, 3200, 2990), "2026-12-02T23:59:58Z", ["+0.00", "3150", "3150"]),
      ((5, 3200, 2990), "2026-12-02T23:59:58Z", nil, "2026-12-03T00:00:01Z", ["stale", "stale", "stale"]),
      ((5, 3200, 2990), "2026-12-02T23:59:58Z", (1, 3150, 3118), "2026-12-03T00:00:01Z", ["+1.00", "3150", "3118"]),
    ] as [((Decimal, Decimal, Decimal)?, String, (Decimal, Decimal, Decimal)?, String, [String])])
  func messagesKeepTheirDay(
    _ known: (Decimal, Decimal, Decimal)?, _ arrival: String, _ sent: (Decimal, Decimal, Decimal)?, _ time: String,
    _ figures: [String]
  ) throws {
    let (arrival, time) = (try Self.moment(arrival), try Self.moment(time))
    var rows = FeedRows()
    rows.take([Self.row(known, time: arrival, arrival: arrival)], pairs: nil, asked: arrival)
    rows.take([Self.row(sent, time: time, arrival: max(time, arrival.advanced(by: .seconds(1))))], pairs: nil)
    #expect(Self.figures(rows.rows.first) == figures)
  }

  /// When a day ends, rows of a quiet stream are asked for once. What the exchange has not renewed is left out.
  @Test(arguments: [(true, ["+0.00", "3150", "3150"]), (false, ["stale", "stale", "stale"])])
  func quietStreamIsAskedAtEndOfDay(isRenewed: Bool, _ figures: [String]) async throws {
    let traded = try Self.moment("2026-12-02T23:59:49Z")
    let clock = Mutex(traded)
    let asked = Mutex(0)
    let midnight = try Self.moment("2026-12-03T00:00:00Z")
    @Sendable func now() -> Instant { clock.withLock { $0 } }
    let board = FeedBoard(
      [
        FeedState(
          Self.key, badge: "ST",
          capabilities: FeedCapabilities(termMilliseconds: 1000, pairs: [Self.pair], wholeCost: nil))
      ],
      now: { now() },
      ask: { key, _ in
        asked.withLock { $0 += 1 }
        var table = TickerTable()
        table.answered = 1
        table.rows = [
          Self.row(isRenewed && now() >= midnight ? (0, 3150, 3150) : (5, 3200, 2990), time: traded, arrival: now())
        ]
        return [
          ExchangeReport(exchange: key.exchange, market: key.market, GatheredTable(table, of: Self.pair, requests: []))
        ]
      })
    await board.step()
    await board.settle()
    await board.take(.live([Self.pair]), of: Self.key)
    var seen: [Step] = []
    for second: Int64 in [-2, 4, 5, 6] {
      let before = now()
      clock.withLock { $0 = midnight.advanced(by: .seconds(second)) }
      if second < 0 { await board.take(.rows([Self.row((5, 3200, 2990), time: traded, arrival: now())]), of: Self.key) }
      await board.take(.life, of: Self.key)
      let hasAged = board.state.hasAged(since: before, by: now())
      asked.withLock { $0 = 0 }
      await board.step()
      await board.settle()
      let row = board.state[Self.key]?.report(of: Self.pair, at: now())?.table.rows.first
      seen.append(Step(hasAged: hasAged, asked: asked.withLock { $0 }, figures: Self.figures(row)))
    }
    let before = Step(hasAged: false, asked: 0, figures: ["+5.00", "3200", "2990"])
    #expect(
      seen == [
        before, before, Step(hasAged: true, asked: 1, figures: figures),
        Step(hasAged: false, asked: 0, figures: figures),
      ])
  }

  /// A row that its answer lacks is asked for once, and by a feed that fails as often as it is polled. The answer fails
  /// for the only pair, or for one of two.
  @Test(arguments: [(1, [0, 0, 1, 1, 0, 1]), (2, [0, 0, 1, 0, 0, 0])])
  func failedAnswersAreNotWantedEachSecond(pairCount: Int, _ counts: [Int]) async throws {
    let traded = try Self.moment("2026-12-02T23:59:49Z")
    let midnight = try Self.moment("2026-12-03T00:00:00Z")
    let clock = Mutex(traded)
    let asked = Mutex(0)
    @Sendable func now() -> Instant { clock.withLock { $0 } }
    let pairs = [Self.pair, Pair(asset: "BTC", payment: "KRW")].prefix(pairCount)
    let board = FeedBoard(
      [
        FeedState(
          Self.key, badge: "ST",
          capabilities: FeedCapabilities(termMilliseconds: 1000, pairs: Array(pairs), wholeCost: nil))
      ],
      now: { now() },
      ask: { key, query in
        guard case .pairs(let pairs, _) = query else { return [] }
        return pairs.map { pair in
          var table = TickerTable()
          if pair == Self.pair { asked.withLock { $0 += 1 } }
          if pair == Self.pair, now() >= midnight {
            table.failures = [TickerTable.PartFailure(part: "", failure: AnswerFailure(.timeout))]
          } else {
            table.answered = 1
            table.rows = [Self.row((5, 3200, 2990), of: pair, time: traded, arrival: now())]
          }
          return ExchangeReport(exchange: key.exchange, market: key.market, GatheredTable(table, of: pair))
        }
      })
    await board.poll()
    await board.take(.live([Self.pair]), of: Self.key)
    var seen: [Int] = []
    for second: Int64 in [-2, 4, 5, 6, 7, 11] {
      clock.withLock { $0 = midnight.advanced(by: .seconds(second)) }
      if second < 0 { await board.take(.rows([Self.row((5, 3200, 2990), time: traded, arrival: now())]), of: Self.key) }
      await board.take(.life, of: Self.key)
      asked.withLock { $0 = 0 }
      await board.poll()
      seen.append(asked.withLock { $0 })
    }
    #expect(seen == counts)
  }

  private struct Step: Equatable {
    let hasAged: Bool
    let asked: Int
    let figures: [String]
  }
}
