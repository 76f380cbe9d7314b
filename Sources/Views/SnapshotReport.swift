import Config
import Formats
import JSON
package import Mapping
package import MarketData
package import Quotes
import Terminal

/// One pair on every exchange.
package struct SnapshotReport: Report {
  let snapshot: Snapshot
  let markets: [Market]
  let alert: PremiumAlert
  /// The columns of text and CSV; nil for the defaults.
  let columns: [SnapshotColumn]?
  /// What another command needs to find the same config: ` -c FILE`.
  private let option: String
  let isExplained: Bool
  /// The rows to show, in order.
  private let spot: [SnapshotRow]
  private let futures: [SnapshotRow]

  package init(
    _ snapshot: Snapshot, markets: [Market], alert: PremiumAlert, rows: RowSelection<RowSort> = RowSelection(),
    columns: [SnapshotColumn]? = nil, option: String = "", isExplained: Bool
  ) {
    self.snapshot = snapshot
    self.markets = markets
    self.alert = alert
    self.columns = columns
    self.option = option
    self.isExplained = isExplained
    let own = snapshot.spot.map { SnapshotRow($0, nil, in: snapshot) }
    spot = rows.places(of: snapshot.spot, snapshot.rule) { own[$0].percentOverLowest }.map { own[$0] }
    let perpetual = zip(snapshot.futures, snapshot.disparities).map { SnapshotRow($0, $1, in: snapshot) }
    futures = rows.places(of: snapshot.futures, snapshot.rule) { (try? perpetual[$0].disparity?.get())?.percent }
      .map { perpetual[$0] }
  }

  // MARK: JSON

  package func json() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.member("asset", snapshot.pair.asset)
    writer.member("payment", snapshot.pair.payment)
    writer.member("time", snapshot.time.iso8601)
    if let kept = snapshot.keptNanoseconds { writer.member("keptSeconds", Decimal.seconds(nanoseconds: kept)) }
    for (name, rows) in [("spot", spot), ("futures", futures)] {
      writer.key(name)
      writer.beginArray()
      for row in rows {
        RowWriter(isFull: false, conversion: row.conversion, at: snapshot.time).write(
          row.row, objection: row.objection,
          comparison: name == "spot" ? .lowest(row.percentOverLowest) : row.disparity.map { .spot($0) },
          explanation: isExplained ? Explanation.json(of: row, in: snapshot) : .none, into: &writer)
      }
      writer.endArray()
    }
    writer.member("maxPremium", snapshot.premiumJSON)
    writer.member("maxPremiumReason", snapshot.premium.failure?.code)
    writer.member("disparity", snapshot.disparityJSON)
    writer.member("fx", snapshot.rate?.json(at: snapshot.time) ?? nil)
    if let conversion = snapshot.conversion {
      writer.member("conversion", conversion.json(at: snapshot.time))
    }
    writer.member("venues", .list(snapshot.reports) { $0.json })
    writer.endObject()
    return writer.finished()
  }

  // MARK: CSV

  /// Spot first, then futures.
  package func csv() -> [UInt8] { Self.csv([self]) }

  /// Returns one table of several pairs with the columns of the first. Each additional currency has a column of its own,
  /// which is empty in the rows that are converted into another.
  static func csv(_ reports: [SnapshotReport]) -> [UInt8] {
    let converted = reports.compactMap { $0.snapshot.conversion?.currency }.unique
    let currencies = converted.isEmpty ? [nil] : converted.map(Optional.some)
    let columns = reports.first?.columns ?? SnapshotColumn.usualInCSV(isConverted: !converted.isEmpty)
    func fields<Field>(_ field: (SnapshotColumn, String?) -> Field) -> [Field] {
      columns.flatMap { column in (column == .converted ? currencies : [nil]).map { field(column, $0) } }
    }
    var writer = CSVWriter(titles: fields { $0.csvTitle(currency: $1) })
    for report in reports {
      let own = report.snapshot.conversion?.currency
      for row in report.spot + report.futures {
        writer.addRecord(fields { $0 == .converted && $1 != own ? .number("") : $0.csvField(of: row) })
      }
    }
    return writer.finished()
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    var sections = [page.header("\(snapshot.pair)", time: snapshot.time, rate: snapshot.rate)]
    if markets.contains(.spot) {
      sections.append(section(.spot, spot, of: snapshot.spot.count, premiumLine(on: page), on: page))
    }
    if markets.contains(.futures) {
      sections.append(
        section(.futures, futures, of: snapshot.futures.count, disparityLine(page.language), on: page))
    }
    sections.append(page.remarks(conversionLine(page.language) + rowRemarks(page.language)))
    if isExplained {
      sections.append(Explanation.text(of: spot + futures, in: snapshot, on: page))
    }
    return page.sections(sections)
  }

  // MARK: Markets

  /// - Parameters:
  ///   - count: how many rows the market has, shown or not.
  ///   - headline: the line below the rows.
  private func section(
    _ market: Market, _ rows: [SnapshotRow], of count: Int, _ headline: StyledText, on page: Page
  ) -> String {
    let language = page.language
    let heading = page.heading(language(market == .spot ? "Spot" : "Futures", language.word(for: market)))
    guard count > 0 else {
      return heading + page.lines(StyledText(nothing(in: market, language)).wrapped(to: page.width))
    }
    let chosen = columns.map { $0.filter { $0.exists(in: market) } }
    let shown = chosen ?? SnapshotColumn.usual(in: market)
    var table = Table(
      columns: shown.enumerated().map { place, column in
        chosen == nil ? column.usualColumn(of: rows, language) : column.column(of: rows, chosenAt: place, language)
      })
    for row in rows { table.addRow(shown.map { $0.cell(of: row, page.digits, language) }) }
    let rest = count - rows.count
    let more = rest == 0 ? [] : [language(rest.counted("more row"), "\(rest)행 더")]
    return heading + (shown.isEmpty ? "" : page.table(table)) + page.remarks(more) + page.lines([headline])
  }

  private func premiumLine(on page: Page) -> StyledText {
    let name = page.language("max premium ", "최대 프리미엄 ")
    switch snapshot.premium {
    case .failure(let absence): return StyledText(name + "-  ") + StyledText("(\(absence.text(page.language)))", .dim)
    case .success(let premium):
      let (high, low) = snapshot.ends(of: premium)
      return StyledText(name) + StyledText(premium, alert, unit: " %")
        + StyledText("  \(high.ticker.exchange) ") + high.ticker.cellText(.price, .neutral, page.digits)
        + StyledText(" \(page.language("over", ">")) \(low.ticker.exchange) ")
        + low.ticker.cellText(.price, .neutral, page.digits)
    }
  }

  private func disparityLine(_ language: Language) -> StyledText {
    guard let first = snapshot.ranking.first else {
      let isOfSpot = snapshot.disparities.contains { $0.failure == .spotNotRequested }
      let reason = isOfSpot ? "  (\(DisparityAbsence.spotNotRequested.text(language)))" : ""
      return StyledText(language("disparity -", "괴리율 -") + reason, .dim)
    }
    let line = StyledText(language("disparity first ", "괴리율 최고 ")) + name(first)
    return snapshot.ranking.last.map { line + StyledText(language("   last ", "   최저 ")) + name($0) } ?? line
  }

  private func name(_ disparity: Disparity) -> StyledText {
    let ticker = snapshot.futuresRow(of: disparity).ticker
    let product = ticker.product.map { " \($0)" } ?? ""
    return StyledText("\(disparity.percent.signedPercentText) %", Style(ofChange: disparity.percent))
      + StyledText(" \(ticker.exchange)\(product)")
  }

  // MARK: Conversion

  /// Returns the rate used for the other currency, unless the header already shows it.
  private func conversionLine(_ language: Language) -> [String] {
    guard let conversion = snapshot.conversion else { return [] }
    let parts = [conversion].parts(at: snapshot.time, language, header: snapshot.rate?.pair)
    let currency = SnapshotColumn.converted.title(currency: conversion.currency, language)
    return parts.isEmpty ? [] : ["\(currency): " + parts.joined(separator: "; ")]
  }

  // MARK: Remarks

  /// Returns why a row is flagged or excluded from headlines, one line each.
  private func rowRemarks(_ language: Language) -> [String] {
    var lines: [String] = []
    for row in spot + futures {
      let ticker = row.ticker
      let name = [ticker.exchange, ticker.product ?? language.word(for: ticker.market)].joined(separator: " ")
      lines += ticker.flagSentences(of: name, language)
      if let objection = row.objection, !ticker.flags.contains(where: \.excludes) {
        lines.append("\(name): \(language("left out", "제외")), \(objection.explanation(language))")
      }
    }
    return lines
  }

  private func nothing(in market: Market, _ language: Language) -> String {
    let reports = snapshot.reports.filter { $0.market == market }
    let name = language.word(for: market)
    guard !reports.isEmpty else { return language("no exchange that was asked has \(name)", "조회한 거래소에 \(name) 없음") }
    let asked = reports.filter { !$0.isUnasked }
    let payment = snapshot.pair.payment
    guard !asked.isEmpty else {
      return language(
        "no row: \(none(reports, language)) has \(reports.count == 1 ? "no " : "")\(payment) in the config",
        "행 없음: \(none(reports, language)) 설정에 \(payment) 없음")
    }
    let rest = reports.count - asked.count
    let unasked = language(
      "; \(rest) not asked, as \(rest == 1 ? "it has" : "they have") no \(payment) in the config",
      "; \(rest)곳은 설정에 \(payment) 없어 조회 안 함")
    return language("no row: ", "행 없음: ") + absence(on: asked, language) + (rest == 0 ? "" : unasked)
  }

  private func none(_ reports: [ExchangeReport], _ language: Language) -> String {
    reports.count == 1
      ? reports[0].exchange : language("none of \(reports.count) exchanges", "거래소 \(reports.count)곳 모두")
  }

  /// Returns why none of these has a row: `Bitflyer does not list it`, `1 of 3 failed, the others do not list it`.
  private func absence(on asked: [ExchangeReport], _ language: Language) -> String {
    let failed = asked.count { $0.status == .failed }
    let halted = asked.count(where: \.isHalted)
    if failed + halted == 0 {
      return NoListing(by: asked).text(nil, language)
    }
    if halted == 1, asked.count == 1 { return Halt.sentence(asked[0].exchange, nil, language) }
    let counts = [(failed, language("failed", "실패")), (halted, Halt.predicate(of: halted, language))]
    let parts = counts.filter { $0.0 > 0 }.enumerated().map { place, part in
      "\(place == 0 ? language.part(part.0, of: asked.count) : language("\(part.0)", "\(part.0)곳")) \(part.1)"
    }
    let others = failed + halted == asked.count ? [] : [NoListing.others(language)]
    return (parts + others).joined(separator: ", ")
  }
}

extension Snapshot {
  var rows: [TickerRow] { spot + futures }

  package func row(_ key: RowKey) -> TickerRow? { rows.first { $0.ticker.key == key } }

  func ends(of premium: Premium) -> (high: TickerRow, low: TickerRow) { (spot[premium.high], spot[premium.low]) }

  /// The largest premium with both its exchanges; null if there is none.
  var premiumJSON: JSONValue {
    guard let premium = try? premium.get() else { return nil }
    let (high, low) = ends(of: premium)
    return [
      "percent": .string(premium.percent.quotientText),
      "high": .string(high.ticker.exchange), "highPrice": .text(high.ticker.text(.price)),
      "low": .string(low.ticker.exchange), "lowPrice": .text(low.ticker.text(.price)),
    ]
  }

  var disparityJSON: JSONValue {
    ["first": json(ranking.first), "last": json(ranking.last), "reasons": .reasons(disparityReasons)]
  }

  /// Why an end of the disparities is missing.
  private var disparityReasons: [(title: String, code: String?)] {
    if ranking.first != nil { return [("last", ranking.last == nil ? "one-exchange" : nil)] }
    let futures = reports.filter { $0.market == .futures }
    let code =
      disparities.lazy.compactMap(\.failure?.code).first ?? futures.flatMap(\.failures).first?.failure.reason.code
      ?? (futures.isEmpty ? Missing.notRequested : futures.contains(where: \.isHalted) ? .halted : .notListed).code
    return [("first", code), ("last", code)]
  }

  private func json(_ disparity: Disparity?) -> JSONValue {
    guard let disparity else { return nil }
    let ticker = futuresRow(of: disparity).ticker
    return [
      "exchange": .string(ticker.exchange), "product": .text(ticker.product),
      "percent": .string(disparity.percent.quotientText), "difference": .text(disparity.difference.shortest),
    ]
  }
}

// MARK: - Notes

extension SnapshotReport {
  /// Returns what readers should know about missing rows.
  ///
  /// - Parameters:
  ///   - isVerbose: whether to list symbols no rule splits, and conditions that exclude a whole market.
  ///   - areNamed: whether the user has named the exchanges: then one that does not list the pair is worth a word.
  ///   - payments: the payment currencies that exchanges have, one of which may have been meant.
  ///   - reversed: the pair the other way round, if that is how exchanges write it.
  package func notes(
    isVerbose: Bool, areNamed: Bool, payments: [String], reversed: Pair?, called: [(asset: String, name: String)] = []
  ) -> [String] {
    let tables = snapshot.reports.flatMap { report in
      let table = TickerTableReport(exchange: report.exchange, reports: [report], option: option)
      return isVerbose ? table.notes : table.repetitionNotes
    }
    let clock = snapshot.clockLag.map { lag in
      "the clock of this machine seems to be \(abs(lag.seconds)) s \(lag.seconds < 0 ? "ahead" : "behind"), by the times of \(lag.exchanges) exchanges; check it with: "
        + "market doctor --live\(option)"
    }
    let hasAnswer = snapshot.hasPrice || !snapshot.failures.isEmpty
    let halted = snapshot.reports.filter(\.isHalted).map { report in
      TickerTableReport.halt(of: snapshot.pair, on: report.market, of: report.exchange)
    }
    let missing =
      hasAnswer
      ? areNamed ? unlisted : [] : absence(payments, reversed, called, isVerbose: isVerbose, areNamed: areNamed)
    return [clock].compactMap(\.self) + tables + halted + missing
  }

  /// The exchanges that do not list the pair, beside others that do.
  private var unlisted: [String] {
    let halted = snapshot.reports.filter(\.isHalted).map(\.exchange)
    let known = Set(snapshot.rows.map(\.ticker.exchange) + snapshot.failures.map(\.exchange) + halted)
    let names = snapshot.reports.map(\.exchange).unique.filter { !known.contains($0) }
    return names.isEmpty ? [] : ["\(snapshot.pair) is not listed by \(names.joined(separator: ", "))"]
  }

  /// Why there is no price although no exchange has failed.
  private func absence(
    _ payments: [String], _ reversed: Pair?, _ called: [(asset: String, name: String)], isVerbose: Bool, areNamed: Bool
  ) -> [String] {
    if let ticker = snapshot.rows.first?.ticker {
      let reason = ticker.price.missing?.code ?? ""
      return [
        "no price for \(snapshot.pair): \(ticker.exchange) answers, but its price is \(reason); see what has "
          + "changed with: market test-exchange \(ticker.exchange.shellWord) --live\(option)"
      ]
    }
    guard !snapshot.reports.isEmpty else {
      return ["no exchange that was asked has \(markets.map(\.rawValue).joined(separator: " or "))"]
    }
    let pair = snapshot.pair
    let isOfMoney = [pair.asset, pair.payment].allSatisfy(FiatCurrency.codes.contains)
    let advice =
      isOfMoney
      ? "for exchange rates, run: market fx \(pair.asset) \(pair.payment)\(option)"
      : reversed.map { "did you mean \($0)?" }
    let question = NoListing.question(called)
    if snapshot.reports.allSatisfy(\.isUnasked) {
      return [noneHasPayment(payments, advice, question, areNamed: areNamed)]
    }
    let bundle = Pair.coin(ofBundle: pair.asset).map {
      "exchanges' bundles of \($0) are priced per coin: market show \($0) \(pair.payment)\(option)"
    }
    let isHalted = snapshot.reports.contains(where: \.isHalted)
    let absence = NoListing(by: snapshot.reports)
      .sentence("\(pair)", areNamed: areNamed, of: pair.asset, option, advice: advice ?? question ?? bundle)
    return (isHalted ? [] : [absence])
      + [unasked(isVerbose: isVerbose), hiding(isVerbose: isVerbose)].compactMap(\.self)
  }

  /// Says that no exchange was asked, as none has pairs in the payment currency. That may be mistyped, the asset right.
  private func noneHasPayment(
    _ payments: [String], _ advice: String?, _ question: String?, areNamed: Bool
  ) -> String {
    let pair = snapshot.pair
    let meant = Spelling.suggestion(for: pair.payment, among: payments)
      .flatMap { $0 == pair.payment ? nil : "did you mean \(pair.asset)/\($0)?" }
    let remedy = advice ?? meant ?? question ?? "look for its pairs with: market search \(pair.asset)\(option)"
    let what = markets.count == 1 ? "\(markets[0].rawValue) pairs" : "pairs"
    let none =
      switch (areNamed, Set(snapshot.reports.map(\.exchange)).count) {
      case (false, _): "no exchange in the config has"
      case (true, 1): "\(snapshot.reports[0].exchange) has no"
      case (true, _): "none of these exchanges has"
      }
    return "\(none) \(what) in \(pair.payment); \(remedy)"
  }

  /// Names the exchanges that were not asked; nil if there are none. The sections above count them; a few may be those
  /// that have the pair.
  private func unasked(isVerbose: Bool) -> String? {
    let asked = snapshot.reports.filter { !$0.isUnasked }.map(\.exchange)
    let names = Set(snapshot.reports.map(\.exchange)).subtracting(asked).sorted()
    guard !names.isEmpty, names.count <= 3 || isVerbose else { return nil }
    let reason = "\(names.count == 1 ? "its" : "their") 'paymentCurrencies' do not include \(snapshot.pair.payment)"
    return "not asked: \(names.joined(separator: ", ")), because \(reason)"
  }

  /// Names the exchanges whose conditions may hide the pair; nil if there are none. Rows whose symbols no rule splits,
  /// such as dated futures, may be of any pair.
  private func hiding(isVerbose: Bool) -> String? {
    let reports = snapshot.reports.filter {
      isVerbose ? $0.table.dropped[.condition] != nil : $0.table.droppedOfPair > 0
    }
    let names = Set(reports.map(\.exchange)).sorted()
    guard let first = names.first else { return nil }
    return "conditions (\"where\") of \(names.joined(separator: ", ")) leave out rows that may be for "
      + "\(snapshot.pair); see their values with: market test-exchange \(first.shellWord) --live\(option)"
  }
}

extension Snapshot {
  /// Returns what the answers say of themselves if earlier runs have kept them; nil if all are new.
  package func keptNote(_ language: Language) -> String? {
    keptNanoseconds.map { age in
      let age = language.age(nanoseconds: age)
      return language("answers of an earlier run, up to \(age) old", "앞선 실행의 응답, 최대 \(age) 전")
    }
  }
}
