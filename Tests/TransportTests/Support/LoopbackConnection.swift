/// One connection of the loopback server.
struct LoopbackConnection {
  var number: Int
  var input: [UInt8] = []
  var output: ArraySlice<UInt8> = []
  var steps: [LoopbackServer.Step] = []
  var isClosing = false

  /// Turns the next step into output.
  mutating func advance() {
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
    }
  }

  /// Whether the next step is one that goes on at once.
  var hasWorkToDo: Bool {
    switch steps.first {
    case .bytes, .endless, .close: true
    case .wait(let latch): latch.isOpen
    case .drip, .hold, nil: false
    }
  }
}
