import Config
import JSON
import Quotes
import Terminal

/// Exchanges against what each can give.
struct ExchangeMatrix {
  private struct Row {
    let exchange: Exchange
    let markets: [(market: Market, abilities: MarketAbilities)]

    init(_ exchange: Exchange) {
      self.exchange = exchange
      markets = exchange.markets.map { ($0.market, MarketAbilities(exchange, $0)) }
    }

    func abilities(of market: Market) -> MarketAbilities? { markets.first { $0.market == market }?.abilities }
  }

  private let rows: [Row]
  private let retired: [RetiredExchange]

  init(_ exchanges: [Exchange], retired: [RetiredExchange]) {
    rows = exchanges.map { Row($0) }
    self.retired = retired
  }

  var isEmpty: Bool { rows.isEmpty }

  private static let titles = ["exchange", "spot", "futures", "pair", "bid/ask", "change", "limit", "proof"]
  /// What goes first on a narrow terminal.
  private static let dropping = ["limit": 0, "pair": 1]

  /// A row of the matrix. Where the markets differ, the word of spot stands before that of futures.
  private func cells(of row: Row) -> [String] {
    func both(_ word: (MarketAbilities) -> String) -> String {
      let words = row.markets.map { word($0.abilities) }
      return Set(words).count == 1 ? words[0] : words.joined(separator: ", ")
    }
    func state(of market: Market) -> String {
      row.abilities(of: market).map { $0.isEnabled ? "yes" : "off" } ?? "-"
    }
    return [
      row.exchange.name, state(of: .spot), state(of: .futures), both { $0.hasOnePair ? "yes" : "-" },
      both(\.bidAsk.word), both(\.changeWord), both(\.limitWord), proof(of: row),
    ]
  }

  /// The day from which on all of it is proved, else what is; `documented` where nothing is.
  private func proof(of row: Row) -> String {
    let days = row.markets.compactMap(\.abilities.verified)
    if days.count == row.markets.count { return days.min() ?? "documented" }
    let tables = row.markets.compactMap { market, abilities in
      abilities.verified.map { "\(market.rawValue) \($0)" }
    }
    // One day for the pairs of both markets: two do not fit on a screen of 80 columns.
    let pairs = row.markets.map(\.abilities).filter { $0.verified == nil }.compactMap(\.verifiedOnePair)
    let proofs = tables + (pairs.min().map { ["pair \($0)"] } ?? [])
    return proofs.isEmpty ? "documented" : proofs.joined(separator: ", ")
  }

  func text(width: Int?, palette: Palette) -> String {
    var table = Table(columns: Self.titles.map { TableColumn($0, dropping: Self.dropping[$0]) })
    for row in rows { table.addRow(cells(of: row).map { StyledText($0) }) }
    let closed = retired.flatMap { TerminalText.wrapped(TerminalText.sanitized($0.sentence), cells: width) }
    return table.rendered(width: width, palette: palette) + closed.map { $0 + "\n" }.joined()
  }

  /// A table for a page.
  func markdown() -> String {
    let lines = [Self.titles, Self.titles.map { _ in "---" }] + rows.map { cells(of: $0) }
    return lines.map { cells in
      "| \(cells.map { TerminalText.sanitized($0).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }.joined(separator: " | ")) |\n"
    }.joined()
  }

  /// One record a market, with all that is known of it.
  func csv() -> String {
    var writer = CSVWriter()
    let titles = [
      "exchange", "market", "enabled", "one pair", "change basis", "bid/ask", "volume", "turnover", "time", "requests",
      "per ms", "verified", "verified one pair",
    ]
    writer.addRecord(titles.map { .text($0) })
    for row in rows {
      for (market, abilities) in row.markets {
        let words = [
          row.exchange.name, market.rawValue, "\(abilities.isEnabled)", "\(abilities.hasOnePair)",
          abilities.change?.rawValue ?? "", abilities.bidAsk.rawValue, abilities.volume.rawValue,
          abilities.turnover.rawValue, abilities.time.rawValue, abilities.limit.map { "\($0.requests)" } ?? "",
          abilities.limit.map { "\($0.perMilliseconds)" } ?? "", abilities.verified ?? "",
          abilities.verifiedOnePair ?? "",
        ]
        writer.addRecord(words.map { .text($0) })
      }
    }
    return writer.text
  }

  func json() -> [UInt8] {
    var writer = JSONWriter(indent: 2)
    writer.beginObject()
    writer.key("exchanges")
    writer.beginArray()
    for row in rows { write(row, into: &writer) }
    writer.endArray()
    writer.key("retired")
    writer.beginArray()
    for exchange in retired {
      writer.beginObject()
      writer.member("exchange", exchange.name)
      writer.member("since", exchange.since)
      writer.member("reason", exchange.reason)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.finished()
  }

  private func write(_ row: Row, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("exchange", row.exchange.name)
    writer.key("names")
    writer.beginArray()
    for name in row.exchange.names { writer.string(name) }
    writer.endArray()
    writer.member("docs", row.exchange.documentation)
    writer.member("note", row.exchange.note)
    writer.key("markets")
    writer.beginObject()
    for (market, abilities) in row.markets {
      writer.key(market.rawValue)
      abilities.write(into: &writer)
    }
    writer.endObject()
    writer.endObject()
  }
}

extension MarketAbilities {
  fileprivate func write(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("enabled")
    writer.boolean(isEnabled)
    writer.key("onePair")
    writer.boolean(hasOnePair)
    writer.member("changeBasis", change?.rawValue)
    writer.member("bidAsk", bidAsk.rawValue)
    writer.member("volume", volume.rawValue)
    writer.member("turnover", turnover.rawValue)
    writer.member("time", time.rawValue)
    writer.key("limit")
    if let limit {
      writer.beginObject()
      writer.key("requests")
      writer.number(text: "\(limit.requests)")
      writer.key("perMilliseconds")
      writer.number(text: "\(limit.perMilliseconds)")
      writer.endObject()
    } else {
      writer.null()
    }
    writer.member("verified", verified)
    writer.member("verifiedOnePair", verifiedOnePair)
    writer.endObject()
  }
}

extension RetiredExchange {
  /// What a user who asks for it is told.
  var sentence: String { "\(name) is closed since \(since)" + (reason.map { ": \($0)" } ?? "") }
}
