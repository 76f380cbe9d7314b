package import Config
import JSON
package import Quotes
import Terminal

/// Everything the config says about one exchange, and how many pairs it has been seen with.
package struct ExchangeDetail: Report {
  /// The number of pairs of one market in a recording, and the date of that.
  package typealias PairCount = (market: Market, count: Int, day: String)

  private let exchange: Exchange
  private let badge: String?
  private let counts: [PairCount]
  private let file: String
  private let provedHere: String?

  /// - Parameters:
  ///   - badge: the letters it has where its name does not fit.
  ///   - file: the config's path.
  ///   - provedHere: the date of the last live answers that passed every check on this machine.
  package init(
    _ exchange: Exchange, badge: String?, pairs counts: [PairCount], file: String, provedHere: String?
  ) {
    (self.exchange, self.badge, self.counts, self.file, self.provedHere) = (exchange, badge, counts, file, provedHere)
  }

  package func text(on page: Page) -> String {
    let names = exchange.names.isEmpty ? "" : " (\(exchange.names.joined(separator: ", ")))"
    var lines = [
      ("badge", badge ?? ""), ("docs", exchange.documentation ?? "-"), ("note", exchange.note ?? "-"), ("config", file),
    ]
    lines.append(("proof", ExchangeMatrix.proof(of: exchange, provedHere: provedHere)))
    var text = page.heading(exchange.name + names) + Self.list(lines, on: page)
    for market in exchange.markets {
      let abilities = MarketAbilities(exchange, market)
      text += "\n" + page.heading(market.market.rawValue + (abilities.isEnabled ? "" : " (off)"))
      text += Self.list(
        [
          ("page", Self.pages(of: market).joined(separator: ", ")), ("hosts", market.hosts.joined(separator: ", ")),
          ("limit", abilities.limitWord),
          (
            "pairs",
            pairs(of: market.market).map { "\($0.count) in the recording of \($0.day)" } ?? "no recording to count in"
          ),
          ("payment", Self.payments(of: market).joined(separator: ", ")),
          ("products", Self.products(of: market)), ("bid/ask", abilities.bidAsk.word),
          ("change", abilities.changeWord), ("book", Self.most(market.orderbooks.map(\.table), "levels")),
          ("trades", Self.most(market.trades, "trades")),
          ("candles", abilities.intervalsWord), ("stream", abilities.channelsWord),
        ], on: page)
    }
    return text
  }

  /// Returns how much one answer contains: `up to 1000 levels`; `not-offered`.
  private static func most(_ tables: [TableSpec], _ what: String) -> String {
    guard !tables.isEmpty else { return "not-offered" }
    return tables.compactMap(\.counts.last).max().map { "up to \($0) \(what)" } ?? "yes"
  }

  private static func list(_ lines: [(String, String)], on page: Page) -> String {
    lines.filter { !$0.1.isEmpty }.map { name, text in
      let margin = String(repeating: " ", count: 9)
      let wrapped = TerminalText.wrapped(TerminalText.sanitized(text), cells: page.width.map { max(20, $0 - 9) })
      return name + String(repeating: " ", count: 9 - name.count) + wrapped.joined(separator: "\n" + margin) + "\n"
    }.joined()
  }

  private func pairs(of market: Market) -> PairCount? { counts.first { $0.market == market } }

  private static func payments(of market: ExchangeMarket) -> [String] {
    (market.tickers + market.ticker).flatMap { $0.paymentCurrencies.flatMap(\.currencies) }.unique
  }

  /// Returns the groups of futures, as `--product` takes them, with what their pairs are paid in:
  /// `linear (USDT, USDC), inverse (USD)`.
  private static func products(of market: ExchangeMarket) -> String {
    market.products.map { $0.payments.isEmpty ? $0.name : "\($0.name) (\($0.payments.joined(separator: ", ")))" }
      .joined(separator: ", ")
  }

  /// Returns the paging as written in the config, for markets whose parts are paged separately.
  private static func pages(of market: ExchangeMarket) -> [String] {
    (market.tickers + market.ticker).compactMap { $0.page?.text }.unique
  }

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "exchange": .string(exchange.name), "badge": .text(badge), "names": .texts(exchange.names),
      "docs": .text(exchange.documentation), "note": .text(exchange.note), "config": .string(file),
      "provedHere": .text(provedHere),
      "markets": .members(
        exchange.markets.map { market in
          let count = pairs(of: market.market)
          return (
            market.market.rawValue,
            MarketAbilities(exchange, market).json + [
              "pages": .texts(Self.pages(of: market)), "hosts": .texts(market.hosts),
              "paymentCurrencies": .texts(Self.payments(of: market)),
              "products": .members(market.products.map { ($0.name, .texts($0.payments)) }),
              "pairs": .integer(count?.count), "pairsRecorded": .text(count?.day),
            ]
          )
        }),
    ]
    return value.document
  }

  package func csv() -> [UInt8] {
    ExchangeMatrix([exchange], badges: badge.map { [exchange.name: $0] } ?? [:], retired: []).csv()
  }
}
