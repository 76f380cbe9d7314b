import CCurl
package import HTTP

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
