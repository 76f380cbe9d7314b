extension ConnectionSpec {
  /// Returns what uses a name of `set`, as words of a sentence: `the header 'X-Token'`.
  ///
  ///     "hello": { "send": { "auth": "{token}" } }  →  place(of: "token") == "'hello'"
  package func place(of name: String) -> String {
    func isUsed(in templates: [Template]?) -> Bool {
      templates?.contains { template in template.plainNames.contains { $0.name == name } } ?? false
    }
    if isUsed(in: urls) { return "the address of the stream" }
    for header in headers where isUsed(in: [header.value]) {
      return "the header '\(header.name)'"
    }
    if isUsed(in: hello?.send?.templates) { return "'hello'" }
    if isUsed(in: ping.send?.templates) { return "'ping'" }
    if isUsed(in: pong?.send.templates) { return "'pong'" }
    // Nothing else of a connection has templates.
    return "the subscription"
  }
}
