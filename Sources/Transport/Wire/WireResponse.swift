import HTTP

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
