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
  /// The requested assets; empty for all.
  private let assets: [String]
  /// The reference time for the ages of rates.
  private let time: Instant
  /// The accounts of which a part could not be read, by exchange.
  private let partial: [String: Set<String>]
  /// What another command needs to find the same config: ` -c FILE`.
  private let option: String

  /// - Parameters:
  ///   - assets: the assets to show; empty for all.
  ///   - valuation: how balances are valued; nil for no values.
  ///   - isExplained: whether to explain how each row was derived, as far as the reports know.
  package init(
    _ reports: [BalanceReport], assets: [String], in currency: String?, _ valuation: Valuation?,
    isExplained: Bool = false, option: String = "", at time: Instant
  ) {
    self.reports = reports
    self.option = option
    self.time = time
    self.currency = currency
    self.isExplained = isExplained
    self.assets = assets
    partial = reports.reduce(into: [:]) { partial, report in
      partial[report.exchange, default: []].formUnion(report.rows.map(\.account).filter(report.isPartial))
    }
    rows = reports.flatMap { report in
      report.rows.filter { assets.isEmpty || assets.contains($0.asset) }.map { balance in
        valuation?.valued(balance, of: report.exchange)
          ?? ValuedBalance(exchange: report.exchange, balance: balance, value: .missing(.notRequested), source: nil)
      }
    }
  }

  package var isEmpty: Bool { rows.isEmpty }

  /// Whether there may be more of a row, as a part of its account could not be read.
  private func isPartial(_ row: ValuedBalance) -> Bool {
    partial[row.exchange]?.contains(row.balance.account) == true
  }

  /// Explains the mark of such rows; nil if there are none.
  func legend(_ language: Language) -> String? {
    guard rows.contains(where: isPartial) else { return nil }
    return language("* part of the account could not be read", "* 계정의 일부를 조회하지 못함")
  }

  /// Says of accounts that answered why there is nothing to show; of some assets only in English.
  package func emptiness(_ language: Language) -> String {
    let allAnswered = reports.allSatisfy(\.failures.isEmpty)
    guard assets.isEmpty || reports.allSatisfy(\.rows.isEmpty) else {
      return "no \(assets.joined(separator: " or ")) in the accounts" + (allAnswered ? "" : " that answered")
    }
    if reports.contains(where: \.hasOtherRows) { return language("no other balances", "그 밖의 잔고 없음") }
    return allAnswered
      ? language("the accounts are empty", "계좌가 비어 있음")
      : language("the accounts that answered are empty", "응답한 계좌는 비어 있음")
  }

  /// Whether any exchange answered, with or without rows.
  package var hasAnswer: Bool { reports.contains { $0.answered > 0 } }

  /// The sum of all known values; nil if there are none.
  private var sum: Decimal? {
    let values = rows.compactMap(\.value.value)
    return values.isEmpty ? nil : values.reduce(0) { $0 + $1 }
  }

  /// The rows not included in the sum.
  private var unvalued: [ValuedBalance] { rows.filter { $0.value.value == nil } }

  /// What the sum lacks: `2 without a total`, `1 without a price`, `1 row without an asset`, `1 row of an unknown kind`,
  /// `1 account without an answer`, each with the assets, exchanges or accounts.
  private func lacks(_ language: Language) -> [(text: String, names: [String])] {
    var lacks: [(text: String, names: [String])] = Lack.allCases.map { lack in
      let rows = unvalued.filter { Lack($0) == lack }
      return (lack.text(rows.count, language), rows.map(\.balance.asset))
    }
    let nameless = reports.filter { $0.incomplete > 0 }
    let count = nameless.reduce(0) { $0 + $1.incomplete }
    lacks.append((AccountAdvice.unnamed(count, language), nameless.map(\.exchange)))
    let unknown = reports.flatMap { report in report.unknownKinds.map { "\(report.exchange) \($0)" } }
    lacks.append((AccountAdvice.unknownKinds(unknown.count, language), unknown))
    let silent = unanswered(language)
    let silentText = language("\(silent.count.counted("account")) without an answer", "응답 없는 계정 \(silent.count)개")
    lacks.append((silentText, silent))
    return lacks.filter { !$0.names.isEmpty }
  }

  /// What a row needs for a value, in the order in which it is reported.
  private enum Lack: CaseIterable {
    case total, price, agreement, rate

    init(_ row: ValuedBalance) {
      guard row.balance.total.value != nil else {
        self = .total
        return
      }
      switch row.value.missing {
      case .noRate: self = .rate
      case .identity: self = .agreement
      default: self = .price
      }
    }

    func text(_ count: Int, _ language: Language) -> String {
      switch self {
      case .total: language("\(count) without a total", "보유수량 없음 \(count)개")
      case .price: language("\(count) without a price", "가격 없음 \(count)개")
      case .agreement: language("\(count) without an agreed price", "가격 불일치 \(count)개")
      case .rate: language("\(count) without a rate", "환율 없음 \(count)개")
      }
    }
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
  package func rates(_ language: Language) -> String? {
    let parts = conversions.parts(at: time, language, priced: priced)
    guard let currency, !parts.isEmpty else { return nil }
    return "\(language.shown(in: currency)): " + parts.joined(separator: "; ")
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    guard !rows.isEmpty else { return "" }
    let language = page.language
    var text = page.replayLine + page.table(table(page.digits, language))
    if currency != nil {
      text += page.lines([StyledText(language("sum  ", "합계  "), .heading) + sum(page.digits, language)])
    }
    text += page.remarks([legend(language), rates(language)].compactMap(\.self))
    return isExplained ? text + "\n" + Explanation.text(of: explained(language), on: page) : text
  }

  func table(_ digits: Page.Digits, _ language: Language) -> Table {
    func number(_ value: Decimal) -> String { digits == .full ? value.description : value.shortest }
    var columns = [
      TableColumn(language("exchange", "거래소"), shortening: 1, isKey: true),
      TableColumn(language("account", "계정"), dropping: 5),
      TableColumn(language("asset", "자산"), shortening: 0, isKey: true),
      TableColumn(language("total", "보유수량"), .right),
      TableColumn(language("free", "주문가능"), .right, dropping: 1),
      TableColumn(language("locked", "사용중"), .right, dropping: 2),
    ]
    if let currency {
      columns += [
        TableColumn(language("price", "가격"), .right, dropping: 4),
        TableColumn(language("in \(currency)", "\(currency) 평가액"), .right),
        TableColumn(language("by", "산출 기준"), dropping: 3),
      ]
    }
    var table = Table(columns: columns)
    for row in rows {
      var cells = [
        StyledText(row.exchange), StyledText(language.account(row.balance.account), .dim),
        StyledText(row.balance.asset).shortened(to: Table.maximumCellWidth),
      ]
      var amounts = [row.balance.total, row.balance.free, row.balance.locked].map { $0.text(number) }
      if isPartial(row) { amounts[0] = StyledText("*", .warning) + amounts[0] }
      cells += amounts
      if let currency {
        cells += [
          row.price.map { StyledText(number($0)) } ?? .nothing,
          row.value.text { Self.money($0, currency, digits) },
          StyledText(row.source?.words(in: currency, language) ?? "", .dim),
        ]
      }
      table.addRow(cells)
    }
    return table
  }

  /// The accounts to explain, each with the rows that are shown.
  private func explained(_ language: Language) -> [ExplainedAccounts] {
    reports.map { report in
      let own = rows.filter { $0.exchange == report.exchange }
      let subjects = Set(own.map(\.subject))
      return ExplainedAccounts(
        report: report, records: report.explained.filter { subjects.contains($0.subject) },
        values: currency.map { currency in own.map { ($0.subject, $0.explanation(in: currency, language)) } } ?? [])
    }
  }

  /// Returns the sum and what it excludes; empty if no values were requested.
  private func sum(_ digits: Page.Digits, _ language: Language) -> StyledText {
    let total = total(digits, language)
    return excluded(language).map { total + "  " + $0 } ?? total
  }

  /// Returns the sum of what has a value; empty if no values were requested.
  func total(_ digits: Page.Digits, _ language: Language) -> StyledText {
    guard let currency else { return "" }
    let none = language("no value", "평가액 없음")
    return StyledText(sum.map { "\(Self.money($0, currency, digits)) \(currency)" } ?? none)
  }

  /// What the sum excludes; nil for nothing.
  func excluded(_ language: Language) -> StyledText? {
    guard currency != nil else { return nil }
    // Anyone can send a coin with a long name.
    func shortened(_ name: String) -> String { StyledText(name).shortened(to: Table.maximumCellWidth).plainText }
    let lacks = lacks(language).map { "\($0.text) (\(language.named($0.names.unique.map(shortened), upTo: 5)))" }
    return lacks.isEmpty
      ? nil : StyledText(language("not in it: ", "합계 제외: ") + lacks.joined(separator: ", "), .warning)
  }

  /// The accounts that could not be read, in whole or in part, and of which no earlier balances are kept.
  private func unanswered(_ language: Language) -> [String] {
    reports.flatMap { report in
      report.failures.filter { !report.kept.contains($0.account) }.map {
        [report.exchange, language.account($0.account)].filter { !$0.isEmpty }.joined(separator: " ")
      }
    }.unique
  }

  /// Formats money to the currency's smallest unit, which the won does not divide; a small amount of a coin to eight
  /// decimals. What is there is never nothing: `<0.01`.
  static func money(_ value: Decimal, _ currency: String, _ digits: Page.Digits) -> String {
    if digits == .full { return value.shortest }
    let isOfCoin = !FiatCurrency.codes.contains(currency) && value.magnitude < 1000
    let places = isOfCoin ? 8 : ["KRW", "JPY"].contains(currency) ? 0 : 2
    if !value.isZero, value.rounded(toPlaces: places).isZero {
      let least = Decimal(1).scaledByPowerOfTen(-places).shortest
      return value.signum < 0 ? ">-\(least)" : "<\(least)"
    }
    return isOfCoin ? value.rounded(toPlaces: places).shortest : value.fixedText(places: places)
  }

  /// A one-line summary for status bars: the sum and what it excludes. Empty if no account answered.
  package var line: String {
    guard let currency, hasAnswer else { return "" }
    let money = { (value: Decimal) in Self.money(value, currency, .short) + " \(currency)" }
    var pieces = [sum.map(money) ?? (rows.isEmpty ? money(0) : "no value")]
    if assets.count == 1 { pieces.insert(amount(of: assets[0]), at: 0) }
    pieces += lacks(.english).map(\.text)
    // Caveats about a rate belong here, too.
    for report in conversions.compactMap(\.rate) {
      guard let quote = report.quote, !quote.labels.isEmpty else { continue }
      let remark = ([report.pair.description] + RateView(quote, at: time).remarks(.english)).joined(separator: " ")
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

  /// Says nothing of invalid blocks: a command reports all that is wrong with them.
  package var notes: [String] { notes(.english, of: reports.filter { !$0.isInvalid }) }

  func notes(_ language: Language) -> [String] { notes(language, of: reports) }

  private func notes(_ language: Language, of reports: [BalanceReport]) -> [String] {
    reports.flatMap { report in
      // Without a usable key there is only one thing to say, however many accounts the exchange has.
      let isOne = report.lacksSecrets || report.failures.count > 1 && report.failsAlike
      return (isOne ? Array(report.failures.prefix(1)) : report.failures).map { failure in
        let own = isOne ? [] : [language.account(failure.account), failure.part]
        let place = ([report.exchange] + own).filter { !$0.isEmpty }.joined(separator: " ")
        let isKept = report.kept.contains(failure.account)
        return AccountAdvice.sentence(place, failure.failure, of: report.exchange, option, language)
          + (isKept ? language("; its balances are the last ones known", "; 마지막으로 알려진 잔고를 표시") : "")
      } + AccountAdvice.notes(unnamed: report.incomplete, of: report.exchange, language)
        + AccountAdvice.notes(unknownKinds: report.unknownKinds, of: report.exchange, language)
    }
  }

  // MARK: Files

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "currency": .text(currency),
      "rows": .list(rows) { $0.json(currency, isPartial: isPartial($0)) },
      "sum": .text(currency == nil ? nil : sum?.shortest),
      "unvalued": .integer(currency == nil ? 0 : unvalued.count),
      "conversions": .list(conversions) { $0.json(at: time) },
      "exchanges": .list(reports) { report in
        report.json + ["failures": .list(report.failures) { $0.json(of: report.exchange, option) }]
      },
    ]
    guard isExplained else { return value.document }
    return (value + ["explain": .list(explained(.english)) { Explanation.json(of: $0) }]).document
  }

  package func ndjson() -> [UInt8] {
    var writer = LineWriter()
    for row in rows {
      writer.object("balance", row.json(currency, isPartial: isPartial(row)))
    }
    if isExplained {
      for accounts in explained(.english) { writer.object("explain", Explanation.json(of: accounts)) }
    }
    for conversion in conversions {
      writer.object("conversion", conversion.json(at: time))
    }
    for report in reports {
      writer.object("exchange", report.json)
      let exchange: JSONValue = ["exchange": .string(report.exchange)]
      for failure in report.failures { writer.object("failure", exchange + failure.json(of: report.exchange, option)) }
    }
    return writer.bytes
  }

  package func csv() -> [UInt8] {
    var writer = CSVWriter(titles: [
      "exchange", "account", "asset", "free", "locked", "total", "value", "currency", "by", "price", "reasons",
    ])
    for row in rows {
      let reasons = row.amounts.map { name, cell -> (String, String?) in
        (name, cell.missing?.code ?? (name == "total" && isPartial(row) ? "partial" : nil))
      }
      var record: [CSVWriter.Field] = [.text(row.exchange), .text(row.balance.account), .text(row.balance.asset)]
      record += row.amounts.map { .number($0.cell.value?.description) }
      record += [.text(currency), .text(currency.flatMap { row.source?.words(in: $0, .english) })]
      writer.addRecord(record + [.number(row.price?.description), .reasons(reasons)])
    }
    return writer.finished()
  }
}

extension BalanceReport {
  fileprivate var json: JSONValue {
    [
      "exchange": .string(exchange), "withoutAsset": .integer(incomplete),
      "unknownKinds": .texts(unknownKinds.unique),
    ]
  }
}

extension BalanceReport.Failure {
  fileprivate func json(of exchange: String, _ option: String) -> JSONValue {
    ["account": .string(account), "part": .string(part)] + failure.json
      + ["advice": .text(AccountAdvice.words(for: failure.reason, of: exchange, option))]
  }
}

extension ValuedBalance {
  /// The amounts by their names in JSON and CSV; the last is the value.
  fileprivate var amounts: [(name: String, cell: Cell)] {
    [("free", balance.free), ("locked", balance.locked), ("total", balance.total), ("value", value)]
  }

  fileprivate func json(_ currency: String?, isPartial: Bool) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("exchange", .string(exchange)), ("account", .string(balance.account)), ("asset", .string(balance.asset)),
    ]
    if isPartial { members.append(("partial", .bool(true))) }
    for (name, cell) in amounts.prefix(currency == nil ? 3 : 4) {
      members.append((name, .text(cell.value?.description)))
      if let reason = cell.missing { members.append(("\(name)Reason", .string(reason.code))) }
    }
    if let currency {
      members.append(("by", .text(source?.words(in: currency, .english))))
      members.append(("price", .text(price?.description)))
    }
    return .members(members)
  }

  fileprivate var subject: ExplainedRecord.Subject { .balance(account: balance.account, asset: balance.asset) }

  /// Returns `91250000  <- total 1.5 x price 60833333.3, own KRW pair`, or the reason if there is no price.
  fileprivate func explanation(in currency: String, _ language: Language) -> String {
    guard let value = value.value, let price, let source, let total = balance.total.value else {
      return self.value.missing?.code ?? Missing.notRequested.code
    }
    let words = source.words(in: currency, language)
    return language(
      "\(value)  <- total \(total) x price \(price), \(words)", "\(value)  <- 보유수량 \(total) x 가격 \(price), \(words)")
  }
}

extension ValuedBalance.Source {
  /// Returns the text of the `by` column.
  fileprivate func words(in currency: String, _ language: Language) -> String {
    func own(_ payment: String) -> String { language("own \(payment) pair", "자체 \(payment) 마켓") }
    func old(_ isOld: Bool) -> String { isOld ? language(", old trade", ", 오래된 체결") : "" }
    return switch self {
    case .itself: language("itself", "그대로")
    case .ownPair(let isOld): own(currency) + old(isOld)
    case .ownOther(let payment, let isByRate, let isOld):
      own(payment) + (isByRate ? language(", rate", ", 환율") : "") + old(isOld)
    case .median(1): language("one other exchange", "다른 거래소 1곳")
    case .median(let count): language("median of \(count)", "\(count)곳 중앙값")
    case .rate: language("rate", "환율")
    }
  }
}
