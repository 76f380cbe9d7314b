import Config
import HTTP
import JSON
import Mapping
import Quotes

/// The request that a sample answers, as written by the user with its secrets. It is sent, but never shown.
struct SampleRequest: Hashable {
  var method = "GET"
  /// As written, possibly with a user and a fragment.
  var url: String
  var headers: [HTTPHeader] = []
  /// JSON text.
  private(set) var body: [UInt8]?
  /// Names of headers that do not belong to the request.
  var dropped: [String] = []

  init(url: String) { self.url = url }

  /// - Parameter path: A path at the base URL, or a whole URL.
  init(_ path: String, at base: String) {
    url = path.contains("://") ? path : base + (path.hasPrefix("/") ? "" : "/") + path
  }

  /// Appends the value of a repeated header to the first one as in HTTP, since the config has one member for each.
  mutating func add(_ name: String, _ value: String) {
    guard let index = headers.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) else {
      headers.append(HTTPHeader(name: name, value: value))
      return
    }
    headers[index].value += (name.lowercased() == "cookie" ? "; " : ", ") + value
  }

  /// Returns the request as sent, with the pair's templates filled in.
  func filled(for pair: Pair?) throws(OnboardingProblem) -> SampleRequest {
    let texts = headers.map(\.value) + [url, String(decoding: body ?? [], as: UTF8.self)]
    guard texts.allSatisfy({ SecretName.names(in: $0).isEmpty }) else {
      throw .usage(.secretNeeded)
    }
    func filled(_ text: String) -> String? {
      guard let template = try? Template(text), !template.plainNames.isEmpty,
        template.plainNames.allSatisfy({ Template.pairPlaceholders.contains($0.name) })
      else { return nil }
      return template.filled(asset: pair?.asset ?? "", payment: pair?.payment ?? "")
    }
    var request = self
    var isFilled = false
    if let text = filled(url) { (request.url, isFilled) = (text, true) }
    let body = body.flatMap { try? JSONDocument(parsing: $0) }.map { document in
      ConfigValue(document.root).mapped { _, value in
        guard case .text(let text) = value, let text = filled(text) else { return value }
        isFilled = true
        return .text(text)
      }
    }
    guard isFilled else { return self }
    guard pair != nil else { throw .usage(.pairNeeded) }
    request.body = body.map { Array($0.text().utf8) }
    return request
  }

  /// Returns false if the text is not JSON.
  mutating func setBody(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    guard (try? JSONDocument(parsing: Array(text.utf8))) != nil else { return false }
    body = Array(text.utf8)
    return true
  }

  /// Returns whether a header is set by the client itself, or describes the browser.
  static func isOfTheClient(_ name: String) -> Bool {
    let name = name.lowercased()
    let own: Set = [
      "host", "content-length", "content-type", "connection", "accept-encoding", "user-agent", "accept-language",
      "cache-control", "pragma", "dnt", "priority", "te", "upgrade-insecure-requests", "keep-alive", "expect",
      "authority", "postman-token", "if-none-match", "if-modified-since", "transfer-encoding",
    ]
    return own.contains(name) || name.hasPrefix("sec-")
  }

  /// The components of the URL.
  struct Address: Hashable {
    /// `https://api.example.com:8443`
    let base: String
    /// `user:password`
    let user: String?
    /// Begins with a slash.
    let path: String
    /// The part after the question mark, as written.
    let query: String

    /// Without the user, which goes into a header.
    var text: String { base + path + (query.isEmpty ? "" : "?" + query) }
  }

  /// - Throws: If the URL is not allowed in a config.
  func address() throws(OnboardingProblem) -> Address {
    let scheme = url.hasPrefix("https://") ? "https://" : "http://"
    guard url.hasPrefix(scheme) else { throw .usage(.noScheme) }
    let rest = url.dropFirst(scheme.count).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let tail = rest.dropFirst(authority.count)
    let at = authority.lastIndex(of: "@")
    let host = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard !host.contains("{") else { throw .usage(.hostIsVariable) }
    let isHost = host.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 && !"%\"'\\^`<>|".utf8.contains($0) }
    guard isHost, !host.isEmpty else { throw .usage(.noHost) }
    guard scheme == "https://" || HostName(of: host).isLoopback else { throw .plainHTTP(host: String(host)) }
    let question = tail.firstIndex(of: "?") ?? tail.endIndex
    let path = tail[..<question]
    return Address(
      base: scheme + host, user: at.map { URLText.decoded(String(authority[..<$0])) },
      path: path.isEmpty ? "/" : String(path),
      query: question == tail.endIndex ? "" : String(tail[tail.index(after: question)...]))
  }
}
