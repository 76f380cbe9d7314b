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

  /// How far an asset is dearer in local money than in dollars, or why nobody can tell.
  static func localPremium(_ figures: PairFigures, _ basis: DollarBasis, unit: String = "") -> StyledText {
    if let objection = figures.localObjection { return StyledText(objection.code, .dim) }
    return percent(figures.localPremium[basis], unit: unit)
  }

  static func premium(_ premium: Premium, _ alert: PremiumAlert, unit: String = "") -> StyledText {
    StyledText(
      premium.percentText + unit, Style(ofPremium: premium.percent, strong: alert.orange, weak: alert.grey))
  }
}

/// How the prices of one pair are written below each other: each with all of its digits, and zeros added where another that may
/// be used has more, so that the points line up. Nothing is rounded but what is shown in another money.
struct PriceDigits {
  /// The money that prices are shown in by a rate; nil where they have their own.
  let conversion: Conversion?
  private let places: Int
  private let ticks: [RowKey: PriceTick]

  /// - Parameters:
  ///   - usable: the rows that enter headlines.
  ///   - ticks: the prices that flash.
  ///   - conversion: nil: as they are sent.
  init(_ usable: some Sequence<Ticker>, ticks: [RowKey: PriceTick] = [:], in conversion: Conversion? = nil) {
    self.ticks = ticks
    // What is paid in that money, or in a token of it, needs no rate.
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
    let rows = figures.snapshot.spot + figures.snapshot.futures
    self.init(rows.map(\.ticker).filter { $0.headlineObjection(rule) == nil }, ticks: ticks, in: conversion)
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

  /// Another amount in the money of the prices; nil where these have their own.
  func converted(_ amount: Decimal, _ written: (Decimal) -> String) -> StyledText? {
    conversion.map { $0.converted(amount).map { StyledText(written($0)) } ?? Self.noRate }
  }

  /// What a cell has that cannot be shown in the money that is wanted.
  private static let noRate = StyledText("no-rate", .dim)

  /// nil without a price, and where there is no rate for it.
  func plain(_ ticker: Ticker) -> String? { ticker.price.value.flatMap { plain(ticker, $0) } }

  private func plain(_ ticker: Ticker, _ price: Decimal) -> String? {
    if let conversion { return conversion.converted(price)?.rateText }
    if price == ticker.price.value, ticker.exactText[.price] != nil || ticker.quotients.contains(.price) {
      return ticker.text(.price) ?? "-"
    }
    return Self.places(of: price.shortest) <= places ? price.fixedText(places: places) : price.shortest
  }

  private static func places(of digits: String) -> Int {
    digits.firstIndex(of: ".").map { digits.distance(from: $0, to: digits.endIndex) - 1 } ?? 0
  }
}
