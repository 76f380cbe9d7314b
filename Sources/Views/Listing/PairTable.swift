import Mapping
import MarketData
import Quotes
import Terminal

/// The rows of a list of pairs, printed or live: of one exchange, or of many with the lowest and highest prices.
struct PairTable {
  let listing: PairListing
  let sort: ListSort
  let isReversed: Bool
  let language: Language
  let favorites: Set<Pair>
  let digits: Page.Digits
  let alert: PremiumAlert
  /// Returns up to three letters for an exchange.
  let badge: (String) -> String
  var cursor: Pair?
  /// The price format on a live screen; nil for prices as sent.
  var prices: ((PairListing.Entry) -> PriceDigits)?
  /// The local premium over dollars, on a live screen of many exchanges; nil if unavailable.
  var kimchi: ((Pair) -> StyledText)?
  /// The price of a dollar that it is computed at.
  var basis = DollarBasis.official
  /// How prices are received, on a live screen of many exchanges: `4 stream 1 poll`; nil if unavailable.
  var feeds: ((PairListing.Entry) -> StyledText)?
  /// What is known of the rows' closes, and the moment to draw them for, nil for that of their request; nil if the list has
  /// no room for them.
  var trends: (readings: [RowKey: TrendReading], now: Instant?)?
  /// The age of a row on a live screen, if worth showing.
  var age: ((PairListing.Entry) -> String?)?
  /// Whether prices are shown as sent, in their own payment currency.
  var isInOwnMoney = true

  private var isOfMany: Bool { listing.exchange == nil }

  func table(_ entries: some Collection<PairListing.Entry>) -> Table {
    let ages = entries.map { age?($0) }
    // The age column only exists if there is an age to show.
    let hasAges = ages.contains { $0 != nil }
    let last = TableColumn(hasAges ? language("age", "경과") : "", .right, dropping: 11)
    var table = Table(columns: (isOfMany ? columnsOfMany : columnsOfOne(entries)) + [last])
    let hasDollars = hasDollars(entries)
    for (entry, text) in zip(entries, ages) {
      table.addRow(row(entry, hasDollars: hasDollars) + [StyledText(text ?? "", .dim)])
    }
    return table
  }

  private func row(_ entry: PairListing.Entry, hasDollars: Bool) -> [StyledText] {
    isOfMany ? rowOfMany(entry) : rowOfOne(entry, hasDollars: hasDollars)
  }

  /// Returns the row without its name and mark: `BTC/KRW 134512000 +0.46u 191.36B`.
  func line(_ entry: PairListing.Entry) -> String {
    let cells = ["\(entry.pair)"] + row(entry, hasDollars: false).dropFirst(2).map { $0.plainText }
    return cells.map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  // MARK: Columns

  /// Whether rows have one line each, however narrow: what has no room must go, or numbers would be cut.
  private var isLive: Bool { age != nil }

  /// The room for a badge on a live screen, whose columns are not to move sideways.
  private var badgeWidth: Int { isLive ? 3 : 0 }

  /// Returns the column title, with a mark if the list is sorted by it.
  private func title(_ own: ListSort) -> String {
    own == sort ? own.title(language) + (sort.isDescending != isReversed ? " ▾" : " ▴") : own.title(language)
  }

  /// Returns the last place for the sort column, or nil in print, where it is never dropped.
  private func dropping(_ own: ListSort, _ place: Int) -> Int? { own == sort ? (isLive ? 18 : nil) : place }

  private var leadColumns: [TableColumn] {
    [
      // An exchange's longest symbol must not take the room of the prices.
      TableColumn("  " + title(.pair), minimumWidth: 26, lastWidth: isLive ? 12 : nil, shortening: 1),
      TableColumn(title(.name), minimumWidth: trends == nil ? 14 : 10, shortening: 0, dropping: dropping(.name, 13)),
    ]
  }

  private var localPayment: String? { listing.rate?.quote == nil ? nil : listing.rate?.pair.payment }

  /// Whether some prices are in local currency, which have a column of dollars beside them.
  private func hasDollars(_ entries: some Collection<PairListing.Entry>) -> Bool {
    isInOwnMoney && localPayment.map { local in entries.contains { $0.pair.payment == local } } ?? false
  }

  /// Whether any row has a remark, in view or not: columns do not change while a list is scrolled.
  private var hasRemarks: Bool { listing.entries.contains { $0.leadRow.ticker.remarks(language).width > 0 } }

  private func columnsOfOne(_ entries: some Collection<PairListing.Entry>) -> [TableColumn] {
    leadColumns + [
      TableColumn(title(.price), .right),
      TableColumn(hasDollars(entries) ? language("in $", "달러") : "", .right, dropping: 9),
      TableColumn(title(.change) + " ", .right, dropping: isLive ? dropping(.change, 16) : nil),
      TableColumn(title(.turnover), .right, dropping: dropping(.turnover, 15)),
      TableColumn(language("volume", "거래량"), .right, dropping: 4),
      TableColumn(language("high", "고가"), .right, dropping: 2),
      TableColumn(language("low", "저가"), .right, dropping: 2),
    ] + trendColumns + [
      // Without a remark, names have its room.
      TableColumn(
        hasRemarks ? language("remarks", "비고") : "",
        minimumWidth: 9, shortening: 2, dropping: 12)
    ]
  }

  private var trendColumns: [TableColumn] {
    guard trends != nil else { return [] }
    return [
      TableColumn(language("24 h", "24시간"), dropping: 5, reserved: Trend.dayCells),
      TableColumn(language("7 days", "7일"), dropping: 5, reserved: Trend.weekCells),
    ]
  }

  /// Whether the price that stands for a pair makes room for the sparklines, beside which both ends matter more. In print,
  /// most rows have none.
  private var priceMayGiveWay: Bool { trends?.now != nil && sort != .price }

  /// - Parameter price: the title of the column before it, which it says the exchange of.
  private func badgeColumn(of price: String, dropping: Int) -> TableColumn {
    TableColumn(
      language("at", ""), hiddenName: language("\(price) at", "\(price) 거래소"), dropping: dropping,
      reserved: badgeWidth)
  }

  private var columnsOfMany: [TableColumn] {
    let priceDropping: (price: Int?, badge: Int) = priceMayGiveWay ? (1, 1) : (nil, 17)
    return leadColumns + [
      TableColumn(title(.exchanges), .right, dropping: dropping(.exchanges, 10)),
      TableColumn(title(.price), .right, dropping: priceDropping.price),
      badgeColumn(of: language("price", "현재가"), dropping: priceDropping.badge),
      TableColumn(title(.change) + " ", .right, dropping: dropping(.change, 16)),
      TableColumn(title(.premium), .right, dropping: dropping(.premium, 15)),
      TableColumn(kimchi == nil ? "" : WatchSort.kimchi.title(language, basis), .right, dropping: 2),
      TableColumn(title(.turnover), .right, dropping: dropping(.turnover, 12)),
      TableColumn(language("low", "최저"), .right, dropping: 3),
      badgeColumn(of: language("low", "최저"), dropping: 3),
      TableColumn(language("high", "최고"), .right, dropping: 3),
      badgeColumn(of: language("high", "최고"), dropping: 3),
    ] + trendColumns + [
      TableColumn(feeds == nil ? "" : language("feeds", "연결"), dropping: 0)
    ]
  }

  // MARK: Rows

  private func name(_ entry: PairListing.Entry) -> [StyledText] {
    let isHere = cursor == entry.pair
    let mark = StyledText((isHere ? "▸" : " ") + (favorites.contains(entry.pair) ? "*" : " "), .highlight)
    let product = listing.repeatedPairs.contains(entry.pair) ? entry.leadRow.ticker.product : nil
    return [
      mark + StyledText("\(entry.pair)", isHere ? .heading : .neutral)
        + StyledText(product.map { " \($0)" } ?? "", .dim) + doubt(entry),
      StyledText(entry.named.map { $0.name.both(first: language) } ?? ""),
    ]
  }

  /// Returns the mark of a row whose price enters no headline, as its reason may have no room; empty if the price has
  /// given way to the reason.
  private func doubt(_ entry: PairListing.Entry) -> StyledText {
    let isDoubtful = !isOfMany && entry.usable == 0 && entry.leadRow.ticker.price.value != nil
    return StyledText(isDoubtful ? " !" : "", .alert)
  }

  private func rowOfOne(_ entry: PairListing.Entry, hasDollars: Bool) -> [StyledText] {
    let ticker = entry.leadRow.ticker
    let prices = prices?(entry)
    // Rows excluded from headlines, such as stale ones, are dimmed.
    let style: Style? = entry.usable > 0 ? nil : .dim
    let dollars = isInOwnMoney ? dollarPrice(entry).map { StyledText($0.rateText, .dim) } : nil
    func amount(_ field: TickerField, _ written: (Decimal) -> String) -> StyledText {
      let short = field == .turnover24 && digits != .full && ticker.exactText[field] == nil
      return ticker.cell(field).value.flatMap { value in
        prices?.converted(value, written) ?? (short ? StyledText(written(value)) : nil)
      } ?? ticker.cellText(field, .neutral, digits)
    }
    return name(entry) + [
      prices?.text(ticker, style) ?? ticker.cellText(.price, style ?? ticker.changeStyle, digits),
      dollars ?? (hasDollars ? .nothing : ""), ticker.changeOrReason, amount(.turnover24, language.amount),
      ticker.cellText(.volume24, .neutral, digits),
      amount(.high, \.rateText), amount(.low, \.rateText),
    ] + trendCells(entry) + [ticker.remarks(language)]
  }

  /// Returns a local price in dollars at the header's rate.
  private func dollarPrice(_ entry: PairListing.Entry) -> Decimal? {
    guard entry.pair.payment == localPayment, let rate = listing.rate?.quote?.rate else { return nil }
    return entry.leadRow.ticker.price.value?.divided(by: rate)
  }

  private func rowOfMany(_ entry: PairListing.Entry) -> [StyledText] {
    let lead = entry.leadRow.ticker
    let prices = prices?(entry)
    func price(_ ticker: Ticker, _ style: Style?) -> StyledText {
      prices?.text(ticker, style) ?? ticker.cellText(.price, style ?? ticker.changeStyle, digits)
    }
    func end(_ ticker: Ticker) -> [StyledText] { [price(ticker, .neutral), StyledText(badge(ticker.exchange))] }
    let ends = entry.premium.map { [entry.rows[$0.low].ticker, entry.rows[$0.high].ticker] } ?? []
    // Where the column of the price may give way, the only price is the lowest. One that is in no premium is no end.
    let only =
      (priceMayGiveWay && entry.usable > 0 ? [price(lead, nil), StyledText(badge(lead.exchange))] : ["", ""])
      + ["", ""]
    // A price excluded from headlines is replaced by the reason; a missing price already has its own.
    let objection = entry.usable > 0 || lead.price.value == nil ? nil : lead.headlineObjection(listing.rule)
    let premium =
      entry.premium.map { StyledText($0, alert) } ?? objection.map { StyledText($0.code, .warning) }
      ?? .nothing
    let turnover = entry.turnover.map { value in
      prices?.converted(value, language.amount)
        ?? StyledText(digits == .full ? value.description : language.amount(value))
    }
    return name(entry) + [
      StyledText("\(entry.usable)"), price(lead, entry.usable > 0 ? nil : .dim), StyledText(badge(lead.exchange)),
      lead.changeOrReason, premium, kimchi.map { $0(entry.pair) } ?? "",
      turnover ?? .nothing,
    ] + (ends.isEmpty ? only : ends.flatMap(end)) + trendCells(entry) + [feeds?(entry) ?? ""]
  }

  /// Returns the closes of a day and of a week. On a live screen, blanks keep the room of those that may still come.
  private func trendCells(_ entry: PairListing.Entry) -> [StyledText] {
    guard let trends else { return [] }
    let reading = trends.readings.reading(of: entry, listing.rule)
    return [(Trend.day, Trend.dayCells), (Trend.week, Trend.weekCells)].map { hours, cells in
      let absent = reading?.failure == nil ? StyledText(blanks: trends.now == nil ? 0 : cells) : .nothing
      return reading?.trend?.bars(of: hours, cells: cells, at: trends.now) ?? absent
    }
  }

  // MARK: Notes

  func notes(_ entries: some Collection<PairListing.Entry>) -> [String] {
    var notes = [sort.separationNote(entries.map(\.pair), language)].compactMap(\.self)
    let lenders = listing.lenders
    if let exchange = listing.exchange, !lenders.isEmpty {
      let names = lenders.joined(separator: ", ")
      notes.append(
        language(
          "names are those of \(names), by symbol: \(exchange) \(listing.names.exchanges.contains(exchange) ? "does not name these" : "sends none")",
          "이름은 \(names) 기준 (심볼로 연결)"))
    }
    if entries.contains(where: { ($0.leadRow.ticker.changeBasis?.label) != nil }) {
      notes.append(
        language(
          "u: change since 00:00 UTC, k: 00:00 KST, o: another span; not ranked with 24 h",
          "u: 00:00 UTC 이후, k: 00:00 KST 이후, o: 다른 기간의 등락률; 24시간 등락률과 함께 순위를 매기지 않음"))
    }
    return notes + [partialTurnover(entries), leftOut(entries)].compactMap(\.self)
  }

  /// Says which turnovers leave out exchanges, as those send none; nil if there are none.
  private func partialTurnover(_ entries: some Collection<PairListing.Entry>) -> String? {
    guard isOfMany else { return nil }
    let partial = entries.filter { $0.withTurnover > 0 && $0.withTurnover < $0.usable }
      .map { "\($0.pair) \(language.part($0.withTurnover, of: $0.usable))" }
    guard !partial.isEmpty else { return nil }
    return language(
      "turnover is that of the exchanges that send one: \(partial.named(upTo: 3))",
      "거래대금은 보내는 거래소의 합: \(partial.prefix(3).joined(separator: ", "))"
        + (partial.count > 3 ? " 외 \(partial.count - 3)개" : ""))
  }

  /// Says how many prices are in no premium and no turnover; nil if there is none, or if each row shows it.
  private func leftOut(_ entries: some Collection<PairListing.Entry>) -> String? {
    guard listing.exchange == nil else { return nil }
    let codes = entries.flatMap { $0.leftOut(listing.rule).map(\.objection.code) }
    guard !codes.isEmpty else { return nil }
    let counts = Dictionary(codes.map { ($0, 1) }, uniquingKeysWith: +).sorted {
      ($1.value, $0.key) < ($0.value, $1.key)
    }
    let named = counts.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    return language(
      "in no premium and no turnover: \(codes.count.counted("price")) (\(named)); -f json names them",
      "프리미엄과 거래대금에서 제외: 가격 \(codes.count)개 (\(named)), -f json에 표시")
  }
}

extension ListSort {
  func title(_ language: Language) -> String {
    switch self {
    case .pair: language("pair", "종목")
    case .name: language("name", "이름")
    case .price: language("price", "현재가")
    case .change: "24h%"
    case .turnover: language("turnover", "거래대금")
    case .premium: language("prem%", "프리미엄%")
    case .exchanges: language("n", "거래소")
    case .fit: ""
    }
  }

  package static func columns(ofMany: Bool) -> [ListSort] {
    ofMany
      ? [.pair, .name, .exchanges, .price, .change, .premium, .turnover] : [.pair, .name, .price, .change, .turnover]
  }
}
