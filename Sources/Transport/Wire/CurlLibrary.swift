import CCurl
import Files

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// libcurl as a whole.
enum CurlLibrary {
  /// Initialises libcurl, once a process, when first asked for. False where that fails.
  static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

  /// Whom to trust, found out once a process.
  static let authorities: CertificateAuthorities = {
    let library = curl_version_info(CURLVERSION_SEVENTH)
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
