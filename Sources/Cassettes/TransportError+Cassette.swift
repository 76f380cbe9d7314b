import HTTP

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
  package var cassetteText: String {
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
  package init?(cassetteText: String) {
    let parts = cassetteText.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let code = parts.first, let entry = Self.codes.first(where: { $0.code == code }),
      let error = entry.make(parts.count > 1 ? String(parts[1]) : "")
    else { return nil }
    self = error
  }
}
