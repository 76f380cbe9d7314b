/// Hosts that are this machine: the only ones that plain http may be spoken to.
package enum LoopbackHost {
  /// - Parameter rest: a URL without its scheme: `127.0.0.1:8080/path`.
  package static func matches(_ rest: some StringProtocol) -> Bool {
    let host = rest.prefix { $0 != "/" }
    if host.hasPrefix("[") { return host == "[::1]" || host.hasPrefix("[::1]:") }
    let name = host.prefix { $0 != ":" }
    if name == "localhost" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
