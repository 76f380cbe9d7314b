import Quotes

/// Pairs paid in coins whose assets are money: `USDT/BTC`, with the names swapped.
///
///     [Pair(asset: "USDT", payment: "BTC"), …].turned // "3 of 4 pairs are reversed, for example USDT/BTC"
package struct TurnedPairs: Hashable, Sendable, CustomStringConvertible {
  fileprivate let count: Int
  fileprivate let all: Int
  fileprivate let example: Pair

  package var description: String { "\(count) of \(all) pairs are reversed, for example \(example)" }
}

extension [Pair] {
  /// Those that are turned, if they are most of three or more.
  package var turned: TurnedPairs? {
    let turned = filter { CurrencyCode.rank(of: $0.asset) > Swift.max(2, CurrencyCode.rank(of: $0.payment)) }
    guard count >= 3, turned.count * 2 > count else { return nil }
    return TurnedPairs(count: turned.count, all: count, example: turned[0])
  }
}
