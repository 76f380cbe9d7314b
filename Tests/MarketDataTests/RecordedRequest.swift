import Config
import JSON

/// The request that led to a recorded response.
struct RecordedRequest: Sendable, Hashable {
  let method: String
  /// The host; nil if the recorder did not keep it.
  let host: String?
  let path: String
  let query: [String: String]
  let body: String?

  /// - Parameter text: `GET https://api.example.com/t?a=1`, `GET /t`, `"POST https://… body={…}"` with doubled quotes.
  init?(_ text: String) {
    var text = text
    if text.hasPrefix("\"") {
      text = text.dropFirst().dropLast().split(separator: "\"\"", omittingEmptySubsequences: false)
        .joined(separator: "\"")
    }
    let words = text.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count >= 2, ["GET", "POST"].contains(words[0]) else { return nil }
    method = words[0]
    body = words.count > 2 && words[2].hasPrefix("body=") ? String(words[2].dropFirst(5)) : nil
    var target = Substring(words[1])
    if let scheme = ["https://", "http://"].first(where: { words[1].hasPrefix($0) }) {
      target = target.dropFirst(scheme.count)
      let end = target.firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex
      host = String(target[..<end])
      target = target[end...]
    } else {
      host = nil
    }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    path = parts[0]
    var query: [String: String] = [:]
    for item in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      query[pair[0]] = pair.count > 1 ? pair[1] : ""
    }
    self.query = query
  }

  /// Former hosts of exchanges.
  private static let formerHosts = ["api.mybitx.com": "luno.com", "www.cryptofacilities.com": "kraken.com"]

  /// How well the request matches what a table requests today.
  enum Fit: Int, Comparable {
    /// The path matches, perhaps with more parameters that select rows.
    case withMore
    /// Path and parameters match.
    case exact

    static func < (first: Fit, second: Fit) -> Bool { first.rawValue < second.rawValue }
  }

  /// Returns nil if it is another request.
  func fit(_ request: RequestSpec, of table: TableSpec, baseURLs: [String]) -> Fit? {
    guard method == request.method, baseURLs.contains(where: { isAt($0, request, of: table) }) else { return nil }
    for (name, value) in request.query {
      guard let sent = query[name] else {
        // A timestamp omitted by the recorder.
        if value.isClock { continue }
        return nil
      }
      guard value.glob(of: table).matches(sent) else { return nil }
    }
    if let spec = request.body {
      guard let document = body.flatMap({ try? JSONDocument(parsing: Array($0.utf8)) }),
        spec.matches(document.root, of: table)
      else { return nil }
    }
    let extra = Set(query.keys).subtracting(request.query.map(\.name))
    return extra.isEmpty ? .exact : .withMore
  }

  func isAt(_ baseURL: String, _ request: RequestSpec, of table: TableSpec) -> Bool {
    let rest = baseURL.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    if let host, Self.domain(of: host) != Self.domain(of: String(rest[..<slash])) { return false }
    return Glob([.text(String(rest[slash...]))] + request.path.glob(of: table).pieces).matches(path)
  }

  /// Returns `kraken.com` for `futures.kraken.com`.
  static func domain(of host: String) -> String {
    formerHosts[host] ?? host.split(separator: ".").suffix(2).joined(separator: ".")
  }
}

/// A text with gaps that any text can fill.
struct Glob {
  enum Piece {
    case text(String)
    case gap
  }

  let pieces: [Piece]

  init(_ pieces: [Piece]) { self.pieces = pieces }

  func matches(_ text: String) -> Bool { Self.matches(pieces[...], text[...]) }

  private static func matches(_ pieces: ArraySlice<Piece>, _ text: Substring) -> Bool {
    guard let piece = pieces.first else { return text.isEmpty }
    switch piece {
    case .text(let literal):
      return text.hasPrefix(literal) && matches(pieces.dropFirst(), text.dropFirst(literal.count))
    case .gap:
      // Inserted values never contain a slash.
      var rest = text
      while true {
        if matches(pieces.dropFirst(), rest) { return true }
        guard let first = rest.first, first != "/" else { return false }
        rest = rest.dropFirst()
      }
    }
  }
}

extension BodySpec {
  /// Returns whether the sent request has everything that the table's has; it may have more.
  fileprivate func matches(_ sent: JSONNode, of table: TableSpec) -> Bool {
    switch self {
    case .text(let template): sent.string.map { template.glob(of: table).matches($0) } ?? false
    case .literal(let text): sent.text == text
    case .array(let elements):
      sent.kind == .array && sent.count == elements.count
        && zip(elements, sent.elements).allSatisfy { $0.matches($1, of: table) }
    case .object(let members):
      members.allSatisfy { member in sent[member.name].map { member.value.matches($0, of: table) } ?? false }
    }
  }
}

extension Template {
  /// Returns the text with the part's constants filled in and gaps for everything else.
  fileprivate func glob(of table: TableSpec) -> Glob {
    Glob(
      pieces.map { piece in
        switch piece {
        case .text(let text): return .text(text)
        case .placeholder(let placeholder, _):
          return table.set.first { $0.name == placeholder.name }.map { .text($0.value) } ?? .gap
        }
      })
  }

  fileprivate var isClock: Bool {
    pieces.allSatisfy { piece in
      switch piece {
      case .placeholder(.nowMilliseconds, _), .placeholder(.nowSeconds, _): true
      default: false
      }
    }
  }
}
