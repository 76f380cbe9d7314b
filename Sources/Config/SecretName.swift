import JSON
import Quotes

/// The names under which a secret is looked up, derived from its owner's name and its own.
package enum SecretName {
  /// Returns the environment variable that holds a secret: `MARKET_OPENEXCHANGERATES_APP_ID`. A capital inside the
  /// secret's name starts a word: `apiKey` of Upbit is `MARKET_UPBIT_API_KEY`.
  package static func variable(_ name: String, of owner: String) -> String {
    "MARKET_\(letters("\(owner)_\(words(name))"))"
  }

  /// Inserts `_` before each capital that follows another letter or a digit.
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

  /// Returns the owner's part of its variables' names.
  static func stem(_ owner: String) -> String { letters(owner) }

  private static func letters(_ text: String) -> String {
    let upper = text.uppercased()
    // Every owner's name is compared with every other's, so the usual ASCII names take the fast path over bytes.
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

  /// Returns the name in every `{secret:…}` of a text, ignoring filters.
  ///
  /// Searches the bytes, as those who fill in a template do: as a character the brace may be joined with a mark before
  /// it (U+0600), and would not be found.
  package static func names(in text: String) -> [String] {
    var names: [String] = []
    var rest = Substring(text).utf8
    while let mark = rest.firstRange(of: "{secret:".utf8) {
      rest = rest[mark.upperBound...]
      names.append(String(decoding: rest.prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "|") }, as: UTF8.self))
    }
    return names
  }

  /// Returns every `{secret:…}` in a block, with the text that contains it.
  static func uses(in node: ConfigNode) -> [(name: String, node: ConfigNode)] {
    var uses: [(name: String, node: ConfigNode)] = []
    let offsets = node.secretOffsets()
    if !offsets.isEmpty { find(in: node.json, of: node.file, at: offsets[...], &uses) }
    return uses
  }

  /// - Parameter offsets: where in the file a secret may be mentioned, ascending; those outside of the value do not
  ///   matter.
  private static func find(
    in value: JSONNode, of file: ConfigFile, at offsets: ArraySlice<Int>,
    _ uses: inout [(name: String, node: ConfigNode)]
  ) {
    let range = value.byteRange
    let inside = offsets.drop { $0 < range.lowerBound }.prefix { $0 < range.upperBound }
    guard !inside.isEmpty else { return }
    if let text = value.string {
      let node = ConfigNode(file: file, json: value)
      for name in names(in: text) { uses.append((name, node)) }
    }
    for element in value.elements { find(in: element, of: file, at: inside, &uses) }
    for member in value.members { find(in: member.value, of: file, at: inside, &uses) }
  }
}

extension ConfigNode {
  /// Whether a secret may be mentioned anywhere in the text.
  var mayMentionSecret: Bool { !secretOffsets(atMost: 1).isEmpty }

  /// Returns the offsets in the file at which a secret may be mentioned, ascending: at `{secret:`, and at each escape,
  /// which could spell it (`\u007bsecret:`).
  fileprivate func secretOffsets(atMost limit: Int = .max) -> [Int] {
    let plain = offsets(of: Array("{secret:".utf8), atMost: limit)
    return plain.count >= limit ? plain : (plain + offsets(of: Array("\\u".utf8), atMost: limit)).sorted()
  }

  /// Returns the offsets in the file at which a text of some bytes begins, ascending.
  ///
  /// A config is large and most blocks have no secret, so most bytes are skipped: the one under the text's end tells how
  /// far the text can be moved (Horspool 1980).
  private func offsets(of text: [UInt8], atMost limit: Int) -> [Int] {
    let range = json.byteRange
    var steps = [Int](repeating: text.count, count: 256)
    for (index, byte) in text.dropLast().enumerated() { steps[Int(byte)] = text.count - 1 - index }
    return file.document.bytes.withUnsafeBufferPointer { bytes in
      var offsets: [Int] = []
      var end = range.lowerBound + text.count
      while end <= range.upperBound, offsets.count < limit {
        let last = bytes[end - 1]
        if last == text[text.count - 1], bytes[(end - text.count)..<end].elementsEqual(text) {
          offsets.append(end - text.count)
        }
        end += steps[Int(last)]
      }
      return offsets
    }
  }
}
