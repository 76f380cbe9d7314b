/// An append-only byte buffer that reserves room ahead, so that appending a short text costs no more than copying it.
package struct ByteBuffer: Sendable {
  /// The bytes, followed by room whose contents mean nothing.
  private var room: [UInt8] = []
  package private(set) var count = 0

  package init(capacity: Int = 0) { if capacity > 0 { grow(by: capacity) } }

  package var bytes: [UInt8] { Array(room[..<count]) }

  /// The bytes as UTF-8.
  package var text: String { String(decoding: room[..<count], as: UTF8.self) }

  /// Removes the last byte; there must be one.
  package mutating func removeLast() { count -= 1 }

  /// Returns the bytes without the room.
  package consuming func finished() -> [UInt8] {
    room.removeLast(room.count - count)
    return room
  }

  package mutating func append(_ byte: UInt8) {
    if count == room.count { grow(by: 1) }
    room[count] = byte
    count += 1
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

  package mutating func append(contentsOf bytes: some Sequence<UInt8>) {
    for byte in bytes { append(byte) }
  }

  package mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    append(atMost: bytes.count) { place in
      place.update(from: start, count: bytes.count)
      return bytes.count
    }
  }

  /// Lends room for `count` bytes and keeps as many as `write` returns. If it returns nil, keeps none and returns
  /// false.
  ///
  /// **Safety.** `write` must not touch more than `count` bytes.
  @discardableResult @inline(__always)
  package mutating func append(atMost count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int?) -> Bool {
    if room.count - self.count < count { grow(by: count) }
    let end = self.count
    let written = room.withUnsafeMutableBufferPointer { room in
      room.baseAddress.flatMap { write($0 + end) }
    }
    guard let written else { return false }
    self.count += written
    return true
  }

  @inline(never)
  private mutating func grow(by count: Int) {
    let size = max(2 * room.count, room.count + count, 1024)
    room.append(contentsOf: repeatElement(0, count: size - room.count))
  }
}
