import HTTP
package import Quotes

/// A record of a response or message with an explanation of its fields, which `--explain` shows.
package struct ExplainedRecord: Sendable {
  /// What the record is, by its name in JSON and English text.
  package enum Subject: Sendable, Hashable, CustomStringConvertible {
    /// A row of a table.
    case row
    /// The values of a whole order book.
    case book
    case bestBid, bestAsk
    /// The first level of a side in a message, which need not be the best.
    case firstBid, firstAsk
    case newestTrade
    case newestCandle(of: CandleInterval)
    case candle
    /// - Parameter account: The account's name in the config.
    case balance(account: String, asset: String)

    package var description: String {
      switch self {
      case .row: "row"
      case .book: "book"
      case .bestBid: "best bid"
      case .bestAsk: "best ask"
      case .firstBid: "first bid"
      case .firstAsk: "first ask"
      case .newestTrade: "newest trade"
      case .newestCandle(let interval): "newest candle of \(interval.rawValue)"
      case .candle: "candle"
      case .balance(let account, let asset): "\(account) \(asset)"
      }
    }
  }

  package let subject: Subject
  package let fields: [FieldTrace]
  /// The request and its status, without secrets; nil for a response that was not requested.
  package var request: String?

  init(_ subject: Subject, _ fields: [FieldTrace]) {
    self.subject = subject
    self.fields = fields
  }
}

extension RecordPlan {
  /// Explains the fields of all matching records, each returned with its record.
  ///
  /// This reads the response again, so that rows without a question leave nothing in memory.
  ///
  /// - Parameters:
  ///   - multiplier: returns the number of units that the exchange counts as one, if not 1.
  ///   - result: returns the digits of a field, or why there are none.
  func traces<Builder: RecordBuilder>(
    in answer: HTTPResponse, _ context: ReadingContext, _ builder: Builder,
    of fits: @escaping (Builder.Output) -> Bool, multiplier: @escaping (Builder.Output) -> Decimal?,
    result: @escaping (Builder.Output, Field) -> String
  ) throws(AnswerFailure) -> [(record: Builder.Output, fields: [FieldTrace])] where Builder.Field == Field {
    try read(
      answer, context,
      RecordExplainer(plan: self, builder: builder, fits: fits, multiplier: multiplier, result: result))
  }
}

/// A visitor that reads the rows of a response to explain some of them.
private struct RecordExplainer<Builder: RecordBuilder>: RowVisitor {
  let plan: RecordPlan<Builder.Field>
  let builder: Builder
  let fits: (Builder.Output) -> Bool
  let multiplier: (Builder.Output) -> Decimal?
  let result: (Builder.Output, Builder.Field) -> String

  func read<Rows>(
    _ reader: ValueReader<Rows>
  ) throws(AnswerFailure) -> [(record: Builder.Output, fields: [FieldTrace])] {
    try plan.records(of: reader, PlacedBuilder(builder: builder)).all.filter { fits($0.record) }.map { found in
      let fields = reader.traces(plan, at: found.place, multiplier: multiplier(found.record)) {
        result(found.record, $0)
      }
      return (found.record, fields)
    }
  }
}

/// A builder of records together with the place of their row.
private struct PlacedBuilder<Builder: RecordBuilder>: RecordBuilder {
  let builder: Builder

  func record<Rows>(
    _ row: RecordRow<Rows, Builder.Field>
  ) throws(AnswerFailure) -> (record: Builder.Output, place: RowPlace)? {
    try builder.record(row).map { ($0, row.place) }
  }
}

// MARK: Results

extension OrderBook.Level {
  func explainedText(_ field: LevelField) -> String {
    switch field {
    case .price: price.description
    case .size: size.description
    }
  }
}

extension Trade {
  func explainedText(_ field: TradeField) -> String {
    switch field {
    case .price: price.description
    case .size: size.explainedText
    case .side: side?.rawValue ?? Missing.sideUnknown.code
    case .time: time.iso8601
    case .id: id ?? Missing.notOffered.code
    }
  }
}

extension Candle {
  func explainedText(_ field: CandleField) -> String {
    switch field {
    case .time: start.iso8601
    case .open: open.description
    case .high: high.description
    case .low: low.description
    case .close: close.description
    case .volume: volume.explainedText
    case .turnover: turnover.explainedText
    }
  }
}

extension Balance {
  func explainedText(_ field: BalanceField) -> String {
    switch field {
    case .asset: asset
    case .free: free.explainedText
    case .locked: locked.explainedText
    case .total: total.explainedText
    }
  }
}

extension Cell {
  /// The digits, or why there are none.
  fileprivate var explainedText: String {
    switch self {
    case .value(let value): value.description
    case .missing(let reason): reason.code
    }
  }
}
