/// An option of curl, as far as it applies to requests to an exchange (curl(1), 8.x).
enum CurlOption: Hashable {
  /// Part of the request.
  case request, header, data, dataRaw, dataEncoded, json, url, cookie, user, userAgent, referer, bearer, queryItem
  case get, head
  /// Disables certificate checks, which is never done here.
  case insecure
  /// Affects how curl works or what it prints, not the request.
  case withoutMeaning(takesValue: Bool)
  /// Not supported by the config: forms, proxies, client certificates.
  case refused(takesValue: Bool)

  var takesValue: Bool {
    switch self {
    case .get, .head, .insecure: false
    case .withoutMeaning(let takesValue), .refused(let takesValue): takesValue
    default: true
    }
  }

  init?(long name: String) {
    guard let option = Self.byName[name] else { return nil }
    self = option
  }

  init?(short letter: Character) {
    guard let name = Self.shortNames[letter] else { return nil }
    self.init(long: name)
  }

  static var longNames: [String] { byName.keys.sorted() }

  private static let shortNames: [Character: String] = [
    "X": "request", "H": "header", "d": "data", "G": "get", "I": "head", "b": "cookie", "u": "user", "A": "user-agent",
    "e": "referer", "s": "silent", "S": "show-error", "L": "location", "i": "include", "v": "verbose", "f": "fail",
    "g": "globoff", "N": "no-buffer", "#": "progress-bar", "o": "output", "O": "remote-name", "m": "max-time",
    "w": "write-out", "D": "dump-header", "c": "cookie-jar", "4": "ipv4", "6": "ipv6", "k": "insecure", "F": "form",
    "x": "proxy", "K": "config", "T": "upload-file", "E": "cert", "n": "netrc",
  ]

  private static let byName: [String: CurlOption] = {
    var options: [String: CurlOption] = [
      "request": .request, "header": .header, "data": .data, "data-ascii": .data, "data-binary": .data,
      "data-raw": .dataRaw, "data-urlencode": .dataEncoded, "json": .json, "url": .url, "cookie": .cookie,
      "user": .user, "user-agent": .userAgent, "referer": .referer, "oauth2-bearer": .bearer, "url-query": .queryItem,
      "get": .get, "head": .head, "insecure": .insecure,
    ]
    func add(_ names: String, _ option: CurlOption) {
      for name in names.split(separator: " ") { options[String(name)] = option }
    }
    add("form proxy config upload-file cert key", .refused(takesValue: true))
    add("netrc digest next", .refused(takesValue: false))
    add(
      "silent show-error location include verbose fail fail-with-body globoff no-buffer progress-bar remote-name compressed "
        + "ipv4 ipv6 http1.1 http2 http3 tlsv1.2 tlsv1.3 no-progress-meter path-as-is basic parallel",
      .withoutMeaning(takesValue: false))
    add(
      "output max-time connect-timeout retry retry-delay write-out dump-header cookie-jar max-redirs limit-rate cacert "
        + "ciphers", .withoutMeaning(takesValue: true))
    return options
  }()
}
