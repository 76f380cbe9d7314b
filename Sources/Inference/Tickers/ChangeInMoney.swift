// A change as money and as a fraction have a price as their quotient, like turnover and volume.
extension RowRelations {
  /// Returns whether two columns are the change of a price as money and as a fraction, whose quotient is always the open.
  func areChange(_ money: Int, share: Int, of price: Int) -> Bool {
    let vote = vote([money, share, price]) { row, numbers in
      let (change, part, last) = (numbers[0], numbers[1], numbers[2])
      guard change > 0, part > 0, last > 0 else { return nil }
      let unit = columns[share].lastDigit(row)
      // Risen to the price, or fallen to it.
      return [last - change, last + change].contains { open in
        open > 0 && (change / open - part).magnitude <= unit + part * 0.001
      }
    }
    return vote.rows >= 2 && vote.share >= 0.9
  }
}

extension SampleColumn {
  /// Whether hardly any value reaches 1, as of changes: some pairs of a market trade more than one coin a day.
  var areFractions: Bool {
    let values = presentNumbers.filter { $0 != 0 }
    let small = values.filter { $0 < 1 }
    return small.count * 10 >= values.count * 9
  }
}
