import JSON
package import Mapping
package import MarketData
package import Quotes
import Terminal

/// A list of pairs with the names of their assets: of one exchange, or of many with both ends of each pair.
package struct PairListReport: LineReport {
  /// How the list was asked for.
  package struct Order: Sendable {
    package var sort: ListSort
    package var isReversed: Bool
    /// nil shows all.
    package var top: Int?
    /// What was typed to filter the pairs; nil: nothing.
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
  /// Closes of an hour each, oldest first, or why there are none: of the pairs with the largest turnover.
  private let trends: [(entry: PairListing.Entry, closes: Result<[Decimal], TableFailure>)]
  /// Those that are shown, in their order.
  private let entries: [PairListing.Entry]
  /// How many the filter leaves, be they shown or not.
  private let found: Int

  /// - Parameters:
  ///   - entries: those that the filter leaves, in their order; nil sorts all of them.
  ///   - trends: the closes of the pairs in ``leaders(of:)``; empty leaves the picture out.
  package init(
    _ listing: PairListing, _ entries: [PairListing.Entry]? = nil, order: Order, at time: Instant, language: Language,
    favorites: Set<Pair> = [], badges: [String: String] = [:], alert: PremiumAlert = PremiumAlert(),
    trends: [Result<[Decimal], TableFailure>] = []
  ) {
    self.listing = listing
    self.order = order
    self.time = time
    self.language = language
    self.favorites = favorites
    self.badges = badges
    self.alert = alert
    self.trends = Array(zip(Self.leaders(of: listing), trends))
    let ordered =
      entries ?? order.sort.ordered(listing.entries, reversed: order.isReversed, listing.rule, language)
    found = ordered.count
    self.entries = order.top.map { Array(ordered.prefix($0)) } ?? ordered
  }

  /// The ten pairs with the largest turnover of 24 hours, in the payment currency that most pairs have.
  package static func leaders(of listing: PairListing) -> [PairListing.Entry] {
    guard let group = ListSort.groups(listing.entries.filter { $0.turnover != nil }, by: \.pair.payment).first else {
      return []
    }
    return Array(ListSort.turnover.ordered(group, reversed: false, listing.rule, .english).prefix(10))
  }

  package var isEmpty: Bool { entries.isEmpty }

  private var isOfMany: Bool { listing.exchange == nil }

  // MARK: Text

  package func text(on page: Page) -> String {
    let sections = [
      page.header(title, time: time, rate: listing.rate), leadersText(on: page), table(on: page), page.remarks(notes),
    ]
    return sections.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// `Upbit spot  248 pairs: KRW 120, BTC 80`
  private var title: String {
    let all = listing.entries.count
    let who = listing.exchange ?? language("all exchanges", "전체 거래소")
    let groups = ListSort.groups(listing.entries, by: \.pair.payment)
    let named = groups.prefix(3).map { "\($0[0].pair.payment) \($0.count)" }.joined(separator: ", ")
    let more = groups.count > 3 ? language(" and \(groups.count - 3) more", " 외 \(groups.count - 3)") : ""
    let counts = all == 0 ? "" : ": \(named)\(more)"
    var text =
      "\(who) \(listing.market.rawValue)  " + language("\(all) \(all == 1 ? "pair" : "pairs")", "\(all)종목") + counts
    if let filter = order.filter {
      text += "  \(language("filter", "검색")): \(filter) (\(found)\(language(" of ", "/"))\(all))"
    }
    return text
  }

  /// Two lines of five pairs each, with the way of their prices over a day.
  private func leadersText(on page: Page) -> String {
    guard let first = trends.first else { return "" }
    let payment = first.entry.pair.payment
    let head = StyledText(
      language("top \(trends.count) by turnover of 24 h in \(payment)", "24시간 거래대금 상위 \(trends.count) (\(payment))"),
      .heading)
    let hours = trends.compactMap { try? $0.closes.get().count }.max() ?? 0
    let what = StyledText(hours > 0 ? language("  closes of \(hours) h", "  \(hours)시간 종가") : "", .dim)
    let names = trends.map { StyledText($0.entry.pair.asset).width }.max() ?? 0
    let changes = trends.map { change($0.entry).width }.max() ?? 0
    let cell = max(1, (page.pictureWidth - 2) / 5) - 1
    let room = max(3, min(24, cell - names - changes - 2))
    let items = trends.map { entry, closes -> StyledText in
      let values = try? closes.get()
      let picture = values.map { StyledText(Sparkline.text($0, cells: room), Style(ofTrend: $0)) } ?? WatchCell.nothing
      return StyledText(entry.pair.asset).padded(to: names) + StyledText(" ") + picture.padded(to: room)
        + StyledText(" ")
        + change(entry).aligned(to: changes)
    }
    let width = items.map(\.width).max() ?? 1
    let perLine = max(1, min(5, (page.pictureWidth - 2 + 1) / (width + 1)))
    let lines = stride(from: 0, to: items.count, by: perLine).map { start in
      items[start..<min(items.count, start + perLine)].reduce(StyledText(" ")) {
        $0 + StyledText(" ") + $1.padded(to: width)
      }
    }
    return page.lines([head + what] + lines)
  }

  private func change(_ entry: PairListing.Entry) -> StyledText { WatchCell.change(entry.leadRow) }

  private func table(on page: Page) -> String {
    guard !entries.isEmpty else { return page.remarks([language("no pair", "종목 없음")]) }
    var table = Table(columns: isOfMany ? columnsOfMany : columnsOfOne)
    for entry in entries { table.addRow(isOfMany ? rowOfMany(entry, on: page) : rowOfOne(entry, on: page)) }
    return page.table(table)
  }

  /// The title of a column with a mark where the list is sorted by it.
  private func title(_ sort: ListSort, _ english: String, _ korean: String) -> String {
    let title = language(english, korean)
    guard sort == order.sort else { return title }
    return title + (sort.isDescending != order.isReversed ? " ▾" : " ▴")
  }

  /// What the list is sorted by is never left out.
  private func dropping(_ sort: ListSort, _ place: Int) -> Int? { sort == order.sort ? nil : place }

  private func leadColumns(_ name: String) -> [TableColumn] {
    [
      TableColumn("  " + title(.pair, "pair", "종목")),
      TableColumn(title(.name, name, "이름"), minimumWidth: 14, shortening: 0, dropping: dropping(.name, 13)),
    ]
  }

  private var localPayment: String? { listing.rate?.quote == nil ? nil : listing.rate?.pair.payment }

  private var columnsOfOne: [TableColumn] {
    leadColumns("name") + [
      TableColumn(title(.price, "price", "현재가"), .right), TableColumn(title(.change, "24h%", "24h%") + " ", .right),
      TableColumn(title(.turnover, "turnover", "거래대금"), .right, dropping: dropping(.turnover, 15)),
      TableColumn(hasDollars ? language("in $", "달러") : "", .right, dropping: 12),
      TableColumn(language("volume", "거래량"), .right, dropping: 4),
      TableColumn(language("high", "고가"), .right, dropping: 2),
      TableColumn(language("low", "저가"), .right, dropping: 2), TableColumn(language("remarks", "비고"), dropping: 9),
    ]
  }

  private var hasDollars: Bool { localPayment.map { local in entries.contains { $0.pair.payment == local } } ?? false }

  private func name(_ entry: PairListing.Entry) -> [StyledText] {
    [
      StyledText(favorites.contains(entry.pair) ? " *" : "  ", .highlight) + StyledText("\(entry.pair)"),
      StyledText(entry.named.map { $0.name.both(first: language) } ?? ""),
    ]
  }

  private func rowOfOne(_ entry: PairListing.Entry, on page: Page) -> [StyledText] {
    let ticker = entry.leadRow.ticker
    let dollars = dollarPrice(entry).map { StyledText($0.rateText, .dim) } ?? StyledText("")
    let style = ticker.changeStyle
    return name(entry) + [
      ticker.cellText(.price, style, page.digits), change(entry), ticker.cellText(.turnover24, .neutral, page.digits),
      dollars,
    ] + [TickerField.volume24, .high, .low].map { ticker.cellText($0, .neutral, page.digits) } + [ticker.remarks]
  }

  /// What a price in local money is in dollars, at the rate of the header.
  private func dollarPrice(_ entry: PairListing.Entry) -> Decimal? {
    guard entry.pair.payment == localPayment, let rate = listing.rate?.quote?.rate else { return nil }
    return entry.leadRow.ticker.price.value?.divided(by: rate)
  }

  private var columnsOfMany: [TableColumn] {
    leadColumns("name") + [
      TableColumn(title(.exchanges, "n", "거래소"), .right, dropping: dropping(.exchanges, 10)),
      TableColumn(title(.price, "price", "현재가"), .right), TableColumn(language("at", "곳")),
      TableColumn(title(.change, "24h%", "24h%") + " ", .right),
      TableColumn(title(.premium, "prem%", "프리미엄%"), .right, dropping: dropping(.premium, 15)),
      TableColumn(title(.turnover, "turnover", "거래대금"), .right, dropping: dropping(.turnover, 12)),
      TableColumn(language("low", "최저"), .right, dropping: 3), TableColumn(language("at", "곳"), dropping: 3),
      TableColumn(language("high", "최고"), .right, dropping: 3), TableColumn(language("at", "곳"), dropping: 3),
    ]
  }

  private func rowOfMany(_ entry: PairListing.Entry, on page: Page) -> [StyledText] {
    let lead = entry.leadRow.ticker
    let isUsable = entry.usable > 0
    let ends = entry.premium.map { [entry.rows[$0.low].ticker, entry.rows[$0.high].ticker] } ?? []
    let premium = entry.premium.map { WatchCell.premium($0, alert) } ?? WatchCell.nothing
    let turnover = entry.turnover.map { StyledText(page.amount($0)) } ?? WatchCell.nothing
    return name(entry) + [
      StyledText("\(entry.usable)"),
      lead.cellText(.price, isUsable ? lead.changeStyle : .dim, page.digits), StyledText(badge(lead.exchange)),
      change(entry), premium, turnover,
    ] + ends.flatMap { [$0.cellText(.price, .neutral, page.digits), StyledText(badge($0.exchange))] }
  }

  private func badge(_ exchange: String) -> String { badges[exchange] ?? exchange }

  package var notes: [String] {
    var notes: [String] = []
    if [.price, .turnover].contains(order.sort), Set(entries.map(\.pair.payment)).count > 1 {
      notes.append(
        language(
          "sorted by \(order.sort.rawValue), each payment currency for itself", "결제 통화별로 정렬: 통화가 다른 값은 비교하지 않음"))
    }
    let lenders = listing.lenders
    if let exchange = listing.exchange, !lenders.isEmpty {
      let names = lenders.joined(separator: ", ")
      notes.append(
        language(
          "names are those of \(names), by symbol: \(exchange) \(listing.names.exchanges.contains(exchange) ? "does not name these" : "sends none")",
          "이름은 \(names)의 것 (심볼 기준)"))
    }
    if entries.contains(where: { ($0.leadRow.ticker.changeBasis?.label) != nil }) {
      notes.append(
        language(
          "u: change since 00:00 UTC, k: since 00:00 KST, o: over another span; never ranked with 24 h",
          "u: 00:00 UTC 이후, k: 00:00 KST 이후, o: 다른 기간의 등락률; 24시간과 함께 순위를 매기지 않음"))
    }
    return notes
  }

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
      ("changeBasis", .text(ticker.changeBasis?.rawValue)),
    ]
    if isOfMany {
      func end(_ place: Int?) -> JSONValue {
        guard let place else { return nil }
        let row = entry.rows[place].ticker
        return ["exchange": .string(row.exchange), "price": .text(row.digits(.price))]
      }
      members += [
        ("turnover24", .text(entry.turnover?.shortest)), ("usable", .integer(entry.usable)),
        ("exchanges", .texts(entry.rows.map(\.ticker.exchange))),
        ("premiumPercent", .text(entry.premium?.percent.quotientText)), ("low", end(entry.premium?.low)),
        ("high", end(entry.premium?.high)),
      ]
    } else {
      members += [
        ("volume24", .text(ticker.digits(.volume24))), ("turnover24", .text(ticker.digits(.turnover24))),
        ("high", .text(ticker.digits(.high))), ("low", .text(ticker.digits(.low))),
      ]
    }
    let fields: [TickerField] = [.price, .changePricePercent24, .volume24, .turnover24]
    let reasons = fields.compactMap { field in
      ticker.cell(field).missing.map { (field.rawValue, JSONValue.string($0.code)) }
    }
    members += [
      ("excludedBecause", .text(ticker.headlineObjection(listing.rule)?.code)), ("reasons", .members(reasons)),
    ]
    return members
  }

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "time": .string(time.iso8601), "exchange": .text(listing.exchange), "market": .string(listing.market.rawValue),
      "sort": .string(order.sort.rawValue), "reversed": .bool(order.isReversed), "filter": .text(order.filter),
      "count": .integer(listing.entries.count),
      "rate": listing.rate.map { $0.json(at: time) } ?? nil,
      "pairs": .list(entries) { .members(members(of: $0)) },
      "failures": .list(listing.reports.filter { $0.status != .ok }, \.json),
      "namesFrom": .texts(listing.names.exchanges),
    ]
    return value.written(indent: 2)
  }

  package func ndjson() -> [UInt8] {
    var lines = LineWriter()
    for entry in entries {
      lines.object { writer in
        writer.member("type", "pair")
        for (name, value) in members(of: entry) { writer.member(name, value) }
      }
    }
    for report in listing.reports where report.status != .ok {
      lines.object { writer in
        writer.member("type", "failure")
        writer.members(report.json)
      }
    }
    return lines.bytes
  }

  package func csv() -> String {
    let many = ["usable", "premiumPercent", "lowExchange", "low", "highExchange", "high"]
    var writer = CSVWriter(
      titles: [
        "pair", "asset", "payment", "korean", "english", "nameFrom", "exchange", "price", "changePricePercent24",
      ]
        + ["changeBasis", "turnover24"] + (isOfMany ? many : ["volume24", "high", "low"]) + ["excludedBecause"])
    for entry in entries {
      let ticker = entry.leadRow.ticker
      var record: [CSVWriter.Field] = [
        .text("\(entry.pair)"), .text(entry.pair.asset), .text(entry.pair.payment),
        .text(entry.named?.name.korean ?? ""), .text(entry.named?.name.english ?? ""),
        .text(entry.named?.exchange ?? ""), .text(ticker.exchange), .number(ticker.digits(.price) ?? ""),
        .number(ticker.digits(.changePricePercent24) ?? ""), .text(ticker.changeBasis?.rawValue ?? ""),
      ]
      if isOfMany {
        let ends = [entry.premium?.low, entry.premium?.high].map { $0.map { entry.rows[$0].ticker } }
        record += [
          .number(entry.turnover?.shortest ?? ""), .number("\(entry.usable)"),
          .number(entry.premium?.percent.quotientText ?? ""),
        ]
        record += ends.flatMap { [.text($0?.exchange ?? ""), .number($0?.digits(.price) ?? "")] }
      } else {
        record += [TickerField.turnover24, .volume24, .high, .low].map { .number(ticker.digits($0) ?? "") }
      }
      writer.addRecord(record + [.text(ticker.headlineObjection(listing.rule)?.code ?? "")])
    }
    return writer.text
  }
}

extension Style {
  /// The colour of a way from the first price to the last.
  fileprivate init(ofTrend values: [Decimal]) {
    guard let first = values.first, let last = values.last, first != last else {
      self = .neutral
      return
    }
    self = last > first ? .up : .down
  }
}
