import Config
import JSON

/// Exchanges that ask the same host the same thing: one of them is a copy.
enum SameRequestCheck: ConfigCheck {
  static func findings(in inspection: Inspection) -> [Finding] {
    var owners: [[String]: String] = [:]
    var result: [Finding] = []
    for table in inspection.tables where table.isBulk && table.isEnabled {
      guard let source = table.source, let host = table.spec.baseURLs.first else { continue }
      let request = table.spec.request
      let key =
        [host, request.method, request.node["path"]?.json.string ?? ""]
        + ["query", "body"].map { request.node[$0].map { String($0.json.text.filter { !$0.isWhitespace }) } ?? "" }
        + table.spec.set.flatMap { [$0.name, $0.value] }
        + (table.spec.block?.members(of: .headers) ?? []).map { "\($0.name): \($0.value.json.text)" }
      guard let owner = owners[key] else {
        owners[key] = source.name
        continue
      }
      guard owner != source.name else { continue }
      // Where the request is inherited, it is the heir that ought to differ.
      let place = source.isAuthor(of: request.node.place) ? request.node : source.personal("like") ?? source.node
      result.append(.sameRequest(as: owner, at: place))
    }
    return result
  }
}
