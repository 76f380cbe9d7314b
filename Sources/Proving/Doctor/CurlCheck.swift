package import Config
import Files
import HTTP
import Transport

/// Checks the library used to send requests.
package enum CurlCheck {
  package static func findings() -> [Finding] {
    let facts: CurlFacts
    do throws(TransportError) {
      facts = try CurlFacts()
    } catch {
      let help =
        "install it (Debian, Ubuntu: apt-get install libcurl4; Fedora: dnf install libcurl); recordings work without"
      return [finding(.error, "\(error): no exchange can be queried", help: help)]
    }
    guard let tls = facts.tls else {
      let text = "libcurl \(facts.version) has no TLS: no exchange can be queried"
      return [finding(.error, text, help: "install a libcurl built with TLS")]
    }
    let features = [
      ("HTTP/2", facts.hasHTTP2), ("gzip", facts.hasGzip), ("brotli", facts.hasBrotli), ("zstd", facts.hasZstandard),
    ]
    let names = features.filter(\.1).map(\.0).joined(separator: ", ")
    var findings = [finding(.ok, "libcurl \(facts.version), \(tls), \(names)")]
    if let path = facts.authorities { findings.append(authorities(in: path)) }
    let missing = features.filter { !$0.1 }.map(\.0)
    if !missing.isEmpty {
      let isSlow = missing.contains("HTTP/2") || missing.contains("gzip")
      let text = "without \(missing.joined(separator: ", ")): answers take longer, but are the same"
      findings.append(finding(isSlow ? .warning : .ok, text))
    }
    return findings
  }

  /// Checks where the certificate authorities are: a directory, which was only chosen for its files, or a bundle.
  static func authorities(in path: String) -> Finding {
    let help = "no exchange is trusted without: install ca-certificates, or correct CURL_CA_BUNDLE or SSL_CERT_FILE"
    if !FileSystem.isFolder(path) {
      do throws(FileError) {
        // The head of a certificate in PEM (RFC 7468 §5.1), also of the kind that OpenSSL calls trusted.
        let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
        if !text.contains("CERTIFICATE-----") {
          return finding(.error, "'\(path)' has no certificate authority", help: help)
        }
      } catch {
        return finding(.error, "certificate authorities: \(error)", help: help)
      }
    }
    return finding(.ok, "certificate authorities in \(path)")
  }

  private static func finding(_ severity: Finding.Severity, _ text: String, help: String? = nil) -> Finding {
    Finding(.libcurl, .libcurl, severity, text, help: help)
  }
}
