import Config
import HTTP
import JSON
import Mapping
import MarketData
import Quotes
import Terminal

/// Every request of an exchange or a rate provider that is signed or contains a secret, as it would be sent: with names
/// instead of the secrets and values derived from them, and how those are derived.
struct KeyedRequestList {
  private(set) var requests: [Request] = []
  /// Requests that only exist once something is requested, and so cannot be inspected.
  private(set) var hidden: [String] = []

  /// A request with all the hosts it may be sent to.
  struct Request: Hashable {
    let title: String
    let method: String
    let urls: [String]
    let headers: [HTTPHeader]
    let body: String?
    /// What the names in it stand for.
    let steps: [String]
    /// The secrets readable by the request's recipient.
    let legible: [String]
  }

  init(_ exchange: Exchange?, _ provider: RateProvider?) {
    if let exchange { add(exchange) }
    if case .table(let table, _)? = provider?.source { addFilled(table, "rates") }
  }

  private mutating func add(_ exchange: Exchange) {
    for market in exchange.markets {
      let tables = market.tickers + market.ticker + market.blockTables + [market.names].compactMap(\.self)
      for table in tables { addFilled(table, "\(market.market.rawValue)") }
    }
    guard let account = exchange.account else { return }
    for balances in account.balances {
      for part in balances.parts { add(part, "balances \(balances.account)") }
    }
    for wallets in account.wallets { add(wallets.part, "wallet status") }
    for permissions in account.permissions { add(permissions.part, "permissions") }
  }

  private mutating func add(_ part: AccountSpec.Part, _ title: String) {
    let table = part.table
    if table.isSigned, let auth = part.auth {
      add(
        SigningPlan(auth, table.request, headers: table.headers, constants: table.set, keys: "keys"), table.baseURLs,
        title)
    }
    addFilled(table, title)
    for lookup in table.lookups where lookup.isSigned {
      guard let auth = part.auth, let request = lookup.request else { continue }
      add(
        SigningPlan(auth, request, headers: lookup.headers, constants: table.set), lookup.baseURLs,
        "\(title), \(lookup.name)")
    }
  }

  private mutating func add(_ plan: SigningPlan, _ baseURLs: [String], _ title: String) {
    let shown = baseURLs.compactMap { try? plan.shown(for: $0) }
    guard let first = shown.first, shown.count == baseURLs.count else { return hidden.append(title) }
    append(
      Request(
        title: title, method: first.method, urls: shown.map(\.url), headers: first.headers,
        body: first.body.map { String(decoding: $0, as: UTF8.self) }, steps: plan.auth.steps,
        legible: plan.exposedSecrets))
  }

  /// Adds the requests of a table that contain secrets but are unsigned. Their pair and time are shown by name, too.
  private mutating func addFilled(_ table: TableSpec, _ title: String) {
    let context = RequestContext(
      pair: Pair(asset: "ASSET", payment: "PAYMENT"), keys: "keys", now: Instant(nanoseconds: 0)
    ) { $0 }
    var writer = RequestWriter(table, context)
    func namesSecret(_ templates: [Template]) -> Bool { templates.contains { !$0.secretNames.isEmpty } }
    var written: [(title: String, request: HTTPRequest?)] = []
    if !table.isSigned, namesSecret(table.request.templates + table.headers.map(\.value)) {
      written.append((title, try? writer.request(named: title)))
    }
    for lookup in table.lookups where !lookup.isSigned {
      guard let request = lookup.request, namesSecret(request.templates + lookup.headers.map(\.value)) else { continue }
      written.append(("\(title), \(lookup.name)", (try? writer.request(for: lookup)) ?? nil))
    }
    for (name, request) in written {
      guard let request else {
        hidden.append(name)
        continue
      }
      append(
        Request(
          title: name, method: request.method, urls: request.urls.map(request.replacingClockValues),
          headers: request.headers,
          body: request.body.map { request.replacingClockValues(String(decoding: $0, as: UTF8.self)) }, steps: [],
          legible: request.secrets.unique))
    }
  }

  private mutating func append(_ request: Request) {
    if !requests.contains(request) { requests.append(request) }
  }

  /// One paragraph per request. Config text is sanitized but never truncated, since the rest could be what matters.
  var text: String {
    requests.map { request in
      var lines = [request.title] + request.urls.map { "  \(request.method) \($0)" }
      lines += request.headers.map { "  \($0.name): \($0.value)" }
      if let body = request.body { lines.append("  \(body)") }
      lines += request.steps.map { "  where \($0)" }
      if !request.legible.isEmpty {
        lines.append("  sent in readable form: \(request.legible.joined(separator: ", "))")
      }
      return lines.map { TerminalText.sanitized($0) + "\n" }.joined()
    }.joined()
  }

  /// The distinct hosts of the requests.
  var hosts: [String] { requests.flatMap(\.urls).map { HostName(of: $0).text }.unique }
}

extension AuthSpec {
  /// How each of its values is derived, according to the config.
  fileprivate var steps: [String] {
    (node["values"]?.members ?? []).map { member in
      "\(member.name) is \(String(decoding: JSONValue(member.value.json).written(), as: UTF8.self))"
    }
  }
}
