import HTTP
import JSON
import Quotes

package struct RequestSpec: Sendable {
  package var method = "GET"
  package var path: Template
  package var query: [(name: String, value: Template)] = []
  /// The parameters of `query` that are sent once for each key of a batch.
  package var repeated: Set<String> = []
  /// Compact JSON text, with templates inside.
  package var body: BodySpec?
  /// Sent as `application/x-www-form-urlencoded`, instead of a body.
  package var form: [(name: String, value: Template)] = []
  package var cost = 1
  package let node: ConfigNode

  /// Both only read.
  static let methods = ["GET", "POST"]

  /// Every template to fill in before the request is sent: path, query, form, body.
  package var templates: [Template] { [path] + (query + form).map(\.value) + (body?.templates ?? []) }

  /// All placeholders of its templates.
  package var placeholders: Set<Template.Placeholder> { Set(templates.flatMap(\.placeholders)) }

  /// Whether the request names the pair it is for.
  package var asksForPair: Bool { !placeholders.isDisjoint(with: [.pair(.asset), .pair(.symbol)]) }

  /// A stand-in for a request that could not be read.
  static func placeholder(at node: ConfigNode) -> RequestSpec { RequestSpec(path: Template(text: "/"), node: node) }
}

extension SpecReader {
  /// - Parameters:
  ///   - names: the names that its templates may use, besides those that every request can fill.
  ///   - left: keys that the caller reads itself.
  ///   - isBatched: whether it may be one for several keys, each of which can be a parameter of its own.
  mutating func readRequest(
    _ node: ConfigNode, names: [String], leaving left: [String] = [], isBatched: Bool = false
  ) -> RequestSpec? {
    guard checkKeys(node, .request) else { return nil }
    let known = Template.pairPlaceholders + names
    guard let pathNode = required("path", of: node, in: "this request"),
      let path = readTemplate(pathNode, known: known)
    else { return nil }
    checkPath(path, at: pathNode)
    var request = RequestSpec(path: path, node: node)
    if let method = node["method"], let text = readText(method) {
      if !RequestSpec.methods.contains(text) { report(.unknownValue(RequestSpec.methods, found: text, at: method)) }
      request.method = text
    }
    func wanted(_ key: String) -> ConfigNode? { left.contains(key) ? nil : node[key] }
    if let query = wanted("query") {
      let lists = isBatched ? query.members.filter { $0.value.json.kind == .array } : []
      request.repeated = Set(lists.map(\.name))
      request.query = readParameters(query, repeated: request.repeated, known: known)
    }
    request.form = wanted("form").map { readParameters($0, repeated: [], known: known) } ?? []
    if let body = wanted("body") { request.body = readBody(body, known: known) }
    if let form = node["form"], node["body"] != nil { report(.conflictingKeys(["form", "body"], at: form)) }
    if let form = node["form"], request.method == "GET" { report(.formOfGet(at: form)) }
    if let cost = node["cost"] { request.cost = readInteger(cost, in: IntegerRange.cost) ?? 1 }
    return request
  }

  /// Checks the path. It is appended to a base URL: without a leading slash it would become part of the host name.
  private mutating func checkPath(_ path: Template, at node: ConfigNode) {
    guard case .text(let text)? = path.pieces.first, text.hasPrefix("/") else {
      let isAddress = if case .text(let text)? = path.pieces.first { text.contains("://") } else { false }
      report(
        .invalidRequestPath(
          "invalid request path; it must begin with '/'", at: node,
          help: isAddress ? "write the host in 'baseUrls', and here only what follows it" : nil))
      return
    }
    let isPlain = path.pieces.allSatisfy { piece in
      if case .text(let text) = piece { !text.contains("?") && !text.contains("#") } else { true }
    }
    if !isPlain {
      report(
        .invalidRequestPath(
          "invalid request path; it cannot contain '?' or '#'", at: node, help: "write the parameters under 'query'"))
    }
    for case .text(let text) in path.pieces {
      // Anything else would be refused as a malformed URL, but only when it is sent.
      guard let odd = text.unicodeScalars.first(where: { !(0x21...0x7E).contains($0.value) }) else { continue }
      let digits = String(odd).utf8.map { ($0 < 16 ? "%0" : "%") + String($0, radix: 16, uppercase: true) }.joined()
      report(
        .invalidRequestPath(
          "invalid request path; blanks and letters beyond ASCII must be percent-encoded", at: node,
          help: "write '\(digits)' for the first of them"))
      return
    }
  }

  private mutating func readParameters(
    _ node: ConfigNode, repeated: Set<String>, known: [String]
  ) -> [(name: String, value: Template)] {
    (readMembers(node) ?? []).compactMap { member in
      let value =
        repeated.contains(member.name)
        ? readRepeated(member.value, known: known) : readScalarTemplate(member.value, known: known)
      return value.map { (member.name, $0) }
    }
  }

  /// Reads the value of a parameter that is sent once for each key: a list of one string with `{keys}`.
  private mutating func readRepeated(_ node: ConfigNode, known: [String]) -> Template? {
    let elements = node.elements
    guard elements.count == 1, elements[0].json.kind == .string else { return rejected(.invalidRepetition(at: node)) }
    guard let template = readTemplate(elements[0], known: known) else { return nil }
    return template.placeholders.contains(.keys) ? template : rejected(.invalidRepetition(at: node))
  }

  /// Reads a query value: a string with placeholders, or a number or boolean as it is.
  private mutating func readScalarTemplate(_ node: ConfigNode, known: [String]) -> Template? {
    if node.json.kind == .string { return readTemplate(node, known: known) }
    guard let text = node.json.scalarText, let template = try? Template(text) else {
      return rejected(.wrongType("a string, a number or a boolean", at: node))
    }
    return template
  }

  mutating func readBody(_ node: ConfigNode, known: [String]) -> BodySpec? {
    readJSON(node) { $0.readTemplate($1, known: known, isJSON: true) }
  }

  /// Reads JSON whose strings are filled in. Strings within it that cannot be read are reported and left out.
  mutating func readJSON<Text: Sendable>(
    _ node: ConfigNode, _ read: (inout SpecReader, ConfigNode) -> Text?
  ) -> JSONTemplate<Text>? {
    switch node.json.kind {
    case .string: return read(&self, node).map { .text($0) }
    case .array: return .array(node.elements.compactMap { readJSON($0, read) })
    case .object:
      return .object(node.members.compactMap { member in readJSON(member.value, read).map { (member.name, $0) } })
    default: return .literal(node.json.text)
    }
  }

  mutating func readBaseURLs(_ node: ConfigNode) -> [String] {
    guard let elements = readElements(node) else { return [] }
    if elements.isEmpty { report(.wrongType("at least one base URL", at: node)) }
    return elements.compactMap { element in
      guard let text = readText(element) else { return nil }
      guard Self.isBaseURL(text) else { return rejected(.invalidBaseURL(text, at: element)) }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
  }

  /// Returns whether a URL is https, or http to this machine, without query, fragment or user info.
  static func isBaseURL(_ text: String) -> Bool {
    guard let rest = URLRule.rest(of: text, .https), let first = rest.utf8.first, first != UInt8(ascii: "/"),
      rest.utf8.allSatisfy(isAllowedInURL)
    else { return false }
    return HostName.hasValidPort(rest)
  }

  private static func isAllowedInURL(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-._~:/[]%".utf8.contains(byte)
  }

  mutating func readHeaders(_ members: [ConfigMember]) -> [(name: String, value: Template)] {
    members.compactMap { member in
      guard !Self.isRefusedHeader(member.name) else { return rejected(.refusedHeader(member.name, at: member.key)) }
      if let text = member.value.json.string, text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" }) {
        return rejected(.invalidText("a header in one line", at: member.value))
      }
      return readTemplate(member.value, known: []).map { (member.name, $0) }
    }
  }

  mutating func readLimit(_ node: ConfigNode, _ shape: ObjectShape = .limit) -> RateLimit? {
    guard checkKeys(node, shape) else { return nil }
    guard let requests = required("requests", of: node, in: "'limit'"),
      let per = required("per", of: node, in: "'limit'")
    else { return nil }
    let count = readInteger(requests, in: IntegerRange.counts)
    let window = readMilliseconds(per, in: .window)
    guard let count, let window else { return nil }
    return RateLimit(requests: count, perMilliseconds: window)
  }
}
