import Quotes

/// A comparison of the sizes of trades that both messages and answers have, by their IDs.
struct ComparedSizes: Sendable {
  private var known: [String: (price: Decimal, size: Decimal, isStreamed: Bool)] = [:]
  private var equal = 0
  private var different = 0
  private var last: (streamed: Decimal, polled: Decimal)?

  /// Two different ones, and none that are equal: of one alone the ID may be another trade's.
  var difference: (streamed: Decimal, polled: Decimal)? { equal == 0 && different > 1 ? last : nil }

  /// Starts from the beginning, with the trades known.
  mutating func begin() { (equal, different, last) = (0, 0, nil) }

  mutating func remember(_ id: String?, price: Decimal, size: Decimal?, isStreamed: Bool) {
    guard let id, let size, known[id] == nil else { return }
    known[id] = (price, size, isStreamed)
  }

  mutating func forget(_ id: String?) {
    if let id { known[id] = nil }
  }

  mutating func compare(_ trade: Trade, isStreamed: Bool) {
    guard let id = trade.id, let size = trade.size.value, let other = known[id], other.isStreamed != isStreamed,
      other.price == trade.price
    else { return }
    if size == other.size {
      equal += 1
    } else {
      different += 1
      last = isStreamed ? (size, other.size) : (other.size, size)
    }
  }
}
