import Config
import HTTP
import Mapping
import Quotes

/// The fields of an order book, of trades or of candles that the mapping reads and no record has.
///
/// A record without a price or a time is none, which fails on its own. Sizes, sides, sequence numbers and amounts may
/// be missing in single records, but if all lack one, its path or its words are wrong.
struct LostFields {
  /// A field that is missing in all records.
  struct Lost {
    let field: String
    let code: FindingCode
    let severity: Finding.Severity
    let text: String

    init(_ field: String, _ code: FindingCode, _ severity: Finding.Severity, _ text: String) {
      (self.field, self.code, self.severity, self.text) = (field, code, severity, "\(field): \(text)")
    }
  }

  private let answers: [[UInt8]]
  private let rows: RowsSpec

  /// - Parameter rows: The location of the records in the answers.
  init(_ answers: [[UInt8]], rows: RowsSpec) { (self.answers, self.rows) = (answers, rows) }

  // MARK: Kinds of records

  func trades(_ trades: [Trade], _ fields: [String: ValueSpec]) -> [Lost] {
    [
      amount("size", fields, trades.map(\.size), "trades"),
      trades.contains { $0.side != nil } ? oneSide(trades, fields) : side(trades, fields),
      trades.contains { $0.id != nil } ? nil : text("id", fields["id"], trades.count, "trades"),
    ].compactMap(\.self)
  }

  func candles(_ candles: [Candle], _ fields: [String: ValueSpec]) -> [Lost] {
    [
      amount("volume", fields, candles.map(\.volume), "candles"),
      amount("turnover", fields, candles.map(\.turnover), "candles"),
    ].compactMap(\.self)
  }

  /// - Parameter sequence: The mapping's value for the number that orders rows of one time.
  func rows(sequence: ValueSpec?) -> Lost? { text("sequence", sequence, answers.count, "messages") }

  /// - Parameters:
  ///   - time: The mapping's value for the time of the book.
  ///   - sequence: Likewise for its number.
  func orderbook(_ book: OrderBook, time: ValueSpec?, sequence: ValueSpec?) -> [Lost] {
    [
      // A time that cannot be parsed is among the book's flags.
      book.time == nil && book.flags.isEmpty ? text("time", time, 1, "order book") : nil,
      book.sequence == nil ? text("sequence", sequence, 1, "order book") : nil,
    ].compactMap(\.self)
  }

  // MARK: Kinds of fields

  private func amount(_ name: String, _ fields: [String: ValueSpec], _ cells: [Cell], _ what: String) -> Lost? {
    let reasons = cells.compactMap(\.missing)
    guard let value = fields[name], !cells.isEmpty, reasons.count == cells.count else { return nil }
    let kinds = reasons.unique
    let codes = kinds.map(\.code).joined(separator: ", ")
    let all = "\(codes) in all of \(cells.count) \(what)"
    // Nothing was traded, or the exchange does not say.
    if kinds.allSatisfy({ [.jsonNull, .zero].contains($0) }) { return Lost(name, .fieldEmpty, .note, all) }
    if kinds == [.pathMiss] { return Self.lost(name, value, cells.count, what) }
    // A lookup may be of some pairs only: contracts that count in the asset, and others that do not.
    if kinds.allSatisfy({ [.jsonNull, .zero, .lookupMiss].contains($0) }) {
      return Lost(name, .lookupMismatch, .note, all)
    }
    if value.lookupNames.isEmpty || kinds.contains(where: { [.notANumber, .pathMany].contains($0) }) {
      return Lost(name, .fieldEmpty, .error, all)
    }
    return Lost(name, .notRecorded, .note, all)
  }

  /// Reports a text that is missing in all records; null is the exchange's way to have none.
  private func text(_ name: String, _ value: ValueSpec?, _ count: Int, _ what: String) -> Lost? {
    guard let value, count > 0, isNowhere(value) else { return nil }
    return Self.lost(name, value, count, what)
  }

  /// Reports that a value leads nowhere in `any of 12 trades`, or in `the trade`.
  private static func lost(_ name: String, _ value: ValueSpec, _ count: Int, _ what: String) -> Lost {
    let all = count == 1 ? "the \(what.hasSuffix("s") ? String(what.dropLast()) : what)" : "any of \(count) \(what)"
    return Lost(name, .fieldLost, .error, "\(paths(value)) leads nowhere in \(all)")
  }

  private func side(_ trades: [Trade], _ fields: [String: ValueSpec]) -> Lost? {
    guard let value = fields["side"], !trades.isEmpty else { return nil }
    let words = words(of: value)
    guard !words.isEmpty else { return text("side", value, trades.count, "trades") }
    return Lost(
      "side", .fieldEmpty, .error,
      "none of \(trades.count) trades has one of its words; they have \(words.shortList)")
  }

  /// Reports a side that no trade is of, while many have a word that means nothing.
  private func oneSide(_ trades: [Trade], _ fields: [String: ValueSpec]) -> Lost? {
    guard let value = fields["side"], let known = value.side, Set(trades.compactMap(\.side)).count == 1,
      trades.count(where: { $0.side == nil }) * 5 >= trades.count
    else { return nil }
    let strange = words(of: value).filter { known.side($0) == nil }
    guard !strange.isEmpty else { return nil }
    let missing = trades.contains { $0.side == .buy } ? known.sellWords : known.buyWords
    return Lost(
      "side", .fieldEmpty, .error,
      "no trade has \(missing.joined(separator: ", ")); others have \(strange.shortList)")
  }

  // MARK: Answers

  /// Returns the texts that a value has in the answers.
  private func words(of value: ValueSpec) -> [String] {
    (AnswerColumns(answers, rows: rows)?.texts(of: value) ?? []).compactMap(\.self).unique
  }

  /// Returns whether the paths of a value find nothing, not even a null; false if that cannot be told.
  private func isNowhere(_ value: ValueSpec) -> Bool {
    guard let columns = AnswerColumns(answers, rows: rows), !columns.rows.isEmpty else { return false }
    func isNowhere(_ value: ValueSpec) -> Bool {
      let isLost =
        switch value.origin {
        case .path(let path?, .row): !columns.holds(path, inRow: true)
        case .path(let path?, .response): !columns.holds(path, inRow: false) && !columns.holds(path, inRow: true)
        default: !value.parts.isEmpty
        }
      return isLost && value.parts.allSatisfy(isNowhere)
    }
    return isNowhere(value)
  }

  private static func paths(_ value: ValueSpec) -> String {
    let paths = value.places.map { $0.split(separator: " ").last.map(String.init) ?? $0 }.sorted()
    return paths.isEmpty ? "its path" : paths.joined(separator: ", ")
  }
}
