/// Encodes frames and buffers them until they are sent (RFC 6455 §5). Client frames are masked, each with a new,
/// unpredictable key.
struct FrameWriter {
  /// The bytes being sent. They stay in place until all are sent, because TLS requires a retry with the same bytes at
  /// the same address.
  private var sending: [UInt8] = []
  private var sentCount = 0
  /// The bytes to send after that.
  private var waiting: [UInt8] = []

  /// The number of bytes not sent yet.
  var count: Int { sending.count - sentCount + waiting.count }

  /// Writes bytes that are not a frame: the handshake request.
  mutating func write(bytes: [UInt8]) { waiting += bytes }

  /// Writes a whole message, or a control frame with a payload of at most 125 bytes.
  ///
  /// - Parameter key: The four bytes of the mask, in memory order.
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

  /// Applies the mask (§5.3), eight bytes at a time.
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

  /// Passes bytes to the wire until it accepts no more or there are none left.
  ///
  /// - Parameter wire: Returns how many of the bytes it has accepted; nil if none for now.
  mutating func flush<Failure: Error>(to wire: (UnsafeRawBufferPointer) throws(Failure) -> Int?) throws(Failure) {
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
