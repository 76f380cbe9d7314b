/// What numbers of a real market cannot say. A documentation sample can.
struct Contradictions {
  let sentences: [String]

  init(_ columns: [SampleColumn], _ findings: [RoleFinding]) {
    let byRole = Self.columns(columns, findings)
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
    let rows = columns.first?.numbers.count ?? 0
    if rows <= 3, let sentence = Self.turnover(columns, byRole) { sentences.append(sentence) }
    if rows <= 5, let sentence = Self.change(columns, byRole) { sentences.append(sentence) }
    if let sentence = Self.sameness(columns, byRole) { sentences.append(sentence) }
    self.sentences = sentences
  }

  /// The column of each role, and where none was taken since its numbers contradict the others, the one that is called so.
  private static func columns(_ columns: [SampleColumn], _ findings: [RoleFinding]) -> [Role: Int] {
    var byRole: [Role: Int] = [:]
    for finding in findings where finding.confidence >= 0.3 { byRole[finding.role] = finding.column }
    for role in PriceRoles.roles + [.change] where byRole[role] == nil {
      let named = columns.indices.filter { columns[$0].hasNumbers && columns[$0].nameScore(role) >= 0.8 }
      let best = named.max { columns[$0].nameScore(role) < columns[$1].nameScore(role) }
      if let best, !byRole.values.contains(best) { byRole[role] = best }
    }
    return byRole
  }

  /// A change that is far from the one between open and price, though that would be a great one in every row. Changes are
  /// measured from other opens as well, but hardly when the price has moved so far.
  private static func change(_ columns: [SampleColumn], _ byRole: [Role: Int]) -> String? {
    guard let change = byRole[.change], let open = byRole[.open], let price = byRole[.price] else { return nil }
    var example = ""
    var vote = RowRelations.Vote()
    for row in columns[change].numbers.indices {
      guard let value = columns[change].numbers[row], let from = columns[open].numbers[row],
        let last = columns[price].numbers[row], from > 0, last > 0
      else { continue }
      let ratio = (last - from) / from
      let isNear = [ratio, ratio * 100, last - from].contains { ($0 - value).magnitude <= $0.magnitude * 0.67 }
      vote.count(ratio.magnitude > 0.2 && !isNear)
      if example.isEmpty {
        example =
          "change \(columns[change].texts[row] ?? "") is not that from open \(columns[open].texts[row] ?? "") to price "
          + "\(columns[price].texts[row] ?? "")"
      }
    }
    return vote.rows > 0 && vote.share == 1 ? "\(example) (in \(vote.text))" : nil
  }

  /// Two markets never have all of their prices in common.
  private static func sameness(_ columns: [SampleColumn], _ byRole: [Role: Int]) -> String? {
    guard let price = byRole[.price] else { return nil }
    func isSame(_ column: Int) -> Bool {
      let texts = columns[column].texts
      return texts.count >= 2 && texts[0] != nil && texts.allSatisfy { $0 == texts[0] }
        && columns[column].numbers[0].map { $0 > 0 } ?? false
    }
    let others = [Role.high, .low, .bid, .ask].compactMap { byRole[$0] }.filter { $0 != price && isSame($0) }
    guard isSame(price), others.count >= 2 else { return nil }
    return "all \(columns[price].texts.count) rows have the same price \(columns[price].texts[0] ?? "")"
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
