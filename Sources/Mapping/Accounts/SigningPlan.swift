package import Config
package import HTTP
import JSON
package import Quotes

/// What a request is signed with, besides the steps.
package struct SigningMaterial: Sendable {
  /// Each is taken once for each sending, and is the same wherever it stands.
  package var now: Instant
  /// In microseconds since 1970.
  package var nonce: Int64
  /// Version 4, in lower case.
  package var uuid: String
  /// By name.
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

/// Why a request could not be signed. Nothing in it is of a secret but its name.
package enum SigningProblem: Error, Hashable, Sendable {
  case noSecret(name: String)
  /// The secret, or what it comes to, cannot be used as it is.
  case badSecret(name: String, why: String)
  /// A name of `set`, or `keys`, has no value here.
  case noValue(placeholder: String)
  case crypto(CryptographyProblem)
}

/// A request as it is sent, and all that nobody may see of it.
package struct SignedRequest: Sendable {
  package var method: String
  package var url: String
  package var headers: [HTTPHeader]
  package var body: [UInt8]?
  /// The secrets in it, and every text that was made of one.
  package var secrets: [String]
}

/// How a request is put together and signed: a pure function of the steps in the config and of `SigningMaterial`.
package struct SigningPlan: Sendable {
  package let auth: AuthSpec
  let request: RequestSpec
  /// Of the request, besides those of `auth`.
  let headers: [(name: String, value: Template)]
  /// Of `set`.
  let constants: [(name: String, value: String)]
  let keys: String?
  let raw: AuthVector.RawTexts
  /// The values that are made of the texts of the request.
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

  /// The request to one base URL.
  package func signed(
    for baseURL: String, with material: SigningMaterial
  ) throws(SigningProblem) -> SignedRequest {
    var run = SigningRun(plan: self, baseURL: baseURL, material: material)
    return try run.signed()
  }

  /// The same with names in the place of secrets and of all that is made of them, and marks for time, nonce and uuid: what
  /// may be shown and recorded, and by which equal requests are found.
  package func shown(for baseURL: String) throws(SigningProblem) -> SignedRequest {
    var run = SigningRun(plan: self, baseURL: baseURL, material: nil)
    return try run.signed()
  }

  /// The secrets that whoever gets the request can read in it.
  package var legibleSecrets: [String] {
    let own = (request.templates + headers.map(\.value)).flatMap(\.secretNames)
    return (auth.legibleSecrets + own).unique
  }

  func isMadeOfText(_ template: SignedTemplate) -> Bool { template.isMade(ofTextOr: valuesOfTexts) }

  func isMadeOfText(_ json: SignedJSON) -> Bool { json.templates.contains { isMadeOfText($0) } }
}

extension SignedTemplate {
  /// Whether it is made of the query, the body or what holds them, or of one of these values.
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
