import Mapping
import MarketData
import Quotes
import Terminal

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
  static let noRate = StyledText("no-rate", .dim)

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
