package import Config
package import HTTP

extension AuthVector {
  /// The difference between a computed request and the known answer.
  package enum Difference: Sendable {
    case member(String, expected: String, found: String?, node: ConfigNode)
    case problem(SigningProblem)
  }

  /// Computes the request and returns the first difference from the known answer; nil if there is none.
  ///
  /// - Parameter baseURL: the first base URL of signed requests.
  package func difference(from auth: AuthSpec, baseURL: String, crypto: any Cryptography) -> Difference? {
    let plan = SigningPlan(auth, request, constants: set, keys: keys, raw: raw)
    let material = SigningMaterial(
      now: now, nonce: nonce, uuid: uuid, secrets: secrets.mapValues { Secret($0) }, crypto: crypto)
    let signed: SignedRequest
    do {
      signed = try plan.signed(for: baseURL, with: material)
    } catch {
      return .problem(error)
    }
    if let method = sent.method, method.text != signed.method {
      return .member("'method'", expected: method.text, found: signed.method, node: method.node)
    }
    if let url = sent.url, url.text != signed.url {
      return .member("'url'", expected: url.text, found: signed.url, node: url.node)
    }
    for (name, value, node) in sent.headers {
      let found = signed.headers.first(named: name)
      if found != value { return .member("the header '\(name)'", expected: value, found: found, node: node) }
    }
    if let body = sent.body {
      let found = signed.body.map { String(decoding: $0, as: UTF8.self) }
      if found != body.text { return .member("'body'", expected: body.text, found: found, node: body.node) }
    }
    return nil
  }
}

extension SigningProblem {
  /// A description of the problem for the user.
  package var sentence: String {
    switch self {
    case .noSecret(let name): "missing secret '\(name)'"
    case .badSecret(let name, let why): "the secret '\(name)' cannot be used: \(why)"
    case .noValue(let placeholder): "missing value for '{\(placeholder)}'"
    case .crypto(let problem): problem.sentence
    }
  }
}
