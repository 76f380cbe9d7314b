import HTTP

/// Sends one request once. The network's is `CurlLoop.send`; the tests of the policies bring their own.
typealias Wire = @Sendable (WireRequest) async throws(TransportError) -> WireResponse
