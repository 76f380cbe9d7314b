import Testing

/// A pattern, and texts with and without a match anywhere.
struct SearchCase: Sendable, CustomTestStringConvertible {
  var pattern: String
  var matching: [String]
  var other: [String]

  var testDescription: String { pattern }

  static let all = [
    SearchCase(pattern: "", matching: ["", "a"], other: []),
    SearchCase(pattern: "b", matching: ["b", "abc"], other: ["", "ac"]),
    SearchCase(pattern: "^b", matching: ["b", "bc"], other: ["ab", "a\nb"]),
    SearchCase(pattern: "b$", matching: ["b", "ab"], other: ["bc", "b\n"]),
    SearchCase(pattern: "^$", matching: [""], other: ["a", "\n"]),
    SearchCase(pattern: "a.c", matching: ["xabcx", "aabc"], other: ["a\ncab"]),
    SearchCase(pattern: "a{3}", matching: ["xaaax"], other: ["aabaa"]),
    SearchCase(pattern: "\\p{Lu}\\p{Ll}", matching: ["xXxx"], other: ["XXX", "xX"]),
    SearchCase(pattern: "ж|я", matching: ["aяb"], other: ["ab"]),
  ]
}
