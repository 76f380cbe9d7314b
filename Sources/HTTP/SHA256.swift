import Quotes

/// The hash of FIPS 180-4 §6.2, for names and fingerprints: anything that must be recognised without being stored.
/// Requests are signed by the system's own library.
package enum SHA256 {
  /// Returns the 32 bytes of the hash.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var state = initial
    var words = [UInt32](repeating: 0, count: 64)
    for block in blocks(of: message) {
      words.replaceSubrange(0..<16, with: block)
      for index in 16..<64 {
        let (early, late) = (words[index - 15], words[index - 2])
        let small = rotated(early, by: 7) ^ rotated(early, by: 18) ^ early >> 3
        let large = rotated(late, by: 17) ^ rotated(late, by: 19) ^ late >> 10
        words[index] = large &+ words[index - 7] &+ small &+ words[index - 16]
      }
      mix(words, into: &state)
    }
    return bytes(of: state)
  }

  /// Returns the hash as 64 lower-case hexadecimal digits.
  package static func hexadecimal(_ message: [UInt8]) -> String { hash(message).hexadecimal }

  /// Returns the message in blocks of sixteen words (§5.1.1, §5.2.1), as for SHA-1: padded with a one bit, zeros, and its
  /// length in bits.
  package static func blocks(of message: [UInt8]) -> [[UInt32]] {
    let zeros = [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
    let padded = message + [0x80] + zeros + bytes(of: UInt64(message.count) << 3)
    return stride(from: 0, to: padded.count, by: 64).map { block in
      stride(from: block, to: block + 64, by: 4).map { padded[$0..<$0 + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    }
  }

  /// Returns the words from the highest byte to the lowest.
  package static func bytes(of words: [UInt32]) -> [UInt8] { words.flatMap { bytes(of: $0) } }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// §6.2.2
  private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for (word, constant) in zip(words, constants) {
      let large = rotated(e, by: 6) ^ rotated(e, by: 11) ^ rotated(e, by: 25)
      let first = h &+ large &+ (e & f ^ ~e & g) &+ constant &+ word
      let small = rotated(a, by: 2) ^ rotated(a, by: 13) ^ rotated(a, by: 22)
      let second = small &+ (a & b ^ a & c ^ b & c)
      (a, b, c, d, e, f, g, h) = (first &+ second, a, b, c, d &+ first, e, f, g)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

  /// §5.3.3: the fractional parts of the square roots of the first eight primes.
  private static let initial: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  /// §4.2.2: the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
