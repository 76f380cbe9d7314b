import Catalog
import JSON
import Quotes
import Terminal

/// `market exchanges`
enum ExchangesCommand {
  private enum Format: String, CaseIterable { case text, json, csv, md }

  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "how to write the table", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "exchanges",
    summary: "the exchanges of the config and what each can give",
    examples: [
      .init("market exchanges", "every exchange and market"),
      .init("market exchanges -f md", "as a table for a page"),
    ],
    options: [format, Option.config, Option.verbose],
    discussion: [
      "Proof is the date of the recorded live answer on which a mapping passed every check; \"documented\" mappings follow "
        + "the exchange's documentation and have not been held against one."
    ],
    work: .immediate(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) throws -> ExitCode {
    let config = try ConfigLoader(invocation, in: context)
    let venues = config.catalog.venues.compactMap { config.venue($0, in: context) }
    let rows = venues.flatMap { venue in venue.markets.map { Capability(venue, $0) } }
    switch try invocation.choice(of: format, as: Format.self) ?? .text {
    case .text:
      var table = Table(
        columns: Capability.titles.map { TableColumn($0, shortening: nil, dropping: Capability.dropping[$0]) })
      for row in rows { table.addRow(row.cells.map { StyledText($0) }) }
      context.output.write(
        table.rendered(width: context.terminal.columns, palette: try context.palette(for: invocation)))
      for venue in config.catalog.retired {
        context.output.write(TerminalText.sanitized("\(venue.name): closed since \(venue.since)") + "\n")
      }
    case .csv:
      var writer = CSVWriter()
      writer.addRecord(Capability.titles.map { .text($0) })
      for row in rows { writer.addRecord(row.cells.map { .text($0) }) }
      context.output.write(writer.text)
    case .md:
      let lines = [Capability.titles, Capability.titles.map { _ in "---" }] + rows.map(\.cells)
      context.output.write(lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined())
    case .json:
      var writer = JSONWriter(indent: 2)
      writer.beginArray()
      for row in rows {
        writer.beginObject()
        for (title, cell) in zip(Capability.titles, row.cells) { writer.member(title, cell) }
        writer.endObject()
      }
      writer.endArray()
      context.write(json: writer.bytes)
    }
    return rows.isEmpty ? .noAnswer : .answer
  }
}

/// What one market of one exchange can give, by its config.
private struct Capability {
  static let titles = [
    "exchange", "market", "one pair", "change since", "bid/ask", "turnover", "time", "requests", "proof",
  ]
  /// What goes first on a narrow terminal.
  static let dropping = ["requests": 0, "time": 1, "turnover": 2]

  let cells: [String]

  init(_ venue: Venue, _ market: VenueMarket) {
    let table = market.tickers.first ?? market.ticker.first
    let name = venue.isEnabled && market.isEnabled ? venue.name : "\(venue.name) (off)"
    func basis(_ field: TickerField) -> String? { table?.fields[field.rawValue]?.basis }
    cells = [
      name, market.market.rawValue, market.ticker.isEmpty ? "by the table of all" : "yes",
      basis(.changePricePercent24).map { ChangeBasis(rawValue: $0)?.label ?? "24h ago" } ?? "not offered",
      Self.state(of: .bid, in: table), Self.state(of: .turnover24, in: table),
      Self.state(of: .time, in: table), table?.limit.map(Self.text) ?? "-",
      table?.verified.map { "verified \($0)" } ?? "documented",
    ]
  }

  private static func state(of field: TickerField, in table: TableSpec?) -> String {
    guard let value = table?.fields[field.rawValue] else { return "not offered" }
    if !value.lookupNames.isEmpty { return "second request" }
    switch value.origin {
    case .product, .sum, .quotient, .difference: return "computed"
    default: return "yes"
    }
  }

  private static func text(_ limit: LimitSpec) -> String {
    "\(limit.requests) in \(Decimal(mantissa: Int128(limit.perMilliseconds), exponent: -3).shortest) s"
  }
}
