import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// Writes a row as JSON: the same keys in every command.
///
/// Step by step rather than as a value: a table has thousands of rows.
struct RowWriter {
  /// Whether `asset`, `payment`, `high`, `low`, `open` and `time` are written: where a table is of many pairs.
  let isFull: Bool

  /// - Parameters:
  ///   - distance: a futures row's distance from its exchange's spot price; nil for a spot row.
  ///   - conversion: another currency that the price is written in as well: only then is there a key for it.
  func write(
    _ row: TickerRow, objection: HeadlineObjection?, distance: Result<Disparity, DisparityAbsence>? = nil,
    conversion: Conversion? = nil, isExplained: Bool = false, into writer: inout JSONWriter
  ) {
    let ticker = row.ticker
    writer.beginObject()
    writer.member("exchange", ticker.exchange)
    writer.member("market", ticker.market.rawValue)
    writer.member("product", ticker.product)
    writer.member("symbol", ticker.symbol)
    if isFull {
      writer.member("asset", ticker.pair.asset)
      writer.member("payment", ticker.pair.payment)
    }
    writer.member(Self.priceKey, .price, of: ticker)
    if let conversion { writer.member("converted", conversion.text(ticker.price.value)) }
    if ticker.priceBasis != .last { writer.member("priceBasis", ticker.priceBasis.rawValue) }
    writer.member(Self.changeKey, .changePricePercent24, of: ticker)
    writer.member("changeBasis", ticker.changeBasis?.rawValue)
    for (key, field) in isFull ? Self.fullFields : Self.fields { writer.member(key, field, of: ticker) }
    if isFull { writer.member("time", ticker.time?.iso8601) }
    writer.member("ageSeconds", row.ageText)
    writer.key("flags")
    writer.beginArray()
    for flag in ticker.flags { writer.string(flag.code) }
    writer.endArray()
    writer.key("excluded")
    writer.boolean(objection != nil)
    if let objection { writer.member("excludedBecause", objection.code) }
    if !isFull {
      let disparity = distance.flatMap { try? $0.get() }
      writer.member("disparityPercent", disparity?.percent.quotientText)
      writer.member("disparity", disparity?.difference.shortest)
    }
    writeReasons(row, distance, &writer)
    writer.key("derived")
    writer.beginArray()
    for field in ticker.derived { writer.string(field.rawValue) }
    writer.endArray()
    if !ticker.flags.isEmpty {
      writer.member("flagMessages", .members(ticker.flags.map { ($0.code, .text($0.message)) }))
    }
    if isExplained { writer.member("explain", Explanation.json(of: row)) }
    writer.endObject()
  }

  private static let priceKey = JSONKey(TickerField.price.rawValue)
  private static let changeKey = JSONKey(TickerField.changePricePercent24.rawValue)
  private static let fields = keyed([.volume24, .turnover24, .bid, .ask])
  private static let fullFields = fields + keyed([.high, .low, .open])

  private static func keyed(_ fields: [TickerField]) -> [(key: JSONKey, field: TickerField)] {
    fields.map { (JSONKey($0.rawValue), $0) }
  }

  private func writeReasons(
    _ row: TickerRow, _ distance: Result<Disparity, DisparityAbsence>?, _ writer: inout JSONWriter
  ) {
    let ticker = row.ticker
    writer.key("reasons")
    writer.beginObject()
    for field in TickerField.allCases where isFull || ![.open, .high, .low].contains(field) {
      if field == .time {
        if let reason = ticker.timeMissing, isFull { writer.member("time", reason.code) }
        if let reason = row.reasonForNoAge { writer.member("ageSeconds", reason) }
      } else if case .missing(let reason) = ticker.cell(field) {
        writer.member(field.rawValue, reason.code)
      }
    }
    if case .failure(let absence)? = distance { writer.member("disparityPercent", "\(absence)" as String) }
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes a field with all its digits, or null where it has no value.
  fileprivate mutating func member(_ name: JSONKey, _ field: TickerField, of ticker: Ticker) {
    key(name)
    guard let value = ticker.cell(field).value else { return null() }
    if ticker.isAsSent, plainString(atMost: Decimal.writtenLength, { value.write(to: $0) }) { return }
    string(ticker.digits(field) ?? "")
  }
}

extension TickerRow {
  /// Why the row has no age: it has no time of its own, or the arrival of its answer is unknown (a saved file); nil when it
  /// has one.
  fileprivate var reasonForNoAge: String? {
    guard ticker.ageNanoseconds == nil else { return nil }
    return ticker.timeMissing?.code ?? "arrival-unknown"
  }

  /// Seconds with three decimals; nil without a time or an arrival.
  var ageText: String? { ticker.ageNanoseconds.map { Decimal.seconds(nanoseconds: $0) } }

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
