import Formats
import JSON
import Mapping
package import MarketData
package import Quotes
import Terminal

/// One line per day: a pair's close and its change.
package struct DailyReport: LineReport {
  let answers: [PairAnswer<CandleSeries>]
  let time: Instant
  let isExplained: Bool

  private let days: [[DailyLine]]
  /// What is wrong with the candles of each answer's days.
  private let faults: [[DataFinding.Kind?]]

  /// - Parameters:
  ///   - answers: daily candles, one more than is to be shown since the first has no change.
  ///   - count: how many of the newest days to show.
  ///   - time: the time used to decide whether a day is over.
  package init(
    _ answers: [PairAnswer<CandleSeries>], newest count: Int = .max, at time: Instant, isExplained: Bool = false
  ) {
    self.isExplained = isExplained
    self.answers = answers
    self.time = time
    days = answers.map { $0.value.map { Array(DailyLine.lines(of: $0, at: time).suffix(count)) } ?? [] }
    faults = answers.map { answer in
      let faults = CandleFaults(of: answer)
      return (answer.value?.candles.suffix(count) ?? []).map { faults.fault(of: $0) }
    }
  }

  // MARK: Text

  package func text(on page: Page) -> String {
    let tables = answers.indices.map { days[$0].isEmpty ? nil : table($0, on: page) }
    let widths = tables.compactMap { $0?.map(\.width).max() }
    return page.sections([
      page.header("\(answers.pairTitle()) \(page.language("days", "일별"))", time: time),
      page.beside(answers.count, least: widths.max() ?? 40) { range, width in
        range.map { index in
          [StyledText(answers[index].title(page.language), .heading).shortened(to: width)]
            + (tables[index] ?? [answers[index].absence])
        }
      }, page.remarks(notes(page.language)), isExplained ? Explanation.text(of: answers, on: page) : "",
    ])
  }

  /// Returns the days, newest first.
  ///
  /// - Parameter isCurrent: whether the close of the current day is of now.
  func table(_ index: Int, on page: Page, namesHidden: Bool = true, isCurrent: Bool = true) -> [StyledText] {
    let (answer, words) = (answers[index], page.language)
    let running = words(isCurrent ? " now" : " old", isCurrent ? " 진행" : " 지연")
    let zone = answer.value?.zone ?? .utc
    // Neither Korea nor any exchange has daylight saving time, so a day always begins at the same hour: at midnight, if
    // the zone is right.
    let isOnGrid = days[index].allSatisfy { answer.value?.grid.isStart($0.start) ?? true }
    let midnight = "00:00 \(zone.name)"
    let title =
      isOnGrid
      ? words("days from \(midnight)", "일자 (\(midnight) 기준)") : words("days \(zone.name)", "일자 (\(zone.name))")
    var table = Table(columns: [
      TableColumn(title), TableColumn(words("close", "종가"), .decimal),
      TableColumn(answer.convertedTitle(words), .right),
      TableColumn(words("change", "전일 대비"), .decimal, dropping: 2),
      TableColumn(words("day %", "등락률 %"), .right),
      TableColumn(words("volume", "거래량"), .decimal, dropping: 1),
      TableColumn(words("turnover", "거래대금"), .right, dropping: 0),
    ])
    for day in days[index].reversed() {
      let weekday = page.weekdays.short(zone.time(day.start).weekday)
      let style = day.changePercent.value.map { Style(ofChange: $0) } ?? .neutral
      func signed(_ value: Decimal) -> String { (value.signum < 0 ? "" : "+") + page.number(value) }
      table.addRow([
        StyledText("\(zone.day(day.start)) (\(weekday))")
          + StyledText(day.isComplete ? "" : running, .warning),
        StyledText(page.number(day.close), style),
        answer.convertedCell(day.close),
        day.change.value.map { StyledText(signed($0), style) } ?? .nothing,
        day.changePercent.value.map { StyledText($0.signedPercentText, style) } ?? .nothing,
        day.volume.text(page.number), day.turnover.text(page.amount),
      ])
    }
    return table.lines(width: page.width.map { max(1, $0) }, namesHidden: namesHidden)
  }

  package var notes: [String] { notes(.english) }

  private func notes(_ language: Language) -> [String] {
    answers.named(language) { $0.candleNotes($0.value?.zone ?? .utc, language) }
      + answers.conversionNotes(at: time, isContemporaneous: false, language)
  }

  // MARK: Data

  /// Returns why figures of a day are missing or cannot be right, by their names.
  private func reasons(ofDay number: Int, ofAnswer index: Int) -> [(title: String, code: String?)] {
    days[index][number].cells.map { ($0.name, $0.missing?.code) } + [("candle", faults[index][number]?.rawValue)]
  }

  private func members(ofDay number: Int, ofAnswer index: Int) -> [(String, JSONValue)] {
    let (day, answer) = (days[index][number], answers[index])
    let cells = day.cells
    let converted: (title: String, code: String?) = ("converted", answer.conversion?.missing?.code)
    return [
      ("date", .string((answer.value?.zone ?? .utc).day(day.start))), ("start", .string(day.start.iso8601)),
      ("close", .string(day.close.description)),
    ]
      + (answer.conversion.map { [("converted", .text($0.text(day.close)))] } ?? [])
      + cells.map { ($0.name, .text($0.text)) }
      + [
        ("complete", .bool(day.isComplete)),
        ("reasons", .reasons([converted] + reasons(ofDay: number, ofAnswer: index))),
      ]
  }

  package func json() -> [UInt8] {
    let value: JSONValue = [
      "time": .string(time.iso8601),
      "venues": .list(answers.indices) { index in
        let answer = answers[index]
        return answer.json(at: time) + answer.seriesJSON + [
          "days": .list(days[index].indices) { .members(members(ofDay: $0, ofAnswer: index)) }
        ]
          + Explanation.member(of: answer, isExplained)
      },
    ]
    return value.document
  }

  package func ndjson() -> [UInt8] {
    var lines = LineWriter()
    for (index, answer) in answers.enumerated() {
      for number in days[index].indices {
        lines.object("day", of: answer, .members(members(ofDay: number, ofAnswer: index)))
      }
    }
    return lines.finished(answers, isExplained: isExplained)
  }

  package func csv() -> [UInt8] {
    let currencies = answers.conversionCurrencies()
    var writer = CSVWriter(
      titles: PairAnswer<CandleSeries>.fieldTitles
        + ["date", "start", "close", "change", "changePercent", "volume", "turnover", "complete", "zone"]
        + currencies.map { "in\($0)" } + PairAnswer<CandleSeries>.lastTitles)
    for (index, answer) in answers.enumerated() {
      let zone = answer.value?.zone ?? .utc
      let names = CSVWriter.part(answer.fields)
      for (number, day) in days[index].enumerated() {
        writer.add(part: names)
        writer.add(.text(zone.day(day.start)))
        writer.add(day.start)
        writer.add(day.close)
        for cell in day.cells { writer.add(.number(cell.text)) }
        writer.add(day.isComplete)
        writer.add(.text(zone.name))
        for currency in currencies { writer.add(.number(answer.converted(day.close, into: currency))) }
        writer.add(.reasons(reasons(ofDay: number, ofAnswer: index) + [answer.conversionReason]))
        writer.add(answer.lastField)
        writer.end()
      }
    }
    return writer.finished()
  }
}

extension DailyLine {
  /// The figures that may be missing, by their names in JSON and CSV.
  fileprivate var cells: [(name: String, text: String?, missing: Missing?)] {
    [
      ("change", change.value?.description, change.missing),
      ("changePercent", changePercent.value?.quotientText, changePercent.missing),
      ("volume", volume.value?.description, volume.missing),
      ("turnover", turnover.value?.description, turnover.missing),
    ]
  }
}
