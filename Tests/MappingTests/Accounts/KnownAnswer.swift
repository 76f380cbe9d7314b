import HTTP
import JSON
import Quotes
import Testing

@testable import Config
@testable import Mapping

/// A known answer from a file that other projects can read too: a vector in the config's language and its location.
struct KnownAnswer: CustomTestStringConvertible {
  let json: JSONNode

  /// Returns all known answers of a file, which contains a list of them.
  static func all(in bytes: [UInt8]) throws -> [KnownAnswer] {
    try JSONDocument(parsing: bytes).root.elements.map { KnownAnswer(json: $0) }
  }

  var exchange: String? { json["venue"]?.string }
  /// The block, like `balances.spot`; nil for an answer with its own request.
  var block: String? { json["block"]?.string }

  var testDescription: String {
    [exchange, block ?? json["name"]?.string, json["request"]?.text].compactMap(\.self).joined(separator: " ")
  }

  /// Returns the vector itself, in the config's language.
  func vector() throws -> AuthVector {
    let keys = ["source", "now", "nonce", "uuid", "secrets", "set", "keys", "request", "sent"]
    var members = json.members.filter { keys.contains($0.name) }.map { "\"\($0.name)\": \($0.value.text)" }
    if json["request"] == nil { members.append(#""request": { "path": "/" }"#) }
    // If the source sends no headers with a request, the vector does not cover headers.
    let node = try Self.node("{\(members.joined(separator: ", "))}")
    var reader = SpecReader()
    let vector = reader.readVector(node, constants: [])
    #expect(reader.diagnostics.map(\.message) == [])
    return try #require(vector)
  }

  /// Returns the answer's own `auth`.
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
  /// Returns the part with the given `set` in a block such as `balances.futures`.
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
