import JSON

// Every finding that the config can give, one function each, so that a call site reads as what it reports.
// The codes are stable: people search for them.

extension Finding {
  // MARK: The text (MKT00x)

  static func duplicateKey(_ name: String, at key: ConfigNode, fix: [Edit] = []) -> Finding {
    Finding(.duplicateKey, "duplicate key \"\(name)\"", at: key.place, help: "remove one of the two", fix: fix)
  }

  static func unsupportedVersion(_ version: String, at node: ConfigNode) -> Finding {
    Finding(.unsupportedVersion, "version \(version) of the config language is newer than this program knows (1)", at: node.place,
      help: "update market, or write the file in version 1")
  }

  package static func exchangeNamedTwice(_ name: String, other: String, at key: ConfigNode) -> Finding {
    Finding(.ambiguousName, "\"\(name)\" also names the exchange \"\(other)\"", at: key.place,
      help: "names and by-names are compared without regard to case; choose another")
  }

  // MARK: Shapes (MKT01x)

  package static func wrongType(_ expected: String, at node: ConfigNode) -> Finding {
    Finding(.wrongType, "expected \(expected), found \(node.json.kind.article)", at: node.place)
  }

  static func missingKey(_ name: String, in what: String, at node: ConfigNode) -> Finding {
    Finding(.missingKey, "\(what) has no \"\(name)\"", at: node.place)
  }

  /// Keys that a table has on none of its levels.
  package static func tableLacks(_ keys: [String], at place: Place) -> Finding {
    let list = keys.map { "\"\($0)\"" }.joined(separator: ", ")
    var finding = Finding(.missingKey, "this table has no \(list)", at: place)
    finding.lackingKeys = keys
    return finding
  }

  static func notOneOf(_ allowed: [String], found: String, at node: ConfigNode) -> Finding {
    Finding(.unknownValue, "\"\(found)\" is not one of \(allowed.map { "\"\($0)\"" }.joined(separator: ", "))", at: node.place,
      help: Spelling.suggestion(for: found, among: allowed).map { "did you mean \"\($0)\"?" },
      fix: respelling(of: node, found, among: allowed))
  }

  static func badNumber(_ requirement: String, at node: ConfigNode) -> Finding {
    Finding(.invalidNumber, "expected \(requirement)", at: node.place)
  }

  static func badDuration(_ text: String, at node: ConfigNode) -> Finding {
    Finding(.invalidDuration, "\"\(text)\" is no duration", at: node.place, help: "write a number and a unit: 500ms, 5s, 1m, 1h, 1d")
  }

  static func badURL(_ text: String, at node: ConfigNode) -> Finding {
    // What stands before "@" is a name and a password, and keys stand behind "?" or "#".
    let host = text.lastIndex(of: "@").map { "https://*@" + text[text.index(after: $0)...] } ?? text
    let shown = host.firstIndex { $0 == "?" || $0 == "#" }.map { host[...$0] + "*" } ?? host[...]
    return Finding(.invalidBaseURL, "\"\(shown)\" is no base URL", at: node.place,
      help: "write https://host, with a path if the API has one; http:// only to this machine")
  }

  static func badZone(_ text: String, at node: ConfigNode) -> Finding {
    Finding(.invalidOffset, "\"\(text)\" is no offset from UTC", at: node.place, help: "write \"+09:00\" or \"Z\"")
  }

  package static func badText(_ requirement: String, at node: ConfigNode) -> Finding {
    Finding(.invalidText, "expected \(requirement)", at: node.place)
  }

  // MARK: Keys (MKT02x)

  static func unknownKey(_ name: String, among known: [String], at key: ConfigNode) -> Finding {
    Finding(.unknownKey, "unknown key \"\(name)\"", at: key.place,
      help: Spelling.suggestion(for: name, among: known).map { "did you mean \"\($0)\"?" },
      fix: respelling(of: key, name, among: known))
  }

  static func reservedKey(_ name: String, at key: ConfigNode) -> Finding {
    Finding(.reservedKey, .warning, "\"\(name)\" is reserved for a later version and has no effect yet", at: key.place)
  }

  static func conflictingKeys(_ names: [String], at node: ConfigNode) -> Finding {
    Finding(.conflictingKeys, "only one of \(names.map { "\"\($0)\"" }.joined(separator: ", ")) may stand here", at: node.place)
  }

  // MARK: Texts with a grammar (MKT03x)

  static func badPath(_ message: String, at place: Place) -> Finding {
    Finding(.invalidPath, "JSONPath: \(message)", at: place)
  }

  static func pathSelectsMany(_ path: String, at node: ConfigNode) -> Finding {
    Finding(.pathSelectsMany, .warning, "the path \(path) can select several values where one is needed", at: node.place,
      help: "several values at once leave the cell empty (path-many)")
  }

  package static func rowsFromEveryDepth(at place: Place) -> Finding {
    Finding(.rowsFromEveryDepth, .warning, "\"..\" finds rows at every depth of the answer, wherever they are", at: place,
      help: "name the members on the way; one step is one dot")
  }

  static func badTemplate(_ message: String, at place: Place) -> Finding {
    Finding(.invalidTemplate, "template: \(message)", at: place)
  }

  static func unknownPlaceholder(_ name: String, known: [String], at place: Place) -> Finding {
    Finding(.unknownPlaceholder, "unknown placeholder {\(name)}", at: place,
      help: Spelling.suggestion(for: name, among: known).map { "did you mean {\($0)}?" }
        ?? (known.isEmpty ? nil : "known here: \(known.map { "{\($0)}" }.joined(separator: " "))"))
  }

  static func badRegularExpression(_ message: String, at place: Place) -> Finding {
    Finding(.invalidRegularExpression, "regular expression: \(message)", at: place)
  }

  static func badTimeFormat(_ message: String, at place: Place) -> Finding {
    Finding(.invalidTimeFormat, "time format: \(message)", at: place, help: "for example \"yyyy-MM-dd HH:mm:ss\"")
  }

  static func constantIsNoNumber(_ text: String, at node: ConfigNode) -> Finding {
    Finding(.textForNumber, "\"\(text)\" is a constant text, and a number is needed here", at: node.place,
      help: "did you mean \"$.\(text)\"?")
  }

  static func badRows(_ message: String, at node: ConfigNode) -> Finding {
    Finding(.invalidRows, message, at: node.place)
  }

  static func badRequestPath(_ message: String, at node: ConfigNode, help: String? = nil) -> Finding {
    Finding(.invalidRequestPath, message, at: node.place, help: help)
  }

  package static func strayBrace(at place: Place) -> Finding {
    Finding(.strayBrace, .warning, "a \"}\" without its \"{\"", at: place,
      help: "a placeholder is written {asset}, a brace {{")
  }

  package static func doubledBrace(_ name: String, at place: Place) -> Finding {
    Finding(.doubledBrace, .warning, "\"{{\" writes a brace, so {\(name)} is not filled in", at: place,
      help: "write {\(name)}")
  }

  package static func constantField(_ name: String, at node: ConfigNode) -> Finding {
    Finding(.constantField, .warning, "\"\(name)\" is the same constant in every row", at: node.place,
      help: "a number of the exchange stands in its answer: name the path, such as \"$.\(name)\"")
  }

  package static func constantLooksLikePath(_ text: String, at node: ConfigNode) -> Finding {
    Finding(.constantLooksLikePath, .warning, "\"\(text)\" is a constant text, though it looks like a path", at: node.place,
      help: "did you mean \"$\(text)\"?")
  }

  package static func wordAsSeparator(_ text: String, at node: ConfigNode) -> Finding {
    Finding(.wordAsSeparator, .warning, "\"split\": \"\(text)\" looks for these letters between asset and payment currency", at: node.place,
      help: Spelling.suggestion(for: text, among: ["payment"]).map { "did you mean \"\($0)\"?" })
  }

  // MARK: References (MKT04x)

  package static func unknownProvider(_ name: String, known: [String], at node: ConfigNode) -> Finding {
    Finding(.unknownProvider, "there is no rate provider \"\(name)\"", at: node.place,
      help: Spelling.suggestion(for: name, among: known).map { "did you mean \"\($0)\"?" }
        ?? "there are: \(known.joined(separator: ", "))")
  }

  static func unknownSource(_ name: String, lookups: [String], at node: ConfigNode) -> Finding {
    let known = ["response", "key", "request"] + lookups
    return Finding(.unknownSource, "\"from\": \"\(name)\" names neither a lookup nor one of response, key, request", at: node.place,
      help: Spelling.suggestion(for: name, among: known).map { "did you mean \"\($0)\"?" })
  }

  package static func unknownExchange(_ name: String, known: [String], at node: ConfigNode) -> Finding {
    Finding(.unknownExchange, "there is no exchange \"\(name)\"", at: node.place,
      help: Spelling.suggestion(for: name, among: known).map { "did you mean \"\($0)\"?" })
  }

  static func chainedLike(_ name: String, at node: ConfigNode) -> Finding {
    Finding(.chainedLike, "\"\(name)\" itself starts from another exchange; \"like\" may not be chained", at: node.place)
  }

  static func unknownHook(_ name: String, known: [String], at node: ConfigNode) -> Finding {
    let list = known.isEmpty ? "none are compiled in" : "compiled in: \(known.joined(separator: ", "))"
    return Finding(.unknownHook, "there is no hook \"\(name)\"", at: node.place, help: list)
  }

  static func circularLookups(_ names: [String], at node: ConfigNode) -> Finding {
    let list = names.map { "\"\($0)\"" }.joined(separator: " and ")
    return Finding(.circularLookups, "the lookups \(list) need each other's rows to find their own", at: node.place)
  }

  static func sourceNotHere(_ name: String, in what: String, at node: ConfigNode) -> Finding {
    Finding(.misplacedSource, "\"from\": \"\(name)\" has no meaning in \(what)", at: node.place)
  }

  // MARK: Meaning (MKT05x)

  static func changeWithoutBasis(at node: ConfigNode) -> Finding {
    Finding(.changeWithoutBasis, "a change needs a \"basis\"", at: node.place,
      help: "rolling24h, utcDay, kstDay, venueDay or previousClose: what the exchange measures the change from")
  }

  static func timeWithoutUnit(at node: ConfigNode) -> Finding {
    Finding(.timeWithoutUnit, "a time needs a \"unit\" or a \"format\"", at: node.place,
      help: "unit: s, ms, us, ns or iso8601")
  }

  static func noPaymentCurrencies(at node: ConfigNode) -> Finding {
    Finding(.missingPaymentCurrencies, "\"split\": \"payment\" needs \"paymentCurrencies\" to look for at the end of the symbol",
      at: node.place)
  }

  package static func writtenSecret(_ name: String, at node: ConfigNode) -> Finding {
    Finding(.writtenSecret, "the value of \"\(name)\" looks like a secret, and configs are shared", at: node.place,
      help: "write \"{secret:\(name.lowercased().map { $0 == "-" ? "_" : String($0) }.joined())}\", and the value into "
        + "credentials.json")
  }

  package static func secretInAddress(isPath: Bool, at place: Place) -> Finding {
    Finding(.writtenSecret, "this part of the address looks like a secret, and configs are shared", at: place,
      help: (isPath ? "write {secret:api_key} in its place" : "write {secret:api_key} in the path of the request")
        + ", and the value into credentials.json")
  }

  package static func unreachableCurrency(_ currency: String, at node: ConfigNode) -> Finding {
    Finding(.unreachableCurrency, .warning, "no symbol rule can yield the payment currency \"\(currency)\"", at: node.place)
  }

  package static func missingKey(_ name: String, inTables count: Int, at node: ConfigNode) -> Finding {
    Finding(.missingKey, "\(count) tables in here have no \"\(name)\"", at: node.place)
  }

  package static func unreachableRule(earlier line: Int, at node: ConfigNode) -> Finding {
    Finding(.unreachableRule, .warning, "no symbol reaches this rule: the rule of line \(line) takes them all", at: node.place,
      help: "write the narrower rule first")
  }

  package static func circularAlias(_ names: [String], at key: ConfigNode) -> Finding {
    Finding(.circularAlias, "the aliases \(names.joined(separator: " -> ")) lead back to where they began", at: key.place)
  }

  package static func scaledTwice(_ why: String, at node: ConfigNode) -> Finding {
    Finding(.scaledTwice, .warning, "scaled twice: \(why)", at: node.place, help: "keep one of the two")
  }

  // MARK: Loose ends (MKT06x)

  package static func sameRequest(as other: String, at node: ConfigNode) -> Finding {
    Finding(.sameRequest, .warning, "\"\(other)\" sends the same request to the same host", at: node.place,
      help: "two rows of one price are no second opinion")
  }

  package static func unusedSet(_ name: String, at key: ConfigNode) -> Finding {
    Finding(.unusedConstant, .warning, "nothing uses the constant \"\(name)\"", at: key.place,
      help: "use it as {\(name)} in a request, or remove it")
  }

  package static func unusedLookup(_ name: String, at key: ConfigNode) -> Finding {
    Finding(.unusedLookup, .warning, "nothing uses the lookup \"\(name)\"", at: key.place,
      help: "a value reads it by \"from\": \"\(name)\"")
  }

  package static func unusedAlias(_ name: String, _ why: String, at key: ConfigNode) -> Finding {
    Finding(.unusedAlias, .warning, "the alias \"\(name)\" does nothing: \(why)", at: key.place)
  }

  package static func noEnabledMarket(_ name: String, at node: ConfigNode) -> Finding {
    Finding(.noEnabledMarket, .warning, "the exchange \"\(name)\" is enabled, and none of its markets is", at: node.place)
  }

  package static func doubledEntry(_ pair: String, line: Int, at node: ConfigNode) -> Finding {
    Finding(.duplicateEntry, .warning, "\(pair) stands on line \(line) already", at: node.place)
  }

  package static func unservedEntry(_ pair: String, at node: ConfigNode) -> Finding {
    Finding(.unservedEntry, .warning, "no enabled exchange can have \(pair)", at: node.place,
      help: "a market has a pair when its \"paymentCurrencies\" name the payment currency")
  }

  // MARK: Exchange rates (MKT07x)

  static func badPairPattern(_ text: String, at place: Place) -> Finding {
    Finding(.invalidPair, "\"\(text)\" names no pair", at: place,
      help: "such as \"USD/KRW\", \"*/KRW\" for any currency in won, or \"*/*\"")
  }

  static func badTimeOfDay(_ text: String, at node: ConfigNode) -> Finding {
    Finding(.invalidTimeOfDay, "\"\(text)\" is no time of the day", at: node.place,
      help: "such as \"09:00\" or \"24:00\"")
  }

  static func reversedHours(_ hours: DayHours, at node: ConfigNode) -> Finding {
    let (from, to) = (DayHours.text(hours.from), DayHours.text(hours.to))
    return Finding(.reversedHours, "the hours end at \(to), before they begin at \(from)", at: node.place,
      help: hours.from == hours.to
        ? "leave \"from\" and \"to\" out for the whole day"
        : "hours over midnight are two rules: \(from)-24:00 and 00:00-\(to)")
  }

  package static func overlappingHours(_ hours: DayHours, line: Int, at node: ConfigNode) -> Finding {
    Finding(.overlappingHours, .warning, "at \(hours) the rule of line \(line) holds as well, and is asked first", at: node.place, help: "let one end where the other begins, or give both the same hours")
  }

  package static func uncoveredHours(_ gaps: [DayHours], at node: ConfigNode) -> Finding {
    Finding(.uncoveredHours, .warning, "no rule holds at \(gaps.map(\.description).joined(separator: " and "))", at: node.place, help: "end with a rule without hours")
  }

  package static func circularVia(_ pairs: [String], at node: ConfigNode) -> Finding {
    Finding(.circularRoute, "\(pairs[0]) leads back to itself: \(pairs.joined(separator: " -> "))", at: node.place,
      help: "let one of these routes do without \"via\"")
  }

  package static func neverAsked(_ provider: String, _ pair: String, at node: ConfigNode) -> Finding {
    Finding(.unusedProvider, .warning, "\"\(provider)\" is never asked: its \"pairs\" cannot hold \(pair)", at: node.place)
  }

  /// The edit that writes the word that was most likely meant.
  private static func respelling(of node: ConfigNode, _ written: String, among words: [String]) -> [Edit] {
    guard let word = Spelling.suggestion(for: written, among: words), Spelling.distance(written, word) <= 3 else {
      return []
    }
    return [Edit(node.place, "\"\(word)\"")]
  }
}

extension JSONKind {
  /// The kind with its article, for messages.
  var article: String {
    switch self {
    case .null: "null"
    case .true, .false: "a boolean"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
