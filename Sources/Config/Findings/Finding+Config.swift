import JSON
import Quotes

// All findings about a config, one function each, so that a call site reads as what it reports. The codes are stable,
// since people search for them.

extension Finding {
  // MARK: The text (MKT00x)

  static func duplicateKey(_ name: String, at key: ConfigNode, fix: [Edit]) -> Finding {
    Finding(.duplicateKey, "duplicate key '\(name)'", at: key.place, help: "remove one of the two", fix: fix)
  }

  static func unsupportedVersion(_ version: String, at node: ConfigNode) -> Finding {
    Finding(
      .unsupportedVersion, "unsupported config version \(version); expected 1", at: node.place,
      help: "update market, or write the file for version 1")
  }

  package static func ambiguousName(_ name: String, other: String, at key: ConfigNode) -> Finding {
    Finding(
      .ambiguousName, "'\(name)' also names the exchange '\(other)'", at: key.place,
      help: "names are compared ignoring case, spaces and punctuation; choose another")
  }

  /// A block that is meant to change an exchange of the file below, whose name it spells differently.
  /// - Parameter isChange: whether it can only be meant as a change of the other.
  package static func respeltExchange(_ name: String, as other: String, isChange: Bool, at key: ConfigNode) -> Finding {
    Finding(
      .ambiguousName, "'\(name)' also names the exchange '\(other)'", at: key.place,
      help: "to change \(other), write '\(other)'", fix: isChange ? [Edit(key.place, "\"\(other)\"")] : [])
  }

  package static func openAndRetired(_ name: String, other: String, at key: ConfigNode) -> Finding {
    Finding(
      .ambiguousName, .warning, "'\(name)' has closed, but also names the exchange '\(other)'", at: key.place,
      help: "disable \(other), or remove this")
  }

  /// The text extends the shipped config, which is not there.
  package static func missingBuiltin(_ places: String, at node: ConfigNode) -> Finding {
    Finding(
      .notJSON, "found no exchanges.json that ships with the program (\(places))", at: node.place,
      help: "install the program again")
  }

  static func takenOwner(_ name: String, provider: String, at node: ConfigNode) -> Finding {
    Finding(
      .sharedSecret, "'\(name)' would read the secrets of the rate provider '\(provider)'", at: node.place,
      help: "give the exchange another name")
  }

  static func sharedSecret(_ name: String, variable: String, other: String, at node: ConfigNode) -> Finding {
    Finding(
      .sharedSecret, "the secret '\(name)' would be read from \(variable), which belongs to '\(other)'", at: node.place,
      help: "give the exchange or the secret another name")
  }

  // MARK: Shapes (MKT01x)

  package static func wrongType(_ expected: String, at node: ConfigNode) -> Finding {
    Finding(.wrongType, "expected \(expected), found \(node.json.kind.article)", at: node.place)
  }

  static func missingKey(_ name: String, in what: String, at node: ConfigNode) -> Finding {
    Finding(.missingKey, "missing key '\(name)' in \(what)", at: node.place)
  }

  /// - Parameter list: the missing keys, joined into a phrase.
  static func missingKeys(_ list: String, in what: String, at node: ConfigNode) -> Finding {
    Finding(.missingKey, "missing \(list) in \(what)", at: node.place)
  }

  /// Required keys that a table has on none of its levels.
  package static func tableLacks(_ keys: [String], at place: Place) -> Finding {
    let list = keys.quoted.listed("and")
    var finding = Finding(.missingKey, "missing key\(keys.count == 1 ? "" : "s") \(list) in this table", at: place)
    finding.lackingKeys = keys
    return finding
  }

  static func unknownValue(_ allowed: [String], found: String, at node: ConfigNode) -> Finding {
    Finding(
      .unknownValue, "unknown value '\(found)'; expected \(allowed.listed("or"))", at: node.place,
      help: suggestion(for: found, among: allowed),
      fix: respelling(of: node, found, among: allowed))
  }

  static func invalidNumber(_ requirement: String, at node: ConfigNode) -> Finding {
    Finding(.invalidNumber, "expected \(requirement)", at: node.place)
  }

  /// A request that costs more than its limit allows at once.
  package static func costAboveLimit(_ cost: Int, limit: Int, at node: ConfigNode) -> Finding {
    Finding(
      .invalidNumber, .warning, "a cost of \(cost) is more than the limit of \(limit) allows at once", at: node.place,
      help: "lower the cost, or raise the 'requests' of the limit: the request waits until so much is allowed")
  }

  /// A factor that is not the number in the name it stands for.
  static func misnamedFactor(_ mark: String, _ expected: String, at node: ConfigNode) -> Finding {
    Finding(
      .invalidNumber, .warning, "'\(mark)' multiplies by \(expected), not by this", at: node.place,
      help: "write \"\(mark)\": \(expected), or 1 if prices are of one unit")
  }

  static func invalidDuration(_ text: String, at node: ConfigNode) -> Finding {
    Finding(
      .invalidDuration, "invalid duration '\(text)'", at: node.place,
      help: "write a number and a unit: 500ms, 5s, 1m, 1h, 1d")
  }

  static func durationOutOfRange(_ text: String, _ range: DurationRange, at node: ConfigNode) -> Finding {
    Finding(
      .invalidDuration, "invalid duration '\(text)'", at: node.place,
      help: "write a duration from \(range.least) to \(range.most)")
  }

  static func neverPast(every period: String, at node: ConfigNode) -> Finding {
    Finding(
      .invalidDuration, "a period of \(period) is over before this moment of it", at: node.place,
      help: "write a moment within the period")
  }

  static func invalidBaseURL(_ text: String, at node: ConfigNode) -> Finding {
    Finding(.invalidBaseURL, "invalid base URL '\(shown(address: text))'", at: node.place, help: baseURLHelp(text))
  }

  private static func baseURLHelp(_ text: String) -> String {
    if text.contains("@") { return "remove the name and password; a config holds no secrets, see docs/private.md" }
    if text.contains(where: \.isWhitespace) { return "remove the space or line break" }
    let authority = text.firstRange(of: "://").map { text[$0.upperBound...].prefix { $0 != "/" } } ?? ""
    if authority.contains(":"), !authority.contains("[") { return "write a port from 1 to 65535 after the colon" }
    return "write https://host, with a path if the API has one; http:// only to this machine"
  }

  static func invalidPage(_ text: String, at node: ConfigNode) -> Finding {
    Finding(
      .invalidBaseURL, "invalid page address '\(shown(address: text))'", at: node.place,
      help: "write https://host/path; the host must be public, and contain no placeholder")
  }

  /// Masks a name and password before "@", and any keys after "?" or "#".
  private static func shown(address text: String) -> Substring {
    let scheme = text.hasPrefix("http://") ? "http://" : "https://"
    let host = text.lastIndex(of: "@").map { "\(scheme)*@" + text[text.index(after: $0)...] } ?? text
    return host.firstIndex { $0 == "?" || $0 == "#" }.map { host[...$0] + "*" } ?? host[...]
  }

  static func invalidOffset(_ text: String, at node: ConfigNode) -> Finding {
    Finding(.invalidOffset, "invalid offset from UTC '\(text)'", at: node.place, help: "write \"+09:00\" or \"Z\"")
  }

  package static func invalidText(_ requirement: String, at node: ConfigNode) -> Finding {
    Finding(.invalidText, "expected \(requirement)", at: node.place)
  }

  /// A list as a parameter of a query that does not say what it is repeated for.
  static func invalidRepetition(at node: ConfigNode) -> Finding {
    Finding(
      .invalidText, "expected an array of one string with {keys}", at: node.place,
      help: "write [\"{keys}\"] to send the parameter once for each key, or \"{keys}\" to send all keys in one")
  }

  /// A token that is written differently from how exchanges' tokens are compared.
  static func misspeltToken(_ text: String, at node: ConfigNode) -> Finding {
    Finding(
      .invalidText, .warning, "expected the symbol of a token in capitals", at: node.place, help: "write \"\(text)\"",
      fix: [Edit(node.place, "\"\(text)\"")])
  }

  static func notDollar(_ token: String, at node: ConfigNode) -> Finding {
    Finding(
      .invalidText, .warning, "'\(token)' is not worth a dollar", at: node.place,
      help: "list tokens that are, such as \"USDT\"; prices in others are converted by their exchange rate")
  }

  /// - Parameter characters: what is removed of a number, wherever it occurs.
  static func strippedNumber(_ characters: String, at node: ConfigNode) -> Finding {
    Finding(
      .invalidText, .warning, "removing '\(characters)' changes the number", at: node.place,
      help: "remove only what is not part of it; to leave out a text with digits, write a \"capture\"")
  }

  static func refusedHeader(_ name: String, at key: ConfigNode) -> Finding {
    Finding(
      .refusedHeader, "the header '\(name)' cannot be set by a config", at: key.place,
      help: "remove it; the program writes the connection's headers")
  }

  /// - Parameter member: the member that has the other host, if that is not `baseUrls` as well.
  static func localHost(_ host: String, beside other: String, of member: String?, at node: ConfigNode) -> Finding {
    Finding(
      .localHost,
      "the local host '\(host)' is listed alongside '\(other)'" + (member.map { " of '\($0)'" } ?? ""), at: node.place,
      help:
        "an exchange must be entirely local or entirely remote; or list the host in 'localHosts' in the settings of "
        + ownFile)
  }

  static func localAnswerPassedOn(_ host: String, to other: String, at node: ConfigNode) -> Finding {
    Finding(
      .localHost, "the response of the local host '\(host)' would be sent to '\(other)'", at: node.place,
      help: "take the batch keys from the host that is asked for the rows")
  }

  static func foreignLocalHosts(at node: ConfigNode) -> Finding {
    Finding(.localHost, .warning, "'localHosts' has no effect here; it works only in \(ownFile)", at: node.place)
  }

  /// Named, as people also write the files of `--config` themselves.
  private static let ownFile = "your own file, ~/.config/market/exchanges.json"

  // MARK: Keys (MKT02x)

  package static func unknownKey(_ name: String, among known: [String], at key: ConfigNode) -> Finding {
    Finding(
      .unknownKey, "unknown key '\(name)'", at: key.place,
      help: suggestion(for: name, among: known),
      fix: respelling(of: key, name, among: known))
  }

  static func reservedKey(_ name: String, at key: ConfigNode) -> Finding {
    Finding(
      .reservedKey, .warning, "the key '\(name)' is reserved for a future version and has no effect yet", at: key.place)
  }

  static func orderWithoutSeparator(at node: ConfigNode) -> Finding {
    Finding(
      .conflictingKeys, "'order' has no effect: 'payment' looks for the payment currency at the end", at: node.place,
      help: "remove it; if the payment currency comes first, use \"match\"")
  }

  static func conflictingKeys(_ names: [String], at node: ConfigNode) -> Finding {
    Finding(.conflictingKeys, "\(names.quoted.listed("and")) cannot be combined; keep one of them", at: node.place)
  }

  static func sourceBesideParts(_ operation: String, at node: ConfigNode) -> Finding {
    Finding(
      .conflictingKeys, "'\(operation)' and 'from' cannot be combined", at: node.place,
      help: "write \"from\" in each part of '\(operation)'")
  }

  static func bodyWithoutMembers(at node: ConfigNode) -> Finding {
    Finding(.conflictingKeys, "'auth.body' adds members, but the body of this request is not an object", at: node.place)
  }

  // MARK: Strings with a grammar (MKT03x)

  static func invalidPath(_ message: String, at place: Place) -> Finding {
    Finding(.invalidPath, "JSONPath: \(message)", at: place)
  }

  static func pathSelectsMany(_ path: String, at node: ConfigNode) -> Finding {
    Finding(
      .pathSelectsMany, .warning, "the path '\(path)' can select several values where one is needed", at: node.place,
      help: "if it selects several, the cell stays empty (path-many)")
  }

  package static func rowsFromEveryDepth(at place: Place) -> Finding {
    Finding(
      .rowsFromEveryDepth, .warning, "'..' finds rows at every depth of the answer", at: place,
      help: "name the members on the way, with one dot per step")
  }

  static func invalidTemplate(_ message: String, at place: Place) -> Finding {
    Finding(.invalidTemplate, "template: \(message)", at: place)
  }

  static func unknownPlaceholder(_ name: String, known: [String], at place: Place) -> Finding {
    Finding(
      .unknownPlaceholder, "unknown placeholder '{\(name)}'", at: place,
      help: Spelling.suggestion(for: name, among: known).map { "did you mean '{\($0)}'?" }
        ?? (known.isEmpty ? nil : "expected \(known.map { "{\($0)}" }.listed("or"))"))
  }

  static func invalidRegularExpression(_ message: String, at place: Place) -> Finding {
    Finding(.invalidRegularExpression, "regular expression: \(message)", at: place)
  }

  /// A test that tells nothing apart.
  static func matchesEverything(at node: ConfigNode) -> Finding {
    Finding(
      .invalidRegularExpression, .warning, "regular expression: every string matches", at: node.place,
      help: "write what the string must be, or \"is\": \"present\"")
  }

  /// `^` at the beginning, or `$` at the end.
  static func anchor(_ sign: Character, at place: Place) -> Finding {
    Finding(
      .invalidRegularExpression, "regular expression: '\(sign)' is an ordinary character here", at: place,
      help: "remove it: the whole string is always matched", fix: [Edit(place, "")])
  }

  static func invalidTimeFormat(_ message: String, at place: Place) -> Finding {
    Finding(
      .invalidTimeFormat, "time format: \(message)", at: place, help: "for example, write \"yyyy-MM-dd HH:mm:ss\"")
  }

  static func textForNumber(_ text: String, at node: ConfigNode) -> Finding {
    Finding(
      .textForNumber, "expected a number or a path, found the string '\(text)'", at: node.place,
      help: "did you mean '$.\(text)'?")
  }

  static func invalidRows(_ message: String, at node: ConfigNode) -> Finding {
    Finding(.invalidRows, message, at: node.place)
  }

  static func invalidRequestPath(_ message: String, at node: ConfigNode, help: String? = nil) -> Finding {
    Finding(.invalidRequestPath, message, at: node.place, help: help)
  }

  package static func strayBrace(at place: Place) -> Finding {
    Finding(.strayBrace, .warning, "unmatched '}'", at: place, help: "write a placeholder as {asset}, a brace as {{")
  }

  package static func doubledBrace(_ name: String, at place: Place) -> Finding {
    Finding(
      .doubledBrace, .warning, "'{{' writes a brace, so '{\(name)}' is not filled in", at: place,
      help: "write {\(name)}")
  }

  package static func constantField(_ name: String, at node: ConfigNode) -> Finding {
    Finding(
      .constantField, .warning, "'\(name)' is the same constant in every row", at: node.place,
      help: "write the number's path in the answer, such as \"$.\(name)\"")
  }

  /// The last resort of a `first`.
  package static func constantAlternative(_ name: String, at node: ConfigNode) -> Finding {
    Finding(
      .constantField, .warning, "'\(name)' is this constant in every row that lacks its number", at: node.place,
      help: "remove it: a cell without a number is empty and says why")
  }

  package static func constantLooksLikePath(_ text: String, at node: ConfigNode) -> Finding {
    Finding(
      .constantLooksLikePath, .warning, "the constant '\(text)' looks like a path", at: node.place,
      help: "did you mean '$\(text)'?")
  }

  package static func wordAsSeparator(_ text: String, at node: ConfigNode) -> Finding {
    Finding(
      .wordAsSeparator, .warning, "'split' looks for the string '\(text)' between the asset and the payment currency",
      at: node.place,
      help: suggestion(for: text, among: ["payment"]))
  }

  // MARK: References (MKT04x)

  package static func unknownProvider(_ name: String, known: [String], at node: ConfigNode) -> Finding {
    Finding(
      .unknownProvider, "unknown rate provider '\(name)'", at: node.place,
      help: suggestion(for: name, among: known)
        ?? "expected \(known.listed("or"))")
  }

  static func unknownSource(_ name: String, lookups: [String], at node: ConfigNode) -> Finding {
    let known = ["response", "key", "request"] + lookups
    return Finding(
      .unknownSource, "unknown source '\(name)'; expected \(known.listed("or"))", at: node.place,
      help: suggestion(for: name, among: known))
  }

  package static func unknownExchange(_ name: String, known: [String], at node: ConfigNode) -> Finding {
    Finding(.unknownExchange, "unknown exchange '\(name)'", at: node.place, help: suggestion(for: name, among: known))
  }

  static func chainedLike(_ name: String, at node: ConfigNode) -> Finding {
    Finding(.chainedLike, "'\(name)' itself uses 'like', which cannot be chained", at: node.place)
  }

  static func unknownHook(_ name: String, known: [String], at node: ConfigNode) -> Finding {
    let list = known.isEmpty ? "no hooks are built in" : "expected \(known.listed("or"))"
    return Finding(.unknownHook, "unknown hook '\(name)'", at: node.place, help: list)
  }

  static func circularLookups(_ names: [String], at node: ConfigNode) -> Finding {
    let list = names.quoted.listed("and")
    return Finding(.circularLookups, "the lookups \(list) depend on each other's rows", at: node.place)
  }

  static func misplacedSource(_ name: String, in what: String, at node: ConfigNode) -> Finding {
    Finding(.misplacedSource, "the source '\(name)' is not available in \(what)", at: node.place)
  }

  // MARK: Meaning (MKT05x)

  static func changeWithoutBasis(at node: ConfigNode) -> Finding {
    Finding(
      .changeWithoutBasis, "missing key 'basis' in a change", at: node.place,
      help: "write what the exchange measures the change from: rolling24h, utcDay, kstDay, utc8Day, venueDay or "
        + "previousClose")
  }

  static func timeWithoutUnit(at node: ConfigNode) -> Finding {
    Finding(
      .timeWithoutUnit, "missing key 'unit' or 'format' in a time", at: node.place,
      help: "the unit is s, ms, us, ns or iso8601")
  }

  static func missingPaymentCurrencies(at node: ConfigNode) -> Finding {
    Finding(
      .missingPaymentCurrencies,
      "missing 'paymentCurrencies'; \"split\": \"payment\" looks for them at the end of the symbol",
      at: node.place)
  }

  package static func writtenSecret(_ name: String, at node: ConfigNode) -> Finding {
    Finding(
      .writtenSecret, "the value of '\(name)' looks like a secret, but configs are shared", at: node.place,
      help: """
        write \"{secret:\(name.lowercased().map { $0 == "-" ? "_" : String($0) }.joined())}\", and put the value in \
        credentials.json
        """)
  }

  package static func secretInAddress(isPath: Bool, at place: Place) -> Finding {
    Finding(
      .writtenSecret, "this part of the address looks like a secret, but configs are shared", at: place,
      help: (isPath ? "write {secret:api_key} instead" : "write {secret:api_key} in the path of the request")
        + ", and put the value in credentials.json")
  }

  package static func unreachableCurrency(_ currency: String, at node: ConfigNode) -> Finding {
    Finding(
      .unreachableCurrency, .warning, "no symbol rule can produce the payment currency '\(currency)'", at: node.place)
  }

  package static func missingKey(_ name: String, inTables count: Int, at node: ConfigNode) -> Finding {
    Finding(.missingKey, "missing key '\(name)' in \(count) tables here", at: node.place)
  }

  package static func unreachableRule(earlier line: Int, at node: ConfigNode) -> Finding {
    Finding(
      .unreachableRule, .warning, "no symbol reaches this rule; the rule on line \(line) matches all of them",
      at: node.place,
      help: "write the narrower rule first")
  }

  package static func circularAlias(_ names: [String], at key: ConfigNode) -> Finding {
    Finding(.circularAlias, "circular aliases: \(names.joined(separator: " -> "))", at: key.place)
  }

  package static func scaledTwice(_ why: String, at node: ConfigNode) -> Finding {
    Finding(.scaledTwice, .warning, "scaled twice: \(why)", at: node.place, help: "keep one of the two")
  }

  private static func suggestion(for written: String, among words: [String]) -> String? {
    meant(written, among: words).map { "did you mean '\($0)'?" }
  }

  /// Returns the word that was most likely meant, by spelling or as a synonym.
  private static func meant(_ written: String, among words: [String]) -> String? {
    synonyms[written.lowercased()].flatMap { words.contains($0) ? $0 : nil }
      ?? Spelling.suggestion(for: written, among: words)
  }

  private static let synonyms = [
    "eq": "equals", "ne": "notIn", "gt": "above", "regex": "match", "regexp": "match", "pattern": "match",
    "perp": "futures", "perps": "futures", "perpetual": "futures", "swap": "futures", "linear": "futures",
  ]

  /// Returns the edit that replaces a value with the word most likely meant.
  private static func respelling(of node: ConfigNode, _ written: String, among words: [String]) -> [Edit] {
    guard let word = meant(written, among: words) else { return [] }
    // Of the synonyms, only these two mean exactly the same.
    let isSame = word == "equals" || word == "match"
    guard Spelling.distance(written, word) <= 3 || isSame && synonyms[written.lowercased()] == word else { return [] }
    return [Edit(node.place, "\"\(word)\"")]
  }
}

extension JSONKind {
  /// The kind with its article, for use in messages.
  package var article: String {
    switch self {
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
