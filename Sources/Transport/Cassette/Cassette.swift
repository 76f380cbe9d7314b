/// One recorded exchange of messages.
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
/// An exchange that failed has `"failure": "timeout"` (see `TransportError.cassetteText`) in the place of the status.
struct Cassette: Equatable, Sendable {
  /// What came back.
  enum Outcome: Equatable, Sendable {
    /// `body` is the name of a file beside the metadata; nil for an empty one.
    case answer(status: Int, headers: [HTTPHeader], body: String?)
    case failure(TransportError)
  }

  /// What a request must have in common with the recorded one, secrets redacted in both.
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
    method = request.method.uppercased()
    self.url = redaction(url)
    body = request.body.map { String(decoding: redaction($0), as: UTF8.self) }
  }
}

extension TransportError {
  private static let codes: [(code: String, make: @Sendable (String) -> TransportError?)] = [
    ("timeout", { $0.isEmpty ? .timeout : nil }),
    ("cannot-resolve", { .cannotResolve($0) }),
    ("cannot-connect", { .cannotConnect($0) }),
    ("tls", { .tls($0) }),
    ("too-large", { Int($0).map { .tooLarge(limit: $0) } }),
    ("redirect-refused", { .redirectRefused($0) }),
    ("bad-encoding", { $0.isEmpty ? .badEncoding : nil }),
    ("broken-off", { .brokenOff($0) }),
    ("not-in-cassette", { .notInCassette($0) }),
    ("cancelled", { $0.isEmpty ? .cancelled : nil }),
    ("other", { .other($0) }),
  ]

  /// The codes that `init(cassetteText:)` knows.
  static var cassetteCodes: [String] { codes.map(\.code) }

  /// The error as a cassette spells it: a code and, behind a blank, the details: `cannot-resolve api.example.com`.
  var cassetteText: String {
    let (code, detail) =
      switch self {
      case .timeout: ("timeout", "")
      case .cannotResolve(let detail): ("cannot-resolve", detail)
      case .cannotConnect(let detail): ("cannot-connect", detail)
      case .tls(let detail): ("tls", detail)
      case .tooLarge(let limit): ("too-large", "\(limit)")
      case .redirectRefused(let detail): ("redirect-refused", detail)
      case .badEncoding: ("bad-encoding", "")
      case .brokenOff(let detail): ("broken-off", detail)
      case .notInCassette(let detail): ("not-in-cassette", detail)
      case .cancelled: ("cancelled", "")
      case .other(let detail): ("other", detail)
      }
    return detail.isEmpty ? code : "\(code) \(detail)"
  }

  /// nil for a text that `cassetteText` does not make.
  init?(cassetteText: String) {
    let parts = cassetteText.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let code = parts.first, let entry = Self.codes.first(where: { $0.code == code }),
      let error = entry.make(parts.count > 1 ? String(parts[1]) : "")
    else { return nil }
    self = error
  }
}
