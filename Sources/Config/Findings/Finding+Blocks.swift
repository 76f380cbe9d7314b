import JSON
import Quotes

// Findings about order books, trades and candles.

extension Finding {
  /// Required fields that are missing.
  static func fieldsLack(_ names: [String], at place: Place) -> Finding {
    let list = names.map { "'\($0)'" }.listed("and")
    return Finding(.missingKey, "missing \(list) in these fields", at: place)
  }

  static func sideWithoutWords(at node: ConfigNode) -> Finding {
    Finding(
      .missingKey, "missing words for 'buy' and 'sell' in a side", at: node.place,
      help: "write what stands there when the taker bought, and when the taker sold")
  }

  static func sideOfBoth(_ word: String, at node: ConfigNode) -> Finding {
    Finding(.conflictingKeys, "'\(word)' means both 'buy' and 'sell'", at: node.place)
  }

  static func unknownInterval(_ name: String, at key: ConfigNode) -> Finding {
    let known = CandleInterval.allCases.map(\.rawValue)
    let other = ["60m": "1h", "120m": "2h", "240m": "4h", "24h": "1d", "1D": "1d", "7d": "1w", "1W": "1w", "1H": "1h"]
    return Finding(
      .unknownKey, "unknown interval '\(name)'; expected \(known.listed("or"))", at: key.place,
      help: other[name].map { "did you mean '\($0)'?" })
  }

  static func sharedIntervalWord(_ word: String, other: String, at node: ConfigNode) -> Finding {
    Finding(
      .conflictingKeys, "the word '\(word)' asks for the same candles as '\(other)'", at: node.place,
      help: "each interval has a word of its own")
  }

  static func requestWithoutInterval(at node: ConfigNode) -> Finding {
    Finding(
      .missingKey, "missing {interval} in a request that several intervals share", at: node.place,
      help: "put it where the exchange expects its word")
  }

  static func symbolWithoutText(at node: ConfigNode) -> Finding {
    Finding(
      .misplacedSource, "{symbol} has no value here: no table of all pairs names its pairs by a path", at: node.place,
      help: "write the pair with {asset} and {payment}")
  }

  static func idleZone(at node: ConfigNode) -> Finding {
    Finding(
      .idleZone, .warning, "'zone' has no effect: every interval is an hour or less", at: node.place,
      help: "remove it, or add the intervals of a day")
  }

  package static func samePlace(_ name: String, as other: String, at node: ConfigNode) -> Finding {
    let isVolume = name.hasPrefix("turnover")
    return Finding(
      .samePlace, .warning, "'\(name)' is read from the same place as '\(other)'", at: node.place,
      help: isVolume
        ? "volume is in the asset, turnover in the payment currency; remove the one that the exchange lacks"
        : "one number cannot be both; remove the one that the exchange lacks")
  }

  /// - Parameter name: the placeholder that is missing: `asset`.
  package static func unnamedPair(lacking name: String, at node: ConfigNode) -> Finding {
    let isAsset = name == "asset"
    return Finding(
      .unnamedPair, .error, "the request does not name the \(isAsset ? "asset" : "payment currency") it is about",
      at: node.place,
      help: isAsset
        ? "write {asset} and {payment}, or {symbol}, where the exchange expects the pair"
        : "write {payment}, or the one currency that it sells for: \"paymentCurrencies\": [\"KRW\"]")
  }
}
