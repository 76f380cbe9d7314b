/// An option of curl, as far as a question to an exchange can be made of it (curl(1), 8.x).
enum CurlOption: Hashable {
  /// Of what is asked.
  case request, header, data, dataRaw, dataEncoded, json, url, cookie, user, userAgent, referer, bearer, queryItem
  case get, head
  /// Says how curl works or what it prints, not what it asks; taken with its value, if it has one.
  case withoutMeaning(takesValue: Bool)
  /// Changes nothing of what is asked, and somebody may miss it; the text is what holds instead.
  case dropped(String)
  /// What the config cannot say; the text is why.
  case refused(String, takesValue: Bool)

  var takesValue: Bool {
    switch self {
    case .get, .head, .dropped: false
    case .withoutMeaning(let takesValue), .refused(_, let takesValue): takesValue
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
    "w": "write-out", "D": "dump-header", "c": "cookie-jar", "4": "ipv4", "6": "ipv6", "0": "http1.0", "k": "insecure",
    "F": "form", "x": "proxy", "K": "config", "T": "upload-file", "E": "cert", "r": "range", "n": "netrc",
    "q": "disable", "J": "remote-header-name", "1": "tlsv1", "a": "append", "p": "proxytunnel", "z": "time-cond",
    "y": "speed-time", "Y": "speed-limit", "C": "continue-at", "U": "proxy-user", "j": "junk-session-cookies",
    "R": "remote-time", "Z": "parallel",
  ]

  private static let byName: [String: CurlOption] = {
    var options: [String: CurlOption] = [
      "request": .request, "header": .header, "data": .data, "data-ascii": .data, "data-binary": .data,
      "data-raw": .dataRaw, "data-urlencode": .dataEncoded, "json": .json, "url": .url, "cookie": .cookie,
      "user": .user, "user-agent": .userAgent, "referer": .referer, "oauth2-bearer": .bearer, "url-query": .queryItem,
      "get": .get, "head": .head,
      "insecure": .dropped("certificates are always checked"),
      "proxy-insecure": .dropped("certificates are always checked"),
      "form": .refused("forms are not sent; the config knows JSON bodies only", takesValue: true),
      "form-string": .refused("forms are not sent; the config knows JSON bodies only", takesValue: true),
      "proxy": .refused("a proxy is taken from https_proxy", takesValue: true),
      "socks5": .refused("a proxy is taken from https_proxy", takesValue: true),
      "socks5-hostname": .refused("a proxy is taken from https_proxy", takesValue: true),
      "config": .refused("it reads a file of curl's own", takesValue: true),
      "upload-file": .refused("nothing is uploaded", takesValue: true),
      "cert": .refused("certificates of clients are not sent", takesValue: true),
      "key": .refused("certificates of clients are not sent", takesValue: true),
      "netrc": .refused("write the password as a secret", takesValue: false),
      "digest": .refused("only basic authentication is known", takesValue: false),
      "ntlm": .refused("only basic authentication is known", takesValue: false),
      "aws-sigv4": .refused("requests are not signed", takesValue: true),
      "resolve": .refused("hosts are looked up as usual", takesValue: true),
      "unix-socket": .refused("only addresses on the network are asked", takesValue: true),
      "range": .refused("whole answers are asked for", takesValue: true),
      "continue-at": .refused("whole answers are asked for", takesValue: true),
      "time-cond": .refused("whole answers are asked for", takesValue: true),
      "append": .refused("nothing is uploaded", takesValue: false),
      "proxytunnel": .refused("a proxy is taken from https_proxy", takesValue: false),
      "proxy-user": .refused("a proxy is taken from https_proxy", takesValue: true),
      "preproxy": .refused("a proxy is taken from https_proxy", takesValue: true),
      "socks4": .refused("a proxy is taken from https_proxy", takesValue: true),
      "connect-to": .refused("hosts are looked up as usual", takesValue: true),
      "interface": .refused("the network is used as it is", takesValue: true),
      "negotiate": .refused("only basic authentication is known", takesValue: false),
      "anyauth": .refused("only basic authentication is known", takesValue: false),
      "next": .refused("paste one request at a time", takesValue: false),
      "variable": .refused("write what it stands for", takesValue: true),
    ]
    let flags =
      "silent show-error location include verbose fail fail-with-body fail-early globoff no-buffer progress-bar "
      + "remote-name compressed ipv4 ipv6 http1.0 http1.1 http2 http2-prior-knowledge http3 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 "
      + "tlsv1.3 disable no-progress-meter no-keepalive tcp-nodelay path-as-is basic styled-output location-trusted "
      + "create-dirs remote-time parallel no-silent no-compressed no-location tr-encoding remote-header-name "
      + "junk-session-cookies no-progress-bar ssl no-sessionid false-start no-alpn no-npn tcp-fastopen doh-insecure "
      + "compressed-ssh fail-early xattr raw no-fail no-include no-verbose post301 post302 post303"
    for name in flags.split(separator: " ") { options[String(name)] = .withoutMeaning(takesValue: false) }
    let settings =
      "output max-time connect-timeout retry retry-delay retry-max-time write-out dump-header cookie-jar stderr trace "
      + "trace-ascii max-redirs max-filesize limit-rate speed-limit speed-time keepalive-time ciphers tls-max cacert "
      + "output-dir dns-servers doh-url happy-eyeballs-timeout-ms expect100-timeout curves tls13-ciphers capath "
      + "retry-connrefused-delay rate etag-compare etag-save trace-config"
    for name in settings.split(separator: " ") { options[String(name)] = .withoutMeaning(takesValue: true) }
    return options
  }()
}
