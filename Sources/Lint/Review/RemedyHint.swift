import Config
import JSON
import JSONPath
import Quotes

/// Hints for common first attempts: a list instead of an object, a bare number as a duration, names used by other
/// programs. If the kind of finding is not enough, its key decides.
struct RemedyHint {
  /// The config's root object; nil if it is not JSON.
  let root: ConfigNode?

  /// Returns the finding, with help added if it has none and some is known.
  func applied(to finding: Finding) -> Finding {
    guard finding.help == nil, let place = finding.place else { return finding }
    var copy = finding
    copy.help = help(for: finding, at: place)
    return copy
  }

  private func help(for finding: Finding, at place: Place) -> String? {
    let text = PlaceText(place)
    switch finding.code {
    case .wrongType:
      return text.key.flatMap { key in
        isElsewhere(key, at: place) ? nil : Self.form(of: key, found: text.value)
      }
    case .unknownKey:
      return misplacedExchange(at: place) ?? tooDeep(at: place) ?? Self.market(of: text.value.unquoted)
        ?? Self.request(key: text.value.unquoted) ?? Self.field(text.value.unquoted).map { "did you mean '\($0)'?" }
    case .missingKey where finding.lackingKeys.contains("baseUrls"):
      return #"write "baseUrls": ["https://…"] in the exchange"#
    case .unknownValue where text.key == "basis" && text.value.contains("24") && text.value != "\"rolling24h\"":
      return #"write "rolling24h""#
    case .invalidNumber where text.key == "scale" && text.value.contains("%"):
      return #"write "scale": 100 if the number is a fraction, and none if it is a percentage"#
    case .invalidNumber where text.key == "takerFee" && text.value.contains("%"):
      return #"write it without the sign: "takerFee": "\#(text.value.unquoted.filter { $0 != "%" && $0 != " " })""#
    case .missingKey where text.key == "symbol":
      return #"write "split": "-" if a separator stands between the names, or "split": "payment" if not"#
    case .invalidPath: return Self.path(of: text.wholeString)
    default: return nil
    }
  }

  /// Returns whether the name of a market or of one of its blocks stands where it means something else: an account of
  /// `balances`, a channel of `streams`, the source of a rate.
  private func isElsewhere(_ key: String, at value: Place) -> Bool {
    guard let trail = root.flatMap({ Self.trail(to: value, in: $0) }) else { return false }
    let parent = trail.dropLast().last?.name
    if Market(rawValue: key) != nil { return parent != "markets" }
    return StreamChannel(rawValue: key) != nil && (parent == "streams" || trail.first?.name == "fx")
  }

  /// Returns the expected form of a key's value.
  private static func form(of key: String, found value: String) -> String? {
    let isNumber = Int(value) != nil
    switch key {
    case "rows":
      let parts = value.split(separator: "\"", omittingEmptySubsequences: false)
      return value.hasPrefix("[") && parts.count == 3 ? #"write it without brackets: "rows": "\#(parts[1])""# : nil
    case "limit":
      let parts = value.unquoted.split(separator: "/").map { $0.filter { $0 != " " } }
      guard parts.count == 2, Int(parts[0]) != nil, let unit = parts[1].first(where: \.isLetter) else {
        return isNumber ? #"write "limit": { "requests": \#(value), "per": "1s" }"# : nil
      }
      let count = parts[1].prefix { $0.isNumber }
      return #"write "limit": { "requests": \#(parts[0]), "per": "\#(count.isEmpty ? "1" : count)\#(unit)" }"#
    case "per", "timeout", "ttl", "staleAfter", "every", "refresh":
      return isNumber ? #"write a number and a unit: "\#(key)": "\#(value)s""# : nil
    case "count": return Int(value.unquoted).map { #"write it without quotes: "count": \#($0)"# }
    case "where", "when": return #"write it in brackets: "\#(key)": [{ … }]"#
    case "pairs": return #"write it in brackets: "pairs": ["*/*"]"#
    case "intervals": return #"write "intervals": { "1h": "60min" }, with the exchange's word for each"#
    case "baseUrls": return #"write it in brackets: "baseUrls": ["https://…"]"#
    case "request": return "write \(request(value))"
    case "tickers", "ticker", "orderbook", "trades", "candles": return #"write "\#(key)": { \#(request(value)) }"#
    case "spot", "futures": return #"write "\#(key)": { "tickers": { \#(request(value)) } }"#
    case "markets": return #"write "markets": { "spot": { "tickers": { … } } }"#
    case "headers", "query": return #"write "\#(key)": { "NAME": "VALUE" }"#
    case "aliases": return #"write "aliases": { "XBT": "BTC" }"#
    case "paymentCurrencies":
      return #"write "paymentCurrencies": { "stable": ["USDT", "USDC"] }, under names of your choice"#
    default: return nil
    }
  }

  /// Returns a request of the path that is written in its place, if there is one.
  private static func request(_ value: String) -> String {
    let path = value.hasPrefix("\"/") && value.utf8.count < 100 ? value : #""/…""#
    return #""request": { "path": \#(path) }"#
  }

  /// Detects an exchange, or part of one, at the top level of the file.
  private func misplacedExchange(at place: Place) -> String? {
    guard let member = root?.members.first(where: { $0.key.place == place }) else { return nil }
    if BlockKey(rawValue: member.name) != nil || ["markets", "like"].contains(member.name) {
      return #"an exchange goes under its own name: { "version": 1, "exchanges": { "NAME": { … } } }"#
    }
    guard ["markets", "baseUrls", "like"].contains(where: { member.value[$0] != nil }) else { return nil }
    return #"an exchange goes under 'exchanges': { "version": 1, "exchanges": { "\#(member.name)": { … } } }"#
  }

  /// Detects a market or exchange nested in the one before it, which lacks a closing bracket.
  private func tooDeep(at place: Place) -> String? {
    guard let trail = root.flatMap({ Self.trail(to: place, in: $0) }), let member = trail.last,
      trail.first?.name == "exchanges", trail.count > 2
    else { return nil }
    let isMarket = Market(rawValue: member.name) != nil && trail.count > 4 && trail[2].name == "markets"
    let isExchange = ["markets", "like"].contains { member.value[$0] != nil }
    guard isMarket || isExchange else { return nil }
    let home = isMarket ? "markets" : "exchanges"
    let before = isMarket ? trail[3].name : trail[1].name
    return "'\(member.name)' goes under '\(home)'; add the missing '}' of '\(before)' before it"
  }

  /// Returns the members that lead to a key or value, from the top level down to its own.
  private static func trail(to place: Place, in node: ConfigNode) -> [ConfigMember]? {
    for member in node.members {
      if member.key.place == place || member.value.place == place { return [member] }
      guard member.value.place.range.contains(place.range) else { continue }
      return trail(to: place, in: member.value).map { [member] + $0 }
    }
    return nil
  }

  /// Returns where a block of a market goes that is written beside it.
  private static func market(of name: String) -> String? {
    ["tickers", "ticker"].contains(name)
      ? #"it goes under a market: "markets": { "spot": { "\#(name)": { … } } }"# : nil
  }

  /// Returns what other programs' names of a part of a request are called.
  private static func request(key name: String) -> String? {
    switch name {
    case "url", "uri", "endpoint":
      #"write the host in 'baseUrls', and what follows it as "path""#
    case "params", "parameters": "did you mean 'query'?"
    default: nil
    }
  }

  /// Returns the field that exchanges and other programs know under this name.
  private static func field(_ name: String) -> String? {
    let letters = Spelling.folded(name)
    if letters.contains("percent") || letters == "percentage" || letters.hasPrefix("change") {
      return "changePricePercent24"
    }
    return [
      "last": "price", "lastprice": "price", "close": "price", "timestamp": "time", "ts": "time",
      "basevolume": "volume24", "quotevolume": "turnover24", "amount": "turnover24",
    ][letters]
  }

  /// Converts a jq path, or a path without its leading sign.
  private static func path(of text: String) -> String? {
    var path = text.replacing("[]", with: "[*]")
    if !path.hasPrefix("$") { path = "$" + (path.hasPrefix(".") || path.hasPrefix("[") ? "" : ".") + path }
    guard path != text, path.utf8.count < 100, (try? JSONPathQuery(path)) != nil else { return nil }
    return "write \"\(path)\""
  }
}

/// A range of a config's text and its surroundings.
private struct PlaceText {
  private let bytes: [UInt8]
  private let range: Range<Int>

  init(_ place: Place) {
    bytes = place.file.bytes
    range = place.range.clamped(to: bytes.indices)
  }

  /// The text itself, including quotes.
  var value: String { String(decoding: bytes[range], as: UTF8.self) }

  /// The name of the member that has this value; nil for any other value.
  var key: String? {
    func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let before = bytes[..<range.lowerBound]
    guard let colon = before.lastIndex(where: { !isBlank($0) }), bytes[colon] == UInt8(ascii: ":"),
      let end = bytes[..<colon].lastIndex(where: { !isBlank($0) }), bytes[end] == UInt8(ascii: "\""),
      let start = bytes[..<end].lastIndex(of: UInt8(ascii: "\""))
    else { return nil }
    return String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
  }

  var wholeString: String {
    let quote = UInt8(ascii: "\"")
    let start = bytes[..<range.lowerBound].lastIndex(of: quote).map { $0 + 1 } ?? range.lowerBound
    let end = bytes[start...].firstIndex(of: quote) ?? bytes.endIndex
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

extension String {
  fileprivate var unquoted: String { hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self }
}
