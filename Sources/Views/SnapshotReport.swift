import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// One pair on every exchange.
package struct SnapshotReport: Report {
  let snapshot: Snapshot
  /// The markets that were asked for.
  let markets: [Market]
  let alert: PremiumAlert
  /// Whether every cell says how it came to be.
  let isExplained: Bool

  package init(_ snapshot: Snapshot, markets: [Market], alert: PremiumAlert, isExplained: Bool) {
    self.snapshot = snapshot
    self.markets = markets
    self.alert = alert
    self.isExplained = isExplained
  }

  private func objection(_ row: TickerRow) -> HeadlineObjection? { row.ticker.headlineObjection(snapshot.rule) }

  // MARK: JSON

  package func json() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.member("asset", snapshot.pair.asset)
    writer.member("payment", snapshot.pair.payment)
    writer.member("time", snapshot.time.iso8601)
    let distances: [Result<Disparity, DisparityAbsence>?] = snapshot.disparities
    for (name, rows, distances) in [
      ("spot", snapshot.spot, snapshot.spot.map { _ in nil }), ("futures", snapshot.futures, distances),
    ] {
      writer.key(name)
      writer.beginArray()
      for (row, distance) in zip(rows, distances) {
        RowWriter(isFull: false).write(
          row, objection: objection(row), distance: distance, conversion: snapshot.conversion,
          isExplained: isExplained, into: &writer)
      }
      writer.endArray()
    }
    writer.member("maxPremium", premiumJSON)
    writer.member(
      "disparity", ["first": disparityJSON(snapshot.ranking.first), "last": disparityJSON(snapshot.ranking.last)])
    writer.member("fx", snapshot.rate?.json(at: snapshot.time) ?? nil)
    if let conversion = snapshot.conversion {
      writer.member(
        "conversion",
        [
          "currency": .string(conversion.currency), "countedAs": .text(conversion.countedAs),
          "fx": conversion.rate?.json(at: snapshot.time) ?? nil,
        ])
    }
    writer.member("venues", .list(snapshot.reports) { $0.json })
    writer.endObject()
    return writer.finished()
  }

  private var premiumJSON: JSONValue {
    guard case .success(let premium) = snapshot.premium else { return nil }
    let (high, low) = (snapshot.spot[premium.high].ticker, snapshot.spot[premium.low].ticker)
    return [
      "percent": .string(premium.percent.quotientText),
      "high": .string(high.exchange), "highPrice": .text(high.text(.price)),
      "low": .string(low.exchange), "lowPrice": .text(low.text(.price)),
    ]
  }

  private func disparityJSON(_ disparity: Disparity?) -> JSONValue {
    guard let disparity else { return nil }
    let ticker = snapshot.futuresRow(of: disparity).ticker
    return [
      "exchange": .string(ticker.exchange), "product": .text(ticker.product),
      "percent": .string(disparity.percent.quotientText), "difference": .text(disparity.difference.shortest),
    ]
  }

  // MARK: CSV

  /// Spot first, then futures.
  package func csv() -> String {
    let fields: [TickerField] = [.price, .changePricePercent24, .volume24, .turnover24, .bid, .ask]
    let names = ["asset", "payment", "exchange", "market", "product", "symbol"] + fields.map(\.rawValue)
    let converted = snapshot.conversion.map { ["in\($0.currency)"] } ?? []
    let rest = ["changeBasis", "ageSeconds", "disparityPercent", "disparity", "flags", "excluded"]
    var writer = CSVWriter(titles: names + rest + converted)
    let distances = snapshot.spot.map { _ in nil } + snapshot.disparities.map { try? $0.get() }
    for (row, distance) in zip(snapshot.spot + snapshot.futures, distances) {
      let ticker = row.ticker
      var record: [CSVWriter.Field] = [
        .text(snapshot.pair.asset), .text(snapshot.pair.payment), .text(ticker.exchange),
        .text(ticker.market.rawValue), .text(ticker.product ?? ""), .text(ticker.symbol),
      ]
      record += fields.map { .number(ticker.digits($0) ?? "") }
      record += [
        .text(ticker.changeBasis?.rawValue ?? ""), .number(row.ageText ?? ""),
        .number(distance?.percent.quotientText ?? ""), .number(distance?.difference.shortest ?? ""),
        .text(ticker.flags.map(\.code).joined(separator: " ")), .text(objection(row) == nil ? "false" : "true"),
      ]
      if let conversion = snapshot.conversion {
        record.append(.number(conversion.text(ticker.price.value) ?? ""))
      }
      writer.addRecord(record)
    }
    return writer.text
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    var sections = [page.header("\(snapshot.pair)", time: snapshot.time, rate: snapshot.rate)]
    if markets.contains(.spot) { sections.append(spotSection(on: page)) }
    if markets.contains(.futures) { sections.append(futuresSection(on: page)) }
    let remarks = page.remarks(conversionLine + rowRemarks)
    if !remarks.isEmpty { sections.append(remarks) }
    if isExplained { sections.append(Explanation.text(of: snapshot, on: page)) }
    return sections.joined(separator: "\n")
  }

  // MARK: Spot

  private func spotSection(on page: Page) -> String {
    guard !snapshot.spot.isEmpty else { return page.heading("Spot") + nothingLine(.spot) }
    var table = Table(columns: [
      TableColumn("exchange", minimumWidth: 8), TableColumn("price", .decimal), convertedColumn,
      TableColumn("24h %", .right), basisColumn(of: snapshot.spot),
      TableColumn("turnover 24h", .right, dropping: 0), TableColumn("over low %", .right, dropping: 2),
      TableColumn("age", .right, dropping: 1), remarksColumn(of: snapshot.spot),
    ])
    for row in snapshot.spot {
      let ticker = row.ticker
      table.addRow([
        StyledText(ticker.exchange), ticker.cellText(.price, ticker.changeStyle, page.digits), converted(ticker),
        ticker.cellText(.changePricePercent24, ticker.changeStyle), ticker.basisText,
        ticker.cellText(.turnover24, .neutral, page.digits),
        overLowest(row), row.ageCell, ticker.remarks,
      ])
    }
    return page.heading("Spot") + page.table(table) + page.lines([premiumLine(on: page)])
  }

  private func overLowest(_ row: TickerRow) -> StyledText {
    snapshot.percentOverLowest(row).map { StyledText($0.signedPercentText) } ?? StyledText("-", .dim)
  }

  private func premiumLine(on page: Page) -> StyledText {
    switch snapshot.premium {
    case .failure(let absence):
      return StyledText("max premium -  ") + StyledText("(\(absence))", .dim)
    case .success(let premium):
      let high = snapshot.spot[premium.high].ticker
      let low = snapshot.spot[premium.low].ticker
      let style = Style(ofPremium: premium.percent, strong: alert.orange, weak: alert.grey)
      return StyledText("max premium ") + StyledText("\(premium.percentText) %", style)
        + StyledText("  \(high.exchange) ") + high.cellText(.price, .neutral, page.digits)
        + StyledText(" over \(low.exchange) ") + low.cellText(.price, .neutral, page.digits)
    }
  }

  // MARK: Futures

  private func futuresSection(on page: Page) -> String {
    guard !snapshot.futures.isEmpty else { return page.heading("Futures") + nothingLine(.futures) }
    var table = Table(columns: [
      TableColumn("exchange", minimumWidth: 8), TableColumn("product", shortening: 1, dropping: 2),
      TableColumn("price", .decimal), convertedColumn, TableColumn("24h %", .right),
      basisColumn(of: snapshot.futures), TableColumn("disparity %", .right),
      TableColumn("difference", .decimal, dropping: 0), TableColumn("age", .right, dropping: 1),
      remarksColumn(of: snapshot.futures),
    ])
    for (row, disparity) in zip(snapshot.futures, snapshot.disparities) {
      let ticker = row.ticker
      var cells: [StyledText] = [StyledText(ticker.exchange), StyledText(ticker.product ?? "", .dim)]
      cells += [
        ticker.cellText(.price, ticker.changeStyle, page.digits), converted(ticker),
        ticker.cellText(.changePricePercent24, ticker.changeStyle), ticker.basisText,
      ]
      switch disparity {
      case .success(let disparity):
        cells.append(StyledText(disparity.percent.signedPercentText, Style(ofChange: disparity.percent)))
        cells.append(StyledText(disparity.difference.shortest))
      case .failure(let absence):
        cells += [StyledText("\(absence)", .dim), StyledText("-", .dim)]
      }
      table.addRow(cells + [row.ageCell, ticker.remarks])
    }
    return page.heading("Futures") + page.table(table) + page.lines([disparityLine])
  }

  private var disparityLine: StyledText {
    guard let first = snapshot.ranking.first else { return StyledText("disparity -", .dim) }
    let line = StyledText("disparity first ") + name(first)
    return snapshot.ranking.last.map { line + StyledText("   last ") + name($0) } ?? line
  }

  private func name(_ disparity: Disparity) -> StyledText {
    let ticker = snapshot.futuresRow(of: disparity).ticker
    let product = ticker.product.map { " \($0)" } ?? ""
    return StyledText("\(disparity.percent.signedPercentText) %", Style(ofChange: disparity.percent))
      + StyledText(" \(ticker.exchange)\(product)")
  }

  // MARK: Another currency

  /// Without a title where no other currency was asked for.
  private var convertedColumn: TableColumn {
    TableColumn(snapshot.conversion.map { "in \($0.currency)" } ?? "", .right, minimumWidth: 0)
  }

  private func converted(_ ticker: Ticker) -> StyledText {
    guard let conversion = snapshot.conversion else { return StyledText("") }
    guard let price = ticker.price.value.flatMap({ conversion.converted($0) }) else { return StyledText("-", .dim) }
    return StyledText(price.rateText, .dim)
  }

  /// By which rate the other currency came to be, where the header does not have it already.
  private var conversionLine: [String] {
    guard let conversion = snapshot.conversion else { return [] }
    var parts: [String] = []
    if let report = conversion.rate {
      if let quote = report.quote {
        let view = RateView(quote, at: snapshot.time)
        parts.append((["\(report.pair) \(quote.rate.rateText)", view.provider] + view.remarks).joined(separator: ", "))
      } else {
        // The header has said why.
        let reason = report.pair == snapshot.rate?.pair ? "" : ": \(report.shortReason)"
        parts.append("no rate of \(report.pair)\(reason)")
      }
    }
    if conversion.isAssumed { parts.append("\(conversion.payment) counted as one \(conversion.countedAs)") }
    if conversion.currency != conversion.target {
      parts.append("\(conversion.currency) counted as one \(conversion.target)")
    }
    return parts.isEmpty ? [] : ["in \(conversion.currency): " + parts.joined(separator: "; ")]
  }

  // MARK: Remarks

  /// What changes are measured from; without a title where all are rolling.
  private func basisColumn(of rows: [TickerRow]) -> TableColumn {
    let isEmpty = rows.allSatisfy { $0.ticker.basisText.width == 0 }
    return TableColumn(isEmpty ? "" : "since", minimumWidth: 0)
  }

  /// Without a title where no row has a remark.
  private func remarksColumn(of rows: [TickerRow]) -> TableColumn {
    let isEmpty = rows.allSatisfy { $0.ticker.remarks.width == 0 }
    return TableColumn(isEmpty ? "" : "remarks", minimumWidth: isEmpty ? 0 : 8, shortening: 0)
  }

  /// Why a row is flagged or left out of the headlines: one line each.
  private var rowRemarks: [String] {
    var lines: [String] = []
    for row in snapshot.spot + snapshot.futures {
      let ticker = row.ticker
      let name = [ticker.exchange, ticker.product ?? ticker.market.rawValue].joined(separator: " ")
      for flag in ticker.flags {
        let kind = flag.excludes ? "left out" : "flagged"
        lines.append("\(name): \(kind), \(flag.code): \(flag.message)")
      }
      if let objection = objection(row), !ticker.flags.contains(where: \.excludes) {
        lines.append("\(name): left out, \(objection.explanation)")
      }
    }
    return lines
  }

  private func nothingLine(_ market: Market) -> String {
    let asked = snapshot.reports.filter { $0.market == market }
    guard !asked.isEmpty else { return "no exchange of the config has this market\n" }
    let failed = asked.filter { $0.status == .failed }.count
    let reason =
      switch failed {
      case 0: "none of \(asked.count) lists it"
      case asked.count: "\(failed) of \(asked.count) failed"
      default: "\(failed) of \(asked.count) failed, the others do not list it"
      }
    return "no row: \(reason)\n"
  }
}
