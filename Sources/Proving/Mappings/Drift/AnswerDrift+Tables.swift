package import Config
package import Quotes

extension AnswerDrift {
  /// What has changed in the answers of a table.
  ///
  /// - Parameters:
  ///   - pair: the pair that was asked for alone; nil for a table of all pairs.
  ///   - isSamePair: whether the recording is of that pair, too.
  package init(
    _ before: DriftSide, _ after: DriftSide, of spec: TableSpec, pair: Pair?, isSamePair: Bool = true
  ) {
    let reading = DriftReading(rows: spec.rows, slots: ReadSlot.slots(of: spec), names: spec.symbol.names)
    self.init(before, after, reading, pair: pair, comparesRows: isSamePair)
  }

  /// What has changed in the answers of a lookup.
  package init(_ before: DriftSide, _ after: DriftSide, of lookup: LookupSpec, in spec: TableSpec) {
    let reading = DriftReading(
      rows: lookup.rows, slots: ReadSlot.slots(of: lookup, in: spec), names: { $0.texts(of: lookup.key) })
    self.init(before, after, reading, pair: nil)
  }

  /// What has changed in one side of an order book.
  package static func drifts(_ before: DriftSide, _ after: DriftSide, of book: BookSpec) -> [AnswerDrift] {
    let places = [book.bids.rows.text, book.asks.rows.text].compactMap(\.self)
    func reading(_ side: BookSpec.Side, _ name: String) -> DriftReading {
      // Levels have no names: their order is what they have in common.
      DriftReading(
        rows: side.rows, slots: ReadSlot.slots(of: side, name), names: { $0.rows.indices.map { "\($0)" } },
        taken: places.filter { $0 != side.rows.text })
    }
    let bids = AnswerDrift(before, after, reading(book.bids, "bids"), pair: nil)
    let chosen = bids.rows?.chosen.map { [$0.path] } ?? []
    var asks = reading(book.asks, "asks")
    asks.taken += chosen
    return [bids, AnswerDrift(before, after, asks, pair: nil)]
  }
}

extension RowsSpec {
  /// The path as it is written; nil for zipped ones.
  fileprivate var text: String? { if case .path(let path) = self { path.text } else { nil } }
}

extension SymbolSpec {
  /// What the rows of an answer are known by, as far as that can be told without the rules.
  func names(in answer: AnswerColumns) -> [String?] {
    guard case .rules(let text, let rules) = self else { return answer.rows.indices.map { "\($0)" } }
    var values: [ValueSpec] = [text].compactMap(\.self)
    if values.isEmpty, let rule = rules.first(where: { $0.asset != nil || $0.payment != nil }) {
      values = [rule.asset, rule.payment].compactMap(\.self)
    }
    let columns = values.map { answer.texts(of: $0) }
    return answer.rows.indices.map { row in
      let parts = columns.map { $0[row] }
      return parts.isEmpty || parts.contains(nil) ? nil : parts.compactMap(\.self).joined(separator: "/")
    }
  }
}
