import HTTP

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
