package import Config
package import HTTP
import JSON
package import Quotes

/// The values that fill the templates of a request.
package struct RequestContext: Sendable {
  /// The requested pair, in canonical names; nil for a table of all pairs.
  package var pair: Pair?
  /// The exchange's spelling of the pair; nil if its aliases suffice.
  package var spelling: PairSpelling?
  /// The number of levels, trades or candles to request.
  package var count: Int?
  /// The candles to request.
  package var candles: CandleRequest?
  /// The keys of a batch, joined.
  package var keys: String?
  package var now: Instant
  /// The instant whose day fills `{date:…}`: now, or a day before it.
  package var date: Instant
  /// The zone in which `from: "request"` names that day, in seconds ahead of UTC.
  package var dateZoneSeconds = 0
  /// Returns a secret of the table's owner by name; nil if there is none.
  package var secret: @Sendable (_ name: String) throws(AnswerFailure) -> String?
  /// Whether the run is over; checked while reading the response, whose length is up to the exchange.
  package var isLate: @Sendable () -> Bool = { false }

  package init(
    pair: Pair? = nil, keys: String? = nil, now: Instant,
    secret: @escaping @Sendable (String) throws(AnswerFailure) -> String? = { _ in nil }
  ) {
    self.pair = pair
    self.keys = keys
    self.now = now
    date = now
    self.secret = secret
  }
}

/// The values of `{interval}`, `{from…}` and `{to…}`.
package struct CandleRequest: Sendable, Hashable {
  package let word: IntervalWord
  /// The start of the first candle.
  package let from: Instant
  /// The last moment of the last candle.
  package let to: Instant

  package init(word: IntervalWord, from: Instant, to: Instant) {
    self.word = word
    self.from = from
    self.to = to
  }
}

extension RequestContext {
  /// The requested day: `2026-11-18`.
  var dayText: String {
    let shifted = Instant(
      nanoseconds: date.nanoseconds.addingReportingOverflow(Int64(dateZoneSeconds) * Instant.second).partialValue)
    return String(shifted.iso8601.prefix { $0 != "T" })
  }
}

/// A writer that fills the templates of requests. It fails if the user has not provided a secret, or if a template
/// needs a value that is not available, such as `{asset}` in a table of all pairs.
package struct RequestWriter {
  private let table: TableSpec
  private var context: RequestContext
  private var secrets: [String] = []
  private var clockValues: [HTTPRequest.ClockValue] = []

  package init(_ table: TableSpec, _ context: RequestContext) {
    self.table = table
    self.context = context
  }

  /// Returns the request for the table itself.
  package mutating func request(named name: String) throws(AnswerFailure) -> HTTPRequest {
    try write(table.request, baseURLs: table.baseURLs, headers: table.headers, name: name)
  }

  /// Returns the request for one of the table's lookups; nil if the lookup reads the row's own response.
  package mutating func request(for lookup: LookupSpec) throws(AnswerFailure) -> HTTPRequest? {
    guard let request = lookup.request else { return nil }
    return try write(
      request, baseURLs: lookup.baseURLs, headers: lookup.headers, name: "lookup-\(lookup.name)")
  }

  private mutating func write(
    _ request: RequestSpec, baseURLs: [String], headers: [(name: String, value: Template)], name: String
  ) throws(AnswerFailure) -> HTTPRequest {
    secrets = []
    clockValues = []
    // The slashes of an interval stay: it comes from the config.
    var target = try fill(request.path, keepsInterval: true, escape: PercentEncoding.pathValue)
    let keys = context.keys
    var sign = "?"
    for item in request.query {
      defer { context.keys = keys }
      for part in request.repeated.contains(item.name) ? separateKeys(keys) : [keys] {
        context.keys = part
        target += sign + PercentEncoding.query(item.name) + "="
        target += try fill(item.value, literal: PercentEncoding.query, escape: PercentEncoding.query)
        sign = "&"
      }
    }
    var body: [UInt8]?
    if let spec = request.body {
      defer { context.keys = keys }
      var writer = JSONWriter()
      let each = separateKeys(keys)
      try spec.write(keys, into: &writer) { element, isAlone in
        isAlone && element.isListOfKeys ? each : nil
      } filling: { (template, keys, writer) throws(AnswerFailure) in
        context.keys = keys
        let text = try fill(template)
        if template.isNumber, !text.isJSONNumber { throw .notANumber(template.anyName) }
        if isNumber(template) { writer.raw(text.utf8) } else { writer.string(text) }
      }
      body = writer.bytes
    }
    var form = ""
    for item in request.form {
      form += (form.isEmpty ? "" : "&") + PercentEncoding.strict(item.name) + "="
      form += try fill(item.value, literal: PercentEncoding.strict, escape: PercentEncoding.strict)
    }
    if !form.isEmpty { body = Array(form.utf8) }
    var filled: [HTTPHeader] = []
    for header in headers {
      filled.append(HTTPHeader(name: header.name, value: try fill(header.value)))
    }
    if body != nil { filled.addContentType(isForm: !form.isEmpty) }
    if !secrets.isEmpty, !baseURLs.allSatisfy({ URLRule.allows($0, .https) }) { throw Self.plainHTTP }
    return HTTPRequest(
      exchange: table.owner, name: name, method: request.method, urls: baseURLs.map { $0 + target }, headers: filled,
      body: body, secrets: secrets, clockValues: clockValues,
      limit: table.limit, cost: request.cost)
  }

  /// Returns the keys of a batch one by one.
  private func separateKeys(_ joined: String?) -> [String?] {
    guard let joined, let separator = table.batch?.separator, !separator.isEmpty else { return [joined] }
    return joined.split(separator: separator).map { String($0) }
  }

  private static let plainHTTP = AnswerFailure(.noSecret, "a secret is not sent over plain http")

  // MARK: Templates

  /// Returns whether a body string is just a count or a moment, or has `|number`, and so is sent as a number.
  private func isNumber(_ template: Template) -> Bool {
    if template.isNumber { return true }
    return switch template.onlyPlaceholder {
    case .nowMilliseconds, .nowSeconds, .from(.seconds), .from(.milliseconds), .to(.seconds), .to(.milliseconds): true
    case .interval: context.candles?.word.isNumber ?? false
    case .count: true
    default: false
    }
  }

  /// - Parameter keepsInterval: whether `{interval}` is not escaped.
  private mutating func fill(
    _ template: Template, keepsInterval: Bool = false, literal: (String) -> String = { $0 },
    escape: (String) -> String = { $0 }
  ) throws(AnswerFailure) -> String {
    try template.filled(
      literal: literal,
      escape: { value, placeholder, _ in
        if keepsInterval, case .interval = placeholder { value } else { escape(value) }
      },
      value: { (placeholder) throws(AnswerFailure) in try value(of: placeholder) })
  }

  private mutating func value(of placeholder: Template.Placeholder) throws(AnswerFailure) -> String {
    switch placeholder {
    case .nowMilliseconds: return moment(context.now, .milliseconds, .now)
    case .nowSeconds: return moment(context.now, .seconds, .now)
    case .from(let text):
      guard let candles = context.candles else { throw .missingValue("from") }
      return moment(candles.from, text, .from)
    case .to(let text):
      guard let candles = context.candles else { throw .missingValue("to") }
      return moment(candles.to, text, .to)
    case .interval:
      guard let candles = context.candles else { throw .missingValue("interval") }
      return candles.word.text
    case .date(let format, let offset):
      let text = format.format(context.date, offsetSeconds: offset)
      // Answers about different days are told apart by them. A short time may stand elsewhere in the request, too.
      guard format.hasTimeOfDay, text.utf8.count >= 8 else { return text }
      return moment(context.date, .format(format, offsetSeconds: offset), .now)
    case .secret(let name):
      guard let secret = try context.secret(name), !secret.isEmpty else { throw .missingSecret(name) }
      secrets.append(secret)
      return secret
    case .pair, .keys, .count, .name:
      let name = placeholder.name ?? ""
      guard let value = table.set.value(of: name) ?? ownValue(of: placeholder) else { throw .missingValue(name) }
      let currency: String? =
        switch placeholder {
        case .pair(.asset): context.pair?.asset
        case .pair(.payment): context.pair?.payment
        default: nil
        }
      if let currency, table.isNamesake(currency, spelled: value) { throw AnswerFailure(.notListed) }
      return value
    }
  }

  private mutating func moment(
    _ moment: Instant, _ written: Template.MomentText, _ mark: HTTPRequest.ClockValue.Mark
  ) -> String {
    let text = written.text(of: moment)
    clockValues.append(HTTPRequest.ClockValue(text, mark))
    return text
  }

  /// Returns the value that the request itself has, without constants.
  private func ownValue(of placeholder: Template.Placeholder) -> String? {
    switch placeholder {
    case .pair(let part): (context.spelling ?? context.pair.map { table.spelling(of: $0) })?[part]
    case .keys: context.keys
    case .count: context.count.map { String($0) }
    default: nil
    }
  }
}

extension TableSpec {
  /// Returns the exchange's spelling of a pair, according to its aliases.
  package func spelling(of pair: Pair) -> PairSpelling {
    PairSpelling(asset: exchangeSpelling(pair.asset), payment: exchangeSpelling(pair.payment))
  }

  /// Returns whether the exchange calls something else by this name of a currency, as its aliases say.
  func isNamesake(_ currency: String, spelled name: String) -> Bool {
    name == currency && aliases.contains { $0.from == currency && $0.to != currency }
  }

  /// Returns the count to request: limited to the maximum per response, or the smallest sufficient fixed number, else
  /// the largest. nil if the config does not specify any.
  package func count(for wanted: Int) -> Int? {
    guard counts.count > 1 else { return counts.last.map { min($0, max(wanted, 1)) } }
    return counts.first { $0 >= wanted } ?? counts.last
  }

  /// Returns the exchange's name of a currency: the first of its aliases that maps to it, else the name itself.
  func exchangeSpelling(_ currency: String) -> String {
    aliases.first { $0.to == currency }?.from ?? currency
  }
}

extension BodySpec {
  /// Whether it is a string with `{keys}`, which as the only element of an array is written once for each key.
  fileprivate var isListOfKeys: Bool {
    if case .text(let template) = self { template.placeholders.contains(.keys) } else { false }
  }
}

extension [HTTPHeader] {
  /// Adds the type of a body, unless there is one.
  mutating func addContentType(isForm: Bool) {
    guard first(named: "Content-Type") == nil else { return }
    let type = isForm ? "application/x-www-form-urlencoded" : "application/json"
    append(HTTPHeader(name: "Content-Type", value: type))
  }
}

extension AnswerFailure {
  fileprivate static func missingSecret(_ name: String) -> AnswerFailure {
    AnswerFailure(.noSecret, "missing secret '\(name)'")
  }

  fileprivate static func missingValue(_ placeholder: String) -> AnswerFailure {
    AnswerFailure(.notSent(.noRequest), "missing value for '{\(placeholder)}'")
  }

  fileprivate static func notANumber(_ placeholder: String) -> AnswerFailure {
    AnswerFailure(.notSent(.noRequest), "the value of '{\(placeholder)|number}' is not a number")
  }
}
