/// The digits of a number between its commas: thousands, or a decimal comma as much of Europe writes it.
struct CommaGroups {
  private let groups: [Substring]
  private let fraction: Substring?

  /// nil where the text is no number with a comma.
  init?(_ text: String) {
    guard text.utf8.count <= 64, text.utf8.contains(UInt8(ascii: ",")) else { return nil }
    var digits = Substring(text.filter { $0 != "%" && $0 != " " })
    if let sign = digits.first, sign == "-" || sign == "+" { digits.removeFirst() }
    guard digits.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") })
    else { return nil }
    let point = digits.firstIndex(of: ".")
    fraction = point.map { digits[digits.index(after: $0)...] }
    groups = (point.map { digits[..<$0] } ?? digits).split(separator: ",", omittingEmptySubsequences: false)
  }

  /// Whether the commas can part thousands: groups of three, or of two before the last as India writes them.
  var areThousands: Bool {
    guard groups.count > 1, let first = groups.first, !first.isEmpty, first.count <= 3, first.first != "0",
      groups.last?.count == 3, fraction.map({ !$0.contains(",") && !$0.contains(".") }) ?? true
    else { return false }
    let middle = groups.dropFirst().dropLast()
    return middle.allSatisfy { $0.count == 3 } || first.count <= 2 && middle.allSatisfy { $0.count == 2 }
  }

  /// Whether they can be nothing else.
  private var areSurelyThousands: Bool { areThousands && (groups.count > 2 || fraction != nil) }

  /// Whether numbers of a column are written with a decimal comma, or may be: `1,234` in every row is either.
  static func areDoubtful(in texts: [String]) -> Bool {
    let found = texts.compactMap { CommaGroups($0) }
    guard !found.isEmpty else { return false }
    if !found.allSatisfy(\.areThousands) { return true }
    if found.contains(where: \.areSurelyThousands) { return false }
    let plain = texts.filter { Double($0) != nil }
    return plain.isEmpty
  }
}
