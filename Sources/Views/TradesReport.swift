import Formats
import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// The newest trades of one pair on one or more exchanges.
package struct TradesReport: LineReport {
  let answers: [PairAnswer<[Trade]>]
  let time: Instant
  let zone: ClockZone
  let isExplained: Bool

  private let summaries: [TradeSummary?]

  /// - Parameters:
  ///   - answers: trades, oldest first.
  ///   - zone: the time zone of times in the text.
  package init(_ answers: [PairAnswer<[Trade]>], at time: Instant, zone: ClockZone, isExplained: Bool = false) {
    self.isExplained = isExplained
    self.answers = answers
    self.time = time
    self.zone = zone
    summaries = answers.map { $0.value.map { TradeSummary($0) } }
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    let tables = answers.map { answer in answer.value.map { table($0, answer, on: page) } }
    let widths = tables.compactMap { $0?.map(\.width).max() }
    return page.sections([
      page.header("\(answers.pairTitle()) \(page.language("trades", "체결"))", time: time),
      page.beside(answers.count, least: widths.max() ?? 40) { range, width in
        range.map { block($0, tables[$0] ?? nil, width: width, on: page) }
      }, page.remarks(notes(page.language)), isExplained ? Explanation.text(of: answers, on: page) : "",
    ])
  }

  private func block(_ index: Int, _ table: [StyledText]?, width: Int, on page: Page) -> [StyledText] {
    let title = StyledText(answers[index].title(page.language), .heading)
    guard let table, let summary = summaries[index], let trades = answers[index].value, !trades.isEmpty else {
      return [title, answers[index].absence]
    }
    return [title] + table + StyledText.flow(sums(summary, trades, answers[index].pair, page.language), width: width)
  }

  /// Returns the trades, newest first.
  ///
  /// - Parameters:
  ///   - known: the trades that large ones are measured against, if not just these.
  ///   - namesHidden: whether a line names the columns that do not fit.
  func table(
    _ trades: [Trade], _ answer: PairAnswer<[Trade]>, on page: Page, summary known: TradeSummary? = nil,
    namesHidden: Bool = true
  ) -> [StyledText] {
    let summary = known ?? TradeSummary(trades)
    let hasMilliseconds = trades.contains { $0.time.nanoseconds % Instant.second != 0 }
    // The side of the taker matters more than its word, and than milliseconds.
    func lines(hasMilliseconds: Bool, hasWords: Bool) -> [StyledText] {
      table(trades, answer, summary, hasMilliseconds: hasMilliseconds, hasWords: hasWords, on: page)
        .lines(width: page.width.map { max(1, $0) }, namesHidden: namesHidden)
    }
    for (hasMilliseconds, hasWords) in [(hasMilliseconds, true), (false, true)] {
      let drawn = lines(hasMilliseconds: hasMilliseconds, hasWords: hasWords)
      if drawn.allSatisfy({ $0.width <= page.width ?? .max }) { return drawn }
    }
    return lines(hasMilliseconds: false, hasWords: false)
  }

  /// - Parameter hasWords: whether the side is a word beside its mark.
  private func table(
    _ trades: [Trade], _ answer: PairAnswer<[Trade]>, _ summary: TradeSummary, hasMilliseconds: Bool, hasWords: Bool,
    on page: Page
  ) -> Table {
    let words = page.language
    let today = zone.day(time)
    let hasDays = trades.contains { zone.day($0.time) != today }
    var table = Table(columns: [
      TableColumn("\(words("time", "시각")) \(zone.name)"), TableColumn(hasWords ? words("side", "구분") : " "),
      TableColumn(words("price", "가격"), .decimal),
      TableColumn(answer.convertedTitle(words), .right), TableColumn(words("size", "수량"), .decimal),
      TableColumn(answer.pair.payment, .right, dropping: 0),
      TableColumn(summary.hasLarge(trades) ? words("large", "대량") : "", .right, dropping: 1),
    ])
    for trade in trades.reversed() {
      let factor = summary.factor(ofLarge: trade)
      func style(_ style: Style) -> Style { factor == nil ? style : .heading }
      let clock = zone.clock(trade.time, withMilliseconds: hasMilliseconds)
      let money = trade.size.value.map { $0 * trade.price }
      table.addRow([
        StyledText(hasDays ? "\(zone.day(trade.time)) \(clock)" : clock), trade.sideText(words, hasWord: hasWords),
        StyledText(page.number(trade.price), style(trade.style)), answer.convertedCell(trade.price),
        trade.size.value.map { StyledText(page.number($0), style(.neutral)) } ?? trade.size.text(page.number),
        money.map { StyledText(page.amount($0), style(.neutral)) } ?? .nothing,
        StyledText(factor.map { "\($0.rounded(toSignificantDigits: 2).shortest)x" } ?? "", .highlight),
      ])
    }
    return table
  }

  /// The age in nanoseconds above which the newest trade gets a remark: one hour.
  private static let quietAge = Instant.hour

  /// Returns buys against sells, by taker side.
  private func sums(
    _ summary: TradeSummary, _ trades: [Trade], _ pair: Pair, _ words: Language
  ) -> [StyledText] {
    func part(_ name: String, _ part: TradeSummary.Part, _ style: Style) -> StyledText {
      let size = "\(part.size.shortest) \(pair.asset)"
      return StyledText("\(name) ", style) + StyledText(words("\(size) in \(part.count)", "\(size) (\(part.count)건)"))
    }
    var parts: [StyledText] = []
    if let percent = summary.buyPercent {
      parts.append(StyledText(words("buys ", "매수 ") + "\(percent.shownShare.fixedText(places: 1)) %"))
      parts.append(part("▴ " + words("buys", "매수"), summary.buys, .up))
      parts.append(part("▾ " + words("sells", "매도"), summary.sells, .down))
    }
    if summary.others.count > 0 { parts.append(part(words("side-unknown", "구분 없음"), summary.others, .dim)) }
    if summary.unsized > 0 {
      parts.append(StyledText(words("\(summary.unsized) without a size", "수량 없음 \(summary.unsized)건"), .dim))
    }
    if summary.hasLarge(trades), let median = summary.medianSize {
      let size = "\(median.shortest) \(pair.asset)"
      parts.append(StyledText(words("large: times the median of \(size)", "대량: 중앙값 \(size)의 배수"), .dim))
    }
    if let first = trades.first, let last = trades.last {
      let span = words.age(nanoseconds: last.time.nanoseconds(since: first.time))
      let count = words("\(trades.count.counted("trade")) in \(span)", "\(span) 동안 \(trades.count)건")
      parts.append(StyledText(count, .dim))
      let age = time.nanoseconds(since: last.time)
      if age >= Self.quietAge {
        let old = words.old(words.age(nanoseconds: age))
        parts.append(StyledText(words("the newest \(old)", "마지막 체결 \(old)"), .warning))
      }
    }
    return parts
  }

  package var notes: [String] { notes(.english) }

  private func notes(_ language: Language) -> [String] {
    answers.named(language) { $0.notes } + answers.conversionNotes(at: time, isContemporaneous: false, language)
  }

  // MARK: Data

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "time": .string(time.iso8601),
      "venues": .list(zip(answers, summaries)) { answer, summary in
        answer.json(at: time) + (summary.map(json) ?? [:])
          + ["trades": .list(answer.value ?? []) { .members(members(of: $0, answer)) }]
          + Explanation.member(of: answer, isExplained)
      },
    ]
    return value.document
  }

  private func json(of summary: TradeSummary) -> JSONValue {
    func part(_ part: TradeSummary.Part) -> JSONValue {
      ["count": .integer(part.count), "size": .string(part.size.shortest), "money": .string(part.money.shortest)]
    }
    return [
      "buys": part(summary.buys), "sells": part(summary.sells), "sideUnknown": part(summary.others),
      "unsized": .integer(summary.unsized), "buyPercent": .text(summary.buyPercent?.quotientText),
      "medianSize": .text(summary.medianSize?.shortest),
    ]
  }

  private func members(of trade: Trade, _ answer: PairAnswer<[Trade]>) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("time", .string(trade.time.iso8601)), ("price", .string(trade.price.description)),
    ]
    if let conversion = answer.conversion { members.append(("converted", .text(conversion.text(trade.price)))) }
    let reasons = [(title: "converted", code: answer.conversion?.missing?.code)] + trade.reasons
    return members + [
      ("size", .text(trade.size.value?.description)), ("side", .text(trade.side?.rawValue)), ("id", .text(trade.id)),
      ("reasons", .reasons(reasons)),
    ]
  }

  package func ndjson() -> [UInt8] {
    var lines = LineWriter()
    for answer in answers {
      for trade in answer.value ?? [] {
        lines.object("trade", of: answer, .members(members(of: trade, answer)))
      }
    }
    return lines.finished(answers, isExplained: isExplained)
  }

  package func csv() -> [UInt8] { TradeRecords(answers).csv() }
}

extension TradeSummary {
  fileprivate func hasLarge(_ trades: [Trade]) -> Bool { trades.contains { factor(ofLarge: $0) != nil } }
}

extension Trade {
  fileprivate var style: Style {
    switch side {
    case .buy?: .up
    case .sell?: .down
    case nil: .neutral
    }
  }

  fileprivate func sideText(_ words: Language, hasWord: Bool) -> StyledText {
    switch side {
    case .buy?: StyledText(hasWord ? words("▴ buy", "▴ 매수") : "▴", .up)
    case .sell?: StyledText(hasWord ? words("▾ sell", "▾ 매도") : "▾", .down)
    case nil: .nothing
    }
  }
}
