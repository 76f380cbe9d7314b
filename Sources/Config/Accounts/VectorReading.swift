import JSON
import Quotes

extension SpecReader {
  /// - Parameter constants: the `set` names that the requests of this `auth` may have.
  mutating func readVector(_ node: ConfigNode, constants: [String]) -> AuthVector? {
    let before = diagnostics.count
    guard checkKeys(node, .authVector) else { return nil }
    let set = readSet(node["set"].flatMap { readMembers($0) } ?? [])
    guard let requestNode = required("request", of: node, in: "this vector"),
      let sentNode = required("sent", of: node, in: "this vector")
    else { return nil }
    _ = node["source"].flatMap { readText($0) }
    let read = readVectorRequest(requestNode, names: ["keys"] + set.map(\.name) + constants)
    let now = node["now"].flatMap { readClock($0) } ?? 0
    let nonce = node["nonce"].flatMap { readClock($0) } ?? now
    var secrets: [String: String] = [:]
    for member in node["secrets"].flatMap({ readMembers($0) }) ?? [] { secrets[member.name] = readText(member.value) }
    let uuid = node["uuid"].flatMap { readText($0) } ?? "00000000-0000-4000-8000-000000000000"
    let keys = node["keys"].flatMap { readText($0) }
    let sent = readSent(sentNode)
    guard let (request, raw) = read, !hasErrors(since: before) else { return nil }
    return AuthVector(
      request: request, raw: raw, now: Instant(nanoseconds: now * 1_000_000), nonce: nonce * 1000, uuid: uuid,
      set: set, keys: keys, secrets: secrets, sent: sent, node: node)
  }

  /// Reads milliseconds since 1970, within the supported range of years.
  private mutating func readClock(_ node: ConfigNode) -> Int64? {
    readInteger(node, in: IntegerRange.milliseconds).map { Int64($0) }
  }

  private mutating func readVectorRequest(_ node: ConfigNode, names: [String]) -> (RequestSpec, AuthVector.RawTexts)? {
    guard checkKeys(node, .vectorRequest) else { return nil }
    var raw = AuthVector.RawTexts()
    // A single text is used literally, including braces.
    raw.query = node["query"]?.json.string
    raw.form = node["form"]?.json.string
    raw.body = node["body"]?.json.string
    let texts = ["query", "form", "body"].filter { node[$0]?.json.kind == .string }
    guard let request = readRequest(node, names: names, leaving: texts) else { return nil }
    return (request, raw)
  }

  private mutating func readSent(_ node: ConfigNode) -> AuthVector.Sent {
    var sent = AuthVector.Sent()
    guard checkKeys(node, .vectorSent) else { return sent }
    if node.members.isEmpty { report(.missingKeys("'url', 'headers', 'body' or 'method'", in: "'sent'", at: node)) }
    func text(_ key: String) -> (text: String, node: ConfigNode)? {
      node[key].flatMap { node in readText(node).map { ($0, node) } }
    }
    sent.method = text("method")
    sent.url = text("url")
    sent.body = text("body")
    for member in node["headers"].flatMap({ readMembers($0) }) ?? [] {
      if let text = readText(member.value) { sent.headers.append((member.name, text, member.value)) }
    }
    return sent
  }
}
