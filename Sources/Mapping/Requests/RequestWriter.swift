package import Config
import JSON
import Quotes

/// Fills the templates of a request.
package struct RequestWriter {
  private let table: TableSpec
  private let context: RequestContext
  private var secrets: [String] = []
  private var moments: [String] = []

  package init(_ table: TableSpec, _ context: RequestContext) {
    self.table = table
    self.context = context
  }

  /// The request for the table itself.
  package mutating func request(named name: String) throws(RequestError) -> PlannedRequest {
    try write(table.request, baseURLs: table.baseURLs, headers: table.headers, name: name)
  }

  /// The request for one of the table's lookups; nil when the lookup reads the row's own response.
  package mutating func request(for lookup: LookupSpec) throws(RequestError) -> PlannedRequest? {
    guard let request = lookup.request else { return nil }
    return try write(
      request, baseURLs: lookup.baseURLs, headers: lookup.headers, name: "lookup-\(lookup.name)")
  }

  /// The request for the order book of the context's pair.
  package mutating func request(for book: BookSpec) throws(RequestError) -> PlannedRequest {
    let pair = context.pair.map { "-\($0.asset)-\($0.payment)" } ?? ""
    return try write(book.request, baseURLs: book.baseURLs, headers: book.headers, name: "orderbook\(pair)")
  }

  private mutating func write(
    _ request: RequestSpec, baseURLs: [String], headers: [(name: String, value: Template)], name: String
  ) throws(RequestError) -> PlannedRequest {
    secrets = []
    moments = []
    var target = try fill(request.path, escaping: PercentEncoding.pathValue)
    for (index, item) in request.query.enumerated() {
      target += index == 0 ? "?" : "&"
      target += PercentEncoding.query(item.name) + "="
      target += try fill(item.value, escapingLiterals: PercentEncoding.query, escaping: PercentEncoding.query)
    }
    var body: [UInt8]?
    if let spec = request.body {
      var writer = JSONWriter()
      try write(spec, into: &writer)
      body = writer.bytes
    }
    var filled: [PlannedRequest.Header] = []
    for header in headers {
      filled.append(.init(name: header.name, value: try fill(header.value)))
    }
    if body != nil, !filled.contains(where: { $0.name.lowercased() == "content-type" }) {
      filled.append(.init(name: "Content-Type", value: "application/json"))
    }
    if !secrets.isEmpty, !baseURLs.allSatisfy(Self.mayReceiveSecrets) { throw .noSecret(name: "over plain http") }
    return PlannedRequest(
      owner: table.owner, name: name, method: request.method, urls: baseURLs.map { $0 + target }, headers: filled,
      body: body, secrets: secrets, moments: moments, limit: table.limit, cost: request.cost)
  }

  private static func mayReceiveSecrets(_ url: String) -> Bool {
    if url.hasPrefix("https://") { return true }
    return url.hasPrefix("http://") && LoopbackHost.matches(url.dropFirst(7))
  }

  private mutating func write(_ body: BodySpec, into writer: inout JSONWriter) throws(RequestError) {
    switch body {
    case .text(let template): writer.string(try fill(template))
    case .literal(let text): writer.raw(Array(text.utf8))
    case .array(let elements):
      writer.beginArray()
      for element in elements { try write(element, into: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(member.name)
        try write(member.value, into: &writer)
      }
      writer.endObject()
    }
  }

  // MARK: Templates

  private mutating func fill(
    _ template: Template, escapingLiterals: (String) -> String = { $0 }, escaping: (String) -> String = { $0 }
  ) throws(RequestError) -> String {
    var text = ""
    for piece in template.pieces {
      switch piece {
      case .text(let literal): text += escapingLiterals(literal)
      case .placeholder(let placeholder, let letters):
        let value = try value(of: placeholder)
        switch letters {
        case .lower: text += escaping(value.lowercased())
        case .upper: text += escaping(value.uppercased())
        case nil: text += escaping(value)
        }
      }
    }
    return text
  }

  private mutating func value(of placeholder: Template.Placeholder) throws(RequestError) -> String {
    switch placeholder {
    case .nowMilliseconds: return moment(context.now.nanoseconds / 1_000_000)
    case .nowSeconds: return moment(context.now.nanoseconds / 1_000_000_000)
    case .date(let format, let offset): return format.format(context.date, offsetSeconds: offset)
    case .secret(let name):
      guard table.isTrusted, let secret = context.secret(name), !secret.isEmpty else { throw .noSecret(name: name) }
      secrets.append(secret)
      return secret
    case .name(let name):
      guard let value = value(named: name) else { throw .noValue(placeholder: name) }
      return value
    }
  }

  private mutating func moment(_ count: Int64) -> String {
    moments.append(String(count))
    return String(count)
  }

  private func value(named name: String) -> String? {
    if let constant = table.set.first(where: { $0.name == name }) { return constant.value }
    switch name {
    case "asset": return context.pair.map { table.exchangeSpelling($0.asset) }
    case "payment": return context.pair.map { table.exchangeSpelling($0.payment) }
    case "keys": return context.keys
    default: return nil
    }
  }
}

extension TableSpec {
  /// The exchange's name of a currency: the first of its aliases that leads to it, else the name itself.
  func exchangeSpelling(_ currency: String) -> String {
    aliases.first { $0.to == currency }?.from ?? currency
  }
}
