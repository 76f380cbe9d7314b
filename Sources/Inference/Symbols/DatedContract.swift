import JSONPath

/// Symbols that end in the day on which a contract does: `BTC-USD-230630`, `XBTUSD_31DEC21`, `BTC-0930`.
///
/// They are no perpetual contracts and no coins, and a table that mixes them with others skips them.
struct DatedContract: Sendable {
  /// What their ends look like, each as an I-Regexp for the whole symbol.
  private static let patterns = [
    ".*[_:.-](20)?[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])",
    ".*[_:.-](0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])",
    ".*[_:.-][0-9]{1,2}(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[0-9]{2}",
  ]

  /// The expressions that symbols of the sample need; empty where none is dated.
  let expressions: [String]
  private let compiled: [IRegexp]

  /// - Parameter symbols: all of a sample. A table of nothing but dated contracts has none to skip.
  init(_ symbols: [String]) {
    var expressions: [String] = []
    var compiled: [IRegexp] = []
    for pattern in Self.patterns {
      guard let expression = try? IRegexp(pattern) else { continue }
      let count = symbols.reduce(0) { $0 + (expression.matchesWhole($1) ? 1 : 0) }
      guard count > 0, count < symbols.count else { continue }
      expressions.append(pattern)
      compiled.append(expression)
    }
    let rest = symbols.contains { symbol in !compiled.contains { $0.matchesWhole(symbol) } }
    self.expressions = rest ? expressions : []
    self.compiled = rest ? compiled : []
  }

  func matches(_ symbol: String) -> Bool { compiled.contains { $0.matchesWhole(symbol) } }
}
