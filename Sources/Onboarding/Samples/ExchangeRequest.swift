import Config
import HTTP
import Inference
import JSON
import Quotes
import Terminal

/// A request in config form: with templates for secrets, and for the pair if it is about one.
struct ExchangeRequest {
  struct Parameter: Hashable {
    let name: String
    var value: String
  }

  /// A secret moved out of the request.
  struct Secret: Hashable {
    /// The name in `{secret:…}`.
    let name: String
    let value: String
    /// Its original location, human-readable: `parameter 'api_key'`.
    let place: String
  }

  private(set) var method = "GET"
  private(set) var base: String
  /// Additional hosts, tried in order.
  private(set) var otherBases: [String] = []
  /// Config texts, in which braces are templates.
  private(set) var path: String
  private(set) var query: [Parameter] = []
  private(set) var headers: [Parameter] = []
  private(set) var body: ConfigValue?
  private(set) var secrets: [Secret] = []
  /// Other spellings in which an exchange may echo a secret.
  private var echoes: [String] = []
  /// The names of parameters that differ in each request, which the config does not support.
  private(set) var signatures: [String] = []
  /// Whether the pair was found in it and replaced by a template.
  private(set) var isAboutPair = false
  /// Whether that is more than the payment currency, which several pairs have.
  private(set) var asksForPair = false

  /// - Parameter known: The names that templates in it may have; without any, braces are text.
  init(_ request: SampleRequest, placeholders known: [String] = []) throws(OnboardingProblem) {
    let address = try request.address()
    method = request.method
    base = address.base
    path = ""
    path = Self.segments(of: address.path).map { segment in
      guard SecretSpotter.looksSecret(segment) else { return Self.literal(segment, known) }
      return hide(segment, name: "path_key", place: "a part of the path")
    }.joined(separator: "/")
    try readQuery(address.query, known)
    readHeaders(request, address.user, known)
    if let bytes = request.body, let document = try? JSONDocument(parsing: bytes) {
      body = ConfigValue(document.root).mapped { name, value in
        guard case .text(let text) = value, !Self.isPlaceholder(text, known) else { return value }
        let isSecret = SecretSpotter.isSecret(parameter: name, value: text)
        return .text(isSecret ? hide(text, name: name, place: "member '\(name)' of the body") : Self.escaped(text))
      }
    }
    isAboutPair = !placeholders.isDisjoint(with: Template.PairPart.names)
    asksForPair = !placeholders.isDisjoint(with: ["asset", "symbol"])
  }

  /// Returns whether a template in it stands for the pair or a secret; a text without one may be a secret.
  private static func isPlaceholder(_ text: String, _ known: [String]) -> Bool {
    !known.isEmpty && text.contains("{") && isTemplate(text, of: known)
  }

  private static func literal(_ text: String, _ known: [String]) -> String {
    isPlaceholder(text, known) ? text : escaped(text)
  }

  private mutating func readQuery(_ text: String, _ known: [String]) throws(OnboardingProblem) {
    for item in text.split(separator: "&") {
      let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = URLText.decoded(halves[0])
      guard !SecretSpotter.looksSecret(name) else { throw .usage(.secretWithoutName) }
      if query.contains(where: { $0.name == name }) { throw .parameterRepeats(TerminalText.sanitized(name)) }
      let value = halves.count > 1 ? URLText.decoded(halves[1]) : ""
      if SecretSpotter.isSignature(name) { signatures.append(name) }
      let isSecret = SecretSpotter.isSecret(parameter: name, value: value) && !Self.isPlaceholder(value, known)
      let text = isSecret ? hide(value, name: name, place: "parameter '\(name)'") : Self.literal(value, known)
      if isSecret { echoes.append(halves[1]) }
      query.append(Parameter(name: name, value: text))
    }
  }

  private mutating func readHeaders(_ request: SampleRequest, _ user: String?, _ known: [String]) {
    var given = request.headers.map { Parameter(name: $0.name, value: $0.value) }
    let isAuthorized = given.contains { $0.name.lowercased() == "authorization" }
    if let user, !isAuthorized { given.append(Parameter(name: "Authorization", value: URLText.basic(user))) }
    for header in given where !(header.name.lowercased() == "accept" && header.value == "*/*") {
      let value = Self.isPlaceholder(header.value, known) ? header.value : hidden(header)
      headers.append(Parameter(name: header.name, value: value))
    }
  }

  private static func segments(of path: String) -> [String] {
    path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }

  /// Moves the request to other base URLs, the first of which may include the start of the path.
  mutating func move(to urls: [String]) throws(OnboardingProblem) {
    let bases = try Self.bases(urls)
    guard let first = bases.first else { return }
    base = first
    otherBases = Array(bases.dropFirst())
    let folder = try SampleRequest(url: first).address().path
    if folder != "/", path.hasPrefix(folder + "/") { path = String(path.dropFirst(folder.count)) }
  }

  /// Returns `--base-url` in config form.
  static func bases(_ urls: [String]) throws(OnboardingProblem) -> [String] {
    try urls.map { url throws(OnboardingProblem) in try base(url) }
  }

  /// Returns a host in config form, optionally with a path.
  private static func base(_ url: String) throws(OnboardingProblem) -> String {
    let address = try SampleRequest(url: url).address()
    guard address.user == nil, address.query.isEmpty else { throw .usage(.baseURLHoldsMore) }
    return address.base + withoutSlash(address.path)
  }

  /// Returns a text without the slashes at its end.
  private static func withoutSlash(_ text: String) -> String {
    var text = text
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }

  /// The request as part of the block.
  var block: ExchangeBlock.Request {
    ExchangeBlock.Request(
      method: method, baseURLs: [base] + otherBases, path: path, query: query.map { ($0.name, $0.value) },
      headers: headers.map { ($0.name, $0.value) }, body: body, isAboutPair: isAboutPair)
  }

  /// Returns the request described by the options, or else that of the sample; nil if neither has the URL.
  ///
  /// - Parameters:
  ///   - bases: `--base-url`
  ///   - tickers: `--tickers`
  static func request(
    bases: [String], tickers: String?, sample: SampleRequest?
  ) throws(OnboardingProblem) -> ExchangeRequest? {
    var result: ExchangeRequest?
    if let tickers {
      var request = sample ?? SampleRequest(url: tickers)
      if tickers.contains("://") {
        request.url = tickers
      } else {
        let own = try sample?.address().base
        guard let host = bases.first ?? own else { throw .tickersNeedBase(path: String(tickers.prefix { $0 != "?" })) }
        request.url = SampleRequest(tickers, at: withoutSlash(host)).url
      }
      result = try ExchangeRequest(request, placeholders: Template.pairPlaceholders)
    } else if let sample {
      result = try ExchangeRequest(sample)
    }
    try result?.move(to: bases)
    return result
  }

  // MARK: Secrets

  /// Returns the template for a secret; each name stands for one value.
  private mutating func hide(_ value: String, name: String, place: String) -> String {
    let wanted = SecretSpotter.secretName(name)
    var free = wanted
    var number = 2
    while let taken = secrets.first(where: { $0.name == free }), taken.value != value {
      free = "\(wanted)_\(number)"
      number += 1
    }
    if !secrets.contains(where: { $0.name == free }) { secrets.append(Secret(name: free, value: value, place: place)) }
    return "{secret:\(free)}"
  }

  private mutating func hidden(_ header: Parameter) -> String {
    guard SecretSpotter.isSecret(header: header.name, value: header.value) else { return Self.escaped(header.value) }
    if SecretSpotter.isSignature(header.name) { signatures.append(header.name) }
    let place = "header '\(header.name)'"
    let parts = header.value.split(separator: " ", maxSplits: 1).map(String.init)
    if parts.count == 2, header.name.lowercased().hasSuffix("authorization"), parts[0].allSatisfy(\.isLetter) {
      let isBasic = parts[0].lowercased() == "basic"
      let name = isBasic ? "basic_auth" : "token"
      if isBasic, let plain = URLText.plain(basic: parts[1]) {
        // Exchanges echo the user name, and careless ones the password.
        echoes += [plain] + plain.split(separator: ":", maxSplits: 1).map(String.init)
      }
      return parts[0] + " " + hide(parts[1], name: name, place: place)
    }
    if header.name.lowercased() == "cookie" {
      let values = header.value.split(separator: ";").map { $0.drop { $0 != "=" }.dropFirst() }
      echoes += values.map(String.init).filter { $0.utf8.count >= 8 }
    }
    return hide(header.value, name: header.name, place: place)
  }

  /// The path for display, with the names of secrets.
  var shownPath: String { path.replacing("{{", with: "{") }

  /// Texts that must not be shown: the values of secrets, unless they are so short that hiding every occurrence would
  /// hide the answer.
  var hiddenTexts: [String] {
    (secrets.map(\.value) + echoes).filter { $0.utf8.count >= SecretSpotter.shortest }.unique
  }

  // MARK: Templates

  /// Escapes braces of the request, which are not templates.
  private static func escaped(_ text: String) -> String { text.replacing("{", with: "{{") }

  private static func isTemplate(_ text: String, of placeholders: [String]) -> Bool {
    (try? Template(text))?.plainNames.allSatisfy { placeholders.contains($0.name) } ?? false
  }

  /// Returns the names of what the templates in a text stand for.
  private static func names(of text: String) -> Set<String> {
    Set((try? Template(text))?.plainNames.map(\.name) ?? [])
  }

  /// The names of what templates of its path, query and body stand for: `asset`, `interval`, `from.ms`.
  var placeholders: Set<String> {
    var names = ([path] + query.map(\.value)).reduce(into: Set()) { $0.formUnion(Self.names(of: $1)) }
    _ = body?.mapped { _, value in
      if case .text(let text) = value { names.formUnion(Self.names(of: text)) }
      return value
    }
    return names
  }

  /// Returns another pair or currency that the address seems to name outside of templates: `ETH/JPY` for
  /// `/ticker/eth_jpy`, `USDT` for `?base={asset}&quote=USDT`; nil if there is none.
  func other(than pair: Pair, _ hints: SampleHints) -> String? {
    func isOwn(_ code: String) -> Bool {
      hints.areSame(Pair(asset: code, payment: pair.payment), pair)
        || hints.areSame(Pair(asset: pair.asset, payment: code), pair)
    }
    return (Self.segments(of: path) + query.map(\.value)).lazy.filter { !$0.contains("{") }
      .map { currencies(in: $0.uppercased(), beside: pair) }
      .first { !$0.allSatisfy(isOwn) }?.joined(separator: "/")
  }

  /// Returns the asset and the payment currency that a text names, or one of them; empty if it seems to name none.
  private func currencies(in text: String, beside pair: Pair) -> [String] {
    func isMoney(_ word: String) -> Bool { CurrencyCode.rank(of: word) > 2 }
    let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    // Beside a template, `krw-market` names no pair.
    let mayBeUnknown = words.contains(pair.payment) && !isAboutPair
    if words.count == 2, mayBeUnknown || words.contains(where: isMoney) && words.allSatisfy(PairWord.isKnown) {
      return words[0] == pair.payment || isMoney(words[0]) && !isMoney(words[1]) ? words.reversed() : words
    }
    guard words.count == 1, let word = words.first else { return [] }
    if isMoney(word) { return words }
    let (head, tail) = (String(word.dropLast(pair.payment.count)), String(word.dropFirst(pair.asset.count)))
    if word.hasSuffix(pair.payment), isAboutPair ? PairWord.isKnown(head) : (2...6).contains(head.utf8.count) {
      return [head, pair.payment]
    }
    return word.hasPrefix(pair.asset) && isMoney(tail) ? [pair.asset, tail] : []
  }

  /// Replaces the pair by templates, whatever its order and case; if it does not occur, nothing changes.
  ///
  /// - Parameter symbol: The pair as the exchange spells it, if that is known.
  mutating func ask(for pair: Pair, spelled symbol: String? = nil) {
    path = Self.segments(of: path).map { template($0, pair, symbol) }.joined(separator: "/")
    query = query.map { item in
      let value = isNumber(symbol, item.value, named: item.name) ? "{symbol}" : template(item.value, pair, symbol)
      return Parameter(name: item.name, value: value)
    }
    body = body?.mapped { name, value in
      switch value {
      case .number(let text) where isNumber(symbol, text, named: name): .text("{symbol|number}")
      case .text(let text): .text(isNumber(symbol, text, named: name) ? "{symbol}" : template(text, pair, symbol))
      default: value
      }
    }
    if let symbol, !isAboutPair { takeNumber(symbol) }
  }

  /// Returns whether a value is the pair's number, and keeps in mind that the request names the pair.
  private mutating func isNumber(_ symbol: String?, _ value: String, named name: String) -> Bool {
    guard value == symbol, Self.mayHoldNumber(name), !value.contains(where: \.isLetter) else { return false }
    (isAboutPair, asksForPair) = (true, true)
    return true
  }

  /// Replaces the pair's number where it is a whole part of the path: the last one, as versions come first.
  private mutating func takeNumber(_ symbol: String) {
    var parts = Self.segments(of: path)
    guard symbol.contains(where: \.isNumber), let place = parts.lastIndex(of: symbol) else { return }
    parts[place] = "{symbol}"
    path = parts.joined(separator: "/")
    (isAboutPair, asksForPair) = (true, true)
  }

  /// Removes the path of a base URL from the request's path.
  mutating func move(below url: String) {
    var whole = base + path
    whole.removeFirst(url.count)
    path = whole.hasPrefix("/") ? whole : "/" + whole
    base = url
  }

  /// The values that `rewrite` may replace, with their names.
  var parts: [(name: String, value: String)] {
    var (copy, parts) = (self, [(name: String, value: String)]())
    copy.rewrite {
      parts.append(($0, $1))
      return nil
    }
    return parts
  }

  /// Returns how a note calls the part of this name.
  static func place(_ name: String) -> String { name.isEmpty ? "the address" : "'\(name)' of the address" }

  /// Replaces values of the query or the body, or one or two parts of the path, that vary between requests by
  /// templates.
  ///
  /// - Parameter change: Takes the value and its name, which is empty in a path; nil leaves it unchanged.
  mutating func rewrite(_ change: (_ name: String, _ value: String) -> String?) {
    func changed(_ name: String, _ value: String) -> String? { value.contains("{") ? nil : change(name, value) }
    query = query.map { Parameter(name: $0.name, value: changed($0.name, $0.value) ?? $0.value) }
    body = body?.mapped { name, value in
      value.scalarText.flatMap { changed(name, $0) }.map { .text($0) } ?? value
    }
    var parts: [String] = []
    var rest = Self.segments(of: path)[...]
    while let part = rest.popFirst() {
      if let next = rest.first, !part.isEmpty, let both = changed("", part + "/" + next) {
        rest.removeFirst()
        parts.append(both)
      } else {
        parts.append(part.isEmpty ? part : changed("", part) ?? part)
      }
    }
    path = parts.joined(separator: "/")
  }

  /// Returns whether a parameter may name a pair by its number: `market_id`. A bare `id` may be that of anything.
  private static func mayHoldNumber(_ name: String) -> Bool {
    let name = Spelling.folded(name)
    return ["symbol", "market", "pair", "instrument"].contains(where: name.contains)
  }

  /// Returns whether the letters behind a pair make its last name that of another currency: `BTC-USD` in `BTC-USDT`.
  private static func goesOn(_ pair: Pair, _ spelled: String, behind rest: Substring) -> Bool {
    let letters = rest.prefix { $0.isLetter }.uppercased()
    guard !letters.isEmpty, spelled.uppercased().hasSuffix(pair.payment.uppercased()) else { return false }
    return (1...letters.count).contains { length in
      CurrencyCode.rank(of: pair.payment.uppercased() + letters.prefix(length)) > 1
    }
  }

  private mutating func template(_ text: String, _ pair: Pair, _ symbol: String?) -> String {
    guard SecretName.names(in: text).isEmpty else { return text }
    for (spelled, template) in pair.spellings(around: ["", "-", "_", "/", ":", "."]) {
      guard let place = text.firstRange(of: spelled), !Self.goesOn(pair, spelled, behind: text[place.upperBound...])
      else {
        continue
      }
      (isAboutPair, asksForPair) = (true, true)
      return text[..<place.lowerBound] + template + text[place.upperBound...]
    }
    var names = [(pair.asset, "asset"), (pair.payment, "payment")]
    // Names that the exchange has for itself, such as XBTUSD. A mere number may be anything.
    if let symbol, symbol.contains(where: \.isLetter) { names.append((symbol, "symbol")) }
    for (name, placeholder) in names {
      for (spelled, filter) in [(name, ""), (name.lowercased(), "|lower")] where text == spelled {
        isAboutPair = true
        asksForPair = asksForPair || placeholder != "payment"
        return "{\(placeholder)\(filter)}"
      }
    }
    return text
  }
}

extension ConfigValue {
  /// Returns the value with its scalars changed, each of which is given with the name of the member that it is in.
  func mapped(
    named name: String = "", _ change: (_ name: String, _ scalar: ConfigValue) -> ConfigValue
  ) -> ConfigValue {
    switch self {
    case .null, .bool, .number, .text, .raw: change(name, self)
    case .list(let values): .list(values.map { $0.mapped(named: name, change) })
    case .object(let members): .object(members.map { ($0.name, $0.value.mapped(named: $0.name, change)) })
    }
  }
}

extension Pair {
  /// Returns how a text may name both currencies, each with its template: `btc-usdt` and `{asset|lower}-{payment|lower}`.
  func spellings(around separators: [String]) -> [(text: String, template: String)] {
    let lower = Pair(asset: asset.lowercased(), payment: payment.lowercased())
    return [(self, ""), (lower, "|lower")].flatMap { pair, filter in
      separators.flatMap { separator in
        [
          (pair.asset + separator + pair.payment, "{asset\(filter)}\(separator){payment\(filter)}"),
          (pair.payment + separator + pair.asset, "{payment\(filter)}\(separator){asset\(filter)}"),
        ]
      }
    }
  }
}
