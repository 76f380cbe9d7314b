package import Files
package import HTTP
package import Quotes
import Synchronization

/// Records every request and answer that passes through it to `DIR/<Exchange>/NN-<name>.json` and `.body`, without
/// secrets.
///
///     let handler = RequestCoalescer().coalescing(CassetteRecorder(directory: "tapes").recording(client.handler))
///
/// Files are written atomically, and existing ones are never overwritten: numbering continues. A request whose
/// recording cannot be written fails, as an incomplete recording would be trusted.
package final class CassetteRecorder: Sendable {
  private let directory: String
  private let now: @Sendable () -> Instant
  private let numbers = RecordingNumbers()

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
      arrival: response.arrival ?? now())
    // The body first: metadata without a body would be corrupt, a body without metadata is merely litter.
    try write(redaction(response.body), to: "\(stem).body", of: request)
    try write(cassette.json, to: "\(stem).json", of: request)
  }

  private func record(_ error: TransportError, of request: HTTPRequest, stem: String) throws(TransportError) {
    let redaction = Redaction(request.secrets)
    let cassette = Cassette(
      key: Cassette.Key(request, url: request.urls.first ?? "", redaction: redaction),
      outcome: .failure(redaction(error)), arrival: now())
    try write(cassette.json, to: "\(stem).json", of: request)
  }

  /// Returns whether to keep a field, which excludes those that say nothing about the decoded body or may identify the
  /// caller.
  private static func isKept(_ header: HTTPHeader) -> Bool {
    let ofTheWire = ["connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"]
    return !header.mayBeSecret && !ofTheWire.contains(header.name.lowercased())
  }

  /// Returns the path of the next recording without its extension, and creates its folder.
  private func reserveStem(for request: HTTPRequest) throws(TransportError) -> String {
    let redaction = Redaction(request.secrets)
    let folder = "\(directory)/\(Self.safeFileName(redaction(request.exchange)))"
    do {
      return try numbers.stem(in: folder, named: redaction(request.name))
    } catch {
      throw redaction(.other("recording: \(error)"))
    }
  }

  /// Writes a file, readable by its owner alone if the answer is private.
  private func write(_ bytes: [UInt8], to path: String, of request: HTTPRequest) throws(TransportError) {
    let isPrivate = request.signer != nil || !request.secrets.isEmpty
    do {
      try FileSystem.writeAtomically(bytes, to: path, mode: isPrivate ? 0o600 : 0o644, isDurable: false)
    } catch {
      throw .other("recording: \(error)")
    }
  }

  /// Returns a name that is a safe path component on any system: letters of any script, digits, `-`, `_` and inner
  /// dots, at most 60 of them, which fits the 255 bytes of a file system.
  package static func safeFileName(_ name: String) -> String {
    var safe = ""
    for scalar in name.unicodeScalars.prefix(60) {
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      let isInnerDot = scalar == "." && !safe.isEmpty
      safe.unicodeScalars.append(isPlain || scalar == "-" || scalar == "_" || isInnerDot ? scalar : "-")
    }
    return safe.isEmpty ? "unnamed" : safe
  }
}

/// Numbers the recordings in each folder, following those that are already there.
final class RecordingNumbers: Sendable {
  /// The last number used in each folder.
  private let last = Mutex<[String: Int]>([:])

  /// Returns the path of the next recording without its extension, and creates its folder.
  func stem(in folder: String, named name: String) throws(FileError) -> String {
    try FileSystem.createFolder(folder)
    // No recording of ours has a longer number.
    let numbers = try FileSystem.names(in: folder).compactMap { Int($0.prefix { $0.isNumber }) }
    let found = numbers.filter { $0 < 1_000_000_000 }.max() ?? 0
    let number = last.withLock { last in
      // Some file systems ignore case in folder names.
      let number = max(last[folder.lowercased(), default: 0], found) + 1
      last[folder.lowercased()] = number
      return number
    }
    return "\(folder)/\(number.padded(to: 2))-\(CassetteRecorder.safeFileName(name))"
  }
}
