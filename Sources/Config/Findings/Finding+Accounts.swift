import JSON
import Quotes

// Findings about signatures and account blocks.

extension Finding {
  static func bytesForText(at node: ConfigNode) -> Finding {
    Finding(.bytesForText, "bytes used where text is expected", at: node.place, help: "add |hex or |base64")
  }

  static func filterOfBytes(_ filter: String, at node: ConfigNode) -> Finding {
    Finding(
      .bytesForText, "'\(filter)' works on text, but this is bytes", at: node.place,
      help: "add |hex or |base64 before it")
  }

  static func numberInText(at node: ConfigNode) -> Finding {
    Finding(
      .bytesForText, "'number' only works after the sole placeholder of a JSON string value", at: node.place,
      help: "remove it: this is sent as text")
  }

  static func unusedValue(_ name: String, at key: ConfigNode) -> Finding {
    Finding(.unusedValue, "unused value '\(name)'", at: key.place, help: "use it as {\(name)}, or remove it")
  }

  static func takenValueName(_ name: String, at key: ConfigNode) -> Finding {
    Finding(
      .misnamedValue, "a value cannot be called '\(name)': {\(name)} means something else", at: key.place,
      help: "choose another name")
  }

  static func valueBeforeItsPlace(_ name: String, at place: Place) -> Finding {
    Finding(
      .misnamedValue, "'{\(name)}' is used before its value", at: place,
      help: "values are computed in the order written: move '\(name)' up")
  }

  static func sentKey(_ name: String, at node: ConfigNode) -> Finding {
    Finding(
      .sentKey, "the secret '\(name)' is used for signing but is also sent", at: node.place,
      help: "a signing key must not be sent: send a value derived from it, or the other key")
  }

  static func authWithoutVectors(at node: ConfigNode) -> Finding {
    Finding(
      .noVectors, .warning, "these signing steps have no known answer", at: node.place,
      help: "add 'vectors' with a request, made-up secrets and the result given in the documentation")
  }

  /// - Parameter members: what `auth` adds to the request but the known answer does not mention.
  static func partialVector(_ members: [String], at sent: ConfigNode) -> Finding {
    Finding(
      .noVectors, .warning, "the known answer omits \(members.listed("or"))", at: sent.place,
      help: "list everything 'auth' adds under 'sent': mistakes in omitted parts go unnoticed")
  }

  /// A known answer that does not match.
  package static func failedVector(_ member: String, expected: String, found: String?, at node: ConfigNode) -> Finding {
    Finding(
      .failedVector, "the known answer fails at \(member)", at: node.place,
      help: "expected \(expected), computed \(found ?? "nothing")")
  }

  /// A known answer that could not be computed.
  package static func uncomputedVector(_ why: String, at node: ConfigNode) -> Finding {
    Finding(.failedVector, "the known answer cannot be computed: \(why)", at: node.place)
  }

  /// Reported if this system has no means of computing signatures.
  package static func uncheckedVectors(_ why: String, at node: ConfigNode) -> Finding {
    Finding(.failedVector, .warning, "known answers were not checked: \(why)", at: node.place)
  }

  static func formOfGet(at node: ConfigNode) -> Finding {
    Finding(
      .unknownValue, "a GET cannot have a form", at: node.place,
      help: "add \"method\": \"POST\", or write it under 'query'")
  }

  static func signedWithoutAuth(at node: ConfigNode) -> Finding {
    Finding(
      .signedWithoutAuth, "this is signed, but there is no 'auth'", at: node.place,
      help: "add 'auth' beside the blocks, or remove 'signed'")
  }

  static func openWithAccount(_ block: String, at node: ConfigNode) -> Finding {
    Finding(
      .signedWithoutAuth, .warning, "'\(block)' is not signed and uses no secret: whose account is it?",
      at: node.place, help: "add 'auth' beside the blocks, or use a secret such as {secret:address} in the request")
  }
}
