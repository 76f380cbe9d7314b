import HTTP
import JSON
import Quotes
import Testing

@testable import Config
@testable import Mapping

/// A known answer of a file that other projects can read as well: a vector of the language, with where it belongs.
struct KnownAnswer: CustomTestStringConvertible {
  let json: JSONNode

  /// All of a file, which holds a list of them.
  static func all(in bytes: [UInt8]) throws -> [KnownAnswer] {
    try JSONDocument(parsing: bytes).root.elements.map { KnownAnswer(json: $0) }
  }

  var exchange: String? { json["venue"]?.string }
  /// `balances.spot`; nil for one with a request of its own.
  var block: String? { json["block"]?.string }

  var testDescription: String {
    [exchange, block ?? json["name"]?.string, json["request"]?.text].compactMap(\.self).joined(separator: " ")
  }

  /// The vector itself, as the language has it.
  func vector() throws -> AuthVector {
    let keys = ["source", "now", "nonce", "uuid", "secrets", "set", "keys", "request", "sent"]
    var members = json.members.filter { keys.contains($0.name) }.map { "\"\($0.name)\": \($0.value.text)" }
    if json["request"] == nil { members.append(#""request": { "path": "/" }"#) }
    // A request that the source sends without a single header is no vector of headers.
    let node = try Self.node("{\(members.joined(separator: ", "))}")
    var reader = SpecReader()
    let vector = reader.readVector(node, constants: [])
    #expect(reader.diagnostics.map(\.message) == [])
    return try #require(vector)
  }

  /// The answer's own `auth`.
  func auth() throws -> AuthSpec {
    var reader = SpecReader()
    let auth = reader.readAuth(try Self.node(try #require(json["auth"]).text), constants: [])
    #expect(reader.diagnostics.filter { $0.severity == .error }.map(\.message) == [])
    return try #require(auth)
  }

  static func node(_ text: String) throws -> ConfigNode {
    try ConfigFile(name: "answer", bytes: Array(text.utf8)).root
  }
}

extension AccountSpec {
  /// The part that a name such as `balances.futures` leads to, of which `set` is this.
  func part(_ block: String, set: [(name: String, value: String)]) -> Part? {
    let words = block.split(separator: ".")
    let parts: [Part] =
      switch words.first {
      case "balances": balances.filter { $0.account == words.last ?? "" }.flatMap(\.parts)
      case "walletStatus": wallets.map(\.part)
      default: permissions.map(\.part)
      }
    return parts.first { part in set.allSatisfy { name in part.table.set.contains { $0 == name } } }
  }
}
