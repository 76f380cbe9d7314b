import Config

/// A pasted `curl …` as the request that it sends.
struct CurlLine {
  /// What is wrong with the line; the sentence never holds a value of it, for that may be a secret.
  enum Problem: Error, Hashable, CustomStringConvertible {
    case words(ShellWords.Problem)
    case notCurl
    /// The line of another program: what it is, and what to copy instead.
    case otherProgram(String)
    /// Quotes as books have them, which no shell knows.
    case typographicQuotes
    case unknownOption(String, suggestion: String?)
    case refused(option: String, reason: String)
    case missingValue(String)
    case readsFile(String)
    case noAddress
    /// `{{base_url}}`, which only the program fills in that it was copied from.
    case variable
    case severalAddresses(Int)
    case method(String)
    case form

    var description: String {
      switch self {
      case .words(let problem): "\(problem)"
      case .notCurl: "the line does not begin with 'curl'"
      case .otherProgram(let name): "that is \(name), no curl line; copy it 'as cURL (bash)' or 'as cURL (cmd)'"
      case .typographicQuotes: "the line has typographic quotes; write ' or \" in their place"
      case .unknownOption(let option, let suggestion):
        "curl's option '\(option)' is not understood" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
      case .refused(let option, let reason): "curl's option '\(option)' cannot be taken over: \(reason)"
      case .missingValue(let option): "curl's option '\(option)' has no value"
      case .readsFile(let option): "curl's option '\(option)' reads a file; write what stands in it"
      case .noAddress: "the line has no address"
      case .variable: "the address holds a variable in {{ }}; write what it stands for"
      case .severalAddresses(let count): "the line has \(count) addresses; paste one request at a time"
      case .method(let method): "the method \(method) is no public read; GET and POST are"
      case .form: "the body is no JSON; the config sends JSON bodies only (or, with -G, a query)"
      }
    }
  }

  let request: SampleRequest
  /// What was left out of the line, in sentences.
  let notes: [String]

  private struct Parts {
    var method: String?
    var addresses: [String] = []
    var headers: [(name: String, value: String)] = []
    /// Pieces of the body, joined by `&` as curl does.
    var data: [String] = []
    var items: [String] = []
    var isJSON = false
    var isGet = false
    var isHead = false
    var notes: [String] = []
    /// What `--user` or `--oauth2-bearer` say.
    var authorization: String?
  }

  init(_ line: String) throws(Problem) {
    let line = Self.withoutPrompt(line)
    if let name = Self.otherProgram(line) { throw .otherProgram(name) }
    let words: ShellWords
    do { words = try CommandPromptWords.isNeeded(line) ? CommandPromptWords(line).words : ShellWords(line) } catch {
      throw .words(error)
    }
    if words.words.contains(where: { $0.first.map { "‘’“”„".contains($0) } == true }) { throw .typographicQuotes }
    guard let program = words.words.first?.split(separator: "/").last, program == "curl" || program == "curl.exe" else {
      throw .notCurl
    }
    var notes: [String] = []
    if !words.rest.isEmpty {
      let hint = words.rest.hasPrefix("&") ? "; an address with '&' in it belongs into quotes" : ""
      notes.append("what stands behind '\(words.rest.prefix(1))' is no part of the request\(hint)")
    }
    let parts = try Self.parts(words.words.dropFirst())
    notes += parts.notes
    request = try Self.request(parts, &notes)
    self.notes = notes
  }

  /// `$ curl …`, as documentation shows it.
  private static func withoutPrompt(_ line: String) -> String {
    let start = line.drop { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r\n" }
    return String(start.hasPrefix("$ ") || start.hasPrefix("% ") || start.hasPrefix("> ") ? start.dropFirst(2) : start)
  }

  /// What browsers and tools offer beside curl, by its first words.
  private static func otherProgram(_ line: String) -> String? {
    let start = line.prefix(200).lowercased()
    let isPowerShell =
      [
        "$session", "$headers", "$params", "$body", "$response", "invoke-webrequest", "invoke-restmethod", "iwr ",
        "irm ",
      ]
      .contains { start.hasPrefix($0) }
      || start.hasPrefix("curl")
        && ["-usebasicparsing", " -uri ", " -headers @{", "`\n", "`\r\n"].contains { start.contains($0) }
    if isPowerShell { return "PowerShell" }
    if ["fetch(", "await fetch("].contains(where: { start.hasPrefix($0) }) { return "JavaScript" }
    if start.hasPrefix("wget ") { return "wget" }
    if ["http ", "https "].contains(where: { start.hasPrefix($0) }) { return "HTTPie" }
    return nil
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

  /// `-sSL`, `-XPOST`, `-H 'A: b'`: letters, the last of which may have its value behind it.
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
    switch option {
    case .withoutMeaning: break
    case .dropped(let reason): parts.notes.append("'\(spelling)' is left out: \(reason)")
    case .refused(let reason, _): throw .refused(option: spelling, reason: reason)
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
      if value.hasPrefix("@") { throw .readsFile(spelling) }
      // `Name;` is an empty header, `Name:` takes one away.
      guard let colon = value.firstIndex(of: ":") else { return }
      // `:authority: …` is how a browser shows the parts of an HTTP/2 request.
      if colon == value.startIndex { return }
      let text = value[value.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      if !text.isEmpty { parts.headers.append((String(value[..<colon]), String(text))) }
    case .cookie:
      guard value.contains("=") else { throw .readsFile(spelling) }
      parts.headers.append(("Cookie", value))
    case .data:
      if value.hasPrefix("@") { throw .readsFile(spelling) }
      // curl takes line ends out of what it reads from a file only.
      parts.data.append(value)
    case .dataRaw: parts.data.append(value)
    case .json:
      if value.hasPrefix("@") { throw .readsFile(spelling) }
      parts.isJSON = true
      parts.data.append(value)
    case .dataEncoded:
      if value.hasPrefix("@") || value.drop(while: { $0 != "@" && $0 != "=" }).hasPrefix("@") {
        throw .readsFile(spelling)
      }
      parts.data.append(URLText.encodedItem(value))
    }
  }

  // MARK: The request

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
    if !address.contains("://") { notes.append("the address has no 'https://'; it is taken for one") }
    var url = address.contains("://") ? address : "https://" + address
    for item in query where !item.isEmpty {
      let fragment = url.firstIndex(of: "#") ?? url.endIndex
      url = String(url[..<fragment]) + (url[..<fragment].contains("?") ? "&" : "?") + item
    }
    var request = SampleRequest(url: url)
    request.method = method
    for header in parts.headers {
      if SampleRequest.isOfTheClient(header.name) {
        request.dropped.append(header.name)
      } else {
        request.add(header.name, header.value)
      }
    }
    // A header that is written out goes before those that curl makes.
    let isAuthorized = request.headers.contains { $0.name.lowercased() == "authorization" }
    if let authorization = parts.authorization, !isAuthorized { request.add("Authorization", authorization) }
    if let body {
      guard request.setBody(body) else { throw .form }
    }
    if !request.dropped.isEmpty {
      notes.append(
        "left out, since they say how a browser works, not what it asks: \(request.dropped.joined(separator: ", "))")
    }
    return request
  }
}
