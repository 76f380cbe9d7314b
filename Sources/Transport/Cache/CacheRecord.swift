/// What one file of the cache holds.
///
///     market-cache 1        the format
///     1767225600000000000   when it was stored, nanoseconds since 1970
///     28 5                  lengths of key and value in bytes
///     85944171f73967e8      checksum of key and value together
///     Bitget https://…      the key, and right behind it the value
struct CacheRecord: Equatable, Sendable {
  var key: String
  var stored: Int64
  var value: [UInt8]

  private static let format = "market-cache 1"

  init(key: String, stored: Int64, value: [UInt8]) {
    self.key = key
    self.stored = stored
    self.value = value
  }

  /// nil for bytes that are anything but a whole record.
  init?(decoding bytes: [UInt8]) {
    var rest = bytes[...]
    func line() -> Substring? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")), end - rest.startIndex < 64 else { return nil }
      defer { rest = rest[(end + 1)...] }
      return Substring(decoding: rest[..<end], as: UTF8.self)
    }
    guard line().map(String.init) == Self.format, let stored = line().flatMap({ Int64($0) }),
      let lengths = line()?.split(separator: " ").map({ Int($0) }), lengths.count == 2,
      let keyLength = lengths[0], let valueLength = lengths[1], keyLength >= 0, valueLength >= 0,
      let checksum = line().flatMap({ UInt64($0, radix: 16) }),
      keyLength <= rest.count, valueLength == rest.count - keyLength, Self.hash(rest) == checksum
    else { return nil }
    key = String(decoding: rest.prefix(keyLength), as: UTF8.self)
    self.stored = stored
    value = Array(rest.dropFirst(keyLength))
  }

  var encoded: [UInt8] {
    let content = Array(key.utf8) + value
    let head = """
      \(Self.format)
      \(stored)
      \(key.utf8.count) \(value.count)
      \(String(Self.hash(content), radix: 16))

      """
    return Array(head.utf8) + content
  }

  /// FNV-1a with 64 bits: finds damage and spreads names; nobody's secrecy depends on it.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
