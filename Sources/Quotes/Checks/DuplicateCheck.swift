/// Whether a pair and product comes more than once in a table: all of its rows are flagged then.
package enum DuplicateCheck {
  /// How many symbols a message names at most.
  private static let namedSymbols = 5

  /// The finding of each row, in the order of the rows; nil for a row that is the only one of its key.
  package static func findings(_ rows: [Ticker]) -> [Flag?] {
    let places = Dictionary(grouping: rows.indices) { rows[$0].key }
    var findings = [Flag?](repeating: nil, count: rows.count)
    for (key, sharing) in places where sharing.count > 1 {
      let product = key.product.map { " of \($0)" } ?? ""
      let symbols = sharing.prefix(namedSymbols).map { rows[$0].symbol }.joined(separator: ", ")
      let more = sharing.count > namedSymbols ? " …" : ""
      let flag = Flag(
        code: "duplicate", message: "\(key.pair)\(product) comes \(sharing.count) times: \(symbols)\(more)",
        excludes: true)
      for index in sharing { findings[index] = flag }
    }
    return findings
  }
}
