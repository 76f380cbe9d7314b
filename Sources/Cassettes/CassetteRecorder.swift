package import Files
package import HTTP
package import Quotes
import Synchronization

/// Records every request and answer that passes through it to `DIR/<Exchange>/NN-<name>.json` and `.body`, without
/// secrets.
///
///     let handler = RequestCoalescer().coalescing(CassetteRecorder(directory: "tapes").recording(client.handler))
///
/// Files are written atomically, and existing ones are never overwritten, not even by another program that records into
/// the same folder: numbering continues. A request whose recording cannot be written fails, as an incomplete recording
/// would be trusted.
package final class CassetteRecorder: Sendable {
  private let directory: String
  private let now: @Sendable () -> Instant
  private let numbers = RecordingNumbers()
  /// What the clock showed last, and how far it has been set back in all.
  private let clock = Mutex((last: Instant(nanoseconds: 0), behind: Duration.zero))

  package init(directory: String, now: @escaping @Sendable () -> Instant) {
    (self.directory, self.now) = (directory, now)
  }

  /// Creates the folder, so that what cannot be recorded ends before its first request.
  package func createFolder() throws(FileError) {
    try FileSystem.createFolder(directory)
    guard FileSystem.isWritable(directory) else {
      throw .failed(.write, path: directory, reason: "Permission denied")
    }
  }

  /// Returns the handler with recording. A cancelled request leaves nothing.
  package func recording(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    { request throws(TransportError) in
      let stem = try self.reserveStem(for: request)
      let response: HTTPResponse
      do throws(TransportError) {
        response = try await handler(request)
      } catch {
        // Once the failure is written, as the empty body is what reserves its number.
        defer { try? FileSystem.remove("\(stem).body") }
        if error != .cancelled { try self.record(error, of: request, stem: stem) }
        throw error
      }
      try self.record(response, of: request, stem: stem)
      return response
    }
  }

  private func record(_ response: HTTPResponse, of request: HTTPRequest, stem: String) throws(TransportError) {
    let redaction = Redaction(request.secrets)
    let headers = response.headers.filter(Self.isKept).map {
      HTTPHeader(name: $0.name, value: redaction($0.value))
    }
    let cassette = Cassette(
      key: Cassette.Key(request, url: response.url, redaction: redaction),
      outcome: .answer(status: response.status, headers: headers, body: FileSystem.name(of: stem) + ".body"),
      arrival: response.arrival ?? now(), behind: behind(at: response.arrival))
    // The body first: metadata without a body would be corrupt.
    try write(redaction(response.body), to: "\(stem).body", of: request)
    try write(cassette.json, to: "\(stem).json", of: request)
  }

  private func record(_ error: TransportError, of request: HTTPRequest, stem: String) throws(TransportError) {
    let redaction = Redaction(request.secrets)
    let cassette = Cassette(
      key: Cassette.Key(request, url: request.urls.first ?? "", redaction: redaction),
      outcome: .failure(redaction(error)), arrival: now(), behind: behind(at: nil))
    try write(cassette.json, to: "\(stem).json", of: request)
  }

  /// Returns how far the clock had been set back when an answer arrived, without which its arrival would not give its
  /// place among the others.
  private func behind(at arrival: Instant?) -> Duration {
    // Read inside the lock, as no other thread may have looked at it in between.
    clock.withLock { clock in
      let now = now()
      let before = clock.behind
      clock.behind += .nanoseconds(max(0, clock.last.nanoseconds(since: now)))
      clock.last = now
      // What is ahead of the clock has arrived before that was set back.
      return arrival.map { $0 > now } ?? false ? before : clock.behind
    }
  }

  /// Returns whether to keep a field, which excludes those that say nothing about the decoded body or may identify the
  /// caller.
  private static func isKept(_ header: HTTPHeader) -> Bool {
    let ofTheWire = ["connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"]
    return !header.mayBeSecret && !ofTheWire.contains(header.name.lowercased())
  }

  /// Returns the path of the next recording without its extension, and creates its folder and, empty, its body: one
  /// without metadata is merely litter if this program is killed.
  private func reserveStem(for request: HTTPRequest) throws(TransportError) -> String {
    let redaction = Redaction(request.secrets)
    let folder = "\(directory)/\(Self.safeFileName(redaction(request.exchange)))"
    do throws(FileError) {
      return try numbers.create(in: folder, named: redaction(request.name)) { stem throws(FileError) -> String? in
        guard try FileSystem.reserve("\(stem).body", mode: Self.mode(of: request)) else { return nil }
        if !FileSystem.isThere("\(stem).json") { return stem }
        try FileSystem.remove("\(stem).body")
        return nil
      }
    } catch {
      throw redaction(.other("recording: \(error)"))
    }
  }

  /// The permissions of its files, which are for their owner alone if the answer is private.
  private static func mode(of request: HTTPRequest) -> UInt32 {
    request.signer != nil || !request.secrets.isEmpty ? 0o600 : 0o644
  }

  private func write(_ bytes: [UInt8], to path: String, of request: HTTPRequest) throws(TransportError) {
    do {
      try FileSystem.writeAtomically(bytes, to: path, mode: Self.mode(of: request), isDurable: false)
    } catch {
      throw .other("recording: \(error)")
    }
  }

  /// The longest safe name in UTF-8: with a number and the endings of our files it fits the 255 bytes of a file system.
  private static let maximumNameBytes = 180

  /// Returns a name that is a safe path component on any system: letters of any script, digits, `-`, `_` and inner
  /// dots, at most 60 of them.
  package static func safeFileName(_ name: String) -> String {
    var safe = ""
    for scalar in name.unicodeScalars.prefix(60) {
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      let isInnerDot = scalar == "." && !safe.isEmpty
      safe.unicodeScalars.append(isPlain || scalar == "-" || scalar == "_" || isInnerDot ? scalar : "-")
    }
    while safe.utf8.count > maximumNameBytes || safe.unicodeScalars.last == "." { safe.unicodeScalars.removeLast() }
    return safe.isEmpty ? "unnamed" : safe
  }
}
