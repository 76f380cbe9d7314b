/// Which of two codes comes first in symbols without a separator, by those of which both ends are known.
struct CodeOrder {
  /// Symbols whose first code is the likelier payment currency, and all that have a vote.
  private(set) var votes = 0
  private(set) var known = 0
  /// The payment currencies that begin symbols, as they are written, longest first.
  private(set) var leads: [String] = []

  init(_ symbols: [String]) {
    var found: Set<String> = []
    for symbol in symbols {
      let upper = symbol.uppercased()
      let starts = CurrencyCode.payments.filter { upper.hasPrefix($0) && upper.count >= $0.count + 2 }
      var isFirst = false
      var hasVote = false
      for start in starts {
        let second = CurrencyCode.rank(of: String(upper.dropFirst(start.count)))
        let first = CurrencyCode.rank(of: start)
        guard second > 0, first != second else { continue }
        hasVote = true
        isFirst = first > second
        if isFirst { found.insert(String(symbol.prefix(start.count))) }
      }
      if hasVote { known += 1 }
      if isFirst { votes += 1 }
    }
    leads = found.sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// Three votes to one, and not by a single symbol that may be anything.
  var isPaymentFirst: Bool { votes >= 2 && votes * 4 > known * 3 }
}
