import Quotes

/// Two fields whose order is the wrong one in nearly all rows: each is read from the place of the other.
struct SwappedFields {
  /// The check that fails because of it.
  let kind: Flag.Kind
  let help: String

  /// Returns those of bid and ask, and of low and high.
  static func all(in rows: [Ticker]) -> [SwappedFields] {
    let orders: [(kind: Flag.Kind, lower: TickerField, upper: TickerField)] = [
      (.bidAsk, .bid, .ask), (.range, .low, .high),
    ]
    return orders.compactMap { kind, lower, upper in
      let isWrong = rows.compactMap { row -> Bool? in
        guard let one = row.cell(lower).value, let other = row.cell(upper).value, one.signum > 0, other.signum > 0,
          one != other
        else { return nil }
        return one > other
      }
      let wrong = isWrong.count(where: \.self)
      guard wrong >= 3, wrong * 10 >= isWrong.count * 9 else { return nil }
      let text = "the \(lower.rawValue) is above the \(upper.rawValue) in \(wrong) of \(isWrong.count) rows"
      return SwappedFields(kind: kind, help: "\(text): swap the places that the two are read from")
    }
  }
}
