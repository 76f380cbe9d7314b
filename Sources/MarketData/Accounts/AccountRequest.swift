import Config
import HTTP
import Mapping
import Quotes

/// An account request, which is signed again for each attempt.
struct AccountRequest: Sendable {
  let plan: SigningPlan
  let baseURLs: [String]
  let exchange: String
  let name: String
  let limit: RateLimit?
  let cost: Int
  let secrets: [String: Secret]

  /// Returns the request with names in place of secrets, along with its signer.
  func written(
    _ dependencies: AccountDependencies, now: @escaping @Sendable () -> Instant
  ) throws(AnswerFailure) -> HTTPRequest {
    let images: [SignedRequest]
    do {
      images = try baseURLs.map { url throws(SigningProblem) in try plan.shown(for: url) }
    } catch {
      throw error.failure
    }
    guard let first = images.first else { throw AnswerFailure(.notSent(.noRequest), "it has no base URL") }
    var request = request(like: first, to: images.map(\.url), secrets: [])
    request.signer = RequestSigner { index, patience throws(TransportError) in
      try await sending(index, dependencies, now, patience: patience)
    }
    return request
  }

  private func sending(
    _ index: Int, _ dependencies: AccountDependencies, _ now: @Sendable () -> Instant, patience: Duration
  ) async throws(TransportError) -> RequestSigner.Sending {
    let url = baseURLs[index]
    var turn: (any NonceTurn)?
    do throws(SecretProblem) {
      if let unit = plan.auth.nonceUnit {
        try await dependencies.clock?.check(url)
        turn = try await dependencies.nonces.turn(
          of: NonceKey(exchange: exchange, auth: plan.auth, secrets: secrets), unit: unit, now: now(),
          patience: patience)
      }
    } catch {
      throw error.transportError
    }
    do throws(SigningProblem) {
      let moment = now()
      let material = SigningMaterial(
        now: moment, nonce: turn?.microseconds ?? moment.nanoseconds / 1000, uuid: Self.randomUUID(),
        secrets: secrets, crypto: dependencies.crypto)
      let signed = try plan.signed(for: url, with: material)
      let taken = turn
      return RequestSigner.Sending(request(like: signed, to: [signed.url], secrets: signed.secrets)) {
        taken?.release()
      }
    } catch {
      turn?.release()
      throw error.transportError
    }
  }

  /// Returns a random UUID in lowercase (RFC 9562, version 4).
  private static func randomUUID() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(bytes.hexadecimal)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }

  private func request(like signed: SignedRequest, to urls: [String], secrets: [String]) -> HTTPRequest {
    HTTPRequest(
      exchange: exchange, name: name, method: signed.method, urls: urls, headers: signed.headers, body: signed.body,
      secrets: secrets, clockValues: [], limit: limit, cost: cost)
  }
}

extension SigningProblem {
  private var reason: NotSent {
    switch self {
    case .noSecret: .noSecret
    case .badSecret: .badSecret
    case .noValue: .noRequest
    case .crypto: .noCrypto
    }
  }

  var transportError: TransportError { .notSent(reason: reason, sentence) }

  var failure: AnswerFailure { AnswerFailure(.notSent(reason), sentence) }
}
