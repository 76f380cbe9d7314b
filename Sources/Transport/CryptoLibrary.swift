import CCrypto
package import HTTP

/// The system's libcrypto, loaded on first use and kept until the process ends.
package struct CryptoLibrary: Cryptography {
  package init() {}

  package func digest(_ hash: HashFunction, of bytes: [UInt8]) throws(CryptographyProblem) -> [UInt8] {
    let crypto = try Self.functions()
    var digest = [UInt8](repeating: 0, count: Self.maximumLength)
    var count: UInt32 = 0
    guard let type = Self.type(hash, crypto),
      crypto.digest(bytes, bytes.count, &digest, &count, type, nil) == 1, Int(count) <= digest.count
    else { throw Self.unavailable(hash) }
    return Array(digest.prefix(Int(count)))
  }

  package func hmac(_ hash: HashFunction, of bytes: [UInt8], key: [UInt8]) throws(CryptographyProblem) -> [UInt8] {
    let crypto = try Self.functions()
    var code = [UInt8](repeating: 0, count: Self.maximumLength)
    var count: UInt32 = 0
    // An empty key has no address, and libcrypto takes a null key to mean "reuse the previous key".
    let room = key.isEmpty ? [0] : key
    guard let type = Self.type(hash, crypto), let length = Int32(exactly: key.count),
      crypto.hmac(type, room, length, bytes, bytes.count, &code, &count) != nil, Int(count) <= code.count
    else { throw Self.unavailable(hash) }
    return Array(code.prefix(Int(count)))
  }

  package func ed25519(of bytes: [UInt8], seed: [UInt8]) throws(CryptographyProblem) -> [UInt8] {
    let crypto = try Self.functions()
    let problem = CryptographyProblem("this system's libcrypto does not support Ed25519 signatures")
    guard let key = crypto.newKey(market_crypto_ed25519, nil, seed, seed.count) else { throw problem }
    defer { crypto.freeKey(key) }
    guard let context = crypto.newContext() else { throw problem }
    defer { crypto.freeContext(context) }
    var signature = [UInt8](repeating: 0, count: Self.maximumLength)
    var count = signature.count
    guard crypto.beginSigning(context, nil, nil, nil, key) == 1,
      crypto.sign(context, &signature, &count, bytes, bytes.count) == 1, count == Self.maximumLength
    else { throw problem }
    return signature
  }

  /// The longest result in bytes: SHA-512, and a signature.
  private static let maximumLength = 64

  private static func functions() throws(CryptographyProblem) -> CryptoFunctions { try loaded.get() }

  private static let loaded: Result<CryptoFunctions, CryptographyProblem> = {
    var functions = CryptoFunctions()
    guard let problem = market_crypto_load(&functions) else { return .success(functions) }
    #if os(macOS)
      let remedy = "install it with: brew install openssl@3"
    #else
      let remedy =
        "install the package libssl3 (Debian, Ubuntu), openssl-libs (Fedora), libcrypto3 (Alpine) or openssl (Arch)"
    #endif
    return .failure(CryptographyProblem("libcrypto cannot be used: \(String(cString: problem)); \(remedy)"))
  }()

  private static func type(_ hash: HashFunction, _ crypto: CryptoFunctions) -> UnsafeRawPointer? {
    switch hash {
    case .md5: crypto.md5()
    case .sha256: crypto.sha256()
    case .sha384: crypto.sha384()
    case .sha512: crypto.sha512()
    }
  }

  /// The error for a hash function that the system disables, for example because it considers it weak.
  private static func unavailable(_ hash: HashFunction) -> CryptographyProblem {
    CryptographyProblem("this system's libcrypto does not offer \(hash.rawValue)")
  }
}
