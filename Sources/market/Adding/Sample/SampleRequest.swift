import Config
import JSON
import Quotes

/// The request that a sample answers, as somebody wrote it: with its secrets still in it. It is sent, and never shown.
struct SampleRequest: Hashable {
  struct Header: Hashable {
    let name: String
    let value: String
  }

  var method = "GET"
  /// As written: perhaps with a user, and with a fragment.
  var url: String
  var headers: [Header] = []
  /// JSON text.
  private(set) var body: [UInt8]?
  /// Names of headers that are no part of the question.
  var dropped: [String] = []

  init(url: String) { self.url = url }

  /// A second header of the same name goes on behind the first, as HTTP has it: the config has one member for each.
  mutating func add(_ name: String, _ value: String) {
    guard let index = headers.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) else {
      headers.append(Header(name: name, value: value))
      return
    }
    let first = headers[index]
    let separator = name.lowercased() == "cookie" ? "; " : ", "
    headers[index] = Header(name: first.name, value: first.value + separator + value)
  }

  /// Gives a header another value, and takes others of its name away.
  mutating func setHeader(_ name: String, to value: String) {
    headers.removeAll { $0.name.lowercased() == name.lowercased() }
    headers.append(Header(name: name, value: value))
  }

  /// Gives a parameter another value where it stands, or adds it.
  mutating func setParameter(_ name: String, to value: String) {
    let fragment = url.firstIndex(of: "#") ?? url.endIndex
    let question = url[..<fragment].firstIndex(of: "?") ?? fragment
    var items = url[question..<fragment].dropFirst().split(separator: "&").map(String.init)
    let item = [name, value].map { URLText.encoded($0, keeping: "{}|") }.joined(separator: "=")
    if let index = items.firstIndex(where: { URLText.decoded(String($0.prefix { $0 != "=" })) == name }) {
      items[index] = item
    } else {
      items.append(item)
    }
    url = url[..<question] + "?" + items.joined(separator: "&")
  }

  /// The request as it is sent: templates of the pair filled in.
  func filled(for pair: Pair?) throws(UsageProblem) -> SampleRequest {
    guard url.contains("{") || headers.contains(where: { $0.value.contains("{secret:") }) else { return self }
    if (headers.map(\.value) + [url]).contains(where: { $0.contains("{secret:") }) {
      throw .other("to ask, the secret itself is needed: write its value, and it stays out of the config")
    }
    guard let template = try? Template(url),
      template.plainNames.allSatisfy({ Template.pairPlaceholders.contains($0.name) }), !template.plainNames.isEmpty
    else { return self }
    guard let pair else { throw .other("say which pair to ask for: --symbol BTC/KRW") }
    var request = self
    request.url = template.pieces.reduce(into: "") { text, piece in
      switch piece {
      case .text(let literal): text += literal
      case .placeholder(.name(let name), let letters):
        let value = name == "asset" ? pair.asset : pair.payment
        text += letters == .lower ? value.lowercased() : value
      case .placeholder: break
      }
    }
    return request
  }

  /// False where the text is no JSON.
  mutating func setBody(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    guard (try? JSONDocument(parsing: Array(text.utf8))) != nil else { return false }
    body = Array(text.utf8)
    return true
  }

  /// Headers that the client writes itself, or that say which browser was used.
  static func isOfTheClient(_ name: String) -> Bool {
    let name = name.lowercased()
    let own: Set = [
      "host", "content-length", "content-type", "connection", "accept-encoding", "user-agent", "accept-language",
      "cache-control", "pragma", "dnt", "priority", "te", "upgrade-insecure-requests", "keep-alive", "expect",
      "authority", "postman-token", "if-none-match", "if-modified-since", "transfer-encoding",
    ]
    return own.contains(name) || name.hasPrefix("sec-")
  }

  /// The address in its parts.
  struct Address: Hashable {
    /// `https://api.example.com:8443`
    let base: String
    /// `user:password`
    let user: String?
    /// Begins with a slash.
    let path: String
    /// Behind the question mark, as written.
    let query: String

    /// Without the user, who goes into a header.
    var text: String { base + path + (query.isEmpty ? "" : "?" + query) }
  }

  /// - Throws: where the address is not one that a config may hold.
  func address() throws(UsageProblem) -> Address {
    let scheme = url.hasPrefix("https://") ? "https://" : "http://"
    guard url.hasPrefix(scheme) else {
      // What stands there may hold a secret.
      throw .other("an address begins with https:// (or http:// for this machine)")
    }
    let rest = url.dropFirst(scheme.count).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let tail = rest.dropFirst(authority.count)
    let at = authority.lastIndex(of: "@")
    let host = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard !host.contains("{") else {
      throw .other("the host of the address is a variable; write what it stands for")
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 < 0x80 && $0 > 0x20 && !"%\"'\\^`<>|".utf8.contains($0) }) else {
      throw .other("the address has no host")
    }
    guard scheme == "https://" || LoopbackHost.matches(host) else {
      throw .other("plain http:// goes to this machine only; write https://\(host)")
    }
    let question = tail.firstIndex(of: "?") ?? tail.endIndex
    let path = tail[..<question]
    return Address(
      base: scheme + host, user: at.map { URLText.decoded(String(authority[..<$0])) },
      path: path.isEmpty ? "/" : String(path),
      query: question == tail.endIndex ? "" : String(tail[tail.index(after: question)...]))
  }
}
