import JSON
package import Quotes

// Findings about order books, trades and candles.

extension Finding {
  /// Required fields that are missing.
  static func fieldsLack(_ names: [String], at place: Place) -> Finding {
    let list = names.quoted.listed("and")
    return Finding(.missingKey, "missing \(list) in these fields", at: place)
  }

  /// - Parameter missing: `buy`, `sell` or both.
  static func sideWithoutWords(_ missing: [String] = ["buy", "sell"], at node: ConfigNode) -> Finding {
    let list = missing.quoted.joined(separator: " and ")
    return Finding(
      .missingKey, "missing words for \(list) in a side", at: node.place,
      help: "write the exchange's words for a taker buy and a taker sell")
  }

  static func meansBoth(_ word: String, _ key: String, _ other: String, at node: ConfigNode) -> Finding {
    Finding(.conflictingKeys, "'\(word)' means both '\(key)' and '\(other)'", at: node.place)
  }

  /// - Parameter isBuy: whether the taker bought where the flag is true.
  package static func swappedSides(_ flag: String, isBuy: Bool, at node: ConfigNode) -> Finding {
    Finding(
      .swappedSides, .warning,
      "'buy' and 'sell' are swapped: the taker \(isBuy ? "bought" : "sold") where '\(flag)' is true", at: node.place,
      help: "swap their words")
  }

  package static func reckonedPrice(_ path: String, _ basis: PriceBasis, at node: ConfigNode) -> Finding {
    Finding(
      .conflictingName, .warning, "by its name, \(path) is not the last price", at: node.place,
      help: "use the last price, or write \"basis\": \"\(basis.rawValue)\"")
  }

  /// - Parameter field: `volume24`, `turnover24` or `changePricePercent24`.
  package static func otherSpan(_ path: String, _ field: String, at node: ConfigNode) -> Finding {
    Finding(
      .conflictingName, .warning, "by its name, \(path) does not cover 24 hours", at: node.place,
      help: "use a member that does, or leave \(field) out")
  }

  /// An amount that is the price divided by something.
  package static func reversedAmount(_ name: String, at node: ConfigNode) -> Finding {
    Finding(
      .samePlace, .warning, "'\(name)' divides the price, so it falls as the amount rises", at: node.place,
      help: "write the amount before the price in \"quotient\"")
  }

  /// Two values, each read from a member that has the name of the other.
  package static func exchangedNames(_ one: String, _ other: String, at node: ConfigNode) -> Finding {
    Finding(
      .conflictingName, .warning, "by their names, '\(one)' and '\(other)' are each read from the place of the other",
      at: node.place, help: "exchange the two")
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
      .conflictingKeys, "the word '\(word)' requests the same candles as '\(other)'", at: node.place,
      help: "each interval needs its own word")
  }

  static func requestWithoutInterval(at node: ConfigNode) -> Finding {
    Finding(
      .missingKey, "missing {interval} in a request shared by several intervals", at: node.place,
      help: "put it where the exchange expects its word")
  }

  static func symbolWithoutText(at node: ConfigNode) -> Finding {
    Finding(
      .misplacedSource, "{symbol} has no value here: the symbol of the all-pairs table has no path", at: node.place,
      help: "write the pair with {asset} and {payment}")
  }

  static func idleZone(at node: ConfigNode) -> Finding {
    Finding(
      .idleZone, .warning, "'zone' has no effect: every interval is an hour or less", at: node.place,
      help: "remove it, or add intervals of a day or more")
  }

  package static func samePlace(_ name: String, as other: String, at node: ConfigNode) -> Finding {
    let help =
      if name == "payment" {
        "nothing is paid for with itself; use the member that names the payment currency"
      } else if name.hasPrefix("turnover") {
        "volume is in the asset, turnover in the payment currency; remove the one the exchange does not have"
      } else {
        "one number cannot be both; remove the one the exchange does not have"
      }
    return Finding(
      .samePlace, name == "payment" ? .error : .warning, "'\(name)' is read from the same place as '\(other)'",
      at: node.place, help: help)
  }

  /// - Parameter name: the placeholder that names the pair: `asset`.
  package static func pairOfAllPairs(_ part: Template.PairPart, at node: ConfigNode) -> Finding {
    Finding(
      .misplacedSource, "{\(part.rawValue)} has no value here: 'tickers' requests all pairs at once", at: node.place,
      help: "move a request for one pair to 'ticker'")
  }

  static func batchWithoutKeys(at node: ConfigNode) -> Finding {
    Finding(
      .unusedLookup, .warning, "'batch' has nothing to fill in: the request does not name {keys}", at: node.place,
      help: "write {keys} where the exchange expects the list, or remove 'batch'")
  }

  package static func unnamedPair(lacking part: Template.PairPart, at node: ConfigNode) -> Finding {
    let isAsset = part == .asset
    return Finding(
      .unnamedPair, .error, "the request does not name its \(isAsset ? "asset" : "payment currency")",
      at: node.place,
      help: isAsset
        ? "write {asset} and {payment}, or {symbol}, where the exchange expects the pair"
        : "write {payment}, or the only currency it trades against: \"paymentCurrencies\": [\"KRW\"]")
  }
}
