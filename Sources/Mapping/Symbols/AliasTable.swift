/// Other names, most of which nobody asks for: a look at a name's first letter tells nearly always that it has none.
struct AliasTable: Sendable {
  private let names: [String: String]
  /// With which bytes the names begin, in either case of their letters.
  let firstBytes: ByteHint

  init(_ names: [String: String]) {
    self.names = names
    firstBytes = ByteHint(names.keys.map { $0.utf8.first ?? 0 })
  }

  /// The name that stands for `name`; nil where it stands for itself.
  subscript(name: String) -> String? {
    firstBytes.mayHold(name.utf8.first ?? 0) ? names[name] : nil
  }
}
