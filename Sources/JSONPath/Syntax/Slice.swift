/// An array slice `start:end:step` (RFC 9535 §2.3.4). Its integers are within ±(2^53 - 1).
struct Slice: Hashable, Sendable, CustomStringConvertible {
  var start: Int?
  var end: Int?
  var step: Int?

  /// The indexes that the slice selects in an array of `count` elements, in the order of the result.
  ///
  /// `Slice(step: -2).indexes(count: 5)` are 4, 2, 0.
  func indexes(count: Int) -> StrideTo<Int> {
    let step = step ?? 1
    guard step != 0 else { return stride(from: 0, to: 0, by: 1) }

    func clamped(_ index: Int, to bounds: ClosedRange<Int>) -> Int {
      let fromStart = index >= 0 ? index : count + index
      return min(max(fromStart, bounds.lowerBound), bounds.upperBound)
    }

    if step > 0 {
      let bounds = 0...count
      return stride(
        from: start.map { clamped($0, to: bounds) } ?? 0, to: end.map { clamped($0, to: bounds) } ?? count, by: step)
    }
    let bounds = -1...(count - 1)
    return stride(
      from: start.map { clamped($0, to: bounds) } ?? (count - 1), to: end.map { clamped($0, to: bounds) } ?? -1,
      by: step)
  }

  var description: String {
    let bounds = (start.map(String.init) ?? "") + ":" + (end.map(String.init) ?? "")
    return step.map { "\(bounds):\($0)" } ?? bounds
  }
}
