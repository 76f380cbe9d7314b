import CCurl

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// libcurl as a whole: initialised once a process, when first asked for.
enum CurlLibrary {
  /// False where libcurl cannot be initialised.
  static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

  /// The file of certificate authorities that the user names in a variable known from curl or OpenSSL.
  static let authoritiesOfEnvironment: String? = {
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
    }
    return nil
  }()
}
