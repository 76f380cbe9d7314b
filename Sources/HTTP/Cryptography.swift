package enum HashFunction: String, Sendable, CaseIterable {
  /// RFC 1321; for exchanges that require it, not for secrecy.
  case md5
  /// FIPS 180-4.
  case sha256, sha384, sha512
}

/// The cryptography that signs requests: the system's library, or a test's.
package protocol Cryptography: Sendable {
  func digest(_ hash: HashFunction, of bytes: [UInt8]) throws(CryptographyProblem) -> [UInt8]

  /// RFC 2104.
  func hmac(_ hash: HashFunction, of bytes: [UInt8], key: [UInt8]) throws(CryptographyProblem) -> [UInt8]

  /// Returns the 64 bytes of a signature (RFC 8032, Ed25519).
  ///
  /// - Parameter seed: The 32 bytes of the private key.
  func ed25519(of bytes: [UInt8], seed: [UInt8]) throws(CryptographyProblem) -> [UInt8]
}

/// Why nothing can be computed, as a sentence for humans. It reveals nothing about the input.
package struct CryptographyProblem: Error, Hashable, Sendable {
  package let sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}
