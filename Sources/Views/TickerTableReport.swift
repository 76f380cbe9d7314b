import Formats
import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// The table of one exchange.
package struct TickerTableReport: LineReport {
  let exchange: String
  let reports: [ExchangeReport]

  private let order: RowSelection<ListSort>
  /// The columns of text and CSV; nil for the defaults.
  private let columns: [SnapshotColumn]?
  /// What another command needs to find the same config: ` -c FILE`.
  private let option: String
  private let rows: [TickerRow]

  /// - Parameter option: what another command needs to find the same config: ` -c FILE`.
  package init(
    exchange: String, reports: [ExchangeReport], order: RowSelection<ListSort> = RowSelection(),
    columns: [SnapshotColumn]? = nil, option: String = ""
  ) {
    self.exchange = exchange
    self.option = option
    self.reports = reports
    self.order = order
    self.columns = columns
    let tables = reports.map { report in
      order.first(
        of: order.key.map { Self.sorted(report, of: exchange, by: $0, order.isReversed) } ?? report.table.rows)
    }
    rows = tables.count == 1 ? tables[0] : tables.flatMap(\.self)
  }

  /// Returns a market's rows in the order of `list`.
  private static func sorted(
    _ report: ExchangeReport, of exchange: String, by sort: ListSort, _ isReversed: Bool
  ) -> [TickerRow] {
    let listing = PairListing(
      of: exchange, report.market, [report], names: AssetNames(), rate: nil, check: MeaningCheck(),
      rule: .standard)
    return sort.ordered(listing.entries, reversed: isReversed, listing.rule, .english).map(\.leadRow)
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    guard !rows.isEmpty else { return "" }
    let language = page.language
    let rest = reports.reduce(0) { $0 + $1.table.rows.count } - rows.count
    let sorting = order.key.flatMap { $0.separationNote(rows.map(\.ticker.pair), language) }
    let remarks = [rest == 0 ? nil : Self.more(rest, language), sorting].compactMap(\.self)
    return page.replayLine
      + page.table(columns.map { table($0, page.digits, language) } ?? table(page.digits, language))
      + page.remarks(flagRemarks(language) + remarks)
  }

  private static func more(_ rows: Int, _ language: Language) -> String {
    language(rows.counted("more row"), "외 \(rows)행")
  }

  private var records: TickerRecords { TickerRecords(exchange: exchange, rows: rows) }

  private var chosenRows: [SnapshotRow] {
    rows.map { SnapshotRow(row: $0, objection: $0.ticker.headlineObjection(.standard)) }
  }

  private func table(_ columns: [SnapshotColumn], _ digits: Page.Digits, _ language: Language) -> Table {
    let rows = chosenRows
    var table = Table(columns: columns.enumerated().map { $1.column(of: rows, chosenAt: $0, language) })
    for row in rows { table.addRow(columns.map { $0.cell(of: row, digits, language) }) }
    return table
  }

  private func table(_ digits: Page.Digits, _ language: Language) -> Table {
    func title(_ column: SnapshotColumn) -> String { column.title(currency: nil, language) }
    // A column without a title and without cells is left out.
    let product = rows.contains { $0.ticker.product != nil } ? title(.product) : ""
    let since = rows.contains { $0.ticker.basisText().width > 0 } ? title(.since) : ""
    var table = Table(columns: [
      TableColumn(ListSort.pair.title(language)), TableColumn(title(.market), dropping: 5),
      TableColumn(product, shortening: 1, dropping: 4, isKey: true), TableColumn(title(.price), .decimal),
      // A change of another span, alone, would pass for one of 24 hours.
      TableColumn(title(.change), .right, dropping: 7), TableColumn(since, minimumWidth: 0, dropping: 7),
      TableColumn(title(.turnover), .right, dropping: 6),
      TableColumn(title(.volume), .right, dropping: 3), TableColumn(title(.bid), .right, dropping: 1),
      TableColumn(title(.ask), .right, dropping: 1),
      // The remark about an old price is cut first: the age says it.
      TableColumn(title(.age), .right, dropping: rows.haveOldTrade ? 8 : 2),
      TableColumn(title(.remarks), minimumWidth: 8, shortening: 0),
    ])
    for row in rows {
      let ticker = row.ticker
      let style = ticker.changeStyle
      let cells = [
        StyledText("\(ticker.pair)").shortened(to: Table.maximumCellWidth),
        StyledText(language.word(for: ticker.market), .dim),
        StyledText(ticker.product ?? "", .dim), ticker.cellText(.price, style, digits),
        ticker.cellText(.changePricePercent24, style),
        ticker.basisText(language),
      ]
      let figures = [TickerField.turnover24, .volume24, .bid, .ask].map {
        ticker.cellText($0, .neutral, digits, language)
      }
      table.addRow(cells + figures + [row.ageCell(at: nil, language), ticker.remarks(language)])
    }
    return table
  }

  /// What the codes among the remarks mean, with the sentences of some rows: a table may have hundreds that are alike.
  private func flagRemarks(_ language: Language) -> [String] {
    let flagged = rows.flatMap { row in
      let ticker = row.ticker
      let name = ["\(ticker.pair)", ticker.product ?? (reports.count > 1 ? language.word(for: ticker.market) : nil)]
      let sentences = ticker.flagSentences(of: name.compactMap(\.self).joined(separator: " "), language)
      return zip(ticker.flags.map(\.code), sentences).map { (code: $0, sentence: $1) }
    }
    return flagged.map(\.code).unique.flatMap { code in
      let own = flagged.filter { $0.code == code }.map(\.sentence)
      let rest = own.count - Self.mostSentences
      return own.prefix(Self.mostSentences) + (rest > 0 ? ["\(Self.more(rest, language)): \(code)"] : [])
    }
  }

  /// How many rows with the same flag are explained.
  private static let mostSentences = 3

  /// When the last answer arrived; nil if unknown.
  private var time: Instant? { rows.compactMap(\.ticker.arrival).max() }

  package var notes: [String] {
    reports.compactMap { report in unsplitNote(report.table).map { "\(exchange) \(report.market.rawValue): \($0)" } }
      + conditionNotes + repetitionNotes
  }

  /// Explains why a market has no rows if conditions exclude them all.
  private var conditionNotes: [String] {
    reports.compactMap { report in
      guard report.table.rows.isEmpty, let count = report.table.dropped[.condition] else { return nil }
      return "\(exchange) \(report.market.rawValue): no row: \(count) are left out by \"where\"; see their values "
        + "with: market test-exchange \(exchange.shellWord) --live\(option)"
    }
  }

  /// Returns why a requested pair is missing from a market; nil if it is there, or if an exchange has failed.
  package func absence(of pair: Pair, on market: Market?) -> String? {
    guard reports.allSatisfy(\.status.isAbsence) else { return nil }
    if reports.contains(where: \.isHalted) { return Self.halt(of: pair, on: market, of: exchange) }
    return NoListing(by: [exchange]).text("\(pair)\(Self.place(market))", .english)
  }

  /// Returns a sentence about a pair that an exchange has, but does not trade now.
  static func halt(of pair: Pair, on market: Market?, of exchange: String) -> String {
    Halt.sentence(exchange, "\(pair)\(place(market))", .english)
  }

  private static func place(_ market: Market?) -> String { market.map { " on its \($0.rawValue) market" } ?? "" }

  /// How many rows of repeated pairs are hidden.
  package var repetitionNotes: [String] {
    reports.compactMap { report in
      report.table.dropped[.duplicate].map {
        "\(exchange) \(report.market.rawValue): \($0) more rows of repeated pairs are left out"
      }
    }
  }

  private func unsplitNote(_ table: TickerTable) -> String? {
    let unsplit = table.unsplit
    if unsplit.isEmpty { return nil }
    if unsplit.allSatisfy(\.symbol.isEmpty) {
      return "the answer does not name its pair; say which with --pair BTC/KRW"
    }
    let symbols = unsplit.map { item in
      let symbol = TerminalText.prefix(of: TerminalText.sanitized(item.symbol), cells: Table.maximumCellWidth)
      return item.product.map { "\(symbol) (\($0))" } ?? symbol
    }
    return unsplit.count.counted("symbol") + " that no rule splits: " + symbols.named(upTo: 5)
  }

  // MARK: JSON

  package func json() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.member("exchange", exchange)
    writer.member("time", time?.iso8601)
    writer.key("rows")
    writer.beginArray()
    records.write(into: &writer)
    writer.endArray()
    let unsplit = reports.flatMap { report in report.table.unsplit.map { (report.market, $0) } }
    writer.member(
      "unsplit",
      .list(unsplit) { market, item in
        ["market": .string(market.rawValue), "product": .text(item.product), "symbol": .string(item.symbol)]
      })
    let dropped = reports.reduce(into: [DropReason: Int]()) { $0.merge($1.table.dropped) { $0 + $1 } }
    writer.member("dropped", .members(dropped.sorted { $0.key < $1.key }.map { ($0.key.rawValue, .integer($0.value)) }))
    writer.member("venues", .list(reports) { $0.json })
    writer.endObject()
    return writer.finished()
  }

  /// Returns `dataFromAsset`, and what it cannot say.
  package func dataFromAsset() -> (json: [UInt8], notes: [String]) {
    let (json, notes) = records.dataFromAsset()
    return (json, notes + self.notes)
  }

  /// Returns a line per row, then one for each market without rows, or with only some.
  package func ndjson() -> [UInt8] {
    var lines = LineWriter()
    for report in reports where report.shownStatus != .ok { lines.object("failure", report.json) }
    return records.ndjson() + lines.bytes
  }

  // MARK: CSV

  package func csv() -> [UInt8] {
    guard let columns else { return records.csv() }
    var writer = CSVWriter(titles: columns.map { $0.csvTitle(currency: nil) })
    for row in chosenRows { writer.addRecord(columns.map { $0.csvField(of: row) }) }
    return writer.finished()
  }
}
