/// What numbers of a real market cannot say. A documentation sample can.
struct Contradictions {
  let sentences: [String]

  init(_ columns: [SampleColumn], _ findings: [RoleFinding]) {
    var byRole: [Role: Int] = [:]
    for finding in findings where finding.confidence >= 0.3 { byRole[finding.role] = finding.column }
    var sentences: [String] = []
    // Half a percent is what a cache explains; five percent is not.
    let orders: [(Role, Role, Double)] = [
      (.low, .high, 1.0001), (.low, .price, 1.05), (.price, .high, 1.05), (.bid, .ask, 1.02),
    ]
    for (lower, upper, factor) in orders {
      guard let first = byRole[lower], let second = byRole[upper] else { continue }
      var vote = RowRelations.Vote()
      var example = ""
      for (row, pair) in zip(columns[first].numbers, columns[second].numbers).enumerated() {
        guard let low = pair.0, let high = pair.1, low > 0, high > 0 else { continue }
        vote.count(low > high * factor)
        if low > high * factor, example.isEmpty {
          example =
            "\(lower.rawValue) \(columns[first].texts[row] ?? "") is above \(upper.rawValue) "
            + "\(columns[second].texts[row] ?? "")"
        }
      }
      if vote.rows > 0, vote.share >= 0.5 { sentences.append("\(example) (in \(vote.text))") }
    }
    if columns.first.map({ $0.numbers.count <= 3 }) == true, let sentence = Self.turnover(columns, byRole) {
      sentences.append(sentence)
    }
    self.sentences = sentences
  }

  /// An average price far from the day's range. Contract sizes do that too, so only a handful of rows is suspicious.
  private static func turnover(_ columns: [SampleColumn], _ byRole: [Role: Int]) -> String? {
    guard let volume = byRole[.volume], let turnover = byRole[.turnover], let price = byRole[.price] else { return nil }
    for row in columns[volume].numbers.indices {
      guard let first = columns[volume].numbers[row], let second = columns[turnover].numbers[row],
        let price = columns[price].numbers[row], first > 0, second > 0, price > 0
      else { continue }
      let low = byRole[.low].flatMap { columns[$0].numbers[row] } ?? price
      let high = byRole[.high].flatMap { columns[$0].numbers[row] } ?? price
      let average = second / first
      let isNear = average > min(low, price) / 3 && average < max(high, price) * 3
      if isNear { return nil }
      return
        "turnover \(columns[turnover].texts[row] ?? "") / volume \(columns[volume].texts[row] ?? "") is no price of "
        + "the day (unless it counts contracts)"
    }
    return nil
  }
}
