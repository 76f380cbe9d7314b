import Config
import JSON
import Quotes

/// The candles that a market has already, beside an answer with another interval of them.
struct CandleIntervals {
  private let old: ConfigValue

  /// Returns nil if the market has no candles with intervals.
  init?(_ exchange: Exchange, _ market: Market) {
    guard let node = exchange.node["markets"]?[market.rawValue]?[BlockKind.candles.rawValue]?.json,
      node["intervals"]?.kind == .object
    else { return nil }
    old = ConfigValue(node)
  }

  private var intervals: [(name: String, value: ConfigValue)] { old["intervals"]?.members ?? [] }

  /// Returns a new block with the intervals of the old one as well; nil if the two differ in anything else, so that the
  /// new one replaces the old. The count of an address is that of one request, and the maximum is no smaller.
  ///
  /// - Parameters:
  ///   - isCountGuessed: Whether the new block's count is only the number of rows in its answer.
  ///   - isCountGiven: Whether it is the maximum by the user's own word.
  func merged(with block: ConfigValue, isCountGuessed: Bool, isCountGiven: Bool) -> ConfigValue? {
    // A block that does not say what shows success has been tried with that of the exchange.
    let own = ["intervals", "count"] + (block["success"] == nil ? ["success"] : [])
    guard block.without(own).text(lead: 0) == old.without(own).text(lead: 0), let new = block["intervals"]?.members
    else { return nil }
    var merged = block
    let kept = intervals.filter { old in !new.contains { $0.name == old.name } }
    merged.set(["intervals"], to: .object(kept + new))
    if own.contains("success"), let value = old["success"] { merged.set(["success"], to: value) }
    if let value = old["count"], !isCountGiven {
      let isLarger = Self.number(value) ?? 0 > Self.number(block["count"]) ?? 0
      if isCountGuessed || isLarger { merged.set(["count"], to: value) }
    }
    return merged
  }

  private static func number(_ value: ConfigValue?) -> Int? {
    if case .number(let text)? = value { Int(text) } else { nil }
  }

  /// Returns the intervals that a block does not have.
  func missing(in block: ConfigValue) -> [CandleInterval] {
    let new = (block["intervals"]?.members ?? []).map(\.name)
    return intervals.map(\.name).filter { !new.contains($0) }.compactMap(CandleInterval.init(rawValue:))
  }
}

extension ConfigValue {
  fileprivate func without(_ names: [String]) -> ConfigValue {
    .object((members ?? []).filter { !names.contains($0.name) })
  }
}
