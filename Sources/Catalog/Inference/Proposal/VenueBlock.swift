package import Quotes

/// A proposal as a block of the config language.
package struct VenueBlock: Sendable {
  package var market: Market
  package var baseURLs: [String]
  /// Path of the request, and its query as written.
  package var path: String
  package var query: [(name: String, value: String)]
  package var rows: String
  package var symbol: ConfigValue
  /// In the order of the shipped config.
  package var fields: [(name: String, value: ConfigValue)] = []

  private let proposal: VenueProposal

  /// - Parameters:
  ///   - roles: those that are taken; the others stay out.
  ///   - symbol: how pairs are found, with what was asked about it.
  package init(
    _ proposal: VenueProposal, symbol: SymbolProposal, roles: [RoleProposal], market: Market, baseURLs: [String],
    path: String, query: [(name: String, value: String)]
  ) {
    self.proposal = proposal
    self.market = market
    self.baseURLs = baseURLs
    self.path = path
    self.query = query
    rows = proposal.rows
    self.symbol = Self.value(of: symbol)
    payments = symbol.payments
    let order: [Role] = [.price, .change, .volume, .turnover, .open, .high, .low, .bid, .ask, .time]
    for role in order {
      guard let found = roles.first(where: { $0.role == role }) else { continue }
      fields.append((role.field.rawValue, Self.value(of: found)))
    }
    isRequest = symbol.source == .request
  }

  private let payments: [String]
  /// The response is about the pair asked for: there is no table of all.
  private let isRequest: Bool

  /// The value of the venue's member in `exchanges`.
  package var value: ConfigValue {
    var members: [(name: String, value: ConfigValue)] = []
    members.append(("baseUrls", .list(baseURLs.map { .text($0) })))
    if let success = success { members.append(("success", success)) }
    members.append(("rows", .text(rows)))
    if let kind = proposal.rowKind {
      members.append(("where", .list([.object([("path", .text("$")), ("is", .text(kind))])])))
    }
    members.append(("symbol", symbol))
    members.append(("fields", .object(fields)))
    var request: [(name: String, value: ConfigValue)] = [("path", .text(path))]
    if !query.isEmpty { request.append(("query", .object(query.map { ($0.name, .text($0.value)) }))) }
    var content: [(name: String, value: ConfigValue)] = []
    if !groups.isEmpty { content.append(("paymentCurrencies", .object(groups))) }
    content.append((isRequest ? "ticker" : "tickers", .object([("request", .object(request))])))
    members.append(("markets", .object([(market.rawValue, .object(content))])))
    return .object(members)
  }

  /// The block as JSON text of its own.
  package func text(indent: Int = 0) -> String { value.text(indent: indent, lead: ConfigValue.lineWidth) }

  private var success: ConfigValue? {
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

  /// Payment currencies in the groups of the shipped config.
  private var groups: [(name: String, value: ConfigValue)] {
    let spot: [(String, ClosedRange<Int>)] = [("stable", 4...4), ("bitcoin", 3...3), ("alt", 0...2), ("fiat", 5...5)]
    let futures: [(String, ClosedRange<Int>)] = [("stableMargin", 4...4), ("coinMargin", 0...5)]
    var rest = Array(payments.prefix(60))
    var groups: [(name: String, value: ConfigValue)] = []
    for (name, ranks) in market == .spot ? spot : futures {
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
    case .key: members.append(("from", .text("key")))
    case .path(let path): members.append(("path", .text(path)))
    case .own(let asset, let payment, let path):
      if let path { members.append(("path", .text(path))) }
      return .object(members + [("asset", .text(asset)), ("payment", .text(payment))])
    }
    guard let rule = symbol.rule else { return .object(members) }
    if !rule.prefix.isEmpty { members.append(("prefix", .text(rule.prefix))) }
    if !rule.suffix.isEmpty { members.append(("suffix", .text(rule.suffix))) }
    switch rule.rule {
    case .separator(let separator, let paymentFirst):
      members.append(("split", .text(separator)))
      if paymentFirst { members.append(("order", .text("payment-asset"))) }
    case .payment: members.append(("split", .text("payment")))
    case .asset(let payment): members.append(("payment", .text(payment ?? "")))
    }
    return .object(members)
  }

  private static func value(of role: RoleProposal) -> ConfigValue {
    var members: [(name: String, value: ConfigValue)] = []
    if role.isFromResponse { members.append(("from", .text("response"))) }
    members.append(("path", .text(role.path)))
    if !role.strip.isEmpty { members.append(("strip", .text(role.strip))) }
    if !role.missing.isEmpty {
      let texts = (role.role == .time ? [] : ValueSpec.defaultMissing) + role.missing
      members.append(("missing", .list(texts.map { .text($0) })))
    }
    if let scale = role.scale { members.append(("scale", .raw(String(scale)))) }
    if let basis = role.basis { members.append(("basis", .text(basis.rawValue))) }
    switch role.timeForm {
    case .unit(let unit)?: members.append(("unit", .text(unit.rawValue)))
    case .iso8601?: members.append(("unit", .text("iso8601")))
    case nil: break
    }
    if role.isTradeTime { members.append(("basis", .text("trade"))) }
    return members.count == 1 ? .text(role.path) : .object(members)
  }
}
