import Files
package import HTTP
import JSON
package import Quotes

/// The events of one connection, in order of occurrence: a file with one line of JSON for each.
///
///     {"at":1763442727300,"open":"wss://stream.example.com/ws"}
///     {"at":1763442727340.25,"sent":"{\"op\":\"subscribe\",\"args\":[\"tickers.BTCUSDT\"]}"}
///     {"at":1763442727500,"got":"{\"topic\":\"tickers.BTCUSDT\",…}"}
///     {"at":1763442727510,"binary":"H4sIAAAAAAAA…"}
///     {"at":1763442747340,"life":true}
///     {"at":1763442790000,"closed":1000,"words":"bye"}
///
/// `at` is in milliseconds since 1970, to the nanosecond, as the clock showed it: if that had been set back since the run
/// began, `open` says by how many milliseconds (`"behind":3000`). `binary` is base64 (RFC 4648 §4), `life` a ping or pong of
/// the protocol. A connection that failed to open has, after `open`, `refused` (the status of the handshake's answer)
/// or `failed` (see ``TransportError/cassetteText``); one that broke RFC 6455 ends with `violation`, the code that was
/// sent for it. Sent messages are written in recorded form: `NOW` for the time, names for what a handshake provided.
package struct StreamTape: Sendable, Equatable {
  package enum Event: Sendable, Equatable {
    /// `behind` is how far the clock had been set back since the run began.
    case opened(url: String, behind: Duration = .zero)
    case sent(String)
    case signal(StreamSignal)
  }

  package struct Line: Sendable, Equatable {
    package var at: Instant
    package var event: Event
  }

  package var lines: [Line]
  /// Whether a last line without its end was left out.
  package private(set) var isCut = false

  package init(lines: [Line]) { self.lines = lines }

  package var url: String { if case .opened(let url, _)? = lines.first?.event { url } else { "" } }

  /// How far the clock had been set back since the run began; no connection outlives that.
  var behind: Duration { if case .opened(_, let behind)? = lines.first?.event { behind } else { .zero } }

  /// Why the connection ended; nil if the recording ended first.
  package var end: StreamEnd? {
    lines.lazy.compactMap { line in if case .signal(.closed(let end)) = line.event { end } else { nil } }.first
  }

  /// The time of the first message sent or received on the open connection; nil if there was none.
  package var opened: Instant? {
    lines.dropFirst().first { line in
      switch line.event {
      case .sent, .signal(.message), .signal(.life): true
      case .opened, .signal: false
      }
    }?.at
  }

  package var sent: [String] { lines.compactMap { if case .sent(let text) = $0.event { text } else { nil } } }

  /// Returns the recorded connections of an exchange, with the names of their files without number and extension:
  /// `spot-ticker-BTC-USDT`. One that ended before its first line did is left out.
  ///
  /// - Parameter folder: The folder of the exchange's recordings, which may have none of connections.
  package static func all(in folder: String) throws(CassetteError) -> [(name: String, tape: StreamTape)] {
    try all(among: "\(folder)/\(StreamRecorder.folder)")
  }

  /// - Parameter folder: That of the connections.
  static func all(among folder: String) throws(CassetteError) -> [(name: String, tape: StreamTape)] {
    guard FileSystem.isFolder(folder) else { return [] }
    // Not the logs of answers, which are `.jsonl`: see `RESTAnswerLog`.
    let files = try CassetteError.reading(folder, FileSystem.names(in:)).filter { $0.hasSuffix(".ndjson") }
    var tapes: [(name: String, tape: StreamTape)] = []
    for file in files.sorted() {
      let path = "\(folder)/\(file)"
      let bytes = try CassetteError.bytes(of: path)
      guard bytes.contains(UInt8(ascii: "\n")) else { continue }
      let tape = try StreamTape(parsing: bytes, file: path)
      tapes.append((String(file.dropLast(7).drop { $0.isNumber || $0 == "-" }), tape))
    }
    return tapes
  }
}

// MARK: Writing

extension StreamTape.Line {
  /// Includes the line break.
  var json: [UInt8] {
    var json: JSONValue = ["at": .number(Self.milliseconds(at))]
    switch event {
    case .opened(let url, let behind):
      json += ["open": .string(url)]
      json += behind.recorded
    case .sent(let text): json += ["sent": .string(text)]
    case .signal(.opened): break
    case .signal(.message(let bytes, true)): json += ["got": .string(String(decoding: bytes, as: UTF8.self))]
    case .signal(.message(let bytes, false)): json += ["binary": .string(Base64.encode(bytes))]
    case .signal(.life): json += ["life": .bool(true)]
    case .signal(.closed(.closed(let code, let words))): json += ["closed": .integer(code), "words": .string(words)]
    case .signal(.closed(.refused(let status, let retryAfter))):
      json += ["refused": .integer(status)]
      if let retryAfter { json += ["retryAfter": .string(retryAfter)] }
    case .signal(.closed(.violation(let code, let words))):
      json += ["violation": .integer(code), "words": .string(words)]
    case .signal(.closed(.failed(let error))): json += ["failed": .string(error.cassetteText)]
    }
    return json.written() + [UInt8(ascii: "\n")]
  }

  /// Milliseconds since 1970, to the nanosecond.
  static func milliseconds(_ time: Instant) -> String {
    Decimal(mantissa: Int128(time.nanoseconds), exponent: -6).shortest
  }
}

// MARK: Reading

/// The lines of JSON in a file that was written as a run went on.
struct RecordedLines {
  /// Those that are not empty, with their numbers from 1.
  private(set) var lines: [(number: Int, text: [UInt8])]
  /// Whether the last line lacks its end, since space or power ran out while it was written; it is left out.
  private(set) var isCut = false

  init(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    lines = parts.enumerated().filter { !$0.element.isEmpty }.map { ($0.offset + 1, Array($0.element)) }
    guard bytes.last != UInt8(ascii: "\n"), let last = lines.last, (try? JSONDocument(parsing: last.text)) == nil else {
      return
    }
    isCut = true
    lines.removeLast()
  }
}

extension StreamTape {
  /// - Parameter file: Its path, for errors.
  package init(parsing bytes: [UInt8], file: String) throws(CassetteError) {
    func error(_ message: String, line: Int, column: Int = 1) -> CassetteError {
      CassetteError(file: file, position: SourcePosition(line: line, column: column), message: message)
    }
    lines = []
    let recorded = RecordedLines(bytes)
    isCut = recorded.isCut
    for (number, text) in recorded.lines {
      let line: Line?
      do {
        line = Line(try JSONDocument(parsing: text).root)
      } catch let flaw {
        throw error("\(flaw.problem)", line: number, column: flaw.offset + 1)
      }
      guard let line else {
        let known = "open, sent, got, binary, life, closed, refused, violation, failed"
        throw error("expected 'at' in milliseconds, and one of \(known)", line: number)
      }
      if let last = lines.last, line.at < last.at { throw error("earlier than the line before it", line: number) }
      lines.append(line)
    }
    guard !url.isEmpty else { throw error("the first line must be 'open'", line: 1) }
  }
}

extension StreamTape.Line {
  /// Returns nil if the line has any other content.
  init?(_ node: JSONNode) {
    guard let at = node["at"]?.numberText.flatMap(Self.instant), let event = StreamTape.Event(node) else { return nil }
    self.init(at: at, event: event)
  }

  /// Returns the moment of a count of milliseconds since 1970; nil if it is negative or finer than a nanosecond.
  static func instant(_ milliseconds: String) -> Instant? {
    guard let count = Decimal(milliseconds), count.signum >= 0, count.rounded(toPlaces: 6) == count else { return nil }
    return Instant(count, unit: .milliseconds)
  }
}

extension StreamTape.Event {
  fileprivate init?(_ node: JSONNode) {
    func number(_ name: String) -> Int? { node[name]?.numberText.flatMap { Int($0) } }
    let words = node["words"]?.string ?? ""
    if let url = node["open"]?.string, let behind = Duration(recordedIn: node) {
      self = .opened(url: url, behind: behind)
    } else if let text = node["sent"]?.string {
      self = .sent(text)
    } else if let text = node["got"]?.string {
      self = .signal(.message(Array(text.utf8), isText: true))
    } else if let bytes = node["binary"]?.string.flatMap(Base64.decode) {
      self = .signal(.message(bytes, isText: false))
    } else if node["life"]?.boolean == true {
      self = .signal(.life)
    } else if let code = number("closed") {
      self = .signal(.closed(.closed(code: code, words: words)))
    } else if let status = number("refused") {
      self = .signal(.closed(.refused(status: status, retryAfter: node["retryAfter"]?.string)))
    } else if let code = number("violation") {
      self = .signal(.closed(.violation(code: code, words)))
    } else if let error = node["failed"]?.string.flatMap(TransportError.init(cassetteText:)) {
      self = .signal(.closed(.failed(error)))
    } else {
      return nil
    }
  }
}

extension Duration {
  /// How far the clock had been set back, as recordings have it: milliseconds, or nothing.
  var recorded: JSONValue {
    if self == .zero { return [:] }
    return ["behind": .number(StreamTape.Line.milliseconds(Instant(nanoseconds: 0).advanced(by: self)))]
  }

  /// Returns nil for what `recorded` does not give.
  init?(recordedIn node: JSONNode) {
    guard let value = node["behind"] else {
      self = .zero
      return
    }
    guard let end = value.numberText.flatMap(StreamTape.Line.instant) else { return nil }
    self = .nanoseconds(end.nanoseconds)
  }
}
