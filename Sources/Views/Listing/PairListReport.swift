import Formats
import JSON
import Mapping
package import MarketData
package import Quotes

/// A list of pairs with their assets' names: of one exchange, or of many with the lowest and highest prices.
package struct PairListReport: LineReport {
  /// The requested order and selection.
  package struct Order: Sendable {
    package var sort: ListSort
    package var isReversed: Bool
    /// nil for all.
    package var top: Int?
    /// The typed filter; nil if none.
    package var filter: String?

    package init(sort: ListSort = .turnover, isReversed: Bool = false, top: Int? = nil, filter: String? = nil) {
      self.sort = sort
      self.isReversed = isReversed
      self.top = top
      self.filter = filter
    }
  }

  private let listing: PairListing
  private let order: Order
  private let time: Instant
  private let language: Language
  private let favorites: Set<Pair>
  private let badges: [String: String]
  private let alert: PremiumAlert
  private let trends: [RowKey: TrendReading]
  private let entries: [PairListing.Entry]
  /// How many entries match the filter, shown or not.
  private let found: Int

  /// - Parameters:
  ///   - entries: the entries that match the filter, in order; nil for all, sorted.
  ///   - trends: What is known of closes; nothing means no sparklines.
  package init(
    _ listing: PairListing, _ entries: [PairListing.Entry]? = nil, order: Order, at time: Instant, language: Language,
    favorites: Set<Pair> = [], badges: [String: String] = [:], alert: PremiumAlert,
    trends: [RowKey: TrendReading] = [:]
  ) {
    self.listing = listing
    self.order = order
    self.time = time
    self.language = language
    self.favorites = favorites
    self.badges = badges
    self.alert = alert
    self.trends = trends
    let ordered = entries ?? order.sort.ordered(listing.entries, reversed: order.isReversed, listing.rule, language)
    found = ordered.count
    self.entries = order.top.map { Array(ordered.prefix($0)) } ?? ordered
  }

  package var isEmpty: Bool { entries.isEmpty }

  private var isOfMany: Bool { listing.exchange == nil }

  // MARK: Text

  package func text(on page: Page) -> String {
    page.sections([
      page.header(title, time: time, rate: listing.rate), leadersText(on: page), rows(on: page), page.remarks(notes),
    ])
  }

  /// `Upbit spot  248 pairs: KRW 120, BTC 80`
  private var title: String {
    let all = listing.entries.count
    let who = listing.exchange ?? language("all exchanges", "전체 거래소")
    let groups = ListSort.groups(listing.entries, by: \.pair.payment)
    let named = groups.prefix(3).map { "\($0[0].pair.payment) \($0.count)" }.joined(separator: ", ")
    let more = groups.count > 3 ? language(" and \(groups.count - 3) more", " 외 \(groups.count - 3)개") : ""
    let counts = all == 0 ? "" : ": \(named)\(more)"
    var text = "\(who) \(language.word(for: listing.market))  " + language(all.counted("pair"), "\(all)종목") + counts
    if let filter = order.filter {
      text += "  \(language("filter", "검색")): \(filter) (\(language.part(found, of: all)))"
    }
    return text
  }

  /// The pairs whose closes a printed list draws: the leaders, and in columns the first ten rows. A filtered list has no
  /// leaders, since they are those of the whole market.
  ///
  /// - Parameter columns: The width of the page; nil for unlimited.
  package static func closesDrawn(
    of listing: PairListing, _ rows: [PairListing.Entry], _ order: Order, columns: Int?
  ) -> [PairListing.Entry] {
    (order.filter == nil ? listing.leaders : [])
      + (Trend.hasColumns(in: columns) ? rows.prefix(min(10, order.top ?? 10)) : [])
  }

  private var leaders: [PairListing.Entry] { Self.closesDrawn(of: listing, [], order, columns: nil) }

  private func leadersText(on page: Page) -> String {
    let lines = LeaderLines(leaders, listing, trends, at: nil, language)
    guard !lines.isEmpty else { return "" }
    return page.lines([lines.titleWithAbsence] + lines.lines(width: page.pictureWidth))
  }

  private func table(_ digits: Page.Digits) -> PairTable {
    PairTable(
      listing: listing, sort: order.sort, isReversed: order.isReversed, language: language, favorites: favorites,
      digits: digits, alert: alert
    ) { badges[$0] ?? $0 }
  }

  private func rows(on page: Page) -> String {
    guard !entries.isEmpty else { return page.remarks([language("no pair", "종목 없음")]) }
    var table = table(page.digits)
    if Trend.hasColumns(in: page.width), entries.contains(where: { reading(of: $0)?.trend != nil }) {
      table.trends = (trends, nil)
    }
    return page.table(table.table(entries))
  }

  package var notes: [String] { table(.short).notes(entries) + [missingCloses].compactMap(\.self) }

  /// Why rows have no closes; those above the list have their own reasons there.
  private var missingCloses: String? {
    let above = Set(leaders.map(\.leadRow.ticker.key))
    return entries.filter { !above.contains($0.leadRow.ticker.key) }.compactMap(reading).absence(language)
  }

  private func reading(of entry: PairListing.Entry) -> TrendReading? { trends.reading(of: entry, listing.rule) }

  // MARK: Data

  private func members(of entry: PairListing.Entry) -> [(String, JSONValue)] {
    let ticker = entry.leadRow.ticker
    let name: JSONValue =
      entry.named.map { named in
        [
          "korean": .text(named.name.korean), "english": .text(named.name.english), "from": .string(named.exchange),
        ]
      } ?? nil
    var members: [(String, JSONValue)] = [
      ("pair", .string("\(entry.pair)")), ("asset", .string(entry.pair.asset)),
      ("payment", .string(entry.pair.payment)),
      ("product", .text(ticker.product)), ("name", name), ("exchange", .string(ticker.exchange)),
      ("price", .text(ticker.digits(.price))), ("changePricePercent24", .text(ticker.digits(.changePricePercent24))),
      ("changeBasis", .text(ticker.changeBasis?.rawValue)), ("priceBasis", .text(ticker.priceBasis.label)),
    ]
    if isOfMany {
      func end(_ name: String, _ place: Int?) -> [(String, JSONValue)] {
        let row = place.map { entry.rows[$0].ticker }
        return [("\(name)Exchange", .text(row?.exchange)), ("\(name)Price", .text(row?.digits(.price)))]
      }
      members += [
        ("turnover24", .text(entry.turnover?.shortest)), ("usable", .integer(entry.usable)),
        ("withTurnover", .integer(entry.withTurnover)),
        ("exchanges", .texts(entry.rows.map(\.ticker.exchange))),
        (
          "leftOut",
          .list(entry.leftOut(listing.rule)) {
            ["exchange": .string($0.row.ticker.exchange), "reason": .string($0.objection.code)]
          }
        ),
        ("premiumPercent", .text(entry.premium?.percent.quotientText)),
      ]
      members += end("low", entry.premium?.low) + end("high", entry.premium?.high)
    } else {
      members += [
        ("volume24", .text(ticker.digits(.volume24))), ("turnover24", .text(ticker.digits(.turnover24))),
        ("high", .text(ticker.digits(.high))), ("low", .text(ticker.digits(.low))),
      ]
    }
    return members + [
      ("excludedBecause", .text(ticker.headlineObjection(listing.rule)?.code)), ("reasons", .reasons(reasons(entry))),
    ]
  }

  /// Returns why fields of an entry are empty.
  private func reasons(_ entry: PairListing.Entry) -> [(title: String, code: String?)] {
    let ticker = entry.leadRow.ticker
    func reasons(_ fields: TickerField...) -> [(title: String, code: String?)] {
      fields.map { ($0.rawValue, ticker.cell($0).missing?.code) }
    }
    guard isOfMany else { return reasons(.price, .changePricePercent24, .volume24, .turnover24, .high, .low) }
    let objection = ticker.headlineObjection(listing.rule)?.code
    let noTurnover = ticker.turnover24.missing?.code ?? objection
    return reasons(.price, .changePricePercent24)
      + [
        (TickerField.turnover24.rawValue, entry.turnover == nil ? noTurnover : nil),
        ("premiumPercent", entry.premium == nil ? objection ?? "one-exchange" : nil),
      ]
  }

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "time": .string(time.iso8601), "exchange": .text(listing.exchange), "market": .string(listing.market.rawValue),
      "sort": .string(order.sort.rawValue), "reversed": .bool(order.isReversed), "filter": .text(order.filter),
      "count": .integer(listing.entries.count),
      "rate": listing.rate.map { $0.json(at: time) } ?? nil,
      "pairs": .list(entries) { .members(members(of: $0)) },
      "failures": .list(listing.reports.filter { $0.shownStatus != .ok }, \.json),
      "namesFrom": .texts(listing.names.exchanges),
    ]
    return value.document
  }

  package func ndjson() -> [UInt8] {
    var lines = LineWriter()
    for entry in entries { lines.object("pair", .members(members(of: entry))) }
    for report in listing.reports where report.shownStatus != .ok { lines.object("failure", report.json) }
    return lines.bytes
  }

  package func csv() -> [UInt8] {
    let many = [
      "usable", "withTurnover", "premiumPercent", "lowExchange", "lowPrice", "highExchange", "highPrice", "leftOut",
    ]
    var writer = CSVWriter(
      titles: [
        "pair", "asset", "payment", "korean", "english", "nameFrom", "exchange", "price", "changePricePercent24",
      ]
        + ["changeBasis", "turnover24"] + (isOfMany ? many : ["volume24", "high", "low"])
        + ["excludedBecause", "reasons", "product", "priceBasis"])
    for entry in entries {
      let ticker = entry.leadRow.ticker
      var record: [CSVWriter.Field] = [
        .text("\(entry.pair)"), .text(entry.pair.asset), .text(entry.pair.payment), .text(entry.named?.name.korean),
        .text(entry.named?.name.english), .text(entry.named?.exchange), .text(ticker.exchange),
        .number(ticker.digits(.price)), .number(ticker.digits(.changePricePercent24)),
        .text(ticker.changeBasis?.rawValue),
      ]
      if isOfMany {
        let ends = [entry.premium?.low, entry.premium?.high].map { $0.map { entry.rows[$0].ticker } }
        record += [
          .number(entry.turnover?.shortest), .number("\(entry.usable)"), .number("\(entry.withTurnover)"),
          .number(entry.premium?.percent.quotientText),
        ]
        record += ends.flatMap { [.text($0?.exchange), .number($0?.digits(.price))] }
        record.append(.reasons(entry.leftOut(listing.rule).map { ($0.row.ticker.exchange, $0.objection.code) }))
      } else {
        record += [TickerField.turnover24, .volume24, .high, .low].map { .number(ticker.digits($0)) }
      }
      record += [
        .text(ticker.headlineObjection(listing.rule)?.code), .reasons(reasons(entry)), .text(ticker.product),
        .text(ticker.priceBasis.label),
      ]
      writer.addRecord(record)
    }
    return writer.finished()
  }
}
