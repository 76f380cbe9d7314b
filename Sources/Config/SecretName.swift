import JSON
import Quotes

/// Where a secret may come from, by the names of its owner and its own.
package enum SecretName {
  /// The variable of the environment that holds a secret: `MARKET_OPENEXCHANGERATES_APP_ID`. A capital inside of the
  /// secret's name begins a word: `apiKey` of Upbit is `MARKET_UPBIT_API_KEY`.
  package static func variable(_ name: String, of owner: String) -> String {
    "MARKET_\(letters("\(owner)_\(words(name))"))"
  }

  /// The name with `_` before each capital that follows another letter or a digit.
  private static func words(_ name: String) -> String {
    var text = ""
    var previous: Character?
    for character in name {
      if let previous, character.isUppercase, previous.isLowercase || previous.isNumber { text += "_" }
      text.append(character)
      previous = character
    }
    return text
  }

  /// What of an owner's name stands in its variables.
  static func stem(_ owner: String) -> String { letters(owner) }

  private static func letters(_ text: String) -> String {
    let upper = text.uppercased()
    // Every owner's name is compared with every other's: bytes, as nearly all have ASCII only, are sooner looked at.
    guard upper.utf8.allSatisfy({ $0 < 0x80 }) else {
      return String(upper.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
    let letters = upper.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// The names in every `{secret:…}` of a text, whatever filters stand behind them.
  static func names(in text: String) -> [String] {
    text.split(separator: "{secret:", omittingEmptySubsequences: false).dropFirst().map { rest in
      String(rest.prefix { $0 != "}" && $0 != "|" })
    }
  }

  /// Every `{secret:…}` in a block, with the text that holds it.
  static func uses(in node: ConfigNode) -> [(name: String, node: ConfigNode)] {
    guard node.mentionsSecret else { return [] }
    if let text = node.json.string {
      let names = (try? Template(text))?.secretNames ?? []
      return names.map { ($0, node) }
    }
    return (node.elements + node.members.map(\.value)).flatMap(uses)
  }
}

extension ConfigNode {
  /// Whether `{secret:` stands anywhere in the text: read byte by byte, since a config is large and most have none.
  var mentionsSecret: Bool {
    let mark = Array("{secret:".utf8)
    let range = json.byteRange
    return file.document.bytes.withUnsafeBufferPointer { bytes in
      var index = range.lowerBound
      while index + mark.count <= range.upperBound {
        if bytes[index] == mark[0], bytes[index + 1] == mark[1], bytes[index..<index + mark.count].elementsEqual(mark) {
          return true
        }
        index += 1
      }
      return false
    }
  }
}

/// Who owns the secrets of a config, to find a block that would read those of another.
struct SecretOwners {
  struct Owner {
    let name: String
    let isProvider: Bool
    let nodes: [ConfigNode]

    var isShipped: Bool { nodes.allSatisfy { $0.file.source.origin == .shipped } }
  }

  let owners: [Owner]

  /// What is wrong with the secrets that one of them asks for.
  ///
  /// Blocks are pasted: one whose names lead to another's variable, or to the entry of a rate provider, would send that
  /// key to whom it likes. What ships is right by itself.
  func conflicts(of owner: Owner) -> [Finding] {
    guard !owner.isShipped else { return [] }
    let uses = owner.nodes.flatMap(SecretName.uses)
    guard let first = uses.first else { return [] }
    let stem = SecretName.stem(owner.name)
    let others = owners.filter { $0.name != owner.name || $0.isProvider != owner.isProvider }
    if !owner.isProvider,
      let provider = others.first(where: { $0.isProvider && SecretName.stem($0.name) == stem })
    {
      return [.takenOwner(owner.name, provider: provider.name, at: first.node)]
    }
    return uses.compactMap { use in
      let variable = SecretName.variable(use.name, of: owner.name)
      let other = others.first { other in
        variable.hasPrefix("MARKET_\(SecretName.stem(other.name))_")
          && other.nodes.flatMap(SecretName.uses).contains {
            SecretName.variable($0.name, of: other.name) == variable
          }
      }
      return other.map { .sharedSecret(use.name, variable: variable, other: $0.name, at: use.node) }
    }
  }
}
