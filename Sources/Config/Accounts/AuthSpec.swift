package import Quotes

/// The way the requests of an account are signed.
package struct AuthSpec: Sendable {
  package enum Hash: String, Sendable { case sha256, sha384, sha512 }

  /// A value that `values` gives a name.
  package enum Value: Sendable {
    case text(SignedTemplate)
    /// An authentication code that only the holder of the key can compute (RFC 2104).
    case hmac(Hash, of: SignedTemplate, key: SignedTemplate)
    /// A signature according to RFC 8032.
    case ed25519(of: SignedTemplate, key: SignedTemplate)
    /// A token with these claims (RFC 7519), signed with HMAC.
    case token(Hash, claims: SignedJSON, key: SignedTemplate)
    /// The text of an object, without whitespace.
    case json(SignedJSON)
  }

  /// In source order: each may refer to those before it.
  package var values: [(name: String, value: Value)] = []
  /// The additions to a request.
  package var headers: [(name: String, value: SignedTemplate)] = []
  package var query: [(name: String, value: SignedTemplate)] = []
  package var form: [(name: String, value: SignedTemplate)] = []
  package var body: [(name: String, value: SignedJSON)] = []
  /// The hosts of signed requests; if empty, those of the exchange.
  package var baseURLs: [String] = []
  package var vectors: [AuthVector] = []
  /// What else a refusal may mean, in a few words for the user.
  package var note: String?
  /// The exchange's error codes that the note is about; nil for all.
  package var refusedCodes: [String]?
  package let node: ConfigNode

  init(node: ConfigNode) { self.node = node }
}

extension AuthSpec.Value {
  /// The templates that it is computed from, except its key.
  package var operands: [SignedTemplate] {
    switch self {
    case .text(let template): [template]
    case .hmac(_, let template, _), .ed25519(let template, _): [template]
    case .token(_, let claims, _): claims.templates
    case .json(let object): object.templates
    }
  }

  package var key: SignedTemplate? {
    switch self {
    case .hmac(_, _, let key), .ed25519(_, let key), .token(_, _, let key): key
    case .text, .json: nil
    }
  }

  package var templates: [SignedTemplate] { operands + [key].compactMap(\.self) }
}

extension AuthSpec {
  /// The templates that are sent: headers, parameters, members.
  package var sent: [SignedTemplate] {
    (headers + query + form).map(\.value) + body.flatMap { $0.value.templates }
  }

  /// Every template, in source order.
  package var templates: [SignedTemplate] { values.flatMap { $0.value.templates } + sent }

  /// The secrets that a request needs, without duplicates.
  package var secretNames: [String] { templates.flatMap(\.secretNames).unique }

  /// The secrets that anyone who reads a request can recover: sent as they are, or in a reversible form.
  package var exposedSecrets: [String] {
    var ofValues: [String: Set<String>] = [:]
    func legible(in template: SignedTemplate) -> Set<String> {
      template.placeholders.reduce(into: []) { result, item in
        guard !item.filters.contains(where: \.isOneWay) else { return }
        switch item.placeholder {
        case .secret(let name): result.insert(name)
        case .name(let name): result.formUnion(ofValues[name] ?? [])
        default: break
        }
      }
    }
    for (name, value) in values {
      switch value {
      case .hmac, .ed25519: ofValues[name] = []
      case .text, .token, .json: ofValues[name] = value.operands.reduce(into: []) { $0.formUnion(legible(in: $1)) }
      }
    }
    let legible = sent.reduce(into: Set<String>()) { $0.formUnion(legible(in: $1)) }
    return secretNames.filter(legible.contains)
  }

  /// The unit of the nonces of these requests; nil if they have none.
  package var nonceUnit: SignedTemplate.ClockUnit? { templates.lazy.compactMap(\.nonceUnit).first }
}

extension SignedTemplate.Filter {
  /// Whether the filter cannot be reversed.
  fileprivate var isOneWay: Bool {
    switch self {
    case .sha256, .sha512, .md5: true
    default: false
    }
  }
}

/// A known answer: a request and what must be sent for it.
package struct AuthVector: Sendable {
  /// The request's parameters or members when given as a single text: nothing is added before it.
  package struct RawTexts: Sendable {
    package var query: String?
    package var form: String?
    package var body: String?

    package init() {}
  }

  /// The expected parts of a request. Those given must be equal.
  package struct Sent: Sendable {
    package var method: (text: String, node: ConfigNode)?
    package var url: (text: String, node: ConfigNode)?
    package var headers: [(name: String, value: String, node: ConfigNode)] = []
    package var body: (text: String, node: ConfigNode)?
  }

  package let request: RequestSpec
  package var raw = RawTexts()
  package var now = Instant(nanoseconds: 0)
  /// In microseconds.
  package var nonce: Int64 = 0
  package var uuid: String
  package var set: [(name: String, value: String)] = []
  package var keys: String?
  package var secrets: [String: String] = [:]
  package var sent = Sent()
  package let node: ConfigNode

  /// Returns what `auth` adds to the request but `sent` does not mention.
  func unnamed(of auth: AuthSpec) -> [String] {
    let named = Set(sent.headers.map { $0.name.lowercased() })
    var unnamed = auth.headers.map(\.name).filter { !named.contains($0.lowercased()) }.map { "the header '\($0)'" }
    if !auth.query.isEmpty, sent.url == nil { unnamed.append("the 'url'") }
    if request.method != "GET", !auth.form.isEmpty || !auth.body.isEmpty, sent.body == nil {
      unnamed.append("the 'body'")
    }
    return unnamed
  }
}
