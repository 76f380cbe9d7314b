/// Recognises tables that look like tickers and are none: a list of trades, a chart.
enum OtherTable {
  /// What the rows are, in words; nil where they may be tickers.
  ///
  /// - Parameter hasPairs: whether each row names a pair of its own.
  static func name(of rows: SampleRows, hasPairs: Bool) -> String? {
    guard !hasPairs, rows.shape != .single else { return nil }
    if isChart(rows) { return "its rows stand at regular times: a chart, it seems" }
    let symbols = rows.columns.first { $0.leafName.has(.symbol) && $0.texts.allSatisfy { $0 != nil } }
    let names = symbols?.texts.compactMap(\.self) ?? []
    if names.count >= 5, Set(names).count * 2 < names.count {
      return
        "\(names.count) rows name \(Set(names).count == 1 ? "one pair" : "\(Set(names).count) pairs"): trades, it seems"
    }
    return nil
  }

  /// Times of the rows that are as far from each other, one and all.
  private static func isChart(_ rows: SampleRows) -> Bool {
    guard rows.nodes.count >= 3 else { return false }
    return rows.columns.contains { column in
      guard TimeRole.form(of: column.texts.compactMap(\.self)) != nil else { return false }
      let times = column.numbers.compactMap(\.self)
      guard times.count == column.numbers.count, times[1] != times[0] else { return false }
      let step = times[1] - times[0]
      return zip(times, times.dropFirst()).allSatisfy { $1 - $0 == step }
    }
  }
}
