package import MarketData
package import Quotes

extension Trade {
  /// What may be missing of it, by its names in JSON and CSV, and why each is; nil if it is not.
  package var reasons: [(title: String, code: String?)] {
    [
      ("size", size.missing?.code), ("side", side == nil ? Missing.sideUnknown.code : nil),
      ("id", id == nil ? Missing.notOffered.code : nil),
    ]
  }
}

/// Trades as records.
package struct TradeRecords {
  private let answers: [PairAnswer<[Trade]>]

  package init(_ answers: [PairAnswer<[Trade]>]) { self.answers = answers }

  package func csv() -> [UInt8] {
    let currencies = answers.conversionCurrencies()
    var writer = CSVWriter(
      titles: PairAnswer<[Trade]>.fieldTitles + ["time", "price", "size", "side", "id"] + currencies.map { "in\($0)" }
        + PairAnswer<[Trade]>.lastTitles)
    for answer in answers {
      let names = CSVWriter.part(answer.fields)
      for trade in answer.value ?? [] {
        writer.add(part: names)
        writer.add(trade.time)
        writer.add(trade.price)
        writer.add(trade.size.value)
        writer.add(.text(trade.side?.rawValue))
        writer.add(.text(trade.id))
        for currency in currencies { writer.add(.number(answer.converted(trade.price, into: currency))) }
        writer.add(.reasons(trade.reasons + [answer.conversionReason]))
        writer.add(answer.lastField)
        writer.end()
      }
    }
    return writer.finished()
  }
}
