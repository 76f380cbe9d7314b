/// One sending of a request to one URL: no policy left in it.
struct WireRequest: Sendable {
  var method: String
  var url: String
  var headers: [HTTPHeader]
  var body: [UInt8]?
  /// The whole time this sending may take, in nanoseconds, resolving and connecting included. More than 0.
  var timeout: Int64
  /// The longest body that is taken, in bytes after decoding.
  var maximumBytes: Int
}

/// What came back for one sending.
struct WireResponse: Sendable {
  var status: Int
  var headers: [HTTPHeader]
  var body: [UInt8]
  /// When the last byte was here, in nanoseconds since 1970-01-01T00:00:00Z.
  var arrival: Int64
  /// Where a redirect leads, as an absolute URL.
  var redirectTarget: String?
}

/// Sends one request once. The network's is `CurlLoop.send`; the tests of the policies bring their own.
typealias Wire = @Sendable (WireRequest) async throws(TransportError) -> WireResponse
