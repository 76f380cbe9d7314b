package import Config
package import Quotes

/// A proposal as a block of the config.
package struct ExchangeBlock: Sendable {
  package var market: Market
  package var request: Request
  package var rows: String
  package var symbol: ConfigValue
  /// The names in the rows that stand for others, in order.
  package var aliases: [(name: String, value: String)] = []
  /// In the order of the shipped config.
  package var fields: [(name: String, value: ConfigValue)] = []

  private let proposal: ExchangeProposal

  /// How the exchange is queried, in config texts: templates, not values.
  package struct Request: Sendable {
    package var method = "GET"
    package var baseURLs: [String]
    package var path: String
    package var query: [(name: String, value: String)]
    package var headers: [(name: String, value: String)]
    package var body: ConfigValue?
    /// Whether it names the requested pair, so that it is not a request for all pairs.
    package var isAboutPair: Bool

    package init(
      method: String = "GET", baseURLs: [String], path: String, query: [(name: String, value: String)] = [],
      headers: [(name: String, value: String)] = [], body: ConfigValue? = nil, isAboutPair: Bool = false
    ) {
      self.method = method
      self.baseURLs = baseURLs
      self.path = path
      self.query = query
      self.headers = headers
      self.body = body
      self.isAboutPair = isAboutPair
    }
  }

  /// - Parameters:
  ///   - roles: the accepted roles; others are left out.
  ///   - symbol: how pairs are found, including the user's answers.
  package init(
    _ proposal: ExchangeProposal, symbol: SymbolProposal, roles: [RoleProposal], market: Market, request: Request
  ) {
    self.proposal = proposal
    self.market = market
    self.request = request
    rows = proposal.rows
    self.symbol = Self.value(of: symbol)
    payments = symbol.payments
    let order: [Role] = [.price, .change, .volume, .turnover, .open, .high, .low, .bid, .ask, .time]
    for role in order {
      guard let found = roles.first(where: { $0.role == role }) else { continue }
      fields.append((role.field.rawValue, Self.value(of: found)))
    }
    isTicker = request.isAboutPair || symbol.source == .request
  }

  private let payments: [String]
  /// Whether the request is for one pair, so that there is no table of all.
  private let isTicker: Bool

  /// The value of `rows`: a path, or the object of rows that are assembled from lists.
  package var rowsValue: ConfigValue { rows.hasPrefix("{") ? .raw(rows) : .text(rows) }

  /// The value of the exchange's member in `exchanges`.
  package var value: ConfigValue {
    var members: [(name: String, value: ConfigValue)] = []
    members.append(("baseUrls", .list(request.baseURLs.map { .text($0) })))
    if !request.headers.isEmpty {
      members.append(("headers", .object(request.headers.map { ($0.name, .text($0.value)) })))
    }
    if let success = success { members.append(("success", success)) }
    members.append(("rows", rowsValue))
    let conditions = Self.conditions(of: proposal)
    if !conditions.isEmpty { members.append(("where", .list(conditions))) }
    members.append(("symbol", symbol))
    if !aliases.isEmpty { members.append(("aliases", .object(aliases.map { ($0.name, .text($0.value)) }))) }
    members.append(("fields", .object(fields)))
    var content: [(name: String, value: ConfigValue)] = []
    if !groups.isEmpty { content.append(("paymentCurrencies", .object(groups))) }
    content.append((isTicker ? "ticker" : "tickers", .object([("request", Self.value(of: request))])))
    members.append(("markets", .object([(market.rawValue, .object(content))])))
    return .object(members)
  }

  /// The conditions that rows of this market meet.
  package static func conditions(of proposal: ExchangeProposal) -> [ConfigValue] {
    let kind = proposal.rowKind.map { ConfigValue.object([("path", .text("$")), ("is", .text($0))]) }
    return [kind, proposal.market?.condition].compactMap(\.self)
  }

  /// Returns a request in config form.
  package static func value(of request: Request) -> ConfigValue {
    var members: [(name: String, value: ConfigValue)] = []
    if request.method != "GET" { members.append(("method", .text(request.method))) }
    members.append(("path", .text(request.path)))
    if !request.query.isEmpty {
      members.append(("query", .object(request.query.map { ($0.name, .text($0.value)) })))
    }
    if let body = request.body { members.append(("body", body)) }
    return .object(members)
  }

  /// nil if nothing distinguishes a good answer from an error.
  package var success: ConfigValue? {
    let success = proposal.success
    guard let path = success.path else { return nil }
    var test: (name: String, value: ConfigValue)
    switch success.test {
    case .equals(let json): test = ("equals", .raw(json))
    case .absent: test = ("is", .text("absent"))
    case .empty: test = ("is", .text("empty"))
    }
    var members: [(name: String, value: ConfigValue)] = [
      ("where", .list([.object([("path", .text(path)), test])])), ("code", .text(path)),
    ]
    if let message = success.message { members.append(("message", .list([.text(message)]))) }
    return .object(members)
  }

  /// The payment currencies in groups. The group of a future is its product, so it says only what the currency says: a
  /// stablecoin is the margin as well, but contracts in dollars are margined in coins, in dollars or in a token of them.
  package var groups: [(name: String, value: ConfigValue)] {
    let kinds: [(String, ClosedRange<Int>)] = [
      (market == .spot ? "stable" : "stableMargin", 4...4), ("bitcoin", 3...3), ("alt", 0...2), ("fiat", 5...5),
    ]
    var rest = Array(payments.prefix(60))
    var groups: [(name: String, value: ConfigValue)] = []
    for (name, ranks) in kinds {
      let own = rest.filter { ranks.contains(CurrencyCode.rank(of: $0)) }
      rest.removeAll(where: own.contains)
      if !own.isEmpty { groups.append((name, .list(own.map { .text($0) }))) }
    }
    return groups
  }

  private static func value(of symbol: SymbolProposal) -> ConfigValue {
    var members: [(name: String, value: ConfigValue)] = []
    switch symbol.source {
    case .request: return .text("request")
    case .constant(let pair):
      return .object([("asset", .text(pair.asset)), ("payment", .text(pair.payment))])
    case .key: members.append(("from", .text("key")))
    case .keys(let outerIsAsset):
      let outer = ConfigValue.object([("from", .text("key")), ("up", .raw("1"))])
      let inner = ConfigValue.object([("from", .text("key"))])
      return .object([("asset", outerIsAsset ? outer : inner), ("payment", outerIsAsset ? inner : outer)])
    case .path(let path): members.append(("path", .text(path)))
    case .own(let asset, let payment, let path):
      if let path { members.append(("path", .text(path))) }
      return .object(members + [("asset", .text(asset)), ("payment", .text(payment))])
    }
    let rules = symbol.skips.map(skip) + symbol.rules.map(parts)
    if rules.count == 1, symbol.skips.isEmpty { return .object(members + rules[0]) }
    if !rules.isEmpty { members.append(("rules", .list(rules.map { .object($0) }))) }
    return .object(members)
  }

  private static func skip(_ expression: String) -> [(name: String, value: ConfigValue)] {
    [("match", .text(expression)), ("skip", .raw("true"))]
  }

  private static func parts(of rule: AffixedRule) -> [(name: String, value: ConfigValue)] {
    var members: [(name: String, value: ConfigValue)] = []
    var prefix = rule.prefix
    if case .leading(let payment) = rule.rule { prefix += payment }
    if !prefix.isEmpty { members.append(("prefix", .text(prefix))) }
    if !rule.suffix.isEmpty { members.append(("suffix", .text(rule.suffix))) }
    switch rule.rule {
    case .separator(let separator, let paymentFirst):
      members.append(("split", .text(separator)))
      if paymentFirst { members.append(("order", .text("payment-asset"))) }
    case .payment: members.append(("split", .text("payment")))
    case .leading(let payment): members.append(("payment", .text(payment.uppercased())))
    case .classed(let asset, let payment):
      members.append(("match", .text("[\(asset)](?<asset>[A-Z]{3})[\(payment)](?<payment>[A-Z]{3})")))
    case .settled(let separators): members.append(("match", .text(separators.expression)))
    case .asset(let payment): members.append(("payment", .text(payment ?? "")))
    }
    return members
  }

  /// Returns a field in config form.
  package static func value(of role: RoleProposal) -> ConfigValue {
    var members: [(name: String, value: ConfigValue)] = []
    if role.isFromResponse { members.append(("from", .text("response"))) }
    members.append(("path", .text(role.path)))
    if !role.strip.isEmpty { members.append(("strip", .text(role.strip))) }
    if !role.missing.isEmpty {
      let texts = (role.role == .time ? [] : ValueSpec.defaultMissing) + role.missing
      members.append(("missing", .list(texts.map { .text($0) })))
    }
    if let scale = role.scale { members.append(("scale", .raw(scale.shortest))) }
    if let basis = role.basis { members.append(("basis", .text(basis.rawValue))) }
    switch role.timeForm {
    case .unit(let unit)?: members.append(("unit", .text(unit.rawValue)))
    case .iso8601?: members.append(("unit", .text("iso8601")))
    case .date(let format)?: members.append(("format", .text(format)))
    case nil: break
    }
    if role.isTradeTime { members.append(("basis", .text("trade"))) }
    return members.count == 1 ? .text(role.path) : .object(members)
  }
}
