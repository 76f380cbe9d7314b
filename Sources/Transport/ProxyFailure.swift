/// Parses libcurl's messages about a failing proxy. Proxies come from the environment, which only libcurl reads, so its
/// messages are the only place that names them; an unknown wording yields no name.
enum ProxyFailure {
  /// Returns the proxy in `Could not resolve proxy: proxy.example`.
  static func name(unresolved detail: String) -> String {
    unresolved(words(of: detail, behind: ["resolve", "proxy:"])?.first.map(trimmed))
  }

  /// Returns the message for a proxy whose name has no address, or none in time; nil if it is unknown.
  static func unresolved(_ proxy: String?) -> String { "\(name(proxy)): cannot resolve its name" }

  /// Returns the proxy in `Failed to connect to proxy.example port 3128 after 0 ms`, or, since libcurl 8.1, `Failed to
  /// connect to host port 443 via proxy.example after 0 ms`; nil if the requested host itself was unreachable.
  static func name(unreachable detail: String, for authority: String) -> String? {
    if let words = words(of: detail, behind: ["via"]) ?? words(of: detail, behind: ["over"]), let name = words.first {
      return trimmed(name)
    }
    guard let words = words(of: detail, behind: ["connect", "to"]), words.count >= 3, words[1] == "port" else {
      return nil
    }
    let host = words[0].contains(":") && !words[0].hasPrefix("[") ? "[\(words[0])]" : String(words[0])
    let address = "\(host.lowercased()):\(words[2])"
    return address == authority ? nil : address
  }

  /// Returns the message for a proxy that answered `CONNECT` with a failure.
  ///
  /// - Parameters:
  ///   - proxy: The proxy's address; nil if unknown.
  ///   - hasPassword: Whether a user name was sent.
  static func refusal(by proxy: String?, status: Int, of authority: String, hasPassword: Bool) -> String {
    let wish =
      switch status {
      case 407 where hasPassword: ": it does not accept the username and password in its address"
      case 407: ": it requires a username and password, as in https_proxy=http://name:password@host"
      default: ""
      }
    return "\(name(proxy)) refused to connect to \(authority): HTTP \(status)\(wish)"
  }

  static func name(_ proxy: String?) -> String { "the proxy" + (proxy.map { " \($0)" } ?? "") }

  /// Returns the proxy's URL for a request, read from the environment in libcurl's order; nil if there is none.
  static func url(isSecure: Bool, _ environment: (String) -> String?) -> String? {
    let names = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    return (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap(environment).first
  }

  private static func words(of detail: String, behind key: [String]) -> [Substring]? {
    let words = detail.split(separator: " ")
    guard words.count > key.count,
      let start = (0..<words.count - key.count).first(where: { words[$0...].starts(with: key.map { $0[...] }) })
    else { return nil }
    return Array(words[(start + key.count)...])
  }

  /// Returns the word without trailing punctuation.
  private static func trimmed(_ word: Substring) -> String {
    String(word.reversed().drop { $0 == "." || $0 == "," || $0 == ";" }.reversed())
  }
}
