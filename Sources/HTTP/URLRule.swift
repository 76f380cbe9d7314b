/// Where URLs may lead: with TLS to any machine, without it only to this one.
///
/// This is the rule for texts. What is sent is checked again as libcurl parses it.
package enum URLRule {
  /// A scheme with TLS; without it, it lacks the `s`.
  package enum Scheme: String, Sendable { case https, wss }

  /// Returns what follows the scheme of a URL that keeps the rule; nil for any other text.
  package static func rest(of url: String, _ scheme: Scheme) -> Substring? {
    let secure = "\(scheme.rawValue)://"
    if url.hasPrefix(secure) { return url.dropFirst(secure.count) }
    let plain = "\(scheme.rawValue.dropLast())://"
    guard url.hasPrefix(plain) else { return nil }
    let rest = url.dropFirst(plain.count)
    return HostName(of: "http://\(rest)").isLoopback ? rest : nil
  }

  /// Returns whether a URL keeps the rule.
  package static func allows(_ url: String, _ scheme: Scheme) -> Bool { rest(of: url, scheme) != nil }
}
