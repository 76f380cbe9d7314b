import Mapping
import MarketData
import Quotes
import Terminal

/// Cells that several screens have in common.
enum WatchCell {
  static let nothing = StyledText("-", .dim)

  /// The change of a row with a mark for the span that it is measured over: nothing for the rolling 24 hours, `u` since midnight
  /// UTC, `k` since midnight in Korea, `o` over another span.
  static func change(_ row: TickerRow) -> StyledText { change(row.ticker) }

  static func change(_ ticker: Ticker) -> StyledText {
    guard let percent = ticker.changePricePercent24.value else { return nothing + StyledText(" ") }
    let mark =
      switch ticker.changeBasis {
      case nil, .rolling24h: " "
      case .utcDay: "u"
      case .kstDay: "k"
      case .utc8Day, .venueDay, .previousClose: "o"
      }
    return StyledText(percent.signedPercentText + mark, ticker.changeStyle)
  }

  static func percent(_ percent: Decimal?, unit: String = "") -> StyledText {
    percent.map { StyledText($0.signedPercentText + unit, Style(ofChange: $0)) } ?? nothing
  }

  static func premium(_ premium: Premium, _ alert: PremiumAlert, unit: String = "") -> StyledText {
    StyledText(
      premium.percentText + unit, Style(ofPremium: premium.percent, strong: alert.orange, weak: alert.grey))
  }
}

/// How the prices of one pair are written below each other: each with all of its digits, and zeros added where another that may
/// be used has more, so that the points line up. Nothing is rounded.
struct PriceDigits {
  private let places: Int
  private let ticks: [RowKey: PriceTick]

  /// - Parameters:
  ///   - usable: the rows that enter headlines.
  ///   - ticks: the prices that flash.
  init(_ usable: some Sequence<Ticker>, ticks: [RowKey: PriceTick] = [:]) {
    self.ticks = ticks
    places = usable.reduce(0) { most, ticker in
      guard ticker.exactText[.price] == nil, !ticker.quotients.contains(.price), let price = ticker.price.value else {
        return most
      }
      return max(most, Self.places(of: price.shortest))
    }
  }

  init(_ figures: PairFigures, _ rule: HeadlineRule, ticks: [RowKey: PriceTick] = [:]) {
    let rows = figures.snapshot.spot + figures.snapshot.futures
    self.init(rows.map(\.ticker).filter { $0.headlineObjection(rule) == nil }, ticks: ticks)
  }

  init(_ figures: PairFigures, on board: WatchBoard) { self.init(figures, board.settings.rule, ticks: board.ticks) }

  func text(_ ticker: Ticker, _ style: Style? = nil) -> StyledText {
    guard let price = ticker.price.value else { return StyledText(ticker.price.missing?.code ?? "-", .dim) }
    let text = plain(ticker, price)
    guard style == nil, let tick = ticks[ticker.key] else { return StyledText(text, style ?? ticker.changeStyle) }
    return StyledText(text, after: plain(ticker, tick.old), ticker.changeStyle, isUp: tick.isUp)
  }

  /// nil without a price.
  func plain(_ ticker: Ticker) -> String? { ticker.price.value.map { plain(ticker, $0) } }

  private func plain(_ ticker: Ticker, _ price: Decimal) -> String {
    if price == ticker.price.value, ticker.exactText[.price] != nil || ticker.quotients.contains(.price) {
      return ticker.text(.price) ?? "-"
    }
    return Self.places(of: price.shortest) <= places ? price.fixedText(places: places) : price.shortest
  }

  private static func places(of digits: String) -> Int {
    digits.firstIndex(of: ".").map { digits.distance(from: $0, to: digits.endIndex) - 1 } ?? 0
  }
}
