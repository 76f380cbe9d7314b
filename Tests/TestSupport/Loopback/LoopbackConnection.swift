/// One connection of the loopback server.
package struct LoopbackConnection {
  package var number: Int
  package var input: [UInt8] = []
  package var output: ArraySlice<UInt8> = []
  package var steps: [LoopbackServer.Step] = []
  package var isClosing = false
  /// Whether the connection ends with a reset.
  package var isReset = false
  package var isDeaf = false
  package var conversation: LoopbackServer.Conversation?
  /// The port to which a tunnel was requested.
  package var wantedTunnel: Int?
  /// The socket at the other end of a tunnel.
  package var peer: Int32?

  /// Turns the next step into output.
  package mutating func advance() {
    guard output.isEmpty, let step = steps.first else { return }
    switch step {
    case .bytes(let bytes):
      output = bytes[...]
      steps.removeFirst()
    case .endless(let bytes):
      output = bytes[...]
    case .drip(let bytes):
      output = bytes.prefix(1)
      steps[0] = .drip(Array(bytes.dropFirst()))
      if bytes.count <= 1 { steps.removeFirst() }
    case .hold: break
    case .wait(let latch):
      if latch.isOpen { steps.removeFirst() }
    case .close: isClosing = true
    case .reset:
      isClosing = true
      isReset = true
    case .tunnel(let port):
      wantedTunnel = port
      steps.removeFirst()
    case .converse(let conversation):
      self.conversation = conversation
      steps.removeFirst()
    case .deafen:
      isDeaf = true
      steps.removeFirst()
    }
  }

  /// Whether the next step can be executed at once.
  package var hasWorkToDo: Bool {
    switch steps.first {
    case .bytes, .endless, .close, .reset, .tunnel, .converse, .deafen: true
    case .wait(let latch): latch.isOpen
    case .drip, .hold, nil: false
    }
  }
}
