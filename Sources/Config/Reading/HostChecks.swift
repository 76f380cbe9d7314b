import HTTP
import JSON

extension SpecReader {
  /// Rejects hosts on this machine or its network alongside others, and batches that would pass one host's answer to
  /// another: answers of local services must not reach outsiders.
  mutating func checkHosts(of tables: [TableSpec], streams: [StreamSpec] = []) {
    // Shipped text is trusted, and usually all of it is shipped.
    guard !tables.allSatisfy(\.isShipped) || !streams.allSatisfy(\.table.isShipped) else { return }
    var written: [(host: HostName, member: String?, node: ConfigNode)] = []
    func take(_ node: ConfigNode?) {
      for element in node?.elements ?? [] {
        // Of one that is refused, what looks like a host may be none.
        if let text = element.json.string, Self.isBaseURL(text) { written.append((HostName(of: text), nil, element)) }
      }
    }
    for table in tables {
      take(table.block?[.baseUrls])
      for lookup in table.lookups where lookup.request != nil { take(lookup.node["baseUrls"]) }
    }
    for stream in streams {
      for (url, node) in zip(stream.connection.urls, stream.connection.urlNodes) {
        if case .text(let text)? = url.pieces.first, let scheme = text.firstRange(of: "://") {
          written.append((HostName(of: text[scheme.upperBound...]), "streams", node))
        }
      }
    }
    // Usually no host is local.
    guard written.contains(where: { $0.host.isLocal }) else { return }
    if let other = written.first(where: { !$0.host.isLocal }) {
      for (host, _, node) in written where host.isLocal && !localHosts.contains(host.name) {
        report(.localHost(host.name, beside: other.host.name, of: other.member, at: node))
      }
    }
    for table in tables {
      guard let batch = table.batch, let lookup = table.lookups.first(where: { $0.name == batch.lookup }) else {
        continue
      }
      for url in lookup.baseURLs {
        let from = HostName(of: url)
        guard from.isLocal else { continue }
        let other = table.baseURLs.map { HostName(of: $0) }.first {
          $0.name != from.name && !($0.isLoopback && from.isLoopback)
        }
        if let other { report(.localAnswerPassedOn(from.name, to: other.name, at: lookup.node)) }
      }
    }
  }

  /// Returns whether a config may not set a header: those of the connection, which could redirect the request to
  /// another host or hide a second one in it, and invalid header names (RFC 9110 §5.6.2).
  static func isRefusedHeader(_ name: String) -> Bool {
    let ofTheConnection = [
      "connection", "content-length", "expect", "host", "http2-settings", "keep-alive", "proxy-authenticate",
      "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
    return !name.isToken || ofTheConnection.contains(name.lowercased())
  }
}
