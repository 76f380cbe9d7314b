/// An exchange's answer, whatever its status.
package struct HTTPResponse: Sendable, Equatable {
  package var status: Int
  package var headers: [HTTPHeader]
  /// The body after decoding (gzip, br, zstd).
  package var body: [UInt8]
  /// When the last byte was here, in nanoseconds since 1970-01-01T00:00:00Z; of a replay, when the recorded one was.
  package var arrival: Int64
  /// The one of the request's URLs that answered, redacted. A redirect does not change it.
  package var url: String
  /// Where a replayed answer came from; nil for one from the network.
  package var cassette: CassetteOrigin?
  /// How often the request was sent before this answer, itself included; 0 for a replay.
  package var attempts: Int

  package init(
    status: Int, headers: [HTTPHeader] = [], body: [UInt8], arrival: Int64, url: String,
    cassette: CassetteOrigin? = nil, attempts: Int = 1
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.arrival = arrival
    self.url = url
    self.cassette = cassette
    self.attempts = attempts
  }
}
