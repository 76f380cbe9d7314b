import Files
import HTTP
package import JSON
import Quotes

/// A recorded request and its answer.
///
///     {
///       "method": "GET",                                      (default)
///       "url": "https://api.example.com/ticker?key=REDACTED", (required)
///       "requestBody": "{\"id\":1}",                          (default: none)
///       "status": 200,                                        (default)
///       "headers": {"content-type": "application/json"},      (default: none)
///       "arrival": "2026-01-01T00:00:00.123456789Z",          (required)
///       "behind": 3000,                                       (ms that the clock had been set back; default: 0)
///       "body": "01-ticker.body",                             (default: this file's name with `.body`; null: empty)
///       "note": "why this recording is here"                  (for humans only)
///     }
///
/// A request that failed has `"failure": "timeout"` (see `TransportError.cassetteText`) instead of the status.
struct Cassette: Equatable, Sendable {
  enum Outcome: Equatable, Sendable {
    /// `body` is the name of a file next to the metadata; nil for an empty body.
    case answer(status: Int, headers: [HTTPHeader], body: String?)
    case failure(TransportError)
  }

  /// The properties that a request must share with the recorded one, with secrets redacted in both and marks for what
  /// the clock filled in.
  struct Key: Hashable, Sendable {
    var method: String
    var url: String
    var body: String?
  }

  var key: Key
  var outcome: Outcome
  /// When the last byte was received, or the failure was known.
  var arrival: Instant
  /// How far the clock had been set back since the run began: see ``ClockJump``.
  var behind = Duration.zero
}

extension Cassette.Key {
  /// Creates the key of a request to one of its URLs.
  init(_ request: HTTPRequest, url: String, redaction: Redaction) {
    method = request.method.uppercased()
    self.url = request.replacingClockValues(redaction(url))
    body = request.body.map { request.replacingClockValues(String(decoding: redaction($0), as: UTF8.self)) }
  }

  /// Returns the keys that a recording of a request to one of its URLs may have: see ``HTTPRequest/spellings(of:)``.
  static func all(_ request: HTTPRequest, url: String, redaction: Redaction) -> [Cassette.Key] {
    let bodies: [String?] =
      request.body.map { request.spellings(of: String(decoding: redaction($0), as: UTF8.self)) } ?? [nil]
    let urls = request.spellings(of: redaction(url))
    // As of a single text with too many spellings, only the first is tried.
    let count = urls.count * bodies.count > HTTPRequest.maximumSpellings ? 1 : Int.max
    return urls.prefix(count).flatMap { url in
      bodies.prefix(count).map { Cassette.Key(method: request.method.uppercased(), url: url, body: $0) }
    }
  }
}

/// An error in a cassette, and its position.
package struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// nil if the error concerns the whole file.
  package var position: SourcePosition?
  package var message: String
  /// Whether the message names the file itself.
  package var namesFile = false

  /// `Bitget/01-tickers.json:3:12: …`; only the message if it concerns the whole file and names it.
  package var description: String {
    if let position { return "\(file):\(position.line):\(position.column): \(message)" }
    return namesFile ? message : "\(file): \(message)"
  }

  /// A folder to replay that holds nothing: every request would fail, at a time that no answer has.
  package static func noRecordings(in folder: String) -> CassetteError {
    CassetteError(
      file: folder, message: "'\(folder)' has no recordings; make some first with: --record \(folder)", namesFile: true)
  }

  /// Returns the error with the question whether the folder that was named is one of recordings.
  func asking(about folder: String) -> CassetteError {
    var error = self
    error.message += "; is '\(folder)' a folder that --record DIR has made?"
    return error
  }

  /// Reads a file or a folder of recordings; any error concerns all of it.
  static func reading<Value>(
    _ path: String, _ read: (String) throws(FileError) -> Value
  ) throws(CassetteError) -> Value {
    do {
      return try read(path)
    } catch {
      throw CassetteError(file: path, message: "\(error)", namesFile: true)
    }
  }

  static func bytes(of file: String) throws(CassetteError) -> [UInt8] {
    try reading(file) { path throws(FileError) in try FileSystem.read(path) }
  }
}

extension Cassette {
  /// The metadata as written to disk.
  var json: [UInt8] {
    var json: JSONValue = ["method": .string(key.method), "url": .string(key.url)]
    if let body = key.body { json += ["requestBody": .string(body)] }
    if case .answer(let status, let headers, _) = outcome {
      let headers = Self.joined(headers).map { ($0.name, JSONValue.string($0.value)) }
      json += ["status": .integer(status), "headers": .members(headers)]
    }
    json += ["arrival": .string(arrival.iso8601)]
    json += behind.recorded
    switch outcome {
    case .answer(_, _, let body): json += ["body": .text(body)]
    case .failure(let error): json += ["failure": .string(error.cassetteText)]
    }
    return json.document + [UInt8(ascii: "\n")]
  }

  /// Merges fields of the same name into one, with the values in order, separated by commas (RFC 9110 §5.3).
  private static func joined(_ headers: [HTTPHeader]) -> [HTTPHeader] {
    var result: [HTTPHeader] = []
    for header in headers {
      let name = header.name.lowercased()
      if let index = result.firstIndex(where: { $0.name == name }) {
        result[index].value += ", \(header.value)"
      } else {
        result.append(HTTPHeader(name: name, value: header.value))
      }
    }
    return result
  }

  /// Parses metadata. `file` is its path, for errors and for the default name of the body.
  init(parsing bytes: [UInt8], file: String) throws(CassetteError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw CassetteError(
        file: file, position: SourceMap(bytes).position(of: error.offset), message: "\(error.problem)")
    }
    self = try CassetteReader(document: document, file: file).cassette()
  }
}

/// A parser of one metadata file, member by member; every error has a position.
private struct CassetteReader {
  static let members = [
    "method", "url", "requestBody", "status", "headers", "arrival", "behind", "body", "failure", "note",
  ]

  let document: JSONDocument
  let file: String

  func cassette() throws(CassetteError) -> Cassette {
    let root = document.root
    guard root.kind == .object else { throw error("expected an object", at: root) }
    for member in root.members where !Self.members.contains(member.name) {
      let known = Self.members.joined(separator: ", ")
      throw error("unknown member '\(member.name)'; expected \(known)", at: member.key)
    }
    if let double = document.root.duplicateMembers().first {
      throw error("duplicate member '\(double.string ?? "")'", at: double)
    }
    let key = Cassette.Key(
      method: try text("method")?.uppercased() ?? "GET", url: try required("url"), body: try text("requestBody"))
    let arrival = try required("arrival")
    guard let instant = Instant.iso8601(arrival, defaultOffsetSeconds: 0) else {
      throw error("invalid time '\(arrival)'; expected one like 2026-01-01T00:00:00.123Z", at: root["arrival"] ?? root)
    }
    guard let behind = Duration(recordedIn: root) else {
      throw error("expected a number of milliseconds", at: root["behind"] ?? root)
    }
    return Cassette(key: key, outcome: try outcome(), arrival: instant, behind: behind)
  }

  private func outcome() throws(CassetteError) -> Cassette.Outcome {
    let root = document.root
    if let text = try text("failure"), let node = root["failure"] {
      if let status = root["status"] { throw error("a failure cannot have a status", at: status) }
      guard let failure = TransportError(cassetteText: text) else {
        let known = TransportError.codes.joined(separator: ", ")
        throw error("unknown failure '\(text)'; expected \(known)", at: node)
      }
      return .failure(failure)
    }
    return .answer(status: try status(), headers: try headers(), body: try body())
  }

  private func status() throws(CassetteError) -> Int {
    guard let node = document.root["status"] else { return 200 }
    guard let status = node.numberText.flatMap({ Int($0) }), (100...999).contains(status) else {
      throw error("expected a status of three digits", at: node)
    }
    return status
  }

  private func headers() throws(CassetteError) -> [HTTPHeader] {
    guard let node = document.root["headers"] else { return [] }
    guard node.kind == .object else { throw error("expected an object of strings", at: node) }
    var headers: [HTTPHeader] = []
    for member in node.members {
      guard let value = member.value.string else { throw error("expected a string", at: member.value) }
      headers.append(HTTPHeader(name: member.name, value: value))
    }
    return headers
  }

  private func body() throws(CassetteError) -> String? {
    guard let node = document.root["body"] else {
      let name = FileSystem.name(of: file)
      return "\(name.hasSuffix(".json") ? String(name.dropLast(5)) : name).body"
    }
    if node.isNull { return nil }
    guard let name = node.string else { throw error("expected a file name or null", at: node) }
    guard !name.isEmpty, name != "..", !name.contains("/"), !name.utf8.contains(0) else {
      throw error("expected the name of a file in the same folder", at: node)
    }
    return name
  }

  private func required(_ name: String) throws(CassetteError) -> String {
    guard let text = try text(name) else { throw error("missing member '\(name)'", at: document.root) }
    return text
  }

  private func text(_ name: String) throws(CassetteError) -> String? {
    guard let node = document.root[name] else { return nil }
    guard let text = node.string else { throw error("expected a string", at: node) }
    return text
  }

  private func error(_ message: String, at node: JSONNode) -> CassetteError {
    let position = SourceMap(document.bytes).position(of: node.byteRange.lowerBound)
    return CassetteError(file: file, position: position, message: message)
  }
}

extension TransportError {
  /// The error as spelled in a cassette: a code and, after a blank, the details: `cannot-resolve api.example.com`.
  package var cassetteText: String { parts.detail.isEmpty ? parts.code : "\(parts.code) \(parts.detail)" }

  /// Returns nil for a text that `cassetteText` does not produce.
  package init?(cassetteText: String) {
    let parts = cassetteText.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(code: parts.first ?? "", detail: parts.count > 1 ? String(parts[1]) : "")
  }
}
