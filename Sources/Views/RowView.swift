import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

extension TickerRow {
  var ageCell: StyledText {
    guard let age = ticker.ageNanoseconds else { return .nothing }
    guard age >= 0 else { return StyledText("in " + ClockText.age(nanoseconds: 0 - age), .warning) }
    return StyledText(ClockText.age(nanoseconds: age), ticker.oldTradeText() == nil ? .neutral : .warning)
  }
}

// MARK: - Cells on the screen

extension Ticker {
  /// The color of the change, shared by price and change; neutral if there has been no trade for a while.
  var changeStyle: Style {
    oldTradeText() == nil ? changePricePercent24.value.map { Style(ofChange: $0) } ?? .neutral : .dim
  }

  /// Returns the digits, or why there are none.
  func cellText(_ field: TickerField, _ style: Style = .neutral, _ digits: Page.Digits = .short) -> StyledText {
    guard let text = text(field), let value = cell(field).value else {
      return StyledText(cell(field).missing?.code ?? "-", .dim)
    }
    switch field {
    case _ where digits == .full || exactText[field] != nil: return StyledText(text, style)
    case .changePricePercent24: return StyledText(text, style)
    case .turnover24: return StyledText(value.compactText, style)
    default: return StyledText(quotients.contains(field) ? text : value.shortest, style)
    }
  }

  /// Returns `last trade 3m ago` if that is more than a minute; nil for a recent trade, and for a quote.
  fileprivate func oldTradeText(_ language: Language = .english) -> String? {
    guard timeBasis == .trade, let age = ageNanoseconds, age >= 60_000_000_000 else { return nil }
    let text = language.age(nanoseconds: age)
    return language("last trade \(text) ago", "\(text) 전 체결")
  }

  /// What the change is measured from; empty for the rolling 24 hours.
  var basisText: StyledText {
    guard changePricePercent24.value != nil, let label = changeBasis?.label else { return StyledText("") }
    return StyledText(label, .dim)
  }

  /// Returns labels and flags, shortest first.
  func remarks(_ language: Language = .english) -> StyledText {
    var text = StyledText("")
    func add(_ word: String, _ style: Style) {
      if text.width > 0 { text += StyledText(" ") }
      text += StyledText(word, style)
    }
    if priceBasis != .last { add(priceBasis.rawValue, .warning) }
    if let multiplier { add("\(multiplier.shortest)x", .dim) }
    for flag in flags { add(flag.code, flag.excludes ? .alert : .warning) }
    if let oldTradeText = oldTradeText(language), !flags.contains(where: { $0.kind == .stale }) {
      add(oldTradeText, .warning)
    }
    return text
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

// MARK: - An exchange's answer

extension ExchangeReport {
  /// `{"exchange": "Binance", "market": "spot", "status": "failed", "reason": "http-451", "message": …}`
  var json: JSONValue {
    [
      "exchange": .string(exchange), "market": .string(market.rawValue), "status": .string(shownStatus.rawValue),
      "reason": .text(reason), "message": .text(message),
    ]
  }

  /// A human-readable line; nil if nothing failed.
  package var line: String? {
    guard hasFailed, let reason else { return nil }
    let detail = message.map { " (\($0))" } ?? ""
    let extent = status == .failed ? "" : ", in part"
    return "\(exchange) \(market.rawValue)\(extent): \(reason)\(detail)"
  }
}

/// A queried market of an exchange and its failures.
package protocol FailingMarket {
  var exchange: String { get }
  var market: Market { get }
  /// A human-readable line; nil if nothing failed.
  var line: String? { get }
  /// The distinct reasons.
  var failureCodes: [String] { get }
  /// Whether it returned nothing, other than by the user's choice.
  var hasNothing: Bool { get }
  /// Whether a recording lacks the requests, in which case the line names them.
  var isUnrecorded: Bool { get }
}

extension FailingMarket {
  /// Returns the line with the URLs of the market's requests appended.
  fileprivate func line(naming requests: [RequestJournal.Entry]) -> String? {
    let own = requests.filter { $0.exchange == exchange && !$0.isKept && $0.name.hasPrefix("\(market.rawValue)-") }
    let addresses = own.map { "\($0.method) \($0.url)" }.unique
    let named = isUnrecorded || addresses.isEmpty ? "" : "; " + addresses.prefix(3).joined(separator: ", ")
    return line.map { $0 + named }
  }
}

extension Array where Element: FailingMarket {
  /// Returns one line per failed market; three or more with the same reason share one.
  ///
  /// - Parameters:
  ///   - isVerbose: whether each market gets its own line regardless, with the requested URLs.
  ///   - requests: all requests of the run.
  package func failureLines(isVerbose: Bool, _ requests: [RequestJournal.Entry] = []) -> [String] {
    let failed = filter { $0.line != nil }
    guard !isVerbose else { return failed.compactMap { $0.line(naming: requests) } }
    let groups = Dictionary(grouping: failed, by: \.failureCodes)
    var written: Set<[String]> = []
    var lines = failed.compactMap { report -> String? in
      guard let group = groups[report.failureCodes], group.count >= 3 else { return report.line }
      guard written.insert(report.failureCodes).inserted else { return nil }
      let (codes, names) = (report.failureCodes.joined(separator: ", "), group.map(\.exchange).unique.shortList)
      return "\(group.count) markets: \(codes) (\(names); -v shows more)"
    }
    if failed.count >= 3, allSatisfy(\.hasNothing) {
      lines.append("no exchange answers; find out why with: market doctor --live")
    }
    // A market asked for several pairs may fail for all of them alike.
    return lines.unique
  }
}

extension ExchangeReport: FailingMarket {
  /// The distinct failure reasons of its parts.
  package var failureCodes: [String] { failures.map(\.failure.reason.code).unique }

  package var hasNothing: Bool { status == .failed || requests.isEmpty }

  package var isUnrecorded: Bool { failures.allSatisfy { $0.failure.reason == TableFailure.notRecorded } }
}
