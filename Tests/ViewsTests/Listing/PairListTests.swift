import Config
import Mapping
import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// Lists of pairs, drawn from the shipped recordings.
@Suite struct PairListTests {
  private static let lists = Task { try await Lists() }

  /// The pairs of one exchange, and those of all.
  struct Lists {
    let one: PairListing
    let all: PairListing
    let time: Instant

    init() async throws {
      let session = try await WatchReplay([]).session
      let configuration = session.configuration
      let names = await session.assetNames()
      let query = TableQuery(options: session.interpretation())
      let reports = await session.reports(ofAll: [.spot], query).reports
      let rate = await session.client.rate(
        of: configuration.settings.headerRate, configuration, session.interpretation())
      func listing(_ exchange: String?) -> PairListing {
        PairListing(
          of: exchange, .spot, exchange.map { name in reports.filter { $0.exchange == name } } ?? reports, names: names,
          rate: rate, check: MeaningCheck(), rule: .standard)
      }
      (one, all) = (listing("Upbit"), listing(nil))
      time = session.moment(of: reports, rate)
    }
  }

  /// Returns a week of closes of the pairs with the largest turnover, of which one failed.
  static func trends(_ listing: PairListing, at time: Instant) -> [RowKey: TrendReading] {
    listing.leaders.enumerated().reduce(into: [:]) { trends, leader in
      let series = SampleCandles.series(
        .oneHour, from: "2026-11-11T06:00:00Z", count: Trend.week, seed: UInt64(leader.offset))
      trends[leader.element.leadRow.ticker.key] = TrendReading(
        leader.offset == 1
          ? .failure(AnswerFailure(.timeout)) : .success(Trend(series, hours: Trend.week, asked: time)))
    }
  }

  /// The closes of a pair are those of its leading exchange, or if it has no candles, of the next one by turnover.
  @Test func closesOfTheNextExchange() async throws {
    let listing = try await Self.lists.value.all
    let entry = try #require(listing.entries.first { $0.pair == Pair(asset: "BTC", payment: "KRW") })
    func row(_ failures: [Missing], of exchanges: [String]) -> String {
      let rows = entry.rows.map(\.ticker.key)
      let trends = zip(failures, exchanges).reduce(into: [RowKey: TrendReading]()) { trends, failure in
        if let key = rows.first(where: { $0.exchange == failure.1 }) {
          trends[key] = TrendReading(.failure(AnswerFailure(failure.0)))
        }
      }
      return trends.row(among: entry.rows, lead: entry.leadRow, listing.rule).exchange
    }
    #expect(row([], of: []) == "Upbit")
    #expect(row([.timeout], of: ["Upbit"]) == "Upbit")
    #expect(row([.notOffered], of: ["Upbit"]) == "Bithumb")
    let all = entry.rows.map(\.ticker.exchange)
    #expect(row(all.map { _ in .notOffered }, of: all) == "Upbit")
  }

  /// A printed list has closes above it unless it is filtered, and on a wide page in its first rows, whatever the order.
  @Test(
    arguments: [
      (80, nil, "BTC/KRW ETH/KRW USDT/KRW PEPE/KRW SHIB/KRW"),
      (160, nil, "BTC/KRW ETH/KRW USDT/KRW PEPE/KRW SHIB/KRW SHIB/KRW ETH/KRW ETH/USDT ETH/BTC"),
      (80, "eth", ""), (160, "eth", "SHIB/KRW ETH/KRW ETH/USDT ETH/BTC"),
    ] as [(Int, String?, String)]) func closesDrawn(_ columns: Int, _ filter: String?, _ pairs: String) async throws
  {
    let listing = try await Self.lists.value.one
    let order = PairListReport.Order(sort: .change, isReversed: true, top: 4, filter: filter)
    let rows = order.sort.ordered(listing.entries, reversed: true, listing.rule, .english)
    let drawn = PairListReport.closesDrawn(of: listing, rows, order, columns: columns)
    #expect(drawn.map { "\($0.pair)" }.joined(separator: " ") == pairs)
  }

  /// Rows without closes have a reason, beside those above the list, and columns of closes only exist for some.
  @Test(arguments: [(true, "no closes: timeout (1)"), (false, "no closes: timeout (2)")])
  func saysWhyRowsHaveNoCloses(_ hasCloses: Bool, _ note: String) async throws {
    let lists = try await Self.lists.value
    let entries = lists.one.entries.filter { $0.pair.asset == "BTC" }
    var trends = entries.reduce(into: [RowKey: TrendReading]()) {
      $0[$1.leadRow.ticker.key] = TrendReading(.failure(AnswerFailure(.timeout)))
    }
    let bitcoin = try #require(entries.first { $0.pair.payment == "KRW" }).leadRow.ticker.key
    if hasCloses { trends[bitcoin] = Self.trends(lists.one, at: lists.time)[bitcoin] }
    func made(_ entries: [PairListing.Entry], _ filter: String?) -> PairListReport {
      PairListReport(
        lists.one, entries, order: .init(filter: filter), at: lists.time, language: .english, alert: .standard,
        trends: trends)
    }
    let report = made(entries, "btc")
    #expect(report.notes.last == note)
    let text = report.text(on: Page(palette: .plain, width: 160, language: .english, localClock: { _ in .seoul }))
    #expect(text.contains("  7 days") == hasCloses)
    let row = text.split(separator: "\n").first { $0.contains("BTC/USDT") }
    #expect((row?.split(separator: " ").suffix(2) == ["-", "-"]) == hasCloses)
    // The reason of a leader is above the list.
    #expect(made(entries.filter { $0.pair.payment == "KRW" }, nil).notes.allSatisfy { !$0.contains("no closes") })
  }

  /// On a wide page the price that stands for a pair stays; on a screen it may give way to the closes of each row, unless the
  /// list is sorted by it. A price that is the only one is then that at the low end, but one that is in no premium is none.
  @Test(arguments: [(true, ListSort.turnover, [2, 1]), (true, .price, [1, 1]), (false, .turnover, [1, 1])])
  func priceGivesWay(_ isLive: Bool, _ sort: ListSort, _ places: [Int]) async throws {
    let lists = try await Self.lists.value
    var table = PairTable(
      listing: lists.all, sort: sort, isReversed: false, language: .english, favorites: [], digits: .short,
      alert: .standard
    ) { "@\($0)" }
    table.trends = ([:], isLive ? lists.time : nil)
    let single = try #require(lists.all.entries.first { $0.usable == 1 && $0.premium == nil })
    let unusable = try #require(lists.all.entries.first { $0.usable == 0 && $0.leadRow.ticker.price.value != nil })
    #expect([single, unusable].map { entry in table.line(entry).count { $0 == "@" } } == places)
    let titles = table.table(lists.all.entries).lines(width: 160, namesHidden: false)[0].plainText
    #expect(titles.contains("price") == (!isLive || sort == .price))
  }

  @Test(arguments: [60, 80, 160], Language.allCases) func golden(_ width: Int, _ language: Language) async throws {
    let lists = try await Self.lists.value
    let page = Page(
      palette: .plain, width: width, language: language, localClock: { _ in .seoul })
    let favorites: Set<Pair> = [Pair(asset: "BTC", payment: "KRW"), Pair(asset: "ETH", payment: "USDT")]
    func text(_ listing: PairListing, _ order: PairListReport.Order) -> String {
      PairListReport(
        listing, order: order, at: lists.time, language: language, favorites: favorites,
        badges: ["Binance": "BN", "Upbit": "UP", "Kraken": "KR"], alert: .standard,
        trends: Self.trends(listing, at: lists.time)
      ).text(on: page)
    }
    let sections = [
      text(lists.one, .init()), text(lists.one, .init(sort: .change, isReversed: true, top: 4)),
      text(lists.all, .init(sort: .premium, top: 12)),
    ]
    Golden.expect(sections.joined(separator: "\n---\n"), matches: "list-\(width)-\(language.rawValue).txt")
  }

  /// Reversing a list twice restores it; reversing it once reverses what can be compared and keeps missing figures at
  /// the end.
  @Test(arguments: ListSort.columns) func everyColumnSortsBothWays(_ sort: ListSort) async throws {
    let listing = try await Self.lists.value.all
    let rule = listing.rule
    func ordered(_ entries: [PairListing.Entry], _ isReversed: Bool) -> [String] {
      sort.ordered(entries, reversed: isReversed, rule, .korean).map { "\($0.pair)" }
    }
    let down = ordered(listing.entries, false)
    let up = ordered(listing.entries, true)
    #expect(Set(down) == Set(listing.entries.map { "\($0.pair)" }))
    #expect(down != up)
    // The input order does not matter.
    #expect(ordered(listing.entries.reversed(), false) == down)
    for payment in ["USDT", "KRW"] {
      let group = listing.entries.filter { $0.pair.payment == payment && sort.hasFigure($0, rule) }
      if sort == .change { continue }
      #expect(ordered(group, false) == ordered(group, true).reversed())
    }
  }

  /// Neither turnovers in won and dollars nor changes over different spans are ranked against each other.
  @Test func incomparableValuesAreNotRanked() async throws {
    let listing = try await Self.lists.value.all
    let byTurnover = ListSort.turnover.ordered(listing.entries, reversed: false, listing.rule, .english)
    let payments = byTurnover.map(\.pair.payment)
    let runs = payments.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    #expect(runs.count == Set(payments).count)
    let byChange = ListSort.change.ordered(listing.entries, reversed: false, listing.rule, .english)
    let labels = byChange.map { $0.leadRow.ticker.changeBasis?.label ?? "" }
    #expect(labels.first == "")
    #expect(labels.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }.count == Set(labels).count)
  }

  /// In Korean, the Korean name determines the order and comes first.
  @Test(arguments: [(Language.english, "Bitcoin 비트코인"), (.korean, "비트코인 Bitcoin")])
  func names(_ language: Language, _ text: String) async throws {
    let listing = try await Self.lists.value.one
    let bitcoin = try #require(listing.entries.first { $0.pair.asset == "BTC" }?.named)
    #expect(bitcoin.name.both(first: language) == text)
  }
}

extension ListSort {
  fileprivate func hasFigure(_ entry: PairListing.Entry, _ rule: HeadlineRule) -> Bool {
    switch self {
    case .pair, .fit, .exchanges: true
    case .name: entry.named != nil
    case .price: entry.leadRow.ticker.price.value != nil
    case .change: entry.change(rule) != nil
    case .turnover: entry.turnover != nil
    case .premium: entry.premium != nil
    }
  }
}
