import Formats
import JSON
import Mapping
package import MarketData
import Quotes
import Terminal

/// The premium of an asset in local money over dollars, for each pair of exchanges and each dollar price.
package struct PremiumReport: Report {
  /// What the text shows. JSON and CSV always have every pair of exchanges.
  package enum Extent: Sendable, Hashable {
    /// For each local exchange, this many of its largest premiums over dollar exchanges; at least one.
    case best(Int)
    /// Every pair of exchanges, at each dollar price.
    case all
  }

  let snapshot: PremiumSnapshot
  let extent: Extent
  /// The language of the text, that of its page; messages are in English.
  private(set) var language = Language.english

  package init(_ snapshot: PremiumSnapshot, _ extent: Extent) { (self.snapshot, self.extent) = (snapshot, extent) }

  var query: PremiumQuery { snapshot.query }
  var table: LocalPremiumTable { snapshot.table }

  // MARK: JSON

  package func json() -> [UInt8] {
    let reverse = snapshot.reverse
    let value: JSONValue = [
      "asset": .string(query.asset),
      "local": .string(query.local),
      "against": .texts(query.dollars),
      "time": .string(snapshot.time.iso8601),
      "size": .text(query.size?.shortest),
      "fees": .bool(query.countsFees),
      "fx": snapshot.rate.json(at: snapshot.time),
      "tokens": .list(snapshot.tokens) { json(of: PricedRow($0.ticker, rule: query.rule)) },
      "localPrices": .list(table.local, json),
      "dollarPrices": .list(table.dollar, json),
      "premiums": .list(table.premiums) { json(of: $0) },
      "best": headline(of: table) { table.best(on: $0) },
      "worst": headline(of: table, otherwise: "one-pair") { table.worst(on: $0) },
      "reverse": headline(of: reverse, otherwise: "no-reverse", isReverse: true) {
        reverse.reverse(on: $0).isEmpty ? nil : reverse.lowest(on: $0)
      },
      "excluded": .list(exclusions()) {
        [
          "exchange": .string($0.exchange), "pair": .text($0.pair), "reason": .string($0.code),
          "message": .string($0.message),
        ]
      },
      "venues": .list(snapshot.reports) { ["pair": .text($0.pair.map { "\($0)" })] + $0.json },
    ]
    return (value + walletsJSON).document
  }

  private func json(of row: PricedRow) -> JSONValue {
    let price: JSONValue = [
      "exchange": .string(row.ticker.exchange),
      "asset": .string(row.ticker.pair.asset),
      "payment": .string(row.ticker.pair.payment),
      "lastPrice": .text(row.ticker.text(.price)),
      "ageSeconds": .text(row.ticker.ageText()),
      "price": .text(row.digits),
    ]
    let fee: JSONValue = query.countsFees ? ["feePercent": .text(snapshot.fees[row.ticker.key]?.shortest)] : [:]
    return price + fee + [
      "reason": .text(row.price.failure?.code), "reasons": .reasons([("ageSeconds", row.ticker.reasonForNoAge())]),
    ]
  }

  private func json(of premium: LocalPremium, isReverse: Bool = false) -> JSONValue {
    pairJSON(of: premium)
      + .members(DollarBasis.allCases.map { ($0.rawValue, .text(premium.percents[$0]?.quotientText)) })
      + ["signsDisagree": premium.basesDisagree.map { .bool($0) } ?? .null]
      + routeJSON(of: premium, isReverse: isReverse)
      + ["reasons": .reasons(reasons(premium) { $0.rawValue })]
  }

  /// Returns the rows of a premium, which the table of reverse premiums has at the same places.
  func rows(of premium: LocalPremium) -> (local: PricedRow, dollar: PricedRow) {
    (table.local[premium.local], table.dollar[premium.dollar])
  }

  func pairJSON(of premium: LocalPremium) -> JSONValue {
    let (local, dollar) = rows(of: premium)
    return [
      "local": .string(local.ticker.exchange), "dollar": .string(dollar.ticker.exchange),
      "payment": .string(dollar.ticker.pair.payment),
    ]
  }

  /// Returns one premium for each dollar price, and why there is none.
  ///
  /// - Parameter otherwise: why there is none although pairs have figures.
  private func headline(
    of table: LocalPremiumTable, otherwise: String = "", isReverse: Bool = false,
    _ pick: (DollarBasis) -> LocalPremium?
  ) -> JSONValue {
    let picked = DollarBasis.allCases.map { (basis: $0, premium: pick($0)) }
    let reasons = picked.map { basis, premium in
      (title: basis.rawValue, code: premium == nil ? absence(on: basis, in: table) ?? otherwise : nil)
    }
    return JSONValue.members(picked.map { ($0.rawValue, $1.map { json(of: $0, isReverse: isReverse) } ?? nil) })
      + ["reasons": .reasons(reasons)]
  }

  /// Returns why no pair has a figure on a basis; nil if one has.
  private func absence(on basis: DollarBasis, in table: LocalPremiumTable) -> String? {
    guard let first = table.premiums.first else {
      return snapshot.wallets?.leftOut?.isEmpty == false ? "no-open-route" : Missing.noPrice.code
    }
    return table.premiums.contains { $0.percents[basis] != nil } ? nil : reason(basis, first)
  }

  private func reasons(_ premium: LocalPremium, _ title: (DollarBasis) -> String) -> [(title: String, code: String?)] {
    let codes = DollarBasis.allCases.map { premium.percents[$0] == nil ? reason($0, premium) : nil }
    return zip(DollarBasis.allCases.map(title), codes).map { ($0, $1) }
      + [("signsDisagree", codes.compactMap(\.self).first)]
  }

  /// Returns why there is no price of a dollar.
  private func reason(_ basis: DollarBasis, _ premium: LocalPremium) -> String {
    switch basis {
    case .official: return snapshot.rateFlag?.code ?? Missing.noRate.code
    case .token:
      let (local, dollar) = rows(of: premium)
      let exchange = local.ticker.exchange
      let token = Pair(asset: PremiumQuery.token(for: dollar.ticker.pair.payment), payment: query.local)
      let rows = snapshot.tokens.map(\.ticker).filter { $0.exchange == exchange && $0.pair == token }
      if let objection = rows.lazy.compactMap({ $0.headlineObjection(query.rule) }).first { return objection.code }
      let report = snapshot.reports.first { $0.exchange == exchange && $0.pair == token }
      return (report?.absence.reason ?? .notListed).code
    }
  }

  // MARK: CSV

  package func csv() -> [UInt8] {
    let titles = [
      "asset", "local", "localExchange", "localPrice", "dollarExchange", "dollarPayment", "dollarPrice",
      "officialPercent", "tokenPercent", "signsDisagree", "rate", "rateLabels",
    ]
    let quote = snapshot.rate.quote
    // What the prices are, if not the last ones: the averages of a purchase or sale of this much local money, after fees.
    let terms: [(title: String, field: CSVWriter.Field)] = [
      ("size", .number(query.size?.shortest)), ("fees", .flag(query.countsFees)),
    ]
    let routes = snapshot.wallets == nil ? [] : Self.routeTitles
    var writer = CSVWriter(
      titles: titles + routes + ["reasons"] + terms.map(\.title) + ["localAgeSeconds", "dollarAgeSeconds"])
    for premium in table.premiums {
      let (local, dollar) = rows(of: premium)
      var record: [CSVWriter.Field] = [
        .text(query.asset), .text(query.local), .text(local.ticker.exchange), .number(local.digits),
        .text(dollar.ticker.exchange), .text(dollar.ticker.pair.payment), .number(dollar.digits),
      ]
      record += DollarBasis.allCases.map { .number(premium.percents[$0]?.quotientText) }
      record += [
        .flag(premium.basesDisagree), .number(quote?.rate.shortest),
        .text(quote?.labels.map(\.code).joined(separator: "; ")),
      ]
      let ages = [("localAgeSeconds", local.ticker), ("dollarAgeSeconds", dollar.ticker)]
      let noAges = ages.map { ($0, $1.reasonForNoAge()) }
      record += routeFields(of: premium) + [.reasons(reasons(premium) { "\($0.rawValue)Percent" } + noAges)]
      writer.addRecord(record + terms.map(\.field) + ages.map { .number($1.ageText()) })
    }
    return writer.finished()
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    var own = self
    own.language = page.language
    return own.sections(on: page)
  }

  private func sections(on page: Page) -> String {
    let dollars = query.dollars.joined(separator: ", ")
    let title = language(
      "\(query.asset) in \(query.local) over \(dollars)", "\(query.asset) 프리미엄: \(dollars) 대비 \(query.local)")
    var sections = [page.header(title, time: snapshot.time, rate: snapshot.rate) + conditions(on: page)]
    switch extent {
    case _ where table.premiums.isEmpty:
      let reverse = page.lines(DollarBasis.allCases.compactMap(reverseLine))
      sections += [nothing(), reverse, page.remarks(walletRemarks + notes())]
    case .best(let count):
      let shown = best(count)
      sections += [bestSection(shown, on: page, each: count), page.remarks(walletRemarks + shortRemarks(shown))]
    case .all:
      sections += DollarBasis.allCases.map { section($0, on: page) }
      sections += [walletSection(on: page), page.remarks(walletRemarks + remarks)]
    }
    return page.sections(sections)
  }

  // MARK: Header

  /// Returns the prices of dollar tokens, and what the figures refer to.
  private func conditions(on page: Page) -> String {
    var lines: [StyledText] = []
    let usable = table.local.filter(\.isUsable)
    // The table of the best premiums already has them.
    if !usable.isEmpty, extent == .all || table.premiums.isEmpty {
      let prices = usable.map { "  \($0.ticker.exchange) \($0.priceText)" }.joined()
      lines.append(StyledText("\(query.asset)/\(query.local)\(prices)"))
    }
    for token in Set(snapshot.tokens.map(\.ticker.pair.asset)).sorted() {
      var line = StyledText("\(token)/\(query.local)")
      for row in snapshot.tokens where row.ticker.pair.asset == token {
        let objection = row.ticker.headlineObjection(query.rule)
        line += StyledText("  \(row.ticker.exchange) ")
        line += row.ticker.cellText(.price, objection == nil ? .neutral : .dim)
        if let objection {
          let remarks = row.ticker.remarks(language)
          // Only --max-age or --basis may speak against it.
          line += " " + (remarks.width == 0 ? StyledText(objection.code, .dim) : remarks)
        }
      }
      lines.append(line)
    }
    if let size = query.size {
      let sum = "\(size.shortest) \(query.local)"
      lines.append(StyledText(language("for \(sum), by the order books", "\(sum), 호가창 기준"), .dim))
    }
    if query.countsFees, let feeLine { lines.append(feeLine) }
    return page.lines(lines)
  }

  /// The fees included in the figures, shown because they differ by customer. nil if there are no figures.
  private var feeLine: StyledText? {
    var compared = (table.local + table.dollar).filter(\.isUsable)
    if case .best(let count) = extent {
      let shown = Set(best(count).map(rows).flatMap { [$0.local.ticker.key, $0.dollar.ticker.key] })
      compared.removeAll { !shown.contains($0.ticker.key) }
    }
    let fees = compared.compactMap { row in
      snapshot.fees[row.ticker.key].map { "\(row.ticker.exchange) \(row.ticker.pair.payment) \($0.shortest)" }
    }
    let head = language("net of taker fees, in percent: ", "테이커 수수료(%) 차감: ")
    return fees.isEmpty ? nil : StyledText(head + fees.joined(separator: ", "), .dim)
  }

  // MARK: Best premiums

  /// The basis used for ranking: the official rate if there is one.
  private var ranking: DollarBasis { table.best(on: .official) == nil ? .token : .official }

  /// Returns the largest premiums of each local exchange, starting with the exchange that has the largest of all.
  private func best(_ count: Int) -> [LocalPremium] {
    let ranking = ranking
    // Ties keep the order of the config.
    func ranked(_ premiums: [LocalPremium]) -> [LocalPremium] {
      premiums.ranked(by: { $0.percents[ranking] }, isDescending: true)
    }
    let own = table.local.indices.map { local in ranked(table.premiums.filter { $0.local == local }) }
    let order = ranked(own.compactMap(\.first)).map(\.local)
    return order.flatMap { own[$0].prefix(count) }
  }

  private func bestSection(_ shown: [LocalPremium], on page: Page, each count: Int) -> String {
    let bases = DollarBasis.allCases.filter { table.best(on: $0) != nil }
    var layout = Table(
      columns: [
        TableColumn(language("exchange", "거래소"), minimumWidth: 8),
        TableColumn(language("price", "현재가"), .right, dropping: 0),
        TableColumn(language("over", "대비"), minimumWidth: 8), TableColumn("", minimumWidth: 3),
        TableColumn(language("price", "현재가"), .right, dropping: 0),
      ]
        + bases.map {
          TableColumn(
            $0 == .official ? language("official %", "공식 환율 %") : language("token %", "토큰 기준 %"), .right,
            dropping: $0 == ranking ? nil : 1)
        }
        + (snapshot.wallets == nil ? [] : [TableColumn(language("wallets", "입출금"), minimumWidth: 8, shortening: 0)]))
    for premium in shown {
      let (local, dollar) = rows(of: premium)
      layout.addRow(
        [
          StyledText(local.ticker.exchange), StyledText(local.priceText), StyledText(dollar.ticker.exchange),
          StyledText(dollar.ticker.pair.payment, .dim), StyledText(dollar.priceText),
        ]
          + bases.map { StyledText(percent: premium.percents[$0]) }
          + (snapshot.wallets == nil ? [] : [words(of: premium)]))
    }
    let title = language(
      (count == 1 ? "Largest premium of each" : "The \(count) largest premiums of each") + " \(query.local) exchange",
      "\(query.local) 거래소별 " + (count == 1 ? "최대 프리미엄" : "상위 프리미엄 \(count)개"))
    var lines: [StyledText] = []
    for basis in DollarBasis.allCases {
      guard let best = table.best(on: basis) else {
        lines.append(StyledText(head(basis)) + StyledText(reasonForNone(basis), .dim))
        continue
      }
      lines.append(StyledText(head(basis)) + sentence(best, basis))
      if let reverse = reverseLine(basis) { lines.append(StyledText("\(name(of: basis)): ") + reverse) }
    }
    return page.heading(title) + page.table(layout) + page.lines(lines)
  }

  /// `best at the official rate `
  private func head(_ basis: DollarBasis) -> String {
    language("best \(name(of: basis)) ", "\(name(of: basis)) 최대 ")
  }

  private func name(of basis: DollarBasis) -> String {
    switch basis {
    case .official: language("at the official rate", "공식 환율 기준")
    case .token: language("at the token's price", "토큰 가격 기준")
    }
  }

  // MARK: Tables

  private func section(_ basis: DollarBasis, on page: Page) -> String {
    let title: String
    switch basis {
    case .official:
      let rate = snapshot.rate.quote.map { " \($0.rate.rateText)" } ?? ""
      title = language("At the official USD/\(query.local)\(rate), %", "공식 환율 USD/\(query.local)\(rate) 기준, %")
    case .token:
      title = language(
        "At the price of a dollar token on each \(query.local) exchange, %",
        "각 \(query.local) 거래소의 달러 토큰 가격 기준, %")
    }
    guard let best = table.best(on: basis) else { return page.heading(title) + reasonForNone(basis) + "\n" }
    var lines = [StyledText(language("best  ", "최대 ")) + sentence(best, basis)]
    if let worst = table.worst(on: basis) {
      lines.append(StyledText(language("worst ", "최소 ")) + sentence(worst, basis))
    }
    if let reverse = reverseLine(basis) { lines.append(reverse) }
    return page.heading(title) + page.table(matrix { cell($0, basis) }) + page.lines(lines)
  }

  /// Returns a table of dollar rows against local exchanges.
  func matrix(_ cell: (LocalPremium) -> StyledText) -> Table {
    let localRows = table.local.indices.filter { index in table.premiums.contains { $0.local == index } }
    let dollarRows = table.dollar.indices.filter { index in table.premiums.contains { $0.dollar == index } }
    var layout = Table(
      columns: [
        TableColumn(language("against", "대비"), minimumWidth: 8), TableColumn("", minimumWidth: 3),
        TableColumn(language("price", "현재가"), .right, dropping: 0),
      ]
        + localRows.map { TableColumn(table.local[$0].ticker.exchange, .right) })
    for dollar in dollarRows {
      let row = table.dollar[dollar]
      layout.addRow(
        [StyledText(row.ticker.exchange), StyledText(row.ticker.pair.payment, .dim), StyledText(row.priceText)]
          + localRows.map { local in
            table.premiums.first { $0.local == local && $0.dollar == dollar }.map(cell) ?? .nothing
          })
    }
    return layout
  }

  private func cell(_ premium: LocalPremium, _ basis: DollarBasis) -> StyledText {
    guard let percent = premium.percents[basis] else { return .nothing }
    return StyledText((premium.basesDisagree == true ? "*" : "") + percent.signedPercentText, Style(ofChange: percent))
  }

  private func sentence(_ premium: LocalPremium, _ basis: DollarBasis, isReverse: Bool = false) -> StyledText {
    guard let percent = premium.percents[basis] else { return .nothing }
    let (local, dollar) = rows(of: premium)
    let sign = isReverse ? language("under", "<") : language("over", ">")
    let over = "\(sign) \(dollar.ticker.exchange) \(dollar.ticker.pair.payment)"
    let line = StyledText(percent: percent, unit: " %") + StyledText("  \(local.ticker.exchange) \(over)")
    return snapshot.wallets == nil ? line : line + "  " + words(of: premium, isReverse: isReverse)
  }

  private func reverseLine(_ basis: DollarBasis) -> StyledText? {
    let reverse = snapshot.reverse
    let found = reverse.reverse(on: basis)
    guard !found.isEmpty, let most = reverse.lowest(on: basis) else { return nil }
    // A pair without a figure on this basis is neither a premium nor a reverse one.
    let known = reverse.premiums.count { $0.percents[basis] != nil }
    let head = language(
      "reverse premium in \(found.count) of \(known.counted("pair")), most ",
      "역프리미엄 \(language.part(found.count, of: known))쌍, 최대 ")
    return StyledText(head) + sentence(most, basis, isReverse: true)
  }

  // MARK: Remarks

  private var remarks: [String] {
    var lines: [String] = []
    let disagreeing = table.disagreements.count
    if disagreeing > 0 {
      let count = table.premiums.count
      lines.append(
        language(
          "* the two bases disagree in sign: \(disagreeing) of \(count) pairs",
          "* 두 기준의 부호가 다름: \(language.part(disagreeing, of: count))쌍"))
    }
    return lines + oldTrades(table.local + table.dollar) + assumptions + notes()
  }

  /// The remarks with long lists of exclusions shortened to counts.
  private func shortRemarks(_ shown: [LocalPremium]) -> [String] {
    let rows = shown.map(rows)
    let old = oldTrades(rows.map(\.local) + rows.map(\.dollar))
    let exclusions = exclusions()
    guard exclusions.count > 2 else { return old + assumptions + notes() }
    let (count, counts) = (exclusions.count, counts(exclusions.map(\.code)))
    return old + assumptions
      + [language("\(count) rows left out: \(counts); --all lists them", "\(count)행 제외: \(counts); --all로 모두 보기")]
  }

  /// The rows whose last trade, and with it their price, is more than a minute old. Order books have no such age.
  private func oldTrades(_ rows: [PricedRow]) -> [String] {
    guard query.size == nil else { return [] }
    return rows.filter(\.isUsable).compactMap { row in
      row.ticker.oldTradeText(language).map { "\(row.ticker.exchange) \(row.ticker.pair): \($0)" }
    }.unique
  }

  private var assumptions: [String] {
    var lines: [String] = []
    let payments = Set(table.dollar.map(\.ticker.pair.payment))
    let tokens = query.dollars.filter { $0 != "USD" && payments.contains($0) }
    // Without a rate or a token price, nothing is computed from it.
    if !tokens.isEmpty, table.best(on: .official) != nil {
      let each = tokens.count > 1 ? " each" : ""
      let names = tokens.joined(separator: ", ")
      lines.append(
        language("\(names) counted as one dollar\(each) at the official rate", "공식 환율 기준: \(names) = 1달러로 계산"))
    }
    if payments.contains("USD"), table.best(on: .token) != nil {
      lines.append(language("USD counted as one USDT at the price of a token", "토큰 가격 기준: USD = 1 USDT로 계산"))
    }
    return lines
  }

  /// A price, the official rate or a market that is not used.
  private struct Exclusion {
    /// The exchange, or the provider of the rate.
    let exchange: String
    let pair: String?
    let code: String
    let message: String
  }

  private func exclusions() -> [Exclusion] {
    var all = table.exclusions.map {
      Exclusion(
        exchange: $0.exchange, pair: "\($0.pair)", code: $0.objection.code, message: $0.objection.text(language))
    }
    if let flag = snapshot.rateFlag, let rate = snapshot.rate.quote {
      let provider = TerminalText.sanitized(rate.provider)
      all.append(Exclusion(exchange: provider, pair: "\(rate.pair)", code: flag.code, message: flag.message(language)))
    }
    for report in snapshot.halted {
      all.append(
        Exclusion(
          exchange: report.exchange, pair: report.pair.map { "\($0)" }, code: Missing.halted.code,
          message: language("the exchange ", "") + Halt.predicate(language)))
    }
    return all
  }

  /// Returns what was excluded and why, as messages if the format has no room for it.
  package func notes() -> [String] {
    exclusions().map { exclusion in
      let what = "\(exclusion.exchange) \(exclusion.pair ?? "")"
      return "\(what): \(language("left out", "제외")), \(exclusion.code): \(exclusion.message)"
    }
  }
}

extension PricedRow {
  var isUsable: Bool { (try? price.get()) != nil }

  /// The price used for comparison, as sent, or as computed to 15 digits; nil if there is none.
  fileprivate var digits: String? {
    guard let price = try? price.get() else { return nil }
    return (price == ticker.price.value ? price : price.rounded(toSignificantDigits: 15)).shortest
  }

  /// The price used for comparison: as sent by the exchange, without zero padding, or as computed.
  fileprivate var priceText: String {
    guard let price = try? price.get() else { return "-" }
    return price == ticker.price.value ? price.shortest : price.rateText
  }
}
