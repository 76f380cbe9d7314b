package import Config
package import Quotes

/// A proposal as a block of the config.
package struct ExchangeBlock: Sendable {
  private let market: Market
  private let request: Request
  package let symbol: ConfigValue
  /// The names in the rows that stand for others, in order.
  package var aliases: [(name: String, value: String)] = []
  /// In the order of the shipped config.
  package private(set) var fields: [(name: String, value: ConfigValue)] = []

  private let proposal: ExchangeProposal
  private let payments: [String]
  /// Whether the request is for one pair, so that there is no table of all.
  private let isTicker: Bool

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
      (self.method, self.baseURLs, self.path, self.query) = (method, baseURLs, path, query)
      (self.headers, self.body, self.isAboutPair) = (headers, body, isAboutPair)
    }
  }

  /// - Parameters:
  ///   - roles: the accepted roles; others are left out.
  ///   - symbol: how pairs are found, including the user's answers.
  package init(
    _ proposal: ExchangeProposal, symbol: SymbolProposal, roles: [RoleProposal], market: Market, request: Request
  ) {
    (self.proposal, self.market, self.request) = (proposal, market, request)
    self.symbol = Self.value(of: symbol)
    payments = symbol.payments
    isTicker = request.isAboutPair || symbol.source == .request
    let order: [Role] = [.price, .change, .volume, .turnover, .open, .high, .low, .bid, .ask, .time]
    for role in order {
      guard let found = roles.first(where: { $0.role == role }) else { continue }
      fields.append((role.field.rawValue, Self.value(of: found)))
    }
  }

  /// The value of `rows`: a path, or the object of rows that are assembled from lists.
  package var rows: ConfigValue { Self.value(ofRows: proposal.rows) }

  /// Returns given or proposed rows in config form.
  package static func value(ofRows text: String) -> ConfigValue { text.hasPrefix("{") ? .raw(text) : .text(text) }

  /// The value of the exchange's member in `exchanges`.
  package var value: ConfigValue {
    let conditions = Self.conditions(of: proposal)
    let tables = ConfigValue.present([
      ("paymentCurrencies", groups.isEmpty ? nil : .object(groups)),
      (isTicker ? "ticker" : "tickers", .object([("request", Self.value(of: request))])),
    ])
    return .present([
      ("baseUrls", .list(request.baseURLs.map { .text($0) })), ("headers", .texts(request.headers)),
      ("success", success), ("rows", rows), ("where", conditions.isEmpty ? nil : .list(conditions)),
      ("symbol", symbol), ("aliases", .texts(aliases)), ("fields", .object(fields)),
      ("markets", .object([(market.rawValue, tables)])),
    ])
  }

  /// The conditions that rows of this market meet.
  package static func conditions(of proposal: ExchangeProposal) -> [ConfigValue] {
    let kind = proposal.rowKind.map { ConfigValue.object([("path", .text("$")), ("is", .text($0))]) }
    return [kind, proposal.market?.condition].compactMap(\.self)
  }

  /// Returns a request in config form.
  package static func value(of request: Request) -> ConfigValue {
    .present([
      ("method", request.method == "GET" ? nil : .text(request.method)), ("path", .text(request.path)),
      ("query", .texts(request.query)), ("body", request.body),
    ])
  }

  /// nil if nothing distinguishes a good answer from an error.
  package var success: ConfigValue? {
    let success = proposal.success
    guard let path = success.path else { return nil }
    let test: (name: String, value: ConfigValue) =
      switch success.test {
      case .equals(let json): ("equals", .raw(json))
      case .absent: ("is", .text("absent"))
      case .empty: ("is", .text("empty"))
      }
    // A code is quoted in messages; that something was not `true` says nothing.
    let isCode = ![.equals("true"), .equals("false"), .equals("\"true\"")].contains(success.test)
    return .present([
      ("where", .list([.object([("path", .text(path)), test])])), ("code", isCode ? .text(path) : nil),
      ("message", success.message.map { .list([.text($0)]) }),
    ])
  }

  /// The payment currencies in groups. The group of a future is its product, so it says only what the currency says: a
  /// stablecoin is the margin as well, but contracts in dollars are margined in coins, in dollars or in a token of them.
  package var groups: [(name: String, value: ConfigValue)] {
    let kinds: [(String, ClosedRange<Int>)] = [
      (market == .spot ? "stable" : "stableMargin", 4...4), ("bitcoin", 3...3), ("alt", 0...2), ("fiat", 5...5),
    ]
    var rest = payments
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
      let outer = ConfigValue.object([("from", .text("key")), ("up", .number("1"))])
      let inner = ConfigValue.object([("from", .text("key"))])
      return .object([("asset", outerIsAsset ? outer : inner), ("payment", outerIsAsset ? inner : outer)])
    case .path(let path): members.append(("path", .text(path)))
    case .own(let asset, let payment, let path):
      if let path { members.append(("path", .text(path))) }
      let ending = symbol.assetEnding
      let code = ConfigValue.object([
        ("path", .text(asset)), ("capture", .text("(?<value>.+)\(StreamInference.escaped(ending))")),
      ])
      return .object(members + [("asset", ending.isEmpty ? .text(asset) : code), ("payment", .text(payment))])
    }
    // A rule that says nothing yet, as the payment currency is still unknown, is none.
    let rules = symbol.rules.map(parts).filter { !$0.isEmpty }
    if rules.count == 1, symbol.skips.isEmpty, !symbol.skipsRest { return .object(members + rules[0]) }
    func skip(_ expression: String) -> ConfigValue {
      .object([("match", .text(expression)), ("skip", .bool(true))])
    }
    let all = symbol.skips.map(skip) + rules.map { .object($0) } + (symbol.skipsRest ? [skip(".+")] : [])
    return .object(members + (all.isEmpty ? [] : [("rules", .list(all))]))
  }

  /// Returns the keys of `symbol` for a rule.
  static func parts(of rule: AffixedRule) -> [(name: String, value: ConfigValue)] {
    var members: [(name: String, value: ConfigValue)] = []
    var prefix = rule.prefix
    if case .leading(let payment) = rule.rule { prefix += payment }
    if !prefix.isEmpty { members.append(("prefix", .text(prefix))) }
    if !rule.suffix.isEmpty { members.append(("suffix", .text(rule.suffix))) }
    switch rule.rule {
    case .separator(let joint, let paymentFirst) where joint.contains(where: \.isLetter):
      let codes = ["(?<asset>.+)", "(?<payment>.+)"]
      let expression = (paymentFirst ? codes.reversed() : codes).joined(separator: StreamInference.escaped(joint))
      members.append(("match", .text(expression)))
    case .separator(let separator, let paymentFirst):
      members.append(("split", .text(separator)))
      if paymentFirst { members.append(("order", .text("payment-asset"))) }
    case .payment: members.append(("split", .text("payment")))
    case .listed(let assets, let payment, let paymentFirst):
      let groups = ["(?<asset>\(assets.joined(separator: "|")))", "(?<payment>\(payment))"]
      members.append(("match", .text((paymentFirst ? groups.reversed() : groups).joined())))
    case .leading(let payment): members.append(("payment", .text(payment.uppercased())))
    case .classed(let asset, let payment):
      members.append(("match", .text("[\(asset)](?<asset>[A-Z]{3})[\(payment)](?<payment>[A-Z]{3})")))
    case .settled(let separators): members.append(("match", .text(separators.expression)))
    case .asset(let payment): if let payment { members.append(("payment", .text(payment))) }
    }
    return members
  }

  /// Returns a field in config form.
  package static func value(of role: RoleProposal) -> ConfigValue {
    if let unit = role.priceRatio {
      var ratio = role
      (ratio.priceRatio, ratio.scale, ratio.basis) = (nil, nil, nil)
      return .present([
        ("difference", .list([value(of: ratio), .number(unit.shortest)])), ("scale", unit == 1 ? .number("100") : nil),
        ("basis", role.basis.map { .text($0.rawValue) }),
      ])
    }
    let missing = (role.role == .time ? [] : ValueSpec.defaultMissing) + role.missing
    let members: [(name: String, value: ConfigValue?)] = [
      ("from", role.isFromResponse ? .text("response") : nil),
      (role.isFromOpen ? "fromOpen" : "path", .text(role.path)),
      ("strip", role.strip.isEmpty ? nil : .text(role.strip)),
      ("missing", role.missing.isEmpty ? nil : .list(missing.map { .text($0) })),
      ("scale", role.scale.map { .number($0.shortest) }),
      ("basis", (role.basis?.rawValue ?? role.priceBasis?.rawValue).map { .text($0) }),
    ]
    let time = (role.timeForm?.members ?? []) + (role.isTradeTime ? [("basis", .text("trade"))] : [])
    let value = ConfigValue.present(members + time.map { ($0.name, $0.value) })
    return value.members?.count == 1 && !role.isFromOpen ? .text(role.path) : value
  }
}

extension ConfigValue {
  /// Returns an object of the members that have a value.
  fileprivate static func present(_ members: [(name: String, value: ConfigValue?)]) -> ConfigValue {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  /// Returns an object of texts; nil if there are none.
  fileprivate static func texts(_ members: [(name: String, value: String)]) -> ConfigValue? {
    members.isEmpty ? nil : .object(members.map { ($0.name, .text($0.value)) })
  }
}
