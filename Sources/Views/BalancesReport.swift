import Formats
import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// Account balances on exchanges and their values.
package struct BalancesReport: LineReport {
  private let reports: [BalanceReport]
  private let rows: [ValuedBalance]
  /// The currency of the values; nil if none were requested.
  private let currency: String?
  private let isExplained: Bool
  /// The single requested asset; nil for several, or all.
  private let asset: String?
  /// The reference time for the ages of rates.
  private let time: Instant

  /// - Parameters:
  ///   - assets: the assets to show; empty for all.
  ///   - valuation: how balances are valued; nil for no values.
  ///   - isExplained: whether to explain how each row was derived, as far as the reports know.
  package init(
    _ reports: [BalanceReport], assets: [String], in currency: String?, _ valuation: Valuation?,
    isExplained: Bool = false, at time: Instant
  ) {
    self.reports = reports
    self.time = time
    self.currency = currency
    self.isExplained = isExplained
    asset = assets.count == 1 ? assets[0] : nil
    rows = reports.flatMap { report in
      report.rows.filter { assets.isEmpty || assets.contains($0.asset) }.map { balance in
        valuation?.valued(balance, of: report.exchange)
          ?? ValuedBalance(exchange: report.exchange, balance: balance, value: .missing(.notRequested), source: nil)
      }
    }
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// Whether any exchange answered, with or without rows.
  package var hasAnswer: Bool { reports.contains { $0.answered > 0 } }

  /// The sum of all known values; nil if there are none.
  private var sum: Decimal? {
    let values = rows.compactMap(\.value.value)
    return values.isEmpty ? nil : values.reduce(0) { $0 + $1 }
  }

  /// The rows not included in the sum.
  private var unvalued: [ValuedBalance] { rows.filter { $0.value.value == nil } }

  /// Why they are excluded: `2 without a total`, `1 without a price`, each with its assets.
  private var unvaluedCauses: [(text: String, assets: [String])] {
    func cause(_ row: ValuedBalance) -> String {
      if row.balance.total.value == nil { return "a total" }
      return switch row.value.missing {
      case .noRate: "a rate"
      case .identity: "an agreed price"
      default: "a price"
      }
    }
    return ["a total", "a price", "an agreed price", "a rate"].compactMap { name in
      let rows = unvalued.filter { cause($0) == name }
      return rows.isEmpty ? nil : ("\(rows.count) without \(name)", rows.map(\.balance.asset))
    }
  }

  /// Rows whose asset is unknown: `2 rows without an asset`; nil if there are none.
  private var unnamed: (text: String, exchanges: [String])? {
    let count = reports.reduce(0) { $0 + $1.incomplete }
    return count == 0 ? nil : (AccountAdvice.unnamed(count), reports.filter { $0.incomplete > 0 }.map(\.exchange))
  }

  /// The distinct conversions behind the values, including failed ones.
  private var conversions: [Conversion] {
    var payments: Set<String> = []
    return rows.flatMap(\.conversions).filter { payments.insert($0.payment).inserted }
  }

  /// The assets valued at a price of their own, even if they count as money where they pay for others.
  private var priced: Set<String> {
    Set(
      rows.filter { row in
        switch row.source {
        case .ownPair, .ownOther, .median: true
        case .itself, .rate, nil: false
        }
      }.map(\.balance.asset))
  }

  /// Returns `in KRW: USD/KRW 1461.50, 하나은행; USDT counted as one USD`, or nil if no value uses a rate.
  package func rates(_ language: Language = .english) -> String? {
    let parts = conversions.parts(at: time, language, priced: priced)
    guard let currency, !parts.isEmpty else { return nil }
    return language("in \(currency): ", "\(currency) 표시: ") + parts.joined(separator: "; ")
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    guard !rows.isEmpty else { return "" }
    var text = page.replayLine + page.table(table(page.digits))
    if currency != nil { text += page.lines([StyledText("sum  ", .heading) + sum(page.digits)]) }
    if let rates = rates() { text += page.remarks([rates]) }
    return isExplained ? text + "\n" + Explanation.text(of: explained, on: page) : text
  }

  func table(_ digits: Page.Digits) -> Table {
    func number(_ value: Decimal) -> String { digits == .full ? value.description : value.shortest }
    var columns = [
      TableColumn("exchange"), TableColumn("account", dropping: 5), TableColumn("asset"), TableColumn("total", .right),
      TableColumn("free", .right, dropping: 1), TableColumn("locked", .right, dropping: 2),
    ]
    if let currency {
      columns += [
        TableColumn("price", .right, dropping: 4), TableColumn("in \(currency)", .right),
        TableColumn("by", dropping: 3),
      ]
    }
    var table = Table(columns: columns)
    for row in rows {
      var cells = [StyledText(row.exchange), StyledText(row.balance.account, .dim), StyledText(row.balance.asset)]
      cells += [row.balance.total, row.balance.free, row.balance.locked].map { $0.text(number) }
      if let currency {
        cells += [
          row.price.map { StyledText(number($0)) } ?? .nothing,
          row.value.text { Self.money($0, currency, digits) }, StyledText(row.source?.words(in: currency) ?? "", .dim),
        ]
      }
      table.addRow(cells)
    }
    return table
  }

  /// The accounts to explain, each with the rows that are shown.
  private var explained: [ExplainedAccounts] {
    reports.map { report in
      let own = rows.filter { $0.exchange == report.exchange }
      let names = Set(own.map(\.name))
      return ExplainedAccounts(
        report: report, records: report.explained.filter { names.contains($0.name) },
        values: currency.map { currency in own.map { ($0.name, $0.explanation(in: currency)) } } ?? [])
    }
  }

  /// Returns the sum and what it excludes; empty if no values were requested.
  private func sum(_ digits: Page.Digits) -> StyledText {
    excluded.map { total(digits) + StyledText("  ") + $0 } ?? total(digits)
  }

  /// Returns the sum of what has a value; empty if no values were requested.
  func total(_ digits: Page.Digits) -> StyledText {
    guard let currency else { return StyledText("") }
    return StyledText(sum.map { "\(Self.money($0, currency, digits)) \(currency)" } ?? "no value")
  }

  /// What the sum excludes; nil for nothing.
  var excluded: StyledText? {
    guard currency != nil else { return nil }
    var lacks = unvaluedCauses.map { "\($0.text) (\($0.assets.unique.named(upTo: 5)))" }
    if let unnamed { lacks.append("\(unnamed.text) (\(unnamed.exchanges.unique.named(upTo: 5)))") }
    if !unanswered.isEmpty {
      lacks.append("\(unanswered.count.counted("account")) without an answer (\(unanswered.named(upTo: 5)))")
    }
    return lacks.isEmpty ? nil : StyledText("not in it: " + lacks.joined(separator: ", "), .warning)
  }

  /// The accounts that could not be read, in whole or in part.
  private var unanswered: [String] {
    reports.flatMap { report in
      report.failures.map { [report.exchange, $0.account].filter { !$0.isEmpty }.joined(separator: " ") }
    }.unique
  }

  /// Formats money to the currency's smallest unit, which the won does not divide; a small amount of a coin to eight
  /// decimals.
  private static func money(_ value: Decimal, _ currency: String, _ digits: Page.Digits) -> String {
    if digits == .full { return value.shortest }
    let isOfCoin = !FiatCurrency.codes.contains(currency) && value.magnitude < 1000
    return isOfCoin
      ? value.rounded(toPlaces: 8).shortest : value.fixedText(places: ["KRW", "JPY"].contains(currency) ? 0 : 2)
  }

  /// A one-line summary for status bars: the sum and what it excludes. Empty if no account answered.
  package var line: String {
    guard let currency, hasAnswer else { return "" }
    let money = { (value: Decimal) in Self.money(value, currency, .short) + " \(currency)" }
    var pieces = [sum.map(money) ?? (rows.isEmpty ? money(0) : "no value")]
    if let asset { pieces.insert(amount(of: asset), at: 0) }
    pieces += unvaluedCauses.map(\.text)
    if let unnamed { pieces.append(unnamed.text) }
    if !unanswered.isEmpty { pieces.append("\(unanswered.count.counted("account")) without an answer") }
    // Caveats about a rate belong here, too.
    for report in conversions.compactMap(\.rate) {
      guard let quote = report.quote, !quote.labels.isEmpty else { continue }
      let remark = ([report.pair.description] + RateView(quote, at: time).remarks()).joined(separator: " ")
      if !pieces.contains(remark) { pieces.append(remark) }
    }
    return pieces.joined(separator: "  ") + "\n"
  }

  /// Returns `1.5 BTC at 134512000`; if prices differ between exchanges, their mean weighted by balance. If not all of
  /// it has a price, `1 of 1.5 BTC at 134512000`.
  private func amount(of asset: String) -> String {
    let totals = rows.compactMap(\.balance.total.value)
    guard totals.count == rows.count else { return "\(asset) amount unknown" }
    let amount = totals.reduce(0) { $0 + $1 }
    let valued = rows.filter { $0.value.value != nil }.compactMap(\.balance.total.value).reduce(0) { $0 + $1 }
    let prices = Set(rows.compactMap(\.price))
    let price = prices.count == 1 ? prices.first?.shortest : sum.flatMap { $0.divided(by: valued) }?.rateText
    let part = valued.isZero || valued == amount ? "" : "\(valued.shortest) of "
    return "\(part)\(amount.shortest) \(asset)" + (price.map { " at \($0)" } ?? "")
  }

  // MARK: Notes

  package var notes: [String] {
    reports.flatMap { report in
      // Without a key there is only one thing to say, however many accounts the exchange has.
      (report.lacksSecrets ? Array(report.failures.prefix(1)) : report.failures).map { failure in
        let own = report.lacksSecrets ? [] : [failure.account, failure.part]
        let place = ([report.exchange] + own).filter { !$0.isEmpty }.joined(separator: " ")
        return AccountAdvice.sentence(place, failure.failure, of: report.exchange)
      } + AccountAdvice.notes(unnamed: report.incomplete, of: report.exchange)
    }
  }

  // MARK: Files

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "currency": .text(currency),
      "rows": .list(rows) { $0.json(currency) },
      "sum": .text(currency == nil ? nil : sum?.shortest),
      "unvalued": .integer(currency == nil ? 0 : unvalued.count),
      "conversions": .list(conversions) { $0.json(at: time) },
      "exchanges": .list(reports) { report in
        [
          "exchange": .string(report.exchange), "withoutAsset": .integer(report.incomplete),
          "failures": .list(report.failures) { failure in
            ["account": .string(failure.account), "part": .string(failure.part)] + failure.failure.json
              + ["advice": .text(AccountAdvice.words(for: failure.failure.reason, of: report.exchange))]
          },
        ]
      },
    ]
    guard isExplained else { return value.document }
    return (value + ["explain": .list(explained) { Explanation.json(of: $0) }]).document
  }

  package func ndjson() -> [UInt8] {
    var writer = LineWriter()
    for row in rows {
      writer.object("balance", row.json(currency))
    }
    if isExplained {
      for accounts in explained { writer.object("explain", Explanation.json(of: accounts)) }
    }
    for conversion in conversions {
      writer.object("conversion", conversion.json(at: time))
    }
    for report in reports {
      for failure in report.failures {
        writer.object(
          "failure",
          ["exchange": .string(report.exchange), "account": .string(failure.account)] + failure.failure.json)
      }
    }
    return writer.bytes
  }

  package func csv() -> [UInt8] {
    var writer = CSVWriter(titles: [
      "exchange", "account", "asset", "free", "locked", "total", "value", "currency", "by", "price", "reasons",
    ])
    for row in rows {
      let reasons = row.amounts.prefix(currency == nil ? 3 : 4).map { ($0.name, $0.cell.missing?.code) }
      var record: [CSVWriter.Field] = [.text(row.exchange), .text(row.balance.account), .text(row.balance.asset)]
      record += row.amounts.map { .number($0.cell.value?.description ?? "") }
      record += [.text(currency ?? ""), .text(currency.flatMap { row.source?.words(in: $0) } ?? "")]
      writer.addRecord(record + [.number(row.price?.description ?? ""), .reasons(reasons)])
    }
    return writer.finished()
  }
}

extension ValuedBalance {
  /// The amounts by their names in JSON and CSV; the last is the value.
  fileprivate var amounts: [(name: String, cell: Cell)] {
    [("free", balance.free), ("locked", balance.locked), ("total", balance.total), ("value", value)]
  }

  fileprivate func json(_ currency: String?) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("exchange", .string(exchange)), ("account", .string(balance.account)), ("asset", .string(balance.asset)),
    ]
    for (name, cell) in amounts.prefix(currency == nil ? 3 : 4) {
      members.append((name, .text(cell.value?.description)))
      if let reason = cell.missing { members.append(("\(name)Reason", .string(reason.code))) }
    }
    if let currency {
      members.append(("by", .text(source?.words(in: currency))))
      members.append(("price", .text(price?.description)))
    }
    return .members(members)
  }

  /// The record's name in explanations: `spot BTC`.
  fileprivate var name: String { "\(balance.account) \(balance.asset)" }

  /// Returns `91250000  <- total 1.5 x price 60833333.3, own KRW pair`, or the reason if there is no price.
  fileprivate func explanation(in currency: String) -> String {
    guard let value = value.value, let price, let source, let total = balance.total.value else {
      return self.value.missing?.code ?? Missing.notRequested.code
    }
    return "\(value)  <- total \(total) x price \(price), \(source.words(in: currency))"
  }
}

extension ValuedBalance.Source {
  /// Returns the text of the `by` column.
  fileprivate func words(in currency: String) -> String {
    switch self {
    case .itself: "itself"
    case .ownPair(let isOld): "own \(currency) pair" + (isOld ? ", old trade" : "")
    case .ownOther(let payment, let isByRate, let isOld):
      "own \(payment) pair" + (isByRate ? ", rate" : "") + (isOld ? ", old trade" : "")
    case .median(let count): "median of \(count)"
    case .rate: "rate"
    }
  }
}
