import Config
import HTTP
import JSON
import Mapping
import MarketData
import Quotes
import Terminal

/// Every request of an exchange or a rate provider that is signed or filled with a secret, as it would be sent: with names in
/// the place of the secrets and of what is made of them, and how that is made.
struct KeyedRequestList {
  private(set) var requests: [Request] = []
  /// Those that cannot be written before somebody asks for something, and so cannot be looked at.
  private(set) var hidden: [String] = []

  /// One of them, to all the hosts that it may go to.
  struct Request: Hashable {
    let title: String
    let method: String
    let urls: [String]
    let headers: [HTTPHeader]
    let body: String?
    /// What the names in it stand for.
    let steps: [String]
    /// The secrets that whoever gets the request can read in it.
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
        legible: plan.legibleSecrets))
  }

  /// What of a table is filled with secrets, and not signed. The pair and the time of such a request are shown by their names too.
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
          title: name, method: request.method, urls: request.urls.map(request.withoutMoments), headers: request.headers,
          body: request.body.map { request.withoutMoments(String(decoding: $0, as: UTF8.self)) }, steps: [],
          legible: request.secrets.unique))
    }
  }

  private mutating func append(_ request: Request) {
    if !requests.contains(request) { requests.append(request) }
  }

  /// A paragraph for each. It is text of a config: cleaned, and cut nowhere, for what is cut off could be what matters.
  var text: String {
    requests.map { request in
      var lines = [request.title] + request.urls.map { "  \(request.method) \($0)" }
      lines += request.headers.map { "  \($0.name): \($0.value)" }
      if let body = request.body { lines.append("  \(body)") }
      lines += request.steps.map { "  where \($0)" }
      if !request.legible.isEmpty {
        lines.append("  sent so that it can be read: \(request.legible.joined(separator: ", "))")
      }
      return lines.map { TerminalText.sanitized($0) + "\n" }.joined()
    }.joined()
  }

  /// The hosts that they go to, each once.
  var hosts: [String] {
    requests.flatMap(\.urls).map { HostName(of: $0).text }.unique
  }
}

extension AuthSpec {
  /// How each of its values is made, as the config says it.
  fileprivate var steps: [String] {
    (node["values"]?.members ?? []).map { member in
      "\(member.name) is \(String(decoding: JSONValue(member.value.json).written(), as: UTF8.self))"
    }
  }
}
