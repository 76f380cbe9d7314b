import Config
import HTTP

/// The request sent by a pasted `curl …` line.
package struct CurlLine {
  /// A problem with the line. Its sentence never contains values from it, which may be secret.
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    case words(ShellWords.Problem)
    case notCurl
    /// A line with carets, for the command prompt of Windows.
    case windows
    /// Typographic quotes, which no shell understands.
    case typographicQuotes
    case unknownOption(String, suggestion: String?)
    case refused(option: String)
    case missingValue(String)
    case readsFile(String)
    case noAddress
    /// `{{base_url}}`, which only the program it was copied from can fill in.
    case variable
    case severalAddresses(Int)
    case method(String)
    case form

    package var description: String {
      switch self {
      case .words(let problem): "\(problem)"
      case .notCurl: "the line does not begin with 'curl'; copy it 'as cURL (bash)'"
      case .windows: "the line is written for Windows' command prompt; copy it 'as cURL (bash)'"
      case .typographicQuotes: "the line has typographic quotes; write ' or \" instead"
      case .unknownOption(let option, let suggestion):
        "unknown curl option '\(option)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
      case .refused(let option): "curl option '\(option)' is not supported; the config has no equivalent"
      case .missingValue(let option): "missing value for the curl option '\(option)'"
      case .readsFile(let option): "curl option '\(option)' reads a file; write the contents of the file"
      case .noAddress: "the line has no address"
      case .variable: "the address holds a variable in {{ }}; write its value"
      case .severalAddresses(let count): "the line has \(count) addresses; paste one request at a time"
      case .method(let method): "invalid method '\(method)'; expected GET or POST"
      case .form: "the body is not valid JSON; add-exchange takes JSON bodies only (or, with -G, a query)"
      }
    }
  }

  let request: SampleRequest
  /// What was omitted from the line, in sentences.
  package let notes: [String]

  private struct Parts {
    var method: String?
    var addresses: [String] = []
    var headers: [(name: String, value: String)] = []
    /// Parts of the body, joined by `&` as in curl.
    var data: [String] = []
    var items: [String] = []
    var isJSON = false
    var isGet = false
    var isHead = false
    var notes: [String] = []
    /// The value of `--user` or `--oauth2-bearer`.
    var authorization: String?
  }

  init(_ line: String) throws(Problem) {
    guard !line.contains("^\""),
      !line.split(whereSeparator: \.isNewline).dropLast().contains(where: { $0.hasSuffix(" ^") })
    else { throw .windows }
    let words: ShellWords
    do { words = try ShellWords(ShellWords.withoutPrompt(line)) } catch { throw .words(error) }
    if words.words.contains(where: { $0.first.map { "‘’“”„".contains($0) } == true }) { throw .typographicQuotes }
    guard words.words.first?.split(separator: "/").last == "curl" else { throw .notCurl }
    var notes: [String] = []
    if !words.rest.isEmpty {
      let hint = words.rest.hasPrefix("&") ? "; put an address with '&' in quotes" : ""
      notes.append("ignored: what follows '\(words.rest.prefix(1))'\(hint)")
    }
    let parts = try Self.parts(words.words.dropFirst())
    notes += parts.notes
    request = try Self.request(parts, &notes)
    self.notes = notes
  }

  /// Parses the line, throwing problems as an `OnboardingProblem`.
  package static func parsed(_ line: String) throws(OnboardingProblem) -> CurlLine {
    do throws(Problem) { return try CurlLine(line) } catch { throw .curl(error) }
  }

  // MARK: Options

  private static func parts(_ words: ArraySlice<String>) throws(Problem) -> Parts {
    var parts = Parts()
    var rest = words
    while let word = rest.popFirst() {
      if word.hasPrefix("--"), word.count > 2 {
        let name = String(word.dropFirst(2))
        guard let option = CurlOption(long: name) else {
          let near = Spelling.suggestion(for: name, among: CurlOption.longNames)
          throw .unknownOption(String(word.prefix { $0 != "=" }), suggestion: near.map { "--" + $0 })
        }
        try take(option, word, option.takesValue ? rest.popFirst() : "", &parts)
      } else if word.hasPrefix("-"), word.count > 1 {
        try takeShort(word, &rest, &parts)
      } else {
        parts.addresses.append(word)
      }
    }
    return parts
  }

  /// Parses `-sSL`, `-XPOST`, `-H 'A: b'`: letters, the last of which may be followed by its value.
  private static func takeShort(
    _ word: String, _ rest: inout ArraySlice<String>, _ parts: inout Parts
  ) throws(Problem) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = CurlOption(short: letter) else { throw .unknownOption("-\(letter)", suggestion: nil) }
      guard option.takesValue else {
        try take(option, "-\(letter)", "", &parts)
        continue
      }
      try take(option, "-\(letter)", letters.isEmpty ? rest.popFirst() : String(letters), &parts)
      return
    }
  }

  private static func take(
    _ option: CurlOption, _ spelling: String, _ value: String?, _ parts: inout Parts
  ) throws(Problem) {
    guard let value else { throw .missingValue(spelling) }
    if [.header, .data, .json].contains(option), value.hasPrefix("@") { throw .readsFile(spelling) }
    switch option {
    case .withoutMeaning: break
    case .insecure: parts.notes.append("'\(spelling)' is left out: certificates are always checked")
    case .refused: throw .refused(option: spelling)
    case .request: parts.method = value.uppercased()
    case .url: parts.addresses.append(value)
    case .get: parts.isGet = true
    case .head: parts.isHead = true
    case .user: parts.authorization = URLText.basic(value)
    case .userAgent: parts.headers.append(("User-Agent", value))
    case .referer: parts.headers.append(("Referer", value))
    case .bearer: parts.authorization = "Bearer " + value
    case .queryItem: parts.items.append(value)
    case .header:
      // `Name;` is an empty header, `Name:` removes one.
      guard let colon = value.firstIndex(of: ":") else { return }
      // Browsers show the parts of an HTTP/2 request as `:authority: …`.
      if colon == value.startIndex { return }
      let text = value[value.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      if !text.isEmpty { parts.headers.append((String(value[..<colon]), String(text))) }
    case .cookie:
      guard value.contains("=") else { throw .readsFile(spelling) }
      parts.headers.append(("Cookie", value))
    // curl only removes line ends from data read from a file.
    case .data, .dataRaw: parts.data.append(value)
    case .json:
      parts.isJSON = true
      parts.data.append(value)
    case .dataEncoded:
      if value.hasPrefix("@") || value.drop(while: { $0 != "@" && $0 != "=" }).hasPrefix("@") {
        throw .readsFile(spelling)
      }
      parts.data.append(URLText.encodedItem(value))
    }
  }

  // MARK: Request

  private static func request(_ parts: Parts, _ notes: inout [String]) throws(Problem) -> SampleRequest {
    guard let address = parts.addresses.first else { throw .noAddress }
    guard parts.addresses.count == 1 else { throw .severalAddresses(parts.addresses.count) }
    if address.contains("{{") { throw .variable }
    if parts.isHead { throw .method("HEAD") }
    var query = parts.items
    var body: String?
    if !parts.data.isEmpty {
      if parts.isGet {
        query += parts.data
      } else {
        body = parts.isJSON ? parts.data.joined() : parts.data.joined(separator: "&")
      }
    }
    let method = parts.method ?? (body == nil ? "GET" : "POST")
    guard ["GET", "POST"].contains(method) else { throw .method(method) }
    if !address.contains("://") { notes.append("the address has no scheme; using https://") }
    var url = address.contains("://") ? address : "https://" + address
    for item in query where !item.isEmpty {
      let fragment = url.firstIndex(of: "#") ?? url.endIndex
      url = String(url[..<fragment]) + (url[..<fragment].contains("?") ? "&" : "?") + item
    }
    var request = SampleRequest(url: url)
    request.method = method
    for header in parts.headers {
      if SampleRequest.isOfTheClient(header.name) {
        // A body is sent as JSON anyway.
        let saysJSON = header.name.lowercased() == "content-type" && header.value.hasPrefix("application/json")
        if !saysJSON || body == nil { request.dropped.append(header.name) }
      } else {
        request.add(header.name, header.value)
      }
    }
    // An explicit header takes precedence over those created by curl.
    let isAuthorized = request.headers.first(named: "authorization") != nil
    if let authorization = parts.authorization, !isAuthorized { request.add("Authorization", authorization) }
    if let body {
      guard request.setBody(body) else { throw .form }
    }
    if !request.dropped.isEmpty {
      notes.append(
        "left out, since they describe the browser, not the request: \(request.dropped.joined(separator: ", "))")
    }
    return request
  }
}
