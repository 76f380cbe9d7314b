import JSON
import Mapping
package import MarketData
import Quotes
import Terminal

/// Explains how each cell was derived: the request, the path, the raw digits, the conversion and the value; for an
/// empty cell, the reason.
package enum Explanation {
  // MARK: Tables

  /// Returns the rows of one answer.
  ///
  /// - Parameter product: the product to explain; nil for rows without one.
  package static func lines(
    of report: ExchangeReport, product: String?, _ language: Language = .english
  ) -> [String] {
    let rows = report.table.rows.filter { $0.ticker.product == product }
    guard !rows.isEmpty else {
      let message = report.message(language).map { " (\($0))" } ?? ""
      return [(report.reason ?? language("no rows", "행 없음")) + message] + report.requests.map(\.text)
    }
    return rows.flatMap { [$0.source].compactMap(\.self) + $0.traces.map { line(of: $0, language) } }
  }

  static func json(of row: SnapshotRow, in snapshot: Snapshot) -> JSONValue {
    let computed = computed(row, in: snapshot) { $0.csvTitle(currency: row.conversion?.currency) }
    return ["request": .text(row.row.source)] + json(of: row.row.traces + computed)
  }

  static func text(of rows: [SnapshotRow], in snapshot: Snapshot, on page: Page) -> String {
    let language = page.language
    var text = heading(on: page)
    for row in rows {
      let ticker = row.ticker
      let computed = computed(row, in: snapshot) { $0.title(currency: row.conversion?.currency, language) }
      let name = [ticker.exchange, language.word(for: ticker.market), ticker.product].compactMap(\.self)
      text +=
        page.heading("\(name.joined(separator: " ")), \(ticker.symbol)")
        + lines(of: row.row.traces + computed, [row.row.source].compactMap(\.self), on: page)
    }
    for report in snapshot.reports where report.table.rows.isEmpty {
      text += failure(
        "\(report.exchange) \(language.word(for: report.market))", report.reason ?? language("no rows", "행 없음"),
        report.message(language), report.requests, on: page)
    }
    return text
  }

  // MARK: Order books, trades, candles

  /// Returns the member of a market's object; empty if no explanation is wanted.
  static func member<Value>(of answer: PairAnswer<Value>, _ isWanted: Bool) -> JSONValue {
    isWanted ? ["explain": json(of: answer)] : [:]
  }

  /// Returns the most important records, each in the form of a table row, with its name.
  static func json<Value>(of answer: PairAnswer<Value>) -> JSONValue {
    .list(answer.explained) { json(of: $0, answer.requests) }
  }

  private static func json(of record: ExplainedRecord, _ requests: [RequestReport]) -> JSONValue {
    [
      "row": .string("\(record.subject)"), "request": .text(record.request),
      "lookups": .members(lookups(of: record, requests).map { ($0.name, .string($0.request)) }),
    ] + json(of: record.fields)
  }

  private static func text(
    of record: ExplainedRecord, _ requests: [RequestReport], titled title: String, on page: Page
  ) -> String {
    let lookups = lookups(of: record, requests).map { "\($0.name): \($0.request)" }
    return page.heading(title)
      + lines(of: record.fields, [record.request].compactMap(\.self) + lookups, price: "가격", on: page)
  }

  /// Returns the lookup requests used for a record, by name; lookups kept from an earlier run have none.
  private static func lookups(
    of record: ExplainedRecord, _ requests: [RequestReport]
  ) -> [(name: String, request: String)] {
    let names = Set(record.fields.flatMap { $0.sources.map(\.from) })
    return names.sorted().flatMap { name in
      requests.filter { $0.name == "lookup-\(name)" }.map { (name, $0.text) }
    }
  }

  private static func heading(on page: Page) -> String { page.heading(page.language("Explain", "계산 근거")) }

  static func text<Value>(of answers: [PairAnswer<Value>], on page: Page) -> String {
    let language = page.language
    var text = heading(on: page)
    for answer in answers {
      for record in answer.explained {
        let title = "\(answer.title(language)), \(language.words(for: record.subject))"
        text += self.text(of: record, answer.requests, titled: title, on: page)
      }
    }
    for answer in answers where answer.explained.isEmpty {
      text += failure(
        answer.title(language), answer.failure?.reason.code ?? language("no rows", "행 없음"),
        answer.failure?.message(language), answer.requests, on: page)
    }
    return text
  }

  // MARK: Accounts

  static func json(of accounts: ExplainedAccounts) -> JSONValue {
    [
      "exchange": .string(accounts.report.exchange),
      "records": .list(accounts.records) { json(of: $0, accounts.report.requests) },
      "values": .members(accounts.values.map { ("\($0.row)", .string($0.text)) }),
    ]
  }

  /// Returns every answer row that contributed to the table's rows, and how each value was found.
  static func text(of accounts: [ExplainedAccounts], on page: Page) -> String {
    var text = heading(on: page)
    for own in accounts {
      let last = Dictionary(own.records.enumerated().map { ($1.subject, $0) }) { _, later in later }
      let values = Dictionary(own.values) { first, _ in first }
      for (index, record) in own.records.enumerated() {
        let title = "\(own.report.exchange) \(page.language.words(for: record.subject))"
        text += self.text(of: record, own.report.requests, titled: title, on: page)
        // The value belongs to the sum, so it follows the last of its records.
        if last[record.subject] == index, let value = values[record.subject] {
          text += page.lines([StyledText("  " + named(page.language("value", "평가액")) + value)])
        }
      }
    }
    return text
  }

  // MARK: One row

  static func json(of traces: [FieldTrace]) -> JSONValue {
    .members(
      traces.map { trace in
        (
          trace.name,
          [
            "result": .string(trace.result), "operation": .text(trace.operation),
            "scale": .text(trace.steps.first { $0.key == "scale" }?.value), "steps": json(of: trace.steps),
            "sources": .list(trace.sources) {
              [
                "from": .string($0.from), "path": .text($0.path), "raw": .text($0.raw), "steps": json(of: $0.steps),
              ]
            },
          ]
        )
      })
  }

  private static func json(of steps: [FieldTrace.Step]) -> JSONValue {
    .members(steps.map { ($0.key, .string($0.value)) })
  }

  private static func lines(
    of traces: [FieldTrace], _ requests: [String], price: String = Self.lastPrice, on page: Page
  ) -> String {
    page.lines((requests + traces.map { line(of: $0, page.language, price: price) }).map { StyledText("  " + $0) })
  }

  /// What a row's price is called in Korean; that of another record need not be the last one.
  static let lastPrice = "현재가"

  /// Returns the name of a line, up to the column where its content begins.
  static func named(_ name: String) -> String {
    name + String(repeating: " ", count: max(1, 21 - TerminalText.width(of: name)))
  }

  static func line(of trace: FieldTrace, _ language: Language = .english, price: String = Self.lastPrice) -> String {
    var line = named(language.field(trace.name, price: price)) + trace.result
    guard !trace.sources.isEmpty else { return line }
    line += "  <- "
    if let operation = trace.operation { line += "\(language.operation(operation)): " }
    line += trace.sources.map { source($0, language) }.joined(separator: "; ")
    for step in trace.steps { line += "; \(text(of: step, language))" }
    return line
  }

  private static func text(of step: FieldTrace.Step, _ language: Language) -> String {
    "\(language.step(step.key)) \(step.value.isEmpty ? "\"\"" : step.value)"
  }

  private static func source(_ source: FieldTrace.Source, _ language: Language) -> String {
    guard source.from != "constant" else { return "\(language.origin(source)) \(source.raw ?? "")" }
    let path = source.path.map { " \($0)" } ?? ""
    let steps = source.steps.map { ", \(text(of: $0, language))" }.joined()
    return "\(language.origin(source))\(path) = \(source.raw ?? language("nothing", "없음"))\(steps)"
  }

  private static func failure(
    _ name: String, _ reason: String, _ message: String?, _ requests: [RequestReport], on page: Page
  ) -> String {
    page.lines(
      [StyledText(name, .heading) + StyledText(": \(reason)\(message.map { " (\($0))" } ?? "")")]
        + requests.map { StyledText("  \($0.text)") })
  }
}

extension Language {
  fileprivate func field(_ name: String, price: String) -> String {
    guard self == .korean else { return name }
    let names = [
      "symbol": "심볼", "price": price, "changePricePercent24": "등락률", "volume24": "거래량", "turnover24": "거래대금",
      "open": "시가", "high": "고가", "low": "저가", "bid": "매수호가", "ask": "매도호가", "time": "시각", "size": "수량",
      "asset": "자산", "free": "주문가능", "locked": "사용중", "total": "보유수량", "sequence": "순번", "side": "구분", "id": "체결 번호",
      "close": "종가", "volume": "거래량", "turnover": "거래대금",
    ]
    return names[name] ?? name
  }

  /// Returns the words for which record is explained.
  func words(for subject: ExplainedRecord.Subject) -> String {
    guard self == .korean else { return "\(subject)" }
    return switch subject {
    case .row: "행"
    case .book: "호가창"
    case .bestBid: "최우선 매수"
    case .bestAsk: "최우선 매도"
    case .firstBid: "첫 매수호가"
    case .firstAsk: "첫 매도호가"
    case .newestTrade: "마지막 체결"
    case .newestCandle(let interval): "마지막 \(bar(interval))"
    case .candle: "봉"
    case .balance(let account, let asset): "\(self.account(account)) \(asset)"
    }
  }

  /// Returns the words for how a value is made of several ones: `first of: product`.
  fileprivate func operation(_ names: String) -> String {
    guard self == .korean else { return names }
    let words = [
      "sum": "합", "product": "곱", "difference": "차", "quotient": "몫", "joined": "연결", "from open": "시가 기준",
      "first of": "첫 값", "percent above": "대비 %",
    ]
    return names.split(separator: ": ").map { words[String($0)] ?? String($0) }.joined(separator: ": ")
  }

  /// Returns the word for a step applied to a value; its other keys are those of the config.
  fileprivate func step(_ key: String) -> String {
    guard self == .korean else { return key }
    return ["scale": "배율", "unit": "단위", "multiplier": "배수", "zone": "시간대", "kept": "유지"][key] ?? key
  }

  /// Returns the word for where a value is from: a part of the exchange's answer, a lookup by its name, or another cell.
  fileprivate func origin(_ source: FieldTrace.Source) -> String {
    guard self == .korean else { return source.from }
    let words =
      source.isComputed
      ? ["price": "현재가", "rate": "환율", "spot": "현물", "lowest": "최저가"]
      : ["row": "행", "response": "응답", "request": "요청", "key": "키", "constant": "상수"]
    return words[source.from] ?? "참조 \(source.from)"
  }
}

/// The account rows of an exchange to be explained.
struct ExplainedAccounts {
  let report: BalanceReport
  let records: [ExplainedRecord]
  /// How the value of each row was found; empty if not requested.
  let values: [(row: ExplainedRecord.Subject, text: String)]
}
