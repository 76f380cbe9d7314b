/// Bodies from an external compressor, as Swift has none.
enum CompressedBodies {
  static let text = #"{"last":"27000.10"}"#
  /// `text` compressed by `gzip -n`.
  static let gzip = bytes("1f8b0800000000000203ab56ca492c2e51b2523232373030d0333450aa0500c537d0a213000000")
  /// `text` compressed by `zstd`.
  static let zstd = bytes("28b52ffd04589900007b226c617374223a2232373030302e3130227d14ef8c03")
  /// `text` as uncompressed Brotli (RFC 7932 §9.2): 16 bits of window, one block of 19 bytes, an empty last one.
  static let brotli = bytes("200110") + Array(text.utf8) + bytes("03")
  /// The digit 0 repeated 100,000 times, compressed by `gzip -n -9` to 133 bytes.
  static let bomb =
    bytes("1f8b0800000000000203edc13101000000c2a04aeb9fce1a1e4001")
    + [UInt8](repeating: 0, count: 96) + bytes("af0685c24dc5a0860100")

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = hexadecimal[...]
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
