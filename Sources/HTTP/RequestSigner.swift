/// Signs a request for each sending: every retry and every failover host gets its own time, nonce and signature.
/// Until then only the request's image is known, with names in place of secrets.
package final class RequestSigner: Sendable, Hashable {
  /// A request as sent once.
  package struct Sending: Sendable {
    /// The request with a single URL, and everything confidential among its secrets.
    package let request: HTTPRequest
    /// Must be called once, when the answer has arrived or there will be none.
    package let release: @Sendable () -> Void

    package init(_ request: HTTPRequest, release: @escaping @Sendable () -> Void = {}) {
      (self.request, self.release) = (request, release)
    }
  }

  package typealias Sign = @Sendable (_ url: Int, _ patience: Duration) async throws(TransportError) -> Sending

  private let sign: Sign

  /// - Parameter sign: Creates the sending to the request's URL at an index.
  package init(_ sign: @escaping Sign) { self.sign = sign }

  /// - Parameter patience: How long to wait for the nonce's turn.
  package func sending(to url: Int, patience: Duration) async throws(TransportError) -> Sending {
    try await sign(url, patience)
  }

  package static func == (a: RequestSigner, b: RequestSigner) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
