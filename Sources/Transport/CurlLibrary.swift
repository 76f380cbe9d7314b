import CCurl
import Files
package import HTTP
import Quotes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's libcurl, loaded on first use and kept until the process ends.
enum CurlLibrary {
  /// Returns the functions of the fully initialised library, including TLS.
  ///
  /// - Throws: An error that describes the problem if the system's libcurl is missing or too old.
  static func functions() throws(TransportError) -> CurlFunctions { try initialised.get() }

  /// Returns the functions of the library once it is loaded, for parsing text without TLS.
  ///
  /// - Throws: The same errors as `functions()`.
  static func textFunctions() throws(TransportError) -> CurlFunctions { try loaded.get() }

  /// Why this system has no usable libcurl; nil if it can be loaded.
  static var problem: TransportError? { if case .failure(let problem) = loaded { problem } else { nil } }

  private static let loaded: Result<CurlFunctions, TransportError> = {
    var functions = CurlFunctions()
    if let problem = text(market_curl_load(&functions)) {
      if OpenFileBudget.isUsedUp { return .failure(.tooManyFiles) }
      return .failure(
        .other(
          "libcurl cannot be used: \(problem); install the package libcurl4 (Debian, Ubuntu), libcurl (Fedora, "
            + "Alpine) or curl (Arch)"))
    }
    return .success(functions)
  }()

  private static let initialised: Result<CurlFunctions, TransportError> = loaded.flatMap { curl in
    curl.global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK
      ? .success(curl) : .failure(.other("libcurl cannot be initialised"))
  }

  /// The trusted authorities, located once per process.
  static let authorities: CertificateAuthorities = {
    let library = try? functions().version_info(CURLVERSION_SEVENTH)
    // The paths were added in the seventh version of this struct, in libcurl 7.70.
    let hasPaths = (library?.pointee.age.rawValue ?? 0) >= CURLVERSION_SEVENTH.rawValue
    return CertificateAuthorities(
      fileOfUser: environment("CURL_CA_BUNDLE") ?? environment("SSL_CERT_FILE"),
      directoryOfUser: environment("SSL_CERT_DIR"),
      builtInFile: hasPaths ? text(library?.pointee.cainfo) : nil,
      builtInDirectory: hasPaths ? text(library?.pointee.capath) : nil,
      library: text(library?.pointee.ssl_version) ?? "",
      namesIn: { path in (try? FileSystem.names(in: path)) ?? [] })
  }()

  /// Returns a variable of the environment; nil if it is not set or empty.
  static func environment(_ name: String) -> String? {
    text(getenv(name)).flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
}

/// The version and features of this machine's libcurl.
package struct CurlFacts: Hashable, Sendable {
  /// For example `8.5.0`.
  package let version: String
  /// The TLS library and its version, for example `OpenSSL/3.0.13`; nil if there is none.
  package let tls: String?
  package let hasHTTP2: Bool
  package let hasGzip: Bool
  package let hasBrotli: Bool
  package let hasZstandard: Bool
  /// Where certificate authorities are looked up; nil for libcurl's built-in location.
  package let authorities: String?

  /// - Throws: An error that describes the problem if libcurl is missing or too old.
  package init() throws(TransportError) {
    guard let info = try CurlLibrary.functions().version_info(CURLVERSION_SEVENTH) else {
      throw .other("libcurl reports no version")
    }
    let features = Int64(info.pointee.features)
    func has(_ bit: Int64) -> Bool { features & (1 << bit) != 0 }
    version = info.pointee.version.map { String(cString: $0) } ?? "unknown"
    // The bits of CURL_VERSION_SSL, LIBZ, HTTP2, BROTLI and ZSTD, macros that are not imported into Swift.
    tls = has(2) ? info.pointee.ssl_version.map { String(cString: $0) } : nil
    hasGzip = has(3)
    hasHTTP2 = has(16)
    hasBrotli = has(23)
    hasZstandard = has(26)
    authorities = CurlLibrary.authorities.directory ?? CurlLibrary.authorities.file
  }
}

/// Where libcurl finds the certificate authorities, chosen for speed among equally trusted places.
///
/// Reading a whole bundle takes OpenSSL 3 some 50 ms, and libcurl reads it again for every connection if a directory
/// is configured too: half a second for twenty exchanges. In a directory whose files are named by subject hash
/// (`openssl rehash`), only the one signing authority is looked up.
struct CertificateAuthorities: Hashable, Sendable {
  /// A directory with hashed names, searched first.
  var directory: String?
  /// A bundle, used without a directory, or if the directory lacks an authority. nil for libcurl's built-in one.
  var file: String?

  /// - Parameters:
  ///   - fileOfUser: A bundle named in the environment. Unless it is the system's own, nothing else is trusted.
  ///   - directoryOfUser: A directory named in the environment.
  ///   - builtInFile: The bundle that this libcurl was built to use; likewise `builtInDirectory`.
  ///   - library: The TLS library's name and version, for example `OpenSSL/3.0.19`.
  ///   - namesIn: Lists the file names in a directory.
  init(
    fileOfUser: String?, directoryOfUser: String?, builtInFile: String?, builtInDirectory: String?, library: String,
    namesIn: (String) -> [String]
  ) {
    file = fileOfUser ?? builtInFile
    if let fileOfUser, fileOfUser != builtInFile { return }
    guard let candidate = directoryOfUser ?? builtInDirectory, Self.looksUpHashes(library),
      namesIn(candidate).count(where: Self.isHash) >= Self.minimumHashes
    else { return }
    directory = candidate
  }

  /// Trusts a single bundle and nothing else.
  init(file: String) { self.file = file }

  /// The fewest hashed files in a system's directory; one with fewer only holds a user's additions.
  static let minimumHashes = 32

  /// Whether the TLS library looks up hashed names. Others read a whole directory, which is slower than a bundle.
  private static func looksUpHashes(_ library: String) -> Bool {
    ["OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC", "quictls"].contains { library.hasPrefix($0) }
  }

  /// Whether the name is like `5ed36f99.0`: eight hexadecimal digits and a number.
  private static func isHash(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return bytes.count >= 10 && bytes[8] == UInt8(ascii: ".")
      && bytes[..<8].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      && bytes[9...].allSatisfy(\.isDigit)
  }
}
