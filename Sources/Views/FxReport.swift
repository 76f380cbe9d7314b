import Config
import Formats
import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// An exchange rate, an amount converted with it, and the outcome of each rule of its route.
package struct FxReport: Report {
  let report: RateReport
  /// The amount of the asset to convert.
  let amount: Decimal?
  /// Whether the text lists the rules; JSON always does.
  let isExplained: Bool

  package init(_ report: RateReport, amount: Decimal?, isExplained: Bool) {
    self.report = report
    self.amount = amount
    self.isExplained = isExplained
  }

  // MARK: Data

  package func json() -> [UInt8] { json(of: report, isWhole: true).document }

  private func json(of report: RateReport, isWhole: Bool) -> JSONValue {
    var value: JSONValue = ["at": .string(report.moment.iso8601)] + report.json(at: report.moment)
    if isWhole {
      value += [
        "amount": .text(amount?.shortest),
        "converted": .text(amount.flatMap { amount in report.quote.map { (amount * $0.rate).shortest } }),
      ]
    }
    return value + [
      "route": .text(report.route.map { "\($0.pattern)" }),
      "rules": .list(report.steps) { step in
        [
          "provider": .string(step.rule.use),
          "hours": .text(step.rule.hours?.description),
          "open": .text(step.rule.open),
          "verdict": .string(step.verdict.code),
          "explanation": .text(step.verdict == .taken && report.trouble == nil ? nil : report.explanation(of: step)),
        ]
      },
      "legs": .list(report.legs) { json(of: $0, isWhole: false) },
    ]
  }

  package func csv() -> [UInt8] {
    let quote = report.quote
    func number(_ value: Decimal?) -> CSVWriter.Field { .number(value?.shortest) }
    var fields: [(String, CSVWriter.Field)] = [
      ("pair", .text("\(report.pair)")), ("at", .text(report.moment.iso8601)), ("rate", number(quote?.rate)),
      ("open", number(quote?.open.value)), ("change", number(quote?.change.value)),
      ("changePercent", .number(quote?.changePercent.value?.quotientText)),
      ("provider", .text(quote?.institution)), ("source", .text(quote?.provider)), ("date", .text(quote?.date)),
      ("time", .text(quote?.time?.iso8601)), ("ageSeconds", .number(quote?.ageSeconds(at: report.moment))),
      ("labels", .text(quote?.labels.map(\.code).joined(separator: "; "))),
      ("openReason", .text(report.openReason ?? quote?.open.missing?.code)), ("reason", .text(report.reason)),
    ]
    if let amount {
      fields += [("amount", number(amount)), ("converted", number(quote.map { amount * $0.rate }))]
    }
    fields.append(("reasons", .reasons(quote?.changeReasons ?? [])))
    var writer = CSVWriter(titles: fields.map(\.0))
    writer.addRecord(fields.map(\.1))
    return writer.finished()
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    let name = StyledText("\(report.pair) ", .heading)
    let view = report.quote.map { RateView($0, at: report.moment) }
    let title = name + (view?.text ?? .nothing)
    let text = page.lines([page.titled(title)]) + list(view.map(rows) ?? absence, on: page)
    return isExplained ? text + "\n" + rules(on: page) : text
  }

  /// Returns names and values, each value on as many lines as it takes: half an amount would be another one.
  private func list(_ rows: [(name: String, value: StyledText)], on page: Page) -> String {
    let margin = (rows.map { TerminalText.width(of: $0.name) }.max() ?? 0) + TableLayout.gap
    return page.lines(
      rows.flatMap { name, value in
        value.wrapped(to: page.width.map { max(20, $0 - margin) }).enumerated().map { place, line in
          StyledText(place == 0 ? name : "", .dim).padded(to: margin) + line
        }
      })
  }

  private func rows(_ view: RateView) -> [(name: String, value: StyledText)] {
    let quote = view.quote
    var rows: [(name: String, value: StyledText)] = []
    if let amount {
      let product = amount * quote.rate
      let sum = product == product.rounded(toPlaces: 0) ? product.shortest : product.rateText
      // The amount times the rate in the title would be another number.
      let isRounded = Decimal(quote.rate.rateText) != quote.rate
      let rate = isRounded ? StyledText("  (at \(quote.rate.quotientText))", .dim) : ""
      rows.append(
        ("amount", StyledText("\(amount.description) \(quote.pair.asset) = \(sum) \(quote.pair.payment)") + rate))
    }
    switch (view.changeText, quote.changePercent) {
    case (let change?, .value(let percent)):
      rows.append(("change", StyledText("\(change) (\(percent.signedPercentText)%)", Style(ofChange: percent))))
    case (let change?, .missing(let reason)):
      rows.append(("change", StyledText(change) + StyledText(" (- \(reason.code))", .dim)))
    case (nil, _):
      let reason = quote.changePercent.missing ?? quote.change.missing
      rows.append(("change", StyledText("- (\(reason?.code ?? ""))", .dim)))
    }
    let openTime = quote.openTime.map { ", \(ClockText.seoul($0))" } ?? ""
    let source = quote.openProvider.map { StyledText("  (\($0)'s last rate\(openTime))", .dim) } ?? ""
    switch quote.open {
    case .value(let open): rows.append(("open", StyledText(open.rateText) + source))
    case .missing(let reason): rows.append(("open", StyledText("- (\(report.openReason ?? reason.code))", .dim)))
    }
    let name = quote.institution == quote.provider ? "" : "  (\(quote.provider))"
    rows.append(("provider", StyledText(quote.institution) + StyledText(name, .dim)))
    rows.append(("time", view.timeText()))
    let remarks = view.remarks()
    if !remarks.isEmpty { rows.append(("remarks", StyledText(remarks.joined(separator: "; "), .warning))) }
    return rows
  }

  private var absence: [(name: String, value: StyledText)] {
    [("reason", StyledText(report.reason ?? "", .dim))]
      + (report.lastKnown.map { [("last known", RateView($0, at: report.moment).lastKnown())] } ?? [])
  }

  // MARK: Rules

  /// Returns the outcome of each rule, including those of both legs of a cross rate.
  private func rules(on page: Page) -> String {
    ([report] + report.legs).compactMap { rules(of: $0, on: page) }.joined(separator: "\n")
  }

  private func rules(of report: RateReport, on page: Page) -> String? {
    guard let route = report.route else { return nil }
    let clock = ClockText.plain(report.moment, offsetSeconds: route.zoneSeconds)
    let offset = (route.zoneSeconds < 0 ? "-" : "+") + DayHours.text(abs(route.zoneSeconds))
    let zone = route.zoneSeconds == 0 ? "UTC" : "UTC" + offset
    let pair = route.pattern.pair == report.pair ? "" : " for \(report.pair)"
    var table = Table(columns: [
      TableColumn("", .right), TableColumn("hours"), TableColumn("provider", minimumWidth: 8), TableColumn("if"),
      TableColumn("open of"), TableColumn("outcome", minimumWidth: 10, shortening: 0),
    ])
    for (index, step) in report.steps.enumerated() {
      let style: Style = step.verdict == .taken ? .neutral : .dim
      let rule = step.rule
      table.addRow(
        [
          "\(index + 1)", rule.hours?.description ?? "all day", rule.use, rule.needsToday ? "of today" : "",
          rule.open ?? "", report.explanation(of: step),
        ].map { StyledText($0, style) })
    }
    var text = page.heading("Rules of \(route.pattern)\(pair), at \(clock) (\(zone))") + page.table(table)
    if let via = route.via, !report.legs.isEmpty {
      text += "through \(via): \(report.legs.map { "\($0.pair)" }.joined(separator: " times "))\n"
    }
    if let reason = report.openReason { text += TerminalText.sanitized("no open: \(reason)") + "\n" }
    return text
  }
}

extension RateReport {
  /// Why the rate used is not the provider's newest; nil if it is.
  fileprivate var trouble: TableFailure? {
    quote?.labels.lazy.compactMap { if case .kept(let failure) = $0 { failure } else { nil } }.first
  }

  func explanation(of step: Step) -> String {
    let sentence = step.verdict.explanation(zoneSeconds: route?.zoneSeconds ?? 0)
    guard step.verdict == .taken, let trouble else { return sentence }
    return "\(sentence), an earlier answer; now: \(RateVerdict.words(trouble))"
  }
}

extension RateVerdict {
  fileprivate func explanation(zoneSeconds: Int) -> String {
    switch self {
    case .taken: "taken"
    case .notNeeded: "not needed"
    case .witness(let rate?): "asked as a witness, which says \(rate.rateText)"
    case .witness(nil): "asked as a witness, without a usable answer"
    case .old(let reading): "its rate is \(Self.day(reading, zoneSeconds)), which is too old"
    case .notNewer(let reading): "its rate is \(Self.day(reading, zoneSeconds)), not newer than the one taken"
    case .outsideHours: "outside its hours"
    case .excluded(.unreadable(let message)): message
    case .excluded(.disabled): "disabled in the config"
    case .excluded(.withoutPair): "it does not have the pair"
    case .failed(let failure): Self.words(failure)
    case .notOfToday(let reading): "its rate is \(Self.day(reading, zoneSeconds)), not from today"
    case .implausible(let rate, let known, nil):
      "\(rate.rateText) is more than 20 % away from the last known \(known.rateText), and no other source confirms it"
    case .implausible(let rate, let other, let witness?):
      "\(rate.rateText) is more than 20 % away from \(witness)'s \(other.rateText), and no other source confirms it"
    case .outdated(let reading, let failure):
      "\(Self.words(failure)); its last rate is \(Self.day(reading, zoneSeconds))"
    }
  }

  fileprivate static func words(_ failure: TableFailure) -> String {
    failure.message.map { $0 == failure.reason.code ? $0 : "\(failure.reason.code): \($0)" } ?? failure.reason.code
  }

  private static func day(_ reading: RateReading, _ zoneSeconds: Int) -> String {
    if let time = reading.time { return "from \(ClockText.plain(time, offsetSeconds: zoneSeconds))" }
    return reading.date.map { "of \($0)" } ?? "from an unknown day"
  }
}

/// A provider's rates of all currencies against the dollar and the won.
package struct FxListReport: Report {
  let listing: RateListing
  /// The reference time for ages.
  let moment: Instant

  package init(_ listing: RateListing, at moment: Instant) {
    self.listing = listing
    self.moment = moment
  }

  package func text(on page: Page) -> String {
    func cell(_ rate: Decimal?) -> StyledText { rate.map { StyledText($0.rateText) } ?? .nothing }
    var table = Table(columns: [TableColumn("currency"), TableColumn("in USD", .right), TableColumn("in KRW", .right)])
    for row in listing.rows { table.addRow([StyledText(row.currency), cell(row.dollars), cell(row.won)]) }
    let origin =
      StyledText("\(listing.rows.count) currencies  \(listing.sample.institution)  ")
      + RateView(listing.sample, at: moment).timeText()
    return page.lines([page.titled(StyledText(listing.provider, .heading))]) + page.table(table) + page.lines([origin])
  }

  package func csv() -> [UInt8] {
    var writer = CSVWriter(titles: ["currency", "usd", "krw", "source", "time", "date"])
    for row in listing.rows {
      writer.addRecord([
        .text(row.currency), .number(row.dollars?.shortest), .number(row.won?.shortest), .text(listing.provider),
        .text(listing.sample.time?.iso8601), .text(listing.sample.date),
      ])
    }
    return writer.finished()
  }

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "source": .string(listing.provider),
      "provider": .string(listing.sample.institution),
      "time": .text(listing.sample.time?.iso8601),
      "date": .text(listing.sample.date),
      "currencies": .list(listing.rows) {
        ["currency": .string($0.currency), "usd": .text($0.dollars?.shortest), "krw": .text($0.won?.shortest)]
      },
    ]
    return value.document
  }
}
