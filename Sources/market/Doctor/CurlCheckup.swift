import HTTP
import Transport

/// The library that asks the exchanges.
enum CurlCheckup {
  static func checkups() -> [Checkup] {
    let facts: CurlFacts
    do throws(TransportError) {
      facts = try CurlFacts()
    } catch {
      return [
        Checkup(
          .libcurl, .problem, "\(error): no exchange can be asked",
          help:
            "install it (Debian, Ubuntu: apt-get install libcurl4; Fedora: dnf install libcurl); recordings work without"
        )
      ]
    }
    guard let tls = facts.tls else {
      return [
        Checkup(
          .libcurl, .problem, "libcurl \(facts.version) has no TLS: no exchange can be asked",
          help: "install a libcurl that is built with a TLS library")
      ]
    }
    let features = [
      ("HTTP/2", facts.hasHTTP2), ("gzip", facts.hasGzip), ("brotli", facts.hasBrotli), ("zstd", facts.hasZstandard),
    ]
    let names = features.filter(\.1).map(\.0).joined(separator: ", ")
    var checkups = [Checkup(.libcurl, .ok, "libcurl \(facts.version), \(tls), \(names)")]
    if let authorities = facts.authorities {
      checkups.append(Checkup(.libcurl, .ok, "certificate authorities in \(authorities)"))
    }
    let missing = features.filter { !$0.1 }.map(\.0)
    if !missing.isEmpty {
      checkups.append(
        Checkup(
          .libcurl, missing.contains("HTTP/2") || missing.contains("gzip") ? .warning : .ok,
          "without \(missing.joined(separator: ", ")): answers take longer, and are the same"))
    }
    return checkups
  }
}
