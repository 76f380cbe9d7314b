import HTTP
import Quotes

/// A client's opening handshake (RFC 6455 §4.1): builds the request and validates the response.
struct OpeningHandshake {
  /// The maximum size of a response's head, in bytes.
  static let maximumHeadLength = 16 << 10

  /// The bytes to send.
  let request: [UInt8]
  /// The expected value of `Sec-WebSocket-Accept`.
  private let accept: String
  /// The subprotocol that the response must name; nil if it must not name any.
  private let subprotocol: String?
  private var head: [UInt8] = []
  /// The total size in bytes of the preceding informational responses' heads.
  private var lengthBefore = 0

  /// - Parameters:
  ///   - headers: Additional headers; a `User-Agent` among them replaces `userAgent`.
  ///   - subprotocol: The only one to offer; nil offers none.
  ///   - key: Sixteen random bytes.
  /// - Throws: If a header or the subprotocol is malformed, or if a header belongs to the handshake itself.
  init(
    to address: StreamAddress, headers: [HTTPHeader], subprotocol: String? = nil, userAgent: String, key: [UInt8]
  ) throws(TransportError) {
    let key = Base64.encode(key)
    accept = Self.accept(for: key)
    self.subprotocol = subprotocol
    var lines = [
      "GET \(address.target) HTTP/1.1", "Host: \(address.host)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
    ]
    if let subprotocol {
      guard subprotocol.isToken else { throw .other("invalid subprotocol '\(subprotocol)'") }
      lines.append("Sec-WebSocket-Protocol: \(subprotocol)")
    }
    if headers.first(named: "User-Agent") == nil { lines.append("User-Agent: \(userAgent)") }
    for header in headers {
      guard header.isWellFormed, !Self.isOfHandshake(header.name) else {
        throw .other("invalid header '\(header.name)'")
      }
      lines.append("\(header.name): \(header.value)")
    }
    request = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
  }

  /// Returns the server's accept value for a client's key (§4.2.2).
  static func accept(for key: String) -> String {
    Base64.encode(SHA1.hash(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
  }

  /// Whether a header belongs to the handshake itself, would name an origin, or would announce a body.
  private static func isOfHandshake(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("sec-websocket-")
      || ["host", "upgrade", "connection", "origin", "content-length", "transfer-encoding"].contains(name)
  }

  // MARK: - Response

  /// Takes a piece of the response; returns nil until its head is complete and valid, then how many bytes of the piece
  /// belong to it. The remaining bytes are frames.
  ///
  /// - Throws: If the response is any other. Must not be called again after that.
  mutating func take(_ bytes: UnsafeRawBufferPointer) throws(StreamEnd) -> Int? {
    let countBefore = head.count
    head.append(contentsOf: bytes.prefix(Self.maximumHeadLength - lengthBefore - countBefore))
    var searched = countBefore
    var start = 0
    while let end = endOfHead(from: start, searched: searched) {
      let status = try status(of: head[start..<end])
      // Informational responses precede the final one (RFC 9110 §15.2).
      if (100...199).contains(status), status != 101 {
        (start, searched) = (end, end)
        continue
      }
      guard status == 101 else {
        throw .refused(status: status, retryAfter: (try? fields(of: head[start..<end])).flatMap(Self.retryAfter))
      }
      try check(fields(of: head[start..<end]))
      head = []
      return end - countBefore
    }
    lengthBefore += start
    head.removeFirst(start)
    guard lengthBefore + head.count < Self.maximumHeadLength else {
      throw .badHandshake("headers over \(Self.maximumHeadLength) bytes")
    }
    return nil
  }

  /// Returns the value of `Retry-After`. A date is one of the host's clock, so it becomes seconds if the answer has a
  /// `Date`.
  private static func retryAfter(_ fields: [String: String]) -> String? {
    guard let value = fields["retry-after"], let sent = fields["date"].flatMap({ HTTPDate.instant($0) }),
      let pause = RetryAfter.pause(value, wall: sent)
    else { return fields["retry-after"] }
    return "\(pause / 1_000_000_000)"
  }

  /// Returns the end of the head that starts at `start`, after its empty line.
  private func endOfHead(from start: Int, searched: Int) -> Int? {
    var index = max(start, searched - 3) + 3
    while index < head.count {
      if head[index] == 10, head[index - 1] == 13, head[index - 2] == 10, head[index - 3] == 13 { return index + 1 }
      index += 1
    }
    return nil
  }

  private func status(of head: ArraySlice<UInt8>) throws(StreamEnd) -> Int {
    let line = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self)
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3, let status = Int(words[1]),
      status >= 100
    else { throw .badHandshake("not an HTTP/1.1 response") }
    return status
  }

  /// Returns the values of the response's fields, by their names in lowercase.
  private func fields(of head: ArraySlice<UInt8>) throws(StreamEnd) -> [String: String] {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n").dropFirst()
    var values: [String: String] = [:]
    for line in lines {
      guard let header = HTTPHeader(line: line) else { throw .badHandshake("header line without a colon") }
      // Repeated fields are combined into a list (RFC 9110 §5.3).
      values.merge([header.name.lowercased(): header.value]) { "\($0), \($1)" }
    }
    return values
  }

  /// Validates the response's fields (§4.1, steps 2 to 6 for the response).
  private func check(_ values: [String: String]) throws(StreamEnd) {
    guard values["upgrade"]?.lowercased() == "websocket" else { throw .badHandshake("no 'Upgrade: websocket'") }
    let connection = values["connection"]?.lowercased().split(separator: ",").map { $0.trimmingBlanks() } ?? []
    guard connection.contains("upgrade") else { throw .badHandshake("no 'Connection: Upgrade'") }
    guard values["sec-websocket-accept"] == accept else { throw .badHandshake("wrong Sec-WebSocket-Accept") }
    guard values["sec-websocket-extensions"] == nil else {
      throw .badHandshake("unrequested Sec-WebSocket-Extensions")
    }
    guard values["sec-websocket-protocol"] == subprotocol else {
      throw .badHandshake(
        subprotocol.map { "no 'Sec-WebSocket-Protocol: \($0)'" } ?? "unrequested Sec-WebSocket-Protocol")
    }
  }
}

extension StreamEnd {
  /// The error for a handshake response that violates RFC 6455. There is no WebSocket yet over which a code could be
  /// sent.
  fileprivate static func badHandshake(_ words: String) -> StreamEnd { .violation(code: 1002, words) }
}
