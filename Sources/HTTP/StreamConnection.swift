/// A request to open a connection over which an exchange pushes messages (a WebSocket, RFC 6455).
package struct StreamRequest: Sendable, Hashable {
  /// The exchange's name, which is the folder of its recordings.
  package var exchange: String
  /// The purpose, which names its recording: `spot-ticker-BTC-USDT`.
  package var name = "stream"
  /// `wss://…`, or `ws://` to this machine.
  package var url: String
  /// Additional headers of the opening handshake.
  package var headers: [HTTPHeader]
  /// The subprotocol that the server must speak; nil for none.
  package var subprotocol: String?
  /// The address as in recordings, without the parts that vary.
  package var recordedURL: String
  /// The subscription messages as in recordings, which distinguish this connection from others to the same address.
  package var subscription: [String] = []

  package init(exchange: String, url: String, headers: [HTTPHeader] = []) {
    self.exchange = exchange
    self.url = url
    self.headers = headers
    recordedURL = url
  }
}

/// An event of a connection, in order of occurrence.
package enum StreamSignal: Sendable, Hashable {
  /// The handshake is complete: messages may be sent.
  case opened
  /// One complete message, as sent: text or binary data.
  case message([UInt8], isText: Bool)
  /// A protocol ping or pong: a sign of life.
  case life
  /// The last signal.
  case closed(StreamEnd)
}

/// Why a connection ended.
package enum StreamEnd: Error, Sendable, Hashable {
  /// Closed with a code and the exchange's own words, to be sanitized before they are shown: 1006 if it was cut without
  /// one, and 1005 if the exchange gave none.
  case closed(code: Int, words: String)
  /// The handshake was answered with this status instead of 101, and with this `Retry-After`.
  case refused(status: Int, retryAfter: String? = nil)
  /// A violation of RFC 6455, and the code that was sent back for it; 1002 for a bad handshake answer, where nothing
  /// can be sent back.
  case violation(code: Int, String)
  /// A failure of the network, the name lookup, TLS, a proxy, or a timeout.
  case failed(TransportError)
}

/// A connection that is open or being opened. None of its functions blocks.
package protocol StreamConnection: Sendable {
  /// Sends a text message, which is dropped before `opened` and after `closed`. If the exchange stops reading and more
  /// than a megabyte is queued, the connection ends as broken off.
  func send(_ text: [UInt8])

  /// Sends a protocol ping.
  func ping()

  /// Closes with a code, waits up to two seconds for the other side, and ends with `closed`. Before `opened` it aborts
  /// the attempt, with `cancelled`.
  func close(code: Int)
}

/// Called with the signals since the last call, in order and never concurrently; it must be quick.
package typealias StreamReceiver = @Sendable ([StreamSignal]) -> Void

/// A function that opens connections: the network, a player of recordings, or a test's script.
package typealias StreamHandler = @Sendable (StreamRequest, @escaping StreamReceiver) -> any StreamConnection
