package import Config
import Formats
import JSON
import Quotes
import Terminal

/// A table of exchanges and what each offers.
package struct ExchangeMatrix: Report {
  private struct Row {
    let exchange: Exchange
    let markets: [(market: Market, abilities: MarketAbilities)]

    init(_ exchange: Exchange) {
      self.exchange = exchange
      markets = exchange.markets.map { ($0.market, MarketAbilities(exchange, $0)) }
    }

    /// `both`, `spot`, `spot, futures off`
    var marketsWord: String {
      if markets.count == 2, markets.allSatisfy(\.abilities.isEnabled) { return "both" }
      let words = markets.map { $0.market.rawValue + ($0.abilities.isEnabled ? "" : " off") }
      return words.isEmpty ? "-" : words.joined(separator: ", ")
    }
  }

  private let rows: [Row]
  private let badges: [String: String]
  private let retired: [RetiredExchange]
  private let proofs: [String: String]

  /// - Parameters:
  ///   - badges: up to three letters for each exchange, by name.
  ///   - proofs: the dates on which exchanges last passed every check on this machine, by name.
  package init(
    _ exchanges: [Exchange], badges: [String: String], retired: [RetiredExchange],
    provedHere proofs: [String: String] = [:]
  ) {
    rows = exchanges.map { Row($0) }
    self.badges = badges
    self.retired = retired
    self.proofs = proofs
  }

  package var isEmpty: Bool { rows.isEmpty }

  private static let titles = [
    "exchange", "badge", "markets", "pair", "bid/ask", "change", "book", "trades", "candles", "stream", "limit",
    "proof",
  ]
  /// The columns to drop on narrow terminals, in order: first those that are the same in nearly every row, then the wide
  /// ones, beside which three others have room.
  private static let dropping = [
    "book": 0, "trades": 1, "pair": 2, "limit": 3, "stream": 4, "candles": 5, "change": 6, "bid/ask": 7, "badge": 8,
  ]

  /// Returns the cells of a row. If the markets differ, spot comes before futures.
  private func cells(of row: Row) -> [String] {
    func both(_ word: (MarketAbilities) -> String) -> String {
      let words = row.markets.map { word($0.abilities) }
      return Set(words).count == 1 ? words[0] : words.joined(separator: ", ")
    }
    return [
      row.exchange.name, badges[row.exchange.name] ?? "", row.marketsWord, both { $0.hasOnePair ? "yes" : "-" },
      both(\.bidAsk.word), both(\.changeWord), both(\.book.word), both(\.trades.word), both(\.candlesWord),
      both(\.streamWord), both(\.limitWord),
      Self.proof(of: row.exchange, provedHere: proofs[row.exchange.name]),
    ]
  }

  /// Returns the date since which all of it is proved, or else which parts are; failing that, the date of the last
  /// proof on this machine, or `documented` if the config says where.
  static func proof(of exchange: Exchange, provedHere: String?) -> String {
    let row = Row(exchange)
    let unproved = provedHere.map { "here \($0)" } ?? (exchange.documentation == nil ? "-" : "documented")
    let days = row.markets.compactMap(\.abilities.verified)
    if days.count == row.markets.count { return days.min() ?? unproved }
    let tables = row.markets.compactMap { market, abilities in
      abilities.verified.map { "\(market.rawValue) \($0)" }
    }
    // One date for the pairs of both markets; two do not fit in 80 columns.
    let pairs = row.markets.map(\.abilities).filter { $0.verified == nil }.compactMap(\.verifiedOnePair)
    let proofs = tables + (pairs.min().map { ["pair \($0)"] } ?? [])
    return proofs.isEmpty ? unproved : proofs.joined(separator: ", ")
  }

  package func text(on page: Page) -> String {
    var table = Table(columns: Self.titles.map { TableColumn($0, dropping: Self.dropping[$0]) })
    for row in rows { table.addRow(cells(of: row).map { StyledText($0) }) }
    let closed = retired.flatMap { TerminalText.wrapped(TerminalText.sanitized($0.sentence), cells: page.width) }
    return page.table(table) + closed.map { $0 + "\n" }.joined()
  }

  package func markdown() -> String {
    let lines = [Self.titles, Self.titles.map { _ in "---" }] + rows.map { cells(of: $0) }
    return lines.map { cells in
      "| \(cells.map { TerminalText.sanitized($0).replacing("|", with: "\\|") }.joined(separator: " | ")) |\n"
    }.joined()
  }

  /// Returns one record per market, with everything known about it.
  package func csv() -> [UInt8] {
    var writer = CSVWriter(titles: [
      "exchange", "market", "enabled", "onePair", "changeBasis", "bidAsk", "volume", "turnover", "time", "requests",
      "perMilliseconds", "verified", "verifiedOnePair", "orderbook", "trades", "candles", "streams", "badge",
    ])
    for row in rows {
      for (market, abilities) in row.markets {
        let words = [row.exchange.name, market.rawValue] + abilities.words + [badges[row.exchange.name] ?? ""]
        writer.addRecord(words.map { .text($0) })
      }
    }
    return writer.finished()
  }

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "exchanges": .list(rows) { row in
        [
          "exchange": .string(row.exchange.name),
          "badge": .text(badges[row.exchange.name]),
          "names": .texts(row.exchange.names),
          "docs": .text(row.exchange.documentation),
          "note": .text(row.exchange.note),
          "provedHere": .text(proofs[row.exchange.name]),
          "markets": .members(row.markets.map { ($0.market.rawValue, $0.abilities.json) }),
        ]
      },
      "retired": .list(retired) {
        ["exchange": .string($0.name), "since": .string($0.since), "reason": .text($0.reason)]
      },
    ]
    return value.document
  }
}

extension RetiredExchange {
  /// The message shown when the exchange is requested.
  package var sentence: String { "\(name) has been closed since \(since)" + (reason.map { ": \($0)" } ?? "") }
}
