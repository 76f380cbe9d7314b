/// Signs a request each time before it is sent: every retry and every next host has a time, a nonce and a signature of its
/// own. What is known of the request before is its image, with names in the place of secrets.
package final class RequestSigner: Sendable, Hashable {
  /// A request as it goes out once.
  package struct Sending: Sendable {
    /// With one URL, and all that nobody may see of it among its secrets.
    package let request: HTTPRequest
    /// To be called once, when the answer is there or there will be none.
    package let release: @Sendable () -> Void

    package init(_ request: HTTPRequest, release: @escaping @Sendable () -> Void = {}) {
      self.request = request
      self.release = release
    }
  }

  package typealias Sign = @Sendable (_ url: Int, _ patience: Duration) async throws(TransportError) -> Sending

  private let sign: Sign

  /// - Parameter sign: makes the sending to the request's URL of that number.
  package init(_ sign: @escaping Sign) { self.sign = sign }

  /// - Parameter patience: how long the turn of a nonce may be waited for.
  package func sending(to url: Int, patience: Duration) async throws(TransportError) -> Sending {
    try await sign(url, patience)
  }

  package static func == (a: RequestSigner, b: RequestSigner) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
