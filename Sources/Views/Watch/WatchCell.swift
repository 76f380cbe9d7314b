import Mapping
import MarketData
import Quotes
import Terminal

/// Cells shared by several screens.
enum WatchCell {
  /// Returns a row's change with a mark for its time span: none for the rolling 24 hours, `u` since midnight UTC, `k`
  /// since midnight in Korea, `o` for any other span.
  static func change(_ row: TickerRow) -> StyledText { change(row.ticker) }

  static func change(_ ticker: Ticker) -> StyledText {
    guard let percent = ticker.changePricePercent24.value else { return .nothing + StyledText(" ") }
    let mark =
      switch ticker.changeBasis {
      case nil, .rolling24h: " "
      case .utcDay: "u"
      case .kstDay: "k"
      case .utc8Day, .venueDay, .previousClose: "o"
      }
    return StyledText(percent.signedPercentText + mark, ticker.changeStyle)
  }

  /// Returns the local premium over dollars, or why it is unknown.
  static func localPremium(_ figures: PairFigures, _ basis: DollarBasis, unit: String = "") -> StyledText {
    switch figures.localPremium[basis] {
    case .failure(let objection): StyledText(objection.code, .dim)
    case .success(let premium): StyledText(percent: premium, unit: unit)
    case nil: .nothing
    }
  }

  static func premium(_ premium: Premium, _ alert: PremiumAlert, unit: String = "") -> StyledText {
    StyledText(
      premium.percentText + unit, Style(ofPremium: premium.percent, strong: alert.orange, weak: alert.grey))
  }
}

/// The format of a pair's prices in a column: each with all of its digits, zero-padded to the most decimals of any
/// usable price so that the points line up. Only converted prices are rounded.
struct PriceDigits {
  /// The conversion used for prices; nil to show them as sent.
  let conversion: Conversion?
  private let places: Int
  private let ticks: [RowKey: PriceTick]

  /// - Parameters:
  ///   - usable: the rows included in headlines.
  ///   - ticks: the flashing prices.
  ///   - conversion: nil to show prices as sent.
  init(_ usable: some Sequence<Ticker>, ticks: [RowKey: PriceTick] = [:], in conversion: Conversion? = nil) {
    self.ticks = ticks
    // Prices in that currency, or in a token of it, need no rate.
    self.conversion = conversion?.rate == nil ? nil : conversion
    places = usable.reduce(0) { most, ticker in
      guard ticker.exactText[.price] == nil, !ticker.quotients.contains(.price), let price = ticker.price.value else {
        return most
      }
      return max(most, Self.places(of: price.shortest))
    }
  }

  init(
    _ figures: PairFigures, _ rule: HeadlineRule, ticks: [RowKey: PriceTick] = [:], in conversion: Conversion? = nil
  ) {
    let usable = figures.snapshot.rows.map(\.ticker).filter { $0.headlineObjection(rule) == nil }
    self.init(usable, ticks: ticks, in: conversion)
  }

  init(_ figures: PairFigures, on board: WatchBoard) {
    self.init(figures, board.settings.rule, ticks: board.ticks, in: board.conversion(of: figures.pair))
  }

  func text(_ ticker: Ticker, _ style: Style? = nil) -> StyledText {
    guard let price = ticker.price.value else { return StyledText(ticker.price.missing?.code ?? "-", .dim) }
    guard let text = plain(ticker, price) else { return Self.noRate }
    guard style == nil, let tick = ticks[ticker.key], let old = plain(ticker, tick.old) else {
      return StyledText(text, style ?? ticker.changeStyle)
    }
    return StyledText(text, after: old, ticker.changeStyle, isUp: tick.isUp)
  }

  /// Returns another amount in the currency of the prices; nil if they are shown as sent.
  func converted(_ amount: Decimal, _ written: (Decimal) -> String) -> StyledText? {
    conversion.map { $0.converted(amount).map { StyledText(written($0)) } ?? Self.noRate }
  }

  /// The cell for a value that cannot be converted to the display currency.
  private static let noRate = StyledText("no-rate", .dim)

  /// nil if there is no price, or no rate for it.
  func plain(_ ticker: Ticker) -> String? { ticker.price.value.flatMap { plain(ticker, $0) } }

  private func plain(_ ticker: Ticker, _ price: Decimal) -> String? {
    if let conversion { return conversion.converted(price)?.rateText }
    if price == ticker.price.value, ticker.exactText[.price] != nil || ticker.quotients.contains(.price) {
      return ticker.text(.price) ?? "-"
    }
    return Self.places(of: price.shortest) <= places ? price.fixedText(places: places) : price.shortest
  }

  /// Returns how many digits a number has after its point.
  static func places(of digits: String) -> Int {
    digits.firstIndex(of: ".").map { digits.distance(from: $0, to: digits.endIndex) - 1 } ?? 0
  }
}
