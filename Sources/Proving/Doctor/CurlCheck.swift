package import Config
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
    if let authorities = facts.authorities {
      findings.append(finding(.ok, "certificate authorities in \(authorities)"))
    }
    let missing = features.filter { !$0.1 }.map(\.0)
    if !missing.isEmpty {
      let isSlow = missing.contains("HTTP/2") || missing.contains("gzip")
      let text = "without \(missing.joined(separator: ", ")): answers take longer, but are the same"
      findings.append(finding(isSlow ? .warning : .ok, text))
    }
    return findings
  }

  private static func finding(_ severity: Finding.Severity, _ text: String, help: String? = nil) -> Finding {
    Finding(.libcurl, .libcurl, severity, text, help: help)
  }
}
