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
    self.sentences = sentences
  }
}
