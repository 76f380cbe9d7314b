/// Makes frames and holds them until the wire takes them (RFC 6455 §5). A client's frames are masked, each with a new
/// key that nobody can guess.
struct FrameWriter {
  /// What is on its way to the wire. It stays where it is until it is taken whole: TLS wants to be handed the same
  /// bytes at the same place again where it could not take them.
  private var sending: [UInt8] = []
  private var sentCount = 0
  /// What comes after that.
  private var waiting: [UInt8] = []

  /// How many bytes the wire has not taken.
  var count: Int { sending.count - sentCount + waiting.count }

  /// What is no frame: the request of the handshake.
  mutating func write(bytes: [UInt8]) { waiting += bytes }

  /// A whole message, or a control frame, whose payload has 125 bytes at most.
  ///
  /// - Parameter key: the four bytes of the mask, in the order in which they lie in memory.
  mutating func write(_ opcode: FrameOpcode, _ payload: [UInt8], key: UInt32) {
    waiting.reserveCapacity(waiting.count + payload.count + 14)
    waiting.append(0x80 | opcode.rawValue)
    switch payload.count {
    case ..<126: waiting.append(0x80 | UInt8(payload.count))
    case ..<0x1_0000:
      waiting.append(0x80 | 126)
      appendBigEndian(payload.count, bytes: 2)
    default:
      waiting.append(0x80 | 127)
      appendBigEndian(payload.count, bytes: 8)
    }
    withUnsafeBytes(of: key) { waiting.append(contentsOf: $0) }
    let start = waiting.count
    waiting.append(contentsOf: payload)
    waiting.withUnsafeMutableBytes { Self.mask(UnsafeMutableRawBufferPointer(rebasing: $0[start...]), with: key) }
  }

  private mutating func appendBigEndian(_ number: Int, bytes: Int) {
    for shift in stride(from: 8 * (bytes - 1), through: 0, by: -8) {
      waiting.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// §5.3, eight bytes at a time.
  private static func mask(_ bytes: UnsafeMutableRawBufferPointer, with key: UInt32) {
    let wide = UInt64(key) << 32 | UInt64(key)
    var index = 0
    while index + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide
      bytes.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
      index += 8
    }
    withUnsafeBytes(of: key) { key in
      while index < bytes.count {
        bytes[index] ^= key[index & 3]
        index += 1
      }
    }
  }

  /// Hands bytes to the wire until it takes no more or there are none.
  ///
  /// - Parameter wire: says how many of the bytes it has taken; nil: none for now.
  mutating func flush<Failure: Error>(
    to wire: (UnsafeRawBufferPointer) throws(Failure) -> Int?
  ) throws(Failure) {
    while true {
      if sentCount == sending.count {
        if waiting.isEmpty { return }
        swap(&sending, &waiting)
        waiting.removeAll(keepingCapacity: waiting.capacity <= 1 << 16)
        sentCount = 0
      }
      let from = sentCount
      let result = sending.withUnsafeBytes { bytes -> Result<Int?, Failure> in
        do throws(Failure) {
          return .success(try wire(UnsafeRawBufferPointer(rebasing: bytes[from...])))
        } catch {
          return .failure(error)
        }
      }
      guard let taken = try result.get() else { return }
      sentCount += taken
    }
  }
}
