/// Other names, most of which nobody asks for: a look at a name's first letter tells nearly always that it has none.
struct AliasTable: Sendable {
  private let names: [String: String]
  /// One bit for the low five bits of each first byte, which are the same in both cases of a letter.
  private let firstBytes: UInt32

  init(_ names: [String: String]) {
    self.names = names
    firstBytes = names.keys.reduce(0) { $0 | AliasTable.bit(of: $1) }
  }

  /// The name that stands for `name`; nil where it stands for itself.
  subscript(name: String) -> String? {
    firstBytes & AliasTable.bit(of: name) == 0 ? nil : names[name]
  }

  /// Whether a name that begins with this byte may stand for another one.
  func mayHold(nameFrom first: UInt8) -> Bool { firstBytes & 1 << UInt32(first & 31) != 0 }

  private static func bit(of name: String) -> UInt32 {
    1 << UInt32((name.utf8.first ?? 0) & 31)
  }
}
