import JSON
package import MarketData
package import Quotes

/// The levels of order books as records, each side from its best level on, with running totals.
package struct LevelRecords {
  private let answers: [PairAnswer<OrderBook>]
  /// The levels to write, by answer.
  private let books: [OrderBook?]

  package init(_ answers: [PairAnswer<OrderBook>], levels books: [OrderBook?]) {
    (self.answers, self.books) = (answers, books)
  }

  private struct Row {
    let side: String
    let number: Int
    let level: OrderBook.Level
    let total: Decimal
    /// Whether there may be more at the price than the size says.
    let isInPart: Bool

    var sizeReason: (title: String, code: String?) { ("size", isInPart ? LevelRecords.inPart : nil) }
  }

  /// The reason of a merged level that the received book ends within.
  package static let inPart = "book-ends"

  private func rows(ofAnswer index: Int) -> [Row] {
    guard let book = books[index] else { return [] }
    let ends = book.endsWithinStep
    return [("bid", book.bids, ends.bids), ("ask", book.asks, ends.asks)].flatMap { side, levels, endsWithinStep in
      levels.withTotals.enumerated().map { index, row in
        Row(
          side: side, number: index + 1, level: row.level, total: row.total,
          isInPart: endsWithinStep && index == levels.count - 1)
      }
    }
  }

  private func reasons(_ answer: PairAnswer<OrderBook>) -> [(title: String, code: String?)] {
    [("bookTime", answer.value?.timeMissing?.code)]
  }

  package func write(into lines: inout LineWriter) {
    for (index, answer) in answers.enumerated() {
      let reasons = reasons(answer) + [("converted", answer.conversion?.missing?.code)]
      for row in rows(ofAnswer: index) {
        lines.object { writer in
          writer.member("type", "level")
          answer.write(into: &writer)
          writer.member("side", row.side)
          writer.member("level", .integer(row.number))
          writer.member("price", row.level.price.description)
          if let conversion = answer.conversion { writer.member("converted", conversion.text(row.level.price)) }
          writer.member("size", row.level.size.description)
          writer.member("total", row.total.description)
          writer.member("bookTime", answer.value?.time?.iso8601)
          writer.member("flags", .texts(answer.value?.flags.codes ?? []))
          writer.member("reasons", .reasons(reasons + [row.sizeReason]))
        }
      }
    }
  }

  package func csv() -> [UInt8] {
    let currencies = answers.conversionCurrencies()
    var writer = CSVWriter(
      titles: PairAnswer<OrderBook>.fieldTitles + ["side", "level", "price", "size", "total", "bookTime"]
        + currencies.map { "in\($0)" } + PairAnswer<OrderBook>.lastTitles)
    for (index, answer) in answers.enumerated() {
      let names = CSVWriter.part(answer.fields)
      let flags = (answer.value?.flags ?? []).map { (title: "book", code: String?.some($0.code)) }
      let reasons = reasons(answer) + flags + [answer.conversionReason]
      for row in rows(ofAnswer: index) {
        writer.add(part: names)
        writer.add(.text(row.side))
        writer.add(.number("\(row.number)"))
        writer.add(row.level.price)
        writer.add(row.level.size)
        writer.add(row.total)
        writer.add(.text(answer.value?.time?.iso8601))
        for currency in currencies { writer.add(.number(answer.converted(row.level.price, into: currency))) }
        writer.add(.reasons(reasons + [row.sizeReason]))
        writer.add(answer.lastField)
        writer.end()
      }
    }
    return writer.finished()
  }
}
