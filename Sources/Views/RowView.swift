import Mapping
import MarketData
import Quotes
import Terminal

extension TickerRow {
  /// - Parameter moment: the moment of the age; nil for the row's arrival.
  func ageCell(at moment: Instant? = nil, _ language: Language = .english) -> StyledText {
    guard let age = moment.map({ ticker.ageNanoseconds(at: $0) }) ?? ticker.ageNanoseconds else { return .nothing }
    guard age >= 0 else {
      // As exact as the flag of a time in the future has it: hours of a time zone stay whole.
      let text = language.age(nanoseconds: DurationText.shown(nanoseconds: Int64(clamping: age.magnitude)))
      return StyledText(language("in \(text)", "\(text) 뒤"), .warning)
    }
    return StyledText(language.age(nanoseconds: age), ticker.oldTradeText() == nil ? .neutral : .warning)
  }
}

extension [TickerRow] {
  /// Whether the age of a price is something to know: it is that of an old trade.
  var haveOldTrade: Bool { contains { $0.ticker.oldTradeText() != nil } }
}

// MARK: - Cells on the screen

extension Ticker {
  /// The color of the change, shared by price and change; neutral if there has been no trade for a while.
  var changeStyle: Style {
    oldTradeText() == nil ? changePricePercent24.value.map { Style(ofChange: $0) } ?? .neutral : .dim
  }

  /// The change with a mark for its time span: none for the rolling 24 hours, `u` since midnight UTC, `k` since midnight
  /// in Korea, `o` for any other span. nil if there is no change.
  var changeText: String? {
    let mark =
      switch changeBasis {
      case nil, .rolling24h: ""
      case .utcDay: "u"
      case .kstDay: "k"
      case .utc8Day, .venueDay, .previousClose: "o"
      }
    return changePricePercent24.value.map { $0.signedPercentText + mark }
  }

  /// The same as a cell, which ends with the mark or with room for one.
  var changeCell: StyledText {
    guard let text = changeText else { return .nothing + " " }
    return StyledText(text.last?.isLetter == true ? text : text + " ", changeStyle)
  }

  /// The change with the mark of its basis, or why there is none, for tables that have room to say so.
  var changeOrReason: StyledText {
    changePricePercent24.value == nil ? cellText(.changePricePercent24) + StyledText(" ") : changeCell
  }

  /// Returns the digits, or why there are none.
  func cellText(
    _ field: TickerField, _ style: Style = .neutral, _ digits: Page.Digits = .short, _ language: Language = .english
  ) -> StyledText {
    guard let text = text(field), let value = cell(field).value else {
      return StyledText(cell(field).missing?.code ?? "-", .dim)
    }
    switch field {
    case _ where digits == .full || exactText[field] != nil: return StyledText(text, style)
    case .changePricePercent24: return StyledText(text, style)
    case .turnover24: return StyledText(language.amount(value), style)
    default: return StyledText(quotients.contains(field) ? text : value.shortest, style)
    }
  }

  /// Returns `last trade 3m ago` if that is more than a minute, or that there was none; nil for a recent trade, and for
  /// a quote.
  func oldTradeText(_ language: Language = .english) -> String? {
    if hasNoTrades { return language("no trade in 24h", "24시간 체결 없음") }
    guard timeBasis == .trade, let age = ageNanoseconds, age >= Instant.minute else { return nil }
    let text = language.age(nanoseconds: age)
    return language("last trade \(text) ago", "\(text) 전 체결")
  }

  /// What the change is measured from; empty for the rolling 24 hours.
  func basisText(_ language: Language = .english) -> StyledText {
    guard changePricePercent24.value != nil, let label = changeBasis?.label(language) else { return "" }
    return StyledText(label, .dim)
  }

  /// Returns labels and flags, shortest first.
  func remarks(_ language: Language = .english) -> StyledText {
    var words: [StyledText] = []
    if priceBasis != .last { words.append(StyledText(priceBasis.rawValue, .warning)) }
    if let multiplier { words.append(StyledText("\(multiplier.shortest)x", .dim)) }
    words += flags.map { StyledText($0.reason, $0.excludes ? .alert : .warning) }
    if let oldTradeText = oldTradeText(language), !flags.contains(where: { $0.kind == .stale || $0.kind == .dead }) {
      words.append(StyledText(oldTradeText, .warning))
    }
    return words.joined()
  }

  /// Returns what is wrong with each flagged cell: `Upbit spot: flagged, offers: …`.
  ///
  /// - Parameter name: what the row is called, which an exchange may have sent.
  func flagSentences(of name: String, _ language: Language = .english) -> [String] {
    flags.map { flag in
      let verdict = flag.excludes ? language("left out", "제외") : language("flagged", "확인 필요")
      return "\(name): \(verdict), \(flag.code): \(flag.message(language))"
    }
  }
}

extension ChangeBasis {
  /// Returns the label beside a change; nil for the rolling 24 hours.
  func label(_ language: Language) -> String? {
    guard language == .korean else { return label }
    return switch self {
    case .rolling24h: nil
    case .utcDay: "UTC 당일"
    case .kstDay: "KST 당일"
    case .utc8Day: "UTC+8 당일"
    case .venueDay: "거래소 당일"
    case .previousClose: "직전 종가"
    }
  }
}

extension PairFigures {
  /// The row whose last price is still shown, dim, while no exchange has a usable one; nil if one has, or if no price has
  /// merely become old.
  var lastRow: TickerRow? {
    guard lead == nil else { return nil }
    let old = snapshot.spot.indices.filter { place in
      switch snapshot.spot[place].ticker.headlineObjection(snapshot.rule) {
      case .flagged(let flag): flag.kind == .stale
      case .oldTrade, .noTrades: true
      case .missing, .basis, nil: false
      }
    }
    return snapshot.spot.lead(among: old).map { snapshot.spot[$0] }
  }

  /// Returns the local premium over dollars, or why it is unknown.
  func localPremiumCell(_ basis: DollarBasis, unit: String = "") -> StyledText {
    switch localPremium[basis] {
    case .failure(let objection): StyledText(objection.code, .dim)
    case .success(let premium): StyledText(percent: premium, unit: unit)
    case nil: .nothing
    }
  }
}

extension Result {
  /// Why there is no value; nil if there is one.
  var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension StyledText {
  /// Creates the percentage of a premium, in the style for its size.
  init(_ premium: Premium, _ alert: PremiumAlert, unit: String = "") {
    let style: Style =
      switch alert.highlight(premium.percent) {
      case .orange: .highlight
      case .grey: .dim
      case .none: .neutral
      }
    self.init(premium.percentText + unit, style)
  }
}

extension Cell {
  /// Returns the formatted number, or why there is none.
  func text(_ write: (Decimal) -> String) -> StyledText {
    switch self {
    case .value(let value): StyledText(write(value))
    case .missing(let reason): StyledText(reason.code, .dim)
    }
  }
}
