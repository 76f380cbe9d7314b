/// What opens a connection that an exchange sends messages over by itself (a WebSocket, RFC 6455).
package struct StreamRequest: Sendable, Hashable {
  /// The exchange's name: the folder of its recordings.
  package var exchange: String
  /// What it is for, as its recording is called: `spot-ticker-BTC-USDT`.
  package var name = "stream"
  /// `wss://…`, or `ws://` to this machine.
  package var url: String
  /// Of the opening handshake, besides those that every handshake has.
  package var headers: [HTTPHeader]
  /// The address as a recording names it: without what is another each time.
  package var recordedURL: String
  /// The messages that will subscribe, as a recording names them: what tells this connection from others to the same
  /// address.
  package var subscription: [String] = []

  package init(exchange: String, url: String, headers: [HTTPHeader] = []) {
    self.exchange = exchange
    self.url = url
    self.headers = headers
    recordedURL = url
  }
}

/// What a connection has to say, in the order in which it happened.
package enum StreamSignal: Sendable, Hashable {
  /// The handshake is done: messages may be sent.
  case opened
  /// One message, whole, as it was sent: a text, or binary data.
  case message([UInt8], isText: Bool)
  /// A ping or pong of the protocol: a sign of life.
  case life
  /// The last one.
  case closed(StreamEnd)
}

/// Why a connection ended.
package enum StreamEnd: Error, Sendable, Hashable {
  /// By a code and words of the exchange, which are to be cleaned before they are shown; 1006 where it was cut without
  /// one, and 1005 where the exchange gave none.
  case closed(code: Int, words: String)
  /// The handshake was answered with this status, not 101.
  case refused(status: Int)
  /// Something that RFC 6455 does not allow, and the code that was sent back for it; 1002 for an answer to the
  /// handshake, where nothing can be sent back.
  case violation(code: Int, String)
  /// The network, the name lookup, TLS, a proxy or time.
  case failed(TransportError)
}

/// One open connection, or one that is being opened. None of its functions waits.
package protocol StreamConnection: Sendable {
  /// Sends a text message. Before `opened` and after `closed` it is dropped. Where the exchange reads nothing, and more
  /// than a megabyte waits to be sent, the connection ends as broken off.
  func send(_ text: [UInt8])

  /// Sends a ping of the protocol.
  func ping()

  /// Says goodbye with a code, waits two seconds at most for the other side, and ends with `closed`. Before `opened` it
  /// ends the attempt, with `cancelled`.
  func close(code: Int)
}

/// Opens connections. The network, a player of recordings and a test's script are all of this type.
package struct StreamHandler: Sendable {
  /// Called with what has come since the last call, in order, never from two threads at once; it must be quick.
  package typealias Receiver = @Sendable ([StreamSignal]) -> Void

  private let opening: @Sendable (StreamRequest, @escaping Receiver) -> any StreamConnection

  package init(_ opening: @escaping @Sendable (StreamRequest, @escaping Receiver) -> any StreamConnection) {
    self.opening = opening
  }

  package func open(_ request: StreamRequest, receiver: @escaping Receiver) -> any StreamConnection {
    opening(request, receiver)
  }
}
