package import Config
package import HTTP
import JSON
package import Quotes

/// The inputs of a signature, besides the config's steps.
package struct SigningMaterial: Sendable {
  /// The time, nonce and UUID are taken once per request sent, and are the same wherever they are used.
  package var now: Instant
  /// In microseconds since 1970.
  package var nonce: Int64
  /// Version 4, in lowercase.
  package var uuid: String
  /// The secrets by name.
  package var secrets: [String: Secret]
  package var crypto: any Cryptography

  package init(now: Instant, nonce: Int64, uuid: String, secrets: [String: Secret], crypto: any Cryptography) {
    self.now = now
    self.nonce = nonce
    self.uuid = uuid
    self.secrets = secrets
    self.crypto = crypto
  }
}

/// The reason why a request could not be signed. Contains no part of a secret except its name.
package enum SigningProblem: Error, Hashable, Sendable {
  case noSecret(name: String)
  /// The secret, or a value derived from it, is unusable.
  case badSecret(name: String, why: String)
  /// A name of `set`, or `keys`, has no value here.
  case noValue(placeholder: String)
  case crypto(CryptographyProblem)
}

/// A request as it is sent, and everything in it that must stay hidden.
package struct SignedRequest: Sendable {
  package var method: String
  package var url: String
  package var headers: [HTTPHeader]
  package var body: [UInt8]?
  /// The secrets in it, and every text derived from one.
  package var secrets: [String]
}

/// The way a request is assembled and signed: a pure function of the config's steps and `SigningMaterial`.
package struct SigningPlan: Sendable {
  package let auth: AuthSpec
  let request: RequestSpec
  /// The headers of the request, besides those of `auth`.
  let headers: [(name: String, value: Template)]
  /// The values of `set`.
  let constants: [(name: String, value: String)]
  let keys: String?
  let raw: AuthVector.RawTexts
  /// The names of the values that depend on texts of the request.
  private let valuesOfTexts: Set<String>

  package init(
    _ auth: AuthSpec, _ request: RequestSpec, headers: [(name: String, value: Template)] = [],
    constants: [(name: String, value: String)], keys: String? = nil,
    raw: AuthVector.RawTexts = AuthVector.RawTexts()
  ) {
    self.auth = auth
    self.request = request
    self.headers = headers
    self.constants = constants
    self.keys = keys
    self.raw = raw
    valuesOfTexts = auth.values.reduce(into: []) { result, value in
      let isOfText = value.value.templates.contains { $0.isMade(ofTextOr: result) }
      if isOfText { result.insert(value.name) }
    }
  }

  /// Returns the signed request to one base URL.
  package func signed(
    for baseURL: String, with material: SigningMaterial
  ) throws(SigningProblem) -> SignedRequest {
    var run = SigningRun(plan: self, baseURL: baseURL, material: material)
    return try run.signed()
  }

  /// Returns the request with names in place of secrets and everything derived from them, and marks for time, nonce and
  /// UUID. Safe to show and record; also used to match equal requests.
  package func shown(for baseURL: String) throws(SigningProblem) -> SignedRequest {
    var run = SigningRun(plan: self, baseURL: baseURL, material: nil)
    return try run.signed()
  }

  /// The secrets that anyone who sees the request can read in it.
  package var exposedSecrets: [String] {
    let own = (request.templates + headers.map(\.value)).flatMap(\.secretNames)
    return (auth.exposedSecrets + own).unique
  }

  func isMadeOfText(_ template: SignedTemplate) -> Bool { template.isMade(ofTextOr: valuesOfTexts) }

  func isMadeOfText(_ json: SignedJSON) -> Bool { json.templates.contains { isMadeOfText($0) } }
}

extension SignedTemplate {
  /// Returns whether the template uses the query, the body, anything that contains them, or one of these values.
  fileprivate func isMade(ofTextOr values: Set<String>) -> Bool {
    placeholders.contains { placeholder, _ in
      switch placeholder {
      case .part(.query), .part(.body), .part(.target), .part(.url): true
      case .name(let name): values.contains(name)
      default: false
      }
    }
  }
}
