import JSON

// Findings about signatures and account blocks.

extension Finding {
  static func bytesForText(at node: ConfigNode) -> Finding {
    Finding(.bytesForText, "bytes where a text stands", at: node.place, help: "add |hex or |base64")
  }

  static func filterOfBytes(_ filter: String, at node: ConfigNode) -> Finding {
    Finding(
      .bytesForText, "'\(filter)' works on a text, and this is bytes", at: node.place,
      help: "put |hex or |base64 before it")
  }

  static func numberInText(at node: ConfigNode) -> Finding {
    Finding(
      .bytesForText, "'number' stands behind the only placeholder of a text in an object", at: node.place,
      help: "remove it: what is sent here is a text")
  }

  static func unusedValue(_ name: String, at key: ConfigNode) -> Finding {
    Finding(.unusedValue, "nothing uses the value '\(name)'", at: key.place, help: "remove it, or name it as {\(name)}")
  }

  static func takenValueName(_ name: String, at key: ConfigNode) -> Finding {
    Finding(
      .misnamedValue, "a value cannot be called '\(name)': {\(name)} means something else", at: key.place,
      help: "choose another name")
  }

  static func valueBeforeItsPlace(_ name: String, at place: Place) -> Finding {
    Finding(
      .misnamedValue, "'{\(name)}' is named before its value", at: place,
      help: "values are made in the order written: move '\(name)' up")
  }

  static func sentKey(_ name: String, at node: ConfigNode) -> Finding {
    Finding(
      .sentKey, "the secret '\(name)' signs, and is sent as well", at: node.place,
      help: "a key that signs stays here: send what was made of it, or the other key")
  }

  static func authWithoutVectors(at node: ConfigNode) -> Finding {
    Finding(
      .noVectors, .warning, "no known answer stands beside these steps", at: node.place,
      help: "add 'vectors' with a request, made-up secrets, and what the documents say is sent")
  }

  /// - Parameter members: what `auth` adds to the request but the known answer does not mention.
  static func partialVector(_ members: [String], at sent: ConfigNode) -> Finding {
    Finding(
      .noVectors, .warning, "the known answer does not say \(members.listed("or"))", at: sent.place,
      help: "name under 'sent' all that 'auth' adds: a slip in what is not named there is not found")
  }

  /// A known answer that does not match.
  package static func failedVector(
    _ member: String, expected: String, found: String?, at node: ConfigNode
  ) -> Finding {
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
      .unknownValue, "a GET has no form", at: node.place, help: "add \"method\": \"POST\", or write it under 'query'")
  }

  static func signedWithoutAuth(at node: ConfigNode) -> Finding {
    Finding(
      .signedWithoutAuth, "this is signed, and nothing says how", at: node.place,
      help: "write 'auth' beside the blocks, or remove 'signed'")
  }

  static func openWithAccount(_ block: String, at node: ConfigNode) -> Finding {
    Finding(
      .signedWithoutAuth, .warning, "'\(block)' is neither signed nor names a secret: whose account is it?",
      at: node.place, help: "write 'auth' beside the blocks, or name a secret such as {secret:address} in the request")
  }
}
