/// Other names, most of which nobody asks for: a look at a name's first letter tells nearly always that it has none.
struct AliasTable: Sendable {
  private let names: [String: String]
  /// With which bytes the names begin, in either case of their letters.
  let firstBytes: LetterSet

  init(_ names: [String: String]) {
    self.names = names
    firstBytes = LetterSet(names.keys.map { $0.utf8.first ?? 0 })
  }

  /// The name that stands for `name`; nil where it stands for itself.
  subscript(name: String) -> String? {
    firstBytes.mayHold(name.utf8.first ?? 0) ? names[name] : nil
  }
}

/// A set of letters that are known by their low five bits, which are the same in both cases: a quick test that most
/// letters fail.
struct LetterSet: Sendable {
  private let bits: UInt32

  init(_ bytes: [UInt8]) {
    bits = bytes.reduce(0) { $0 | 1 << UInt32($1 & 31) }
  }

  /// False for a byte that is surely none of them.
  func mayHold(_ byte: UInt8) -> Bool { bits & 1 << UInt32(byte & 31) != 0 }
}
