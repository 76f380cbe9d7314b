import Quotes

/// A number of a row, with the digits of one that is longer than a decimal holds.
struct ReadNumber {
  var cell: Cell
  var exactText: String?
}
