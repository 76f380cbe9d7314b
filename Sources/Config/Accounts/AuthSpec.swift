package import Quotes

/// How the requests of an account are signed.
package struct AuthSpec: Sendable {
  package enum Hash: String, Sendable { case sha256, sha384, sha512 }

  /// What a name of `values` stands for.
  package enum Value: Sendable {
    case text(SignedTemplate)
    /// The code that only who has the key can make (RFC 2104).
    case hmac(Hash, of: SignedTemplate, key: SignedTemplate)
    /// A signature of RFC 8032.
    case ed25519(of: SignedTemplate, key: SignedTemplate)
    /// A token with these claims (RFC 7519), signed by HMAC.
    case token(Hash, claims: SignedJSON, key: SignedTemplate)
    /// The text of an object, without blanks.
    case json(SignedJSON)
  }

  /// In the order written: each may name those before it.
  package var values: [(name: String, value: Value)] = []
  /// What is added to a request.
  package var headers: [(name: String, value: SignedTemplate)] = []
  package var query: [(name: String, value: SignedTemplate)] = []
  package var form: [(name: String, value: SignedTemplate)] = []
  package var body: [(name: String, value: SignedJSON)] = []
  /// Where signed requests go; empty: where those of the exchange go.
  package var baseURLs: [String] = []
  package var vectors: [AuthVector] = []
  package let node: ConfigNode

  init(node: ConfigNode) { self.node = node }
}

extension AuthSpec.Value {
  /// What it is made of, its key not among it.
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
  /// What is sent of it: headers, parameters, members.
  package var sent: [SignedTemplate] {
    (headers + query + form).map(\.value) + body.flatMap { $0.value.templates }
  }

  /// Every template, in the order of the text.
  package var templates: [SignedTemplate] { values.flatMap { $0.value.templates } + sent }

  /// The secrets that a request needs, each once.
  package var secretNames: [String] {
    templates.flatMap(\.secretNames).unique
  }

  /// Those of them that whoever reads a request can read in it: sent as they are, or in a form that leads back to them.
  package var legibleSecrets: [String] {
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

  /// The steps in which the nonces of these requests rise; nil where they have none.
  package var nonceUnit: SignedTemplate.ClockUnit? { templates.lazy.compactMap(\.nonceUnit).first }
}

extension SignedTemplate.Filter {
  /// Whether nobody can go back from what comes out.
  fileprivate var isOneWay: Bool {
    switch self {
    case .sha256, .sha512, .md5: true
    default: false
    }
  }
}

/// A known answer: a request, and what is sent for it.
package struct AuthVector: Sendable {
  /// What of a request stands in the place of parameters or members: nothing is added before it.
  package struct RawTexts: Sendable {
    package var query: String?
    package var form: String?
    package var body: String?

    package init() {}
  }

  /// Of these what is given must be equal.
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
}

extension AuthVector {
  /// What `auth` adds to the request, and `sent` does not name.
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
