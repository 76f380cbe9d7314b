package import Quotes

/// Anything that answers requests: the network, a cassette, a test. Layers are functions from one handler to another.
package typealias HTTPHandler = @Sendable (HTTPRequest) async throws(TransportError) -> HTTPResponse

extension Result {
  /// Creates the result of asynchronous work that may throw.
  package init(
    isolation: isolated (any Actor)? = #isolation, catching work: () async throws(Failure) -> Success
  ) async {
    do throws(Failure) { self = .success(try await work()) } catch { self = .failure(error) }
  }
}

/// An exchange's answer, whatever its status.
package struct HTTPResponse: Sendable, Equatable {
  package var status: Int
  package var headers: [HTTPHeader]
  /// The body after decoding (gzip, br, zstd), without a byte order mark.
  package var body: [UInt8]
  /// When the last byte was received, or recorded in a replay, or when a kept answer was taken; nil if unknown (a saved
  /// file).
  package var arrival: Instant?
  /// How long an earlier run had kept it before it was taken; nil for a new one.
  package var kept: Duration?
  /// The request URL that answered, redacted. A redirect does not change it.
  package var url: String
  /// The target of a redirect, as an absolute URL.
  package var redirectTarget: String?
  /// Whether it comes from a recording, rather than from the network.
  package var isRecorded: Bool
  /// How many times the request was sent to get this answer; 0 for a replay.
  package var attempts: Int
  /// How long its host wants no other request, from when it was returned (`Retry-After`); nil if it did not say.
  package var pause: Duration?

  package init(
    status: Int = 200, headers: [HTTPHeader] = [], body: [UInt8], arrival: Instant? = nil, url: String = "",
    redirectTarget: String? = nil, isRecorded: Bool = false, attempts: Int = 1
  ) {
    self.status = status
    self.headers = headers
    self.body = body.withoutByteOrderMark
    self.arrival = arrival
    self.url = url
    self.redirectTarget = redirectTarget
    self.isRecorded = isRecorded
    self.attempts = attempts
  }

  /// Returns whether a status turns the sender away, whatever it asks for: without a login, from its region or address,
  /// or after too many requests. Another request soon would fare no better, and a valid one may succeed another day.
  package static func isDenial(_ status: Int) -> Bool { [401, 403, 407, 418, 429, 451].contains(status) }

  /// When the host made the answer, if a cache on the way or an earlier run has kept it since; nil if none has, as far as
  /// is known.
  package var made: Instant? {
    let age = headers.cacheAge ?? 0
    guard let arrival, age > 0 || kept != nil else { return nil }
    return arrival.advanced(by: .zero - .seconds(age) - (kept ?? .zero))
  }
}

extension [HTTPHeader] {
  /// For how many seconds caches have kept the answer (`Age`, RFC 9111 §5.1), ten years at most; nil if none says so.
  /// Of a list the first number counts, of several fields the largest.
  package var cacheAge: Int64? {
    compactMap { field -> Int64? in
      guard field.name.lowercased() == "age" else { return nil }
      let age = field.value.prefix { $0 != "," }.trimmingBlanks()
      guard !age.isEmpty, age.utf8.allSatisfy(\.isDigit) else { return nil }
      // A number too large for Int64 is a very long time, not a mistake.
      return Swift.min(Int64(age) ?? .max, 315_360_000)
    }.max()
  }
}

/// The limits of one answer: several times the largest table of any exchange (10 MB, 3,500 rows of 25 members), and
/// small enough that a dozen answers at their limits fit into a small machine.
package enum AnswerLimit {
  /// Bytes after decoding.
  package static let bytes = 16 << 20
  /// Bytes of a stream's message, before and after decompression.
  package static let messageBytes = 16 << 20
  /// Rows of one table, lookup or side of an order book.
  package static let rows = 30_000
  /// Values and names of an answer that is parsed as a tree; arrays and objects count twice.
  package static let values = 2_000_000
  /// Requests of one table that is fetched in batches.
  package static let batches = 200
}
