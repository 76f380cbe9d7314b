import HTTP
import JSON
package import Quotes

/// The `settings` of a config, with their defaults.
package struct Settings: Sendable {
  /// `auto`, `kr`, `us`, `cb` or `none`.
  package var colors = "auto"
  /// The premiums, in percent, from which a figure turns grey, then orange.
  package var premiumAlert = PremiumAlert.standard
  package var staleAfterMilliseconds = 60_000
  /// The timeout for the whole run.
  package var timeoutMilliseconds = 5000
  /// The deviation from the other exchanges' median price, in percent, beyond which a price is taken to be for another
  /// coin.
  package var identityPercent = IdentityCheck.standard.limitPercent
  /// Tokens that count as a dollar when prices are converted.
  package var dollarTokens = ["USDT", "USDC", "FDUSD", "TUSD", "DAI", "USDE", "USD1", "PYUSD", "USDG", "RLUSD"]
  /// The exchange rate shown at the top of a page.
  package var headerRate = Pair(asset: "USD", payment: "KRW")
  /// Hosts on this machine or its network that an exchange may name alongside others; only the user's own file can set
  /// it.
  package var localHosts: [String] = []

  /// The values of `colors`.
  static let colorChoices = ["auto", "kr", "us", "cb", "none"]

  package init() {}
}

extension SpecReader {
  mutating func readSettings(_ node: ConfigNode, into settings: inout Settings) {
    guard checkKeys(node, .settings) else { return }
    if let colors = node["colors"], let text = readText(colors) {
      if Settings.colorChoices.contains(text) {
        settings.colors = text
      } else {
        report(.unknownValue(Settings.colorChoices, found: text, at: colors))
      }
    }
    if let alert = node["premiumAlert"], let elements = readElements(alert) {
      let limits = elements.compactMap { readPositiveDecimal($0) }
      if limits.count == 2, limits[0] <= limits[1] {
        settings.premiumAlert = PremiumAlert(grey: limits[0], orange: limits[1])
      } else if limits.count == elements.count {
        report(.invalidNumber("two limits in percent, the smaller first", at: alert))
      }
    }
    if let stale = node["staleAfter"], let value = readMilliseconds(stale, in: .age) {
      settings.staleAfterMilliseconds = value
    }
    if let timeout = node["timeout"], let value = readMilliseconds(timeout, in: .timeout) {
      settings.timeoutMilliseconds = value
    }
    if let percent = node["identityPercent"], let value = readPositiveDecimal(percent) {
      settings.identityPercent = value
    }
    if let rate = node["headerRate"], let text = readText(rate) {
      if let pair = Pair(text), !text.contains("*") {
        settings.headerRate = pair
      } else {
        report(.invalidPair(text, at: rate.place, isPattern: false))
      }
    }
    if let hosts = node["localHosts"], let names = readTexts(hosts) {
      if node.file.source.origin == .user {
        settings.localHosts = names.map { HostName(of: $0).name }
      } else {
        report(.foreignLocalHosts(at: hosts))
      }
    }
    if let tokens = node["dollarTokens"], let names = readTexts(tokens) {
      settings.dollarTokens = names.map(Self.symbol)
      for (name, element) in zip(names, tokens.elements) { checkDollarToken(name, at: element) }
    }
  }

  private static func symbol(_ text: String) -> String { text.filter { !$0.isWhitespace }.uppercased() }

  private mutating func checkDollarToken(_ text: String, at node: ConfigNode) {
    let symbol = Self.symbol(text)
    if symbol.isEmpty || !symbol.allSatisfy({ $0.isLetter || $0.isNumber || ".-_".contains($0) }) {
      report(.invalidText("the symbol of a token such as \"USDT\"", at: node))
    } else if symbol != text {
      report(.misspeltToken(symbol, at: node))
    } else if symbol != "USD", FiatCurrency.codes.contains(symbol) || KnownAsset.coins.contains(symbol) {
      report(.notDollar(symbol, at: node))
    }
  }
}

/// A pair on the user's watchlist.
package struct WatchlistEntry: Sendable {
  package let pair: Pair
  package var name: String?
  package var isEnabled = true
  package let node: ConfigNode
}

extension [WatchlistEntry] {
  /// The user's own names of pairs.
  package var names: [Pair: String] {
    Dictionary(compactMap { entry in entry.name.map { (entry.pair, $0) } }) { first, _ in first }
  }
}

extension SpecReader {
  mutating func readWatchlist(_ node: ConfigNode) -> [WatchlistEntry] {
    (readElements(node) ?? []).compactMap { element in
      guard checkKeys(element, .watchlistEntry) else { return nil }
      guard let asset = required("asset", of: element, in: "this entry"),
        let payment = required("payment", of: element, in: "this entry"), let assetName = readText(asset),
        let paymentName = readText(payment)
      else { return nil }
      let pair = Pair(asset: assetName.uppercased(), payment: paymentName.uppercased())
      var entry = WatchlistEntry(pair: pair, node: element)
      entry.name = element["name"].flatMap { readText($0) }
      entry.isEnabled = element["enabled"].flatMap { readBoolean($0) } ?? true
      return entry
    }
  }
}

/// An exchange that has closed, kept so that a request for it can be answered with the date.
package struct RetiredExchange: Sendable {
  package let name: String
  /// Alternative names.
  package let names: [String]
  /// `yyyy-MM-dd`.
  package let since: String
  package let reason: String?
}

extension SpecReader {
  mutating func readRetired(_ member: ConfigMember) -> RetiredExchange? {
    guard checkKeys(member.value, .retired) else { return nil }
    guard let since = required("since", of: member.value, in: "'\(member.name)'"), let date = readText(since) else {
      return nil
    }
    return RetiredExchange(
      name: member.name, names: member.value["names"].flatMap { readTexts($0) } ?? [], since: date,
      reason: member.value["reason"].flatMap { readText($0) })
  }
}
