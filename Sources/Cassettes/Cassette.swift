import HTTP

/// One recorded request and its answer.
///
///     {
///       "method": "GET",                                      (default)
///       "url": "https://api.example.com/ticker?key=REDACTED", (required)
///       "requestBody": "{\"id\":1}",                          (default: none)
///       "status": 200,                                        (default)
///       "headers": {"content-type": "application/json"},      (default: none)
///       "arrival": "2026-01-01T00:00:00.123456789Z",          (required)
///       "body": "01-ticker.body",                             (default: this file's name with `.body`; null: empty)
///       "note": "why this recording is here"                  (for people only)
///     }
///
/// A request that failed has `"failure": "timeout"` (see `TransportError.cassetteText`) in the place of the status.
struct Cassette: Equatable, Sendable {
  /// What came back.
  enum Outcome: Equatable, Sendable {
    /// `body` is the name of a file beside the metadata; nil for an empty one.
    case answer(status: Int, headers: [HTTPHeader], body: String?)
    case failure(TransportError)
  }

  /// What a request must have in common with the recorded one: secrets redacted in both, and `NOW` for what the clock
  /// filled in.
  struct Key: Hashable, Sendable {
    var method: String
    var url: String
    var body: String?
  }

  var key: Key
  var outcome: Outcome
  /// When the last byte was here, or the failure was known; nanoseconds since 1970.
  var arrival: Int64
}

extension Cassette.Key {
  /// The key of a request to one of its URLs.
  init(_ request: HTTPRequest, url: String, redaction: Redaction) {
    let moments = Redaction(request.moments, mark: "NOW")
    method = request.method.uppercased()
    self.url = moments(redaction(url))
    body = request.body.map { String(decoding: moments(redaction($0)), as: UTF8.self) }
  }
}
