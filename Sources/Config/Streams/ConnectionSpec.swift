package import HTTP
import JSON

/// The way a connection is opened and maintained.
package struct ConnectionSpec: Sendable {
  /// A REST request before each connection, and the values of its response that fill templates.
  package struct Handshake: Sendable {
    /// The request: a table without rows.
    package let table: TableSpec
    package let values: [(name: String, value: ValueSpec)]
  }

  /// The first message, and what must be received before subscribing.
  package struct Hello: Sendable {
    package let send: MessageSpec?
    package let conditions: [ConditionSpec]
  }

  package struct Ping: Sendable {
    package var everyMilliseconds = 20_000
    /// nil for a WebSocket protocol ping.
    package var send: MessageSpec?
  }

  /// The reply to a ping that is a message.
  package struct Pong: Sendable {
    package let conditions: [ConditionSpec]
    package let values: [(name: String, value: ValueSpec)]
    package let send: MessageSpec
  }

  /// The next one is tried after a failure.
  package var urls: [Template] = []
  /// The nodes of `urls`.
  var urlNodes: [ConfigNode] = []
  package var handshake: Handshake?
  /// The values from `set`, which do not depend on a response.
  package var constants: [(name: String, value: String)] = []
  package var headers: [(name: String, value: Template)] = []
  /// The WebSocket subprotocol that the server must speak; nil for none.
  package var subprotocol: String?
  package var hello: Hello?
  /// The maximum number of pairs per connection.
  package var maximumPairs = 100
  /// The maximum number of pairs per message; nil means as many as fit.
  package var maximumBatch: Int?
  /// The limit on messages that we send on one connection, or on all to the same host.
  package var limit = RateLimit(requests: 5, perMilliseconds: 1000)
  /// Whether all connections to the host share the limit.
  package var sharesLimit = false
  package var ping = Ping()
  package var pong: Pong?
  /// The time without any sign of life after which the connection is dropped.
  package var deadAfterMilliseconds = 60_000
  /// Applies to messages that no channel takes.
  package var success = SuccessSpec()

  /// The names that message templates may use besides the pair.
  var names: [String] { ["id"] + constants.map(\.name) + (handshake?.values.map(\.name) ?? []) }

  /// Whether an address names the pair, so that a connection has one.
  package var namesPair: Bool { urls.contains(where: \.namesPair) }
}

/// A message that we send: JSON with templates, or a string that is sent as it is.
package enum MessageSpec: Sendable {
  case json(BodySpec)
  case text(Template)

  package var templates: [Template] {
    switch self {
    case .json(let body): body.templates
    case .text(let template): [template]
    }
  }

  /// Whether it names pairs.
  package var namesPair: Bool { templates.contains(where: \.namesPair) }

  /// Whether several pairs fit in one message: an array element names the pair, and is repeated.
  package var isRepeated: Bool { if case .json(let body) = self { body.hasRepeatedElement } else { false } }
}

extension BodySpec {
  private var namesPair: Bool { templates.contains(where: \.namesPair) }

  /// Whether an array element within it names the pair.
  fileprivate var hasRepeatedElement: Bool {
    switch self {
    case .text, .literal: false
    case .array(let elements): elements.contains { $0.namesPair }
    case .object(let members): members.contains { $0.value.hasRepeatedElement }
    }
  }

  /// Whether it is an element that is repeated for each pair: it names the pair, and no array within it does.
  package var isRepeatedElement: Bool { namesPair && !hasRepeatedElement }
}

extension Template {
  /// Whether a name of the pair comes before the path and the query of an address.
  fileprivate var namesPairInHost: Bool {
    var start = ""
    for piece in pieces {
      switch piece {
      case .text(let text): start += text
      case .placeholder(let placeholder, _) where placeholder.namesPair:
        let rest = start.firstRange(of: "://").map { start[$0.upperBound...] } ?? start[...]
        return !rest.contains { $0 == "/" || $0 == "?" }
      case .placeholder: break
      }
    }
    return false
  }
}

extension SpecReader {
  /// - Parameters:
  ///   - table: the host, headers, limit and success rule of the market, for REST requests.
  ///   - constants: the values from the part's `set`.
  ///   - pairNames: the names that addresses may use besides those of the connection.
  mutating func readConnection(
    _ levels: StreamLevels, _ table: TableSpec, constants: [(name: String, value: String)], pairNames: [String]
  ) -> ConnectionSpec {
    var connection = ConnectionSpec()
    let request = levels["request"].flatMap { readHandshake($0, table) }
    var values: [(name: String, value: ValueSpec)] = []
    connection.constants = constants
    for member in levels.members(of: "set") {
      if let text = member.value.json.scalarText, !text.hasPrefix("$") {
        connection.constants.removeAll { $0.name == member.name }
        connection.constants.append((member.name, text))
      } else if let value = readMessageValue(member.value) {
        values.append((member.name, value))
        if levels["request"] == nil { report(.setWithoutRequest(member.name, at: member.key)) }
      }
    }
    if let request {
      var asked = table
      asked.request = request
      connection.handshake = ConnectionSpec.Handshake(table: asked, values: values)
    }
    let names = connection.names
    if let urls = levels["urls"] {
      for (url, node) in readStreamURLs(urls, known: names + pairNames) {
        connection.urls.append(url)
        connection.urlNodes.append(node)
      }
    } else {
      report(levels.named(.streamWithoutURLs(at: levels.node)))
    }
    connection.headers = readStreamHeaders(levels.members(of: "headers"), known: names)
    connection.subprotocol = levels["protocol"].flatMap { readSubprotocol($0) }
    let maximum = levels["max"].flatMap { readInteger($0, in: IntegerRange.pairs) }
    connection.maximumPairs = maximum ?? connection.maximumPairs
    connection.maximumBatch = levels["batch"].flatMap { node in
      guard checkKeys(node, .streamBatch) else { return nil }
      return required("max", of: node, in: "'batch'").flatMap { readInteger($0, in: IntegerRange.pairs) }
    }
    connection.limit = levels["limit"].flatMap { readLimit($0, .streamLimit) } ?? connection.limit
    connection.sharesLimit = levels["limit"]?["shared"].flatMap { readBoolean($0) } ?? false
    connection.deadAfterMilliseconds =
      levels["deadAfter"].flatMap { readMilliseconds($0, in: .silence) } ?? connection.deadAfterMilliseconds
    connection.success = levels["success"].map { readSharedSuccess($0) } ?? SuccessSpec()
    connection.hello = levels["hello"].flatMap { readHello($0, names) }
    if let ping = levels["ping"], checkKeys(ping, .streamPing) {
      if let every = ping["every"].flatMap({ readMilliseconds($0, in: .ping) }) {
        connection.ping.everyMilliseconds = every
      }
      connection.ping.send = ping["send"].flatMap { readMessage($0, known: names) }
    }
    connection.pong = levels["pong"].flatMap { readPong($0, names) }
    return connection
  }

  /// Reads the REST request made before a connection, with the headers of the market.
  private mutating func readHandshake(_ node: ConfigNode, _ table: TableSpec) -> RequestSpec? {
    guard let request = readRequest(node, names: table.set.map(\.name)) else { return nil }
    for template in request.templates + table.headers.map(\.value) { _ = refusingSecrets(template, at: node) }
    return request
  }

  private mutating func readHello(_ node: ConfigNode, _ names: [String]) -> ConnectionSpec.Hello? {
    guard checkKeys(node, .streamHello) else { return nil }
    if node["send"] == nil, node["when"] == nil { report(.missingKeys("'send' or 'when'", in: "'hello'", at: node)) }
    return ConnectionSpec.Hello(
      send: node["send"].flatMap { readMessage($0, known: names) }, conditions: readMessageConditions(node["when"]))
  }

  private mutating func readPong(_ node: ConfigNode, _ names: [String]) -> ConnectionSpec.Pong? {
    guard checkKeys(node, .streamPong) else { return nil }
    guard let send = required("send", of: node, in: "'pong'") else { return nil }
    let values = (node["set"].flatMap { readMembers($0) } ?? []).compactMap { member in
      readMessageValue(member.value).map { (name: member.name, value: $0) }
    }
    guard let message = readMessage(send, known: names + values.map(\.name)) else { return nil }
    return ConnectionSpec.Pong(conditions: readMessageConditions(node["when"]), values: values, send: message)
  }

  /// Reads a value whose `$` is an entire message or response.
  private mutating func readMessageValue(_ node: ConfigNode) -> ValueSpec? {
    guard let value = readValue(node, as: .text, lookups: []) else { return nil }
    refuseRowSources(in: value, of: "'set'")
    return value
  }

  /// Reads conditions on an entire message.
  mutating func readMessageConditions(_ node: ConfigNode?) -> [ConditionSpec] {
    node.flatMap { readElements($0) }.map { readConditions($0, onWhole: "a condition on a message") } ?? []
  }

  mutating func readMessage(_ node: ConfigNode, known: [String]) -> MessageSpec? {
    guard node.json.kind != .string else {
      return refusingSecrets(readTemplate(node, known: known), at: node).map { .text($0) }
    }
    guard node.json.kind == .object || node.json.kind == .array else {
      return rejected(.wrongType("an object, an array or a string", at: node))
    }
    guard let body = readBody(node, known: known) else { return nil }
    for template in body.templates { _ = refusingSecrets(template, at: node) }
    return .json(body)
  }

  /// Rejects secrets: streams carry only public data.
  private mutating func refusingSecrets(_ template: Template?, at node: ConfigNode) -> Template? {
    guard let template, !template.secretNames.isEmpty else { return template }
    return rejected(.secretInStream(at: node))
  }

  private mutating func readStreamURLs(_ node: ConfigNode, known: [String]) -> [(Template, ConfigNode)] {
    guard let elements = readElements(node) else { return [] }
    if elements.isEmpty { report(.wrongType("at least one address", at: node)) }
    return elements.compactMap { element in
      guard let text = readText(element),
        let template = refusingSecrets(readTemplate(element, known: known), at: element)
      else { return nil }
      // An address that starts with a handshake value is checked once that is known.
      guard text.hasPrefix("{") || StreamAddress.isAllowed(text), !template.namesPairInHost else {
        return rejected(.invalidStreamURL(text, at: element))
      }
      return (template, element)
    }
  }

  /// Reads the one subprotocol to offer: a token (RFC 6455 §4.1).
  private mutating func readSubprotocol(_ node: ConfigNode) -> String? {
    guard let text = readText(node) else { return nil }
    return text.isToken ? text : rejected(.invalidText("one subprotocol, without spaces or commas", at: node))
  }

  /// Reads headers of the opening handshake. Those that define the handshake are set by the program (RFC 6455 §4.1).
  ///
  /// - Parameter names: the names that their values may use.
  private mutating func readStreamHeaders(
    _ members: [ConfigMember], known names: [String]
  ) -> [(name: String, value: Template)] {
    members.compactMap { member in
      let name = member.name.lowercased()
      guard !Self.isRefusedHeader(member.name), name != "origin", !name.hasPrefix("sec-websocket-") else {
        return rejected(.refusedHeader(member.name, at: member.key))
      }
      return refusingSecrets(readTemplate(member.value, known: names), at: member.value).map { (member.name, $0) }
    }
  }
}

/// The addresses where a stream may be opened.
package enum StreamAddress {
  /// Returns whether an address is `wss://`, or `ws://` to this machine, and has no user info.
  package static func isAllowed(_ url: String) -> Bool {
    guard let rest = URLRule.rest(of: url, .wss) else { return false }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.isEmpty, !authority.contains("@"), !rest.contains("#"),
      rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return false }
    return HostName.hasValidPort(rest)
  }
}
