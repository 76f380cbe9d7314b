import CCurl
import Files
package import HTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// libcurl as a whole: found in the system when it is first asked for, and then kept until the process ends.
enum CurlLibrary {
  /// The functions of the library, initialised: TLS and all.
  ///
  /// - Throws: what is wrong where a system has no libcurl, or one that is too old.
  static func functions() throws(TransportError) -> CurlFunctions {
    try initialised.get().functions
  }

  /// The functions of the library as soon as they are loaded: for those that read texts and need no TLS.
  ///
  /// - Throws: as `functions()`.
  static func textFunctions() throws(TransportError) -> CurlFunctions {
    try loaded.get().functions
  }

  /// Sendable without a check: addresses of functions that any thread may call.
  private struct Loaded: @unchecked Sendable {
    let functions: CurlFunctions
  }

  private static let loaded: Result<Loaded, TransportError> = {
    var functions = CurlFunctions()
    if let problem = text(market_curl_load(&functions)) {
      return .failure(
        .other(
          "libcurl cannot be used: \(problem); the system's package libcurl4 (Debian, Ubuntu), libcurl (Fedora, Alpine) "
            + "or curl (Arch) has it"))
    }
    return .success(Loaded(functions: functions))
  }()

  private static let initialised: Result<Loaded, TransportError> = loaded.flatMap { library in
    guard library.functions.global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK else {
      return .failure(.other("libcurl cannot be initialised"))
    }
    return .success(library)
  }

  /// Whom to trust, found out once a process.
  static let authorities: CertificateAuthorities = {
    let library = try? functions().version_info(CURLVERSION_SEVENTH)
    // The paths came with the seventh form of this structure, in 7.70.
    let hasPaths = (library?.pointee.age.rawValue ?? 0) >= CURLVERSION_SEVENTH.rawValue
    return CertificateAuthorities(
      fileOfUser: environment("CURL_CA_BUNDLE") ?? environment("SSL_CERT_FILE"),
      directoryOfUser: environment("SSL_CERT_DIR"),
      builtInFile: hasPaths ? text(library?.pointee.cainfo) : nil,
      builtInDirectory: hasPaths ? text(library?.pointee.capath) : nil,
      library: text(library?.pointee.ssl_version) ?? "",
      namesIn: { path in (try? FileSystem.names(in: path)) ?? [] })
  }()

  private static func environment(_ name: String) -> String? {
    text(getenv(name)).flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

/// What this machine's libcurl is and can do.
package struct CurlFacts: Hashable, Sendable {
  /// `8.5.0`.
  package let version: String
  /// The TLS library and its version, `OpenSSL/3.0.13`; nil where there is none.
  package let tls: String?
  package let hasHTTP2: Bool
  package let hasGzip: Bool
  package let hasBrotli: Bool
  package let hasZstandard: Bool
  /// Where certificate authorities are looked for; nil: where libcurl was built to look.
  package let authorities: String?

  /// - Throws: what is wrong where there is no libcurl, or one that is too old.
  package init() throws(TransportError) {
    guard let info = try CurlLibrary.functions().version_info(CURLVERSION_SEVENTH) else {
      throw .other("libcurl does not say what it is")
    }
    let features = Int64(info.pointee.features)
    func has(_ bit: Int64) -> Bool { features & (1 << bit) != 0 }
    version = info.pointee.version.map { String(cString: $0) } ?? "unknown"
    // The numbers of CURL_VERSION_SSL, LIBZ, HTTP2, BROTLI and ZSTD, which are macros that Swift does not see.
    tls = has(2) ? info.pointee.ssl_version.map { String(cString: $0) } : nil
    hasGzip = has(3)
    hasHTTP2 = has(16)
    hasBrotli = has(23)
    hasZstandard = has(26)
    authorities = CurlLibrary.authorities.directory ?? CurlLibrary.authorities.file
  }
}

/// Where libcurl finds the certificate authorities, chosen for speed among places of equal trust.
///
/// Reading a whole bundle costs OpenSSL 3 some 50 ms, and libcurl reads it again for every connection where a folder
/// is configured beside it: with twenty exchanges half a second. A folder whose files are named by the hashes of their
/// subjects (`openssl rehash`) is only looked into for the one authority that signed.
struct CertificateAuthorities: Hashable, Sendable {
  /// A folder with hashed names: asked first.
  var directory: String?
  /// One bundle: used without a folder, and when the folder does not know an authority. nil = what libcurl was built
  /// with.
  var file: String?

  /// - Parameters:
  ///   - fileOfUser: a bundle named in the environment. One that is not the system's own is the only truth.
  ///   - directoryOfUser: a folder named in the environment.
  ///   - builtInFile: what this libcurl was built to use, and so `builtInDirectory`.
  ///   - library: the TLS library's name and version, `OpenSSL/3.0.19`.
  ///   - namesIn: lists the names in a folder.
  init(
    fileOfUser: String?, directoryOfUser: String?, builtInFile: String?, builtInDirectory: String?, library: String,
    namesIn: (String) -> [String]
  ) {
    file = fileOfUser ?? builtInFile
    if let fileOfUser, fileOfUser != builtInFile { return }
    guard let candidate = directoryOfUser ?? builtInDirectory, Self.looksUpHashes(library),
      namesIn(candidate).count(where: Self.isHash) >= Self.fewestHashes
    else { return }
    directory = candidate
  }

  /// One bundle and nothing else.
  init(file: String) { self.file = file }

  /// Fewer are a folder with additions of somebody's own, and no system's whole trust.
  static let fewestHashes = 32

  /// Other libraries read all files of a folder, which takes longer than a bundle.
  private static func looksUpHashes(_ library: String) -> Bool {
    ["OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC", "quictls"].contains { library.hasPrefix($0) }
  }

  /// `5ed36f99.0`: eight hexadecimal digits and a number.
  private static func isHash(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return bytes.count >= 10 && bytes[8] == UInt8(ascii: ".")
      && bytes[..<8].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      && bytes[9...].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
