import JSON
import Quotes

// Findings about what nothing uses, says twice or leads nowhere, and about exchange rates.

extension Finding {
  // MARK: Loose ends (MKT06x)

  package static func sameRequest(as other: String, _ market: String, host: String, at node: ConfigNode) -> Finding {
    Finding(
      .sameRequest, .warning, "the exchange '\(other)' sends the same \(market) request to \(host)", at: node.place,
      help: "remove one of them: the same price would be shown twice")
  }

  /// A table that reads the same rows as another of its exchange: of another market, or another part of its own.
  package static func sameRows(_ market: String, as other: String, at node: ConfigNode) -> Finding {
    market == other
      ? Finding(
        .sameRequest, .warning, "two parts of '\(market)' read the same rows of one answer", at: node.place,
        help: "name in the request what sets the parts apart, such as {page} of their 'set', or give each a 'where'")
      : Finding(
        .sameRequest, .warning, "'\(market)' reads the same rows of one answer as '\(other)'", at: node.place,
        help: "change the request, or tell the rows apart by 'where': a price belongs to one market")
  }

  package static func noPrice(at place: Place) -> Finding {
    Finding(
      .missingKey, .warning, "missing 'price' in the fields of this table", at: place,
      help: "without it the rows are left out of comparisons; write \"price\": \"$.…\"")
  }

  package static func noRate(at place: Place) -> Finding {
    Finding(
      .missingKey, .warning, "missing 'rate' in the fields of this provider", at: place,
      help: "without it the provider gives no rate; write \"rate\": \"$.…\"")
  }

  package static func noVersion(at root: ConfigNode) -> Finding {
    Finding(
      .missingKey, .warning, "missing key 'version'",
      at: Place(file: root.place.file, range: root.place.range.prefix(1)), help: "write \"version\": 1")
  }

  /// An exchange that a rate provider reads was removed by `null`.
  package static func removedExchange(_ name: String, neededBy provider: String, at node: ConfigNode) -> Finding {
    Finding(
      .unknownExchange, "the rate provider '\(provider)' reads '\(name)', which is removed here", at: node.place,
      help: "write \"\(name)\": { \"enabled\": false }, or remove the provider too")
  }

  package static func keyIsIndex(_ rows: String, at node: ConfigNode) -> Finding {
    Finding(
      .misplacedSource, "the key of '\(rows)' is an index: each row is an element of a list", at: node.place,
      help:
        "read a member of the row, or the name of its list with \"up\": 1; if each list is one row, end the rows in "
        + "'.*' and read its elements as \"$[0]\"")
  }

  package static func unusedConstant(_ name: String, at key: ConfigNode) -> Finding {
    Finding(
      .unusedConstant, .warning, "unused constant '\(name)'", at: key.place,
      help: "use it as {\(name)} in a request, or remove it")
  }

  package static func unusedLookup(_ name: String, at key: ConfigNode) -> Finding {
    Finding(
      .unusedLookup, .warning, "unused lookup '\(name)'", at: key.place,
      help: "read it with \"from\": \"\(name)\", or remove it")
  }

  package static func unusedAlias(_ name: String, _ why: String, at key: ConfigNode) -> Finding {
    Finding(.unusedAlias, .warning, "the alias '\(name)' has no effect: \(why)", at: key.place)
  }

  /// - Parameter target: what the alias names, which is itself an alias of `end`.
  package static func aliasOfAlias(_ name: String, _ target: String, end: String, at key: ConfigNode) -> Finding {
    Finding(
      .renamedAsset, .warning, "'\(name)' stands for '\(target)', which is itself an alias of '\(end)'",
      at: key.place,
      help: "aliases are followed one step; write \"\(name)\": \"\(end)\", or remove the other")
  }

  package static func renamedAsset(_ name: String, _ target: String, at key: ConfigNode) -> Finding {
    Finding(
      .renamedAsset, .warning, "'\(name)' is a currency of its own, not another name of '\(target)'", at: key.place,
      help: "an alias is another name of the same asset; if one exchange uses it, write it there")
  }

  /// A key on a level of the user's, while a nearer level of other text has it too.
  ///
  /// - Parameters:
  ///   - name: the key, or a member of it: `takerFee`, `fields.price`.
  ///   - level: the nearer level: `markets.spot`.
  package static func hiddenKey(_ name: String, by level: String, at key: ConfigNode) -> Finding {
    Finding(
      .hiddenKey, .warning, "'\(name)' has no effect on '\(level)', which has its own", at: key.place,
      help: "the nearest level wins; write it in '\(level)'")
  }

  package static func noEnabledMarket(_ name: String, at node: ConfigNode) -> Finding {
    Finding(
      .noEnabledMarket, .warning, "the exchange '\(name)' is enabled, but none of its markets are", at: node.place)
  }

  package static func duplicateEntry(_ pair: String, line: Int, at node: ConfigNode) -> Finding {
    Finding(.duplicateEntry, .warning, "duplicate pair '\(pair)'; already on line \(line)", at: node.place)
  }

  package static func duplicateCurrency(_ name: String, line: Int, at node: ConfigNode) -> Finding {
    Finding(
      .duplicateEntry, .warning, "duplicate payment currency '\(name)'; already on line \(line)", at: node.place,
      help: "remove one of the two")
  }

  /// - Parameter meant: the pair that was most likely meant.
  package static func unservedEntry(_ pair: String, meant: String? = nil, at node: ConfigNode) -> Finding {
    Finding(
      .unservedEntry, .warning, "no enabled exchange lists '\(pair)'", at: node.place,
      help: meant.map { "did you mean '\($0)'?" }
        ?? "a market lists a pair if its 'paymentCurrencies' include the payment currency")
  }

  package static func samePayment(_ asset: String, at node: ConfigNode) -> Finding {
    Finding(
      .unservedEntry, .warning, "'\(asset)' cannot be paid in itself", at: node.place,
      help: "'payment' is the currency that the asset is priced in")
  }

  /// A rate provider that reads a price which the exchange does not have.
  package static func unservedRate(_ exchange: String, _ pair: String, at node: ConfigNode) -> Finding {
    Finding(
      .unservedEntry, .warning, "the exchange '\(exchange)' does not list '\(pair)'", at: node.place,
      help: "a market lists a pair if its 'paymentCurrencies' include the payment currency")
  }

  // MARK: Exchange rates (MKT07x)

  /// - Parameter isPattern: whether an asterisk may stand for any currency.
  static func invalidPair(_ text: String, at place: Place, isPattern: Bool = true) -> Finding {
    Finding(
      .invalidPair, "invalid pair '\(text)'", at: place,
      help: isPattern ? "write \"USD/KRW\", \"*/KRW\" for any currency in won, or \"*/*\"" : "write \"USD/KRW\"")
  }

  static func invalidTimeOfDay(_ text: String, at node: ConfigNode) -> Finding {
    Finding(.invalidTimeOfDay, "invalid time of day '\(text)'", at: node.place, help: "write \"09:00\" or \"24:00\"")
  }

  static func reversedHours(_ hours: DayHours, at node: ConfigNode) -> Finding {
    let (from, to) = (DayHours.text(hours.from), DayHours.text(hours.to))
    return Finding(
      .reversedHours, "the hours end at \(to), before they begin at \(from)", at: node.place,
      help: hours.from == hours.to
        ? "leave out 'from' and 'to' for the whole day"
        : "split hours across midnight into two rules: \(from)-24:00 and 00:00-\(to)")
  }

  package static func overlappingHours(_ hours: DayHours, line: Int, at node: ConfigNode) -> Finding {
    Finding(
      .overlappingHours, .warning, "during \(hours) the rule on line \(line) also applies, and takes precedence",
      at: node.place, help: "end one where the other begins, or give both the same hours")
  }

  package static func uncoveredHours(_ gaps: [DayHours], at node: ConfigNode) -> Finding {
    Finding(
      .uncoveredHours, .warning, "no rule applies during \(gaps.map(\.description).listed("and"))", at: node.place,
      help: "end with a rule without hours")
  }

  package static func circularRoute(_ pairs: [String], at node: ConfigNode) -> Finding {
    Finding(
      .circularRoute, "circular routes: \(pairs.joined(separator: " -> "))", at: node.place,
      help: "remove 'via' from one of them")
  }

  /// A rule behind one that asks the same provider, at any time and about any rate.
  package static func repeatedProvider(_ provider: String, line: Int, at node: ConfigNode) -> Finding {
    Finding(
      .unusedProvider, .warning, "this rule has no effect: the one on line \(line) asks '\(provider)' at any time",
      at: node.place, help: "remove one of the two rules")
  }

  /// A provider that takes another price for its rate.
  package static func foreignRate(_ provider: String, _ pair: String, price: String, at node: ConfigNode) -> Finding {
    Finding(
      .unusedProvider, .warning, "'\(provider)' gives \(pair), but the price of \(price) is another rate",
      at: node.place,
      help: "write a pair of the same currencies; USD may be one of the 'dollarTokens'")
  }

  package static func unusedProvider(_ provider: String, _ pair: String, at node: ConfigNode) -> Finding {
    Finding(
      .unusedProvider, .warning, "'\(provider)' is never asked: its 'pairs' do not include \(pair)", at: node.place)
  }
}
