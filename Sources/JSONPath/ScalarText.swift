/// Text that is compared by its Unicode scalars, as RFC 9535 §2.3.5.2.2 and §2.3.1 require.
///
/// Swift's `String` treats canonically equivalent texts as equal: "é" as one scalar and "é" as two. In JSON these are
/// two different member names.
struct ScalarText: Hashable, Comparable, Sendable {
  let string: String

  init(_ string: String) { self.string = string }

  // UTF-8 bytes sort in the order of Unicode scalars.

  static func == (left: ScalarText, right: ScalarText) -> Bool {
    left.string.utf8.elementsEqual(right.string.utf8)
  }

  static func < (left: ScalarText, right: ScalarText) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in string.utf8 { hasher.combine(byte) }
  }

  /// The text in single quotes, escaped as in normalized paths (RFC 9535 §2.7).
  var quoted: String {
    var quoted = "'"
    for scalar in string.unicodeScalars {
      switch scalar {
      case "'": quoted += "\\'"
      case "\\": quoted += "\\\\"
      case "\u{8}": quoted += "\\b"
      case "\t": quoted += "\\t"
      case "\n": quoted += "\\n"
      case "\u{C}": quoted += "\\f"
      case "\r": quoted += "\\r"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "'"
  }
}
