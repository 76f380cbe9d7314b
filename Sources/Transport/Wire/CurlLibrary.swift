import CCurl
import Files
import HTTP

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
