import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

extension TickerRow {
  var ageCell: StyledText {
    guard let age = ticker.ageNanoseconds else { return StyledText("-", .dim) }
    return StyledText(ClockText.age(nanoseconds: age), ticker.oldTradeText == nil ? .neutral : .warning)
  }
}

// MARK: - Cells on the screen

extension Ticker {
  /// Price and change share the colour of the change. What nobody has traded at for a while has none.
  var changeStyle: Style {
    oldTradeText == nil ? changePricePercent24.value.map { Style(ofChange: $0) } ?? .neutral : .dim
  }

  /// The digits, or why there are none.
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

  /// `last trade 3m ago`, where that is more than a minute; nil for a recent one, and for a quote.
  var oldTradeText: String? { oldTradeText(.english) }

  private func oldTradeText(_ language: Language) -> String? {
    guard timeBasis == .trade, let age = ageNanoseconds, age >= 60_000_000_000 else { return nil }
    let text = language.age(nanoseconds: age)
    return language("last trade \(text) ago", "\(text) 전 체결")
  }

  /// What the change is measured from; nothing for the rolling 24 hours.
  var basisText: StyledText {
    guard changePricePercent24.value != nil, let label = changeBasis?.label else { return StyledText("") }
    return StyledText(label, .dim)
  }

  /// Labels and flags, shortest first.
  var remarks: StyledText { remarks(.english) }

  func remarks(_ language: Language) -> StyledText {
    var text = StyledText("")
    func add(_ word: String, _ style: Style) {
      if text.width > 0 { text = text + StyledText(" ") }
      text = text + StyledText(word, style)
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

// MARK: - An exchange's answer

extension ExchangeReport {
  /// `{"exchange": "Binance", "market": "spot", "status": "failed", "reason": "http-451", "message": …}`
  var json: JSONValue {
    [
      "exchange": .string(exchange), "market": .string(market.rawValue), "status": .string(status.rawValue),
      "reason": .text(reason), "message": .text(message),
    ]
  }

  /// One line for people, nil where nothing failed.
  package var line: String? {
    guard status == .failed || status == .partial, let reason else { return nil }
    let detail = message.map { " (\($0))" } ?? ""
    let extent = status == .partial ? ", in part" : ""
    return "\(exchange) \(market.rawValue)\(extent): \(reason)\(detail)"
  }
}

/// A market of an exchange that was asked, and what failed there.
package protocol FailingMarket {
  var exchange: String { get }
  var market: Market { get }
  /// One line for people, nil where nothing failed.
  var line: String? { get }
  /// Why, each reason once.
  var failureCodes: [String] { get }
  /// Whether nothing came from it, and not by a choice of ours.
  var hasNothing: Bool { get }
  /// Whether a recording lacks the requests: then the line names them.
  var isUnrecorded: Bool { get }
}

extension FailingMarket {
  /// The line, with the addresses of the market's requests behind it.
  fileprivate func line(naming requests: [RequestJournal.Entry]) -> String? {
    let own = requests.filter { $0.exchange == exchange && !$0.isKept && $0.name.hasPrefix("\(market.rawValue)-") }
    let addresses = own.map { "\($0.method) \($0.url)" }.unique
    let named = isUnrecorded || addresses.isEmpty ? "" : "; " + addresses.prefix(3).joined(separator: ", ")
    return line.map { $0 + named }
  }
}

extension Array where Element: FailingMarket {
  /// What failed: a line for each market, and one for all of three or more that failed for the same reason.
  ///
  /// - Parameters:
  ///   - isVerbose: whether each market has its own line all the same, with the addresses that were asked.
  ///   - requests: all of the run.
  package func failureLines(isVerbose: Bool, _ requests: [RequestJournal.Entry] = []) -> [String] {
    let failed = filter { $0.line != nil }
    guard !isVerbose else { return failed.compactMap { $0.line(naming: requests) } }
    let groups = Dictionary(grouping: failed, by: \.failureCodes)
    var written: Set<[String]> = []
    var lines = failed.compactMap { report -> String? in
      guard let group = groups[report.failureCodes], group.count >= 3 else { return report.line }
      guard written.insert(report.failureCodes).inserted else { return nil }
      var names: [String] = []
      for other in group where !names.contains(other.exchange) { names.append(other.exchange) }
      let more = names.count > 6 ? " and \(names.count - 5) more" : ""
      let some = names.prefix(names.count > 6 ? 5 : 6).joined(separator: ", ")
      return "\(group.count) markets: \(report.failureCodes.joined(separator: ", ")) (\(some)\(more); -v says more)"
    }
    if failed.count >= 3, allSatisfy(\.hasNothing) {
      lines.append("no exchange answers; see what is wrong with: market doctor --live")
    }
    return lines
  }
}

extension ExchangeReport: FailingMarket {
  /// The reasons of its parts, each once.
  package var failureCodes: [String] {
    failures.map(\.failure.reason.code).unique
  }

  package var hasNothing: Bool { status == .failed || requests.isEmpty }

  package var isUnrecorded: Bool { failures.allSatisfy { $0.failure.reason == TableFailure.notRecorded } }
}
