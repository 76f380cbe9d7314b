package import Quotes

/// What fills the templates of a request.
package struct RequestContext: Sendable {
  /// The pair asked for, in canonical names; nil for a table of all pairs.
  package var pair: Pair?
  /// The keys of a batch, joined.
  package var keys: String?
  package var now: Instant
  /// The instant whose day `{date:…}` names: now, or a day before it.
  package var date: Instant
  /// By which clock `from: "request"` tells that day: so far ahead of UTC.
  package var dateZoneSeconds = 0
  /// Looks a secret of the table's owner up by its name.
  package var secret: @Sendable (_ name: String) -> String?

  package init(
    pair: Pair? = nil, keys: String? = nil, now: Instant, secret: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.pair = pair
    self.keys = keys
    self.now = now
    date = now
    self.secret = secret
  }
}

extension RequestContext {
  /// The day asked for: `2026-11-18`.
  var dayText: String {
    let shifted = Instant(
      nanoseconds: date.nanoseconds.addingReportingOverflow(Int64(dateZoneSeconds) * 1_000_000_000).partialValue)
    return String(shifted.iso8601.prefix { $0 != "T" })
  }
}
