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
          "explanation": .text(
            step.verdict == .taken && report.trouble == nil ? nil : report.explanation(of: step, .english)),
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
      ("openReason", .text(report.openReason?.description ?? quote?.open.missing?.code)),
      ("reason", .text(report.reason)),
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
    let values = view.map { rows($0, page.language) } ?? absence(page.language)
    let text = page.lines([page.titled(title)]) + list(values, on: page)
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

  private func rows(_ view: RateView, _ language: Language) -> [(name: String, value: StyledText)] {
    let quote = view.quote
    var rows: [(name: String, value: StyledText)] = []
    if let amount {
      let product = amount * quote.rate
      let sum = product == product.rounded(toPlaces: 0) ? product.shortest : product.rateText
      // The amount times the rate in the title would be another number.
      let isRounded = Decimal(quote.rate.rateText) != quote.rate
      let exact = quote.rate.quotientText
      let rate = isRounded ? StyledText(language("  (at \(exact))", "  (환율 \(exact))"), .dim) : ""
      rows.append(
        (
          language("amount", "금액"),
          StyledText("\(amount.description) \(quote.pair.asset) = \(sum) \(quote.pair.payment)") + rate
        ))
    }
    let changeName = language("change", "전일 대비")
    switch (view.changeText, quote.changePercent) {
    case (let change?, .value(let percent)):
      rows.append((changeName, StyledText("\(change) (\(percent.signedPercentText)%)", Style(ofChange: percent))))
    case (let change?, .missing(let reason)):
      rows.append((changeName, StyledText(change) + StyledText(" (- \(reason.code))", .dim)))
    case (nil, _):
      let reason = quote.changePercent.missing ?? quote.change.missing
      rows.append((changeName, StyledText("- (\(reason?.code ?? ""))", .dim)))
    }
    let openTime = quote.openTime.map { ", \(ClockText.seoul($0))" } ?? ""
    let source = quote.openProvider.map {
      StyledText(language("  (\($0)'s last rate\(openTime))", "  (\($0)의 마지막 환율\(openTime))"), .dim)
    }
    let openName = language("open", "기준 환율")
    switch quote.open {
    case .value(let open): rows.append((openName, StyledText(open.rateText) + (source ?? "")))
    case .missing(let reason):
      rows.append((openName, StyledText("- (\(report.openReason?.text(language) ?? reason.code))", .dim)))
    }
    let name = quote.institution == quote.provider ? "" : "  (\(quote.provider))"
    rows.append((language("provider", "제공처"), StyledText(quote.institution) + StyledText(name, .dim)))
    rows.append((language("time", "시각"), view.timeText(language)))
    let remarks = view.remarks(language)
    if !remarks.isEmpty {
      rows.append((language("remarks", "비고"), StyledText(remarks.joined(separator: "; "), .warning)))
    }
    return rows
  }

  private func absence(_ language: Language) -> [(name: String, value: StyledText)] {
    let last = report.lastKnown.map { RateView($0, at: report.moment).lastKnown(language) }
    return [(language("reason", "이유"), StyledText(report.reason(language) ?? "", .dim))]
      + (last.map { [(language("last known", "마지막 환율"), $0)] } ?? [])
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
    let language = page.language
    let isPattern = route.pattern.pair != report.pair
    var table = Table(columns: [
      TableColumn("", .right), TableColumn(language("hours", "시간")),
      TableColumn(language("provider", "제공처"), minimumWidth: 8), TableColumn(language("if", "조건")),
      TableColumn(language("open of", "기준 환율")),
      TableColumn(language("outcome", "결과"), minimumWidth: 10, shortening: 0),
    ])
    for (index, step) in report.steps.enumerated() {
      let style: Style = step.verdict == .taken ? .neutral : .dim
      let rule = step.rule
      table.addRow(
        [
          "\(index + 1)", rule.hours?.description ?? language("all day", "종일"), rule.use,
          rule.needsToday ? language("of today", "당일") : "", rule.open ?? "", report.explanation(of: step, language),
        ].map { StyledText($0, style) })
    }
    let title = language(
      "Rules of \(route.pattern)\(isPattern ? " for \(report.pair)" : ""), at \(clock) (\(zone))",
      "\(route.pattern) 규칙\(isPattern ? " (\(report.pair))" : ""), \(clock) (\(zone))")
    var text = page.heading(title) + page.table(table)
    if let via = route.via, !report.legs.isEmpty {
      let legs = report.legs.map { "\($0.pair)" }.joined(separator: language(" times ", " × "))
      text += language("through \(via): \(legs)\n", "\(via) 경유: \(legs)\n")
    }
    if let reason = report.openReason {
      text += TerminalText.sanitized(language("no open: ", "기준 환율 없음: ") + reason.text(language)) + "\n"
    }
    return text
  }
}

extension RateReport {
  /// Why the rate used is not the provider's newest; nil if it is.
  fileprivate var trouble: AnswerFailure? {
    quote?.labels.lazy.compactMap { if case .kept(let failure) = $0 { failure } else { nil } }.first
  }

  func explanation(of step: Step, _ language: Language) -> String {
    let sentence = step.verdict.explanation(zoneSeconds: route?.zoneSeconds ?? 0, language)
    guard step.verdict == .taken, let trouble else { return sentence }
    return sentence + language(", an earlier answer; now: ", ", 이전 응답; 지금: ") + RateVerdict.words(trouble, language)
  }
}

extension RateVerdict {
  fileprivate func explanation(zoneSeconds: Int, _ language: Language) -> String {
    func day(_ reading: RateReading) -> String { Self.day(reading, zoneSeconds, language) }
    switch self {
    case .taken: return language("taken", "사용")
    case .notNeeded: return language("not needed", "필요 없음")
    case .witness(let rate?):
      return language("asked as a witness, which says \(rate.rateText)", "검증용 조회, \(rate.rateText)")
    case .witness(nil): return language("asked as a witness, without a usable answer", "검증용 조회, 쓸 수 있는 응답 없음")
    case .old(let reading):
      return language("its rate is \(day(reading)), which is too old", "\(day(reading)) 환율, 너무 오래됨")
    case .notNewer(let reading):
      return language(
        "its rate is \(day(reading)), not newer than the one taken", "\(day(reading)) 환율, 사용한 것보다 새롭지 않음")
    case .outsideHours: return language("outside its hours", "적용 시간 아님")
    case .excluded(.unreadable(let message)): return message
    case .excluded(.disabled): return language("disabled in the config", "설정에서 꺼짐")
    case .excluded(.withoutPair): return language("it does not have the pair", "이 통화쌍 없음")
    case .failed(let failure): return Self.words(failure, language)
    case .notOfToday(let reading):
      return language("its rate is \(day(reading)), not from today", "\(day(reading)) 환율, 오늘 것이 아님")
    case .implausible(let rate, let other, let witness):
      let (rate, other) = (rate.rateText, other.rateText)
      let known = witness.map { language("\($0)'s", "\($0)의") } ?? language("the last known", "직전")
      return language(
        "\(rate) is more than 20 % away from \(known) \(other), and no other source confirms it",
        "\(rate), \(known) \(other) 대비 20% 넘게 차이, 다른 제공처의 확인 없음")
    case .outdated(let reading, let failure):
      return Self.words(failure, language)
        + language("; its last rate is \(day(reading))", "; 마지막은 \(day(reading)) 환율")
    }
  }

  fileprivate static func words(_ failure: AnswerFailure, _ language: Language) -> String {
    let code = failure.reason.code
    return failure.message(language).map { $0 == code ? $0 : "\(code): \($0)" } ?? code
  }

  private static func day(_ reading: RateReading, _ zoneSeconds: Int, _ language: Language) -> String {
    if let time = reading.time.map({ ClockText.plain($0, offsetSeconds: zoneSeconds) }) {
      return language("from \(time)", time)
    }
    return reading.date.map { language("of \($0)", $0) } ?? language("from an unknown day", "날짜 불명")
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
    let language = page.language
    var table = Table(columns: [
      TableColumn(language("currency", "통화")), TableColumn(language("in USD", "USD 환산"), .right),
      TableColumn(language("in KRW", "KRW 환산"), .right),
    ])
    for row in listing.rows { table.addRow([StyledText(row.currency), cell(row.dollars), cell(row.won)]) }
    let origin =
      StyledText(language("\(listing.rows.count) currencies", "통화 \(listing.rows.count)개"))
      + StyledText("  \(listing.sample.institution)  ") + RateView(listing.sample, at: moment).timeText(language)
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
