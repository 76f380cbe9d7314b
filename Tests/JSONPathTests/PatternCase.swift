import Testing

/// A pattern, texts that it matches entirely, and texts that it does not.
struct PatternCase: Sendable, CustomTestStringConvertible {
  var pattern: String
  var matching: [String]
  var other: [String]

  init(_ pattern: String, _ matching: [String], not other: [String] = []) {
    self.pattern = pattern
    self.matching = matching
    self.other = other
  }

  var testDescription: String { pattern }

  static let all = [
    PatternCase("", [""], not: ["a"]),
    PatternCase("a", ["a"], not: ["", "b", "aa", "A"]),
    PatternCase("ab|c", ["ab", "c"], not: ["ac", "abc", ""]),
    PatternCase("a||b", ["a", "", "b"], not: ["ab"]),
    PatternCase("a(b|cd)e", ["abe", "acde"], not: ["ae", "abcde"]),
    PatternCase("a*", ["", "a", "aaaa"], not: ["b", "ab"]),
    PatternCase("a+", ["a", "aa"], not: ["", "ba"]),
    PatternCase("ab?", ["a", "ab"], not: ["abb", "b"]),
    PatternCase("(ab)+", ["ab", "abab"], not: ["", "aba"]),
    PatternCase("a{2}", ["aa"], not: ["a", "aaa"]),
    PatternCase("a{2,}", ["aa", "aaaaa"], not: ["a"]),
    PatternCase("a{0,2}", ["", "a", "aa"], not: ["aaa"]),
    PatternCase("a{0}", [""], not: ["a"]),
    PatternCase("a{0,}b", ["b", "aab"]),
    PatternCase("(a|b){1,2}c", ["ac", "bac"], not: ["c", "abac"]),
    PatternCase("a{007}", ["aaaaaaa"]),
    PatternCase("()*x(a?){3}", ["x", "xaaa"], not: ["xaaaa"]),
    PatternCase("(a*)*b", ["b", "aaab"], not: ["aaa"]),
    PatternCase("(a|b*)*", ["", "abba"], not: ["abc"]),
    // The meaning of ".", inside and outside of classes.
    PatternCase("a.b", ["a b", "a\tb", "a\u{2028}b", "a😀b", "a\u{85}b"], not: ["a\nb", "a\rb", "ab", "a\r\nb"]),
    PatternCase("[.]", ["."], not: ["a"]),
    // Classes.
    PatternCase("[abc]", ["a", "b", "c"], not: ["", "d", "ab"]),
    PatternCase("[a-cx-z]", ["b", "y"], not: ["d", "-"]),
    PatternCase("[^a-c]", ["d", "^", "\n", "😀"], not: ["a", ""]),
    PatternCase("[-a]", ["-", "a"], not: ["b"]),
    PatternCase("[a-]", ["-", "a"]),
    PatternCase("[--]", ["-"]),
    PatternCase("[^-a]", ["b"], not: ["-", "a"]),
    PatternCase("[a^]", ["a", "^"], not: ["b"]),
    PatternCase("[*+?(){}|.$,]", ["*", "+", "?", "(", ")", "{", "}", "|", ".", "$", ","], not: ["a"]),
    PatternCase("[\\[\\]\\\\\\-\\^]", ["[", "]", "\\", "-", "^"], not: ["a"]),
    PatternCase("[\\n-\\r]", ["\n", "\u{B}", "\r"], not: ["\t"]),
    PatternCase("[а-я]+", ["привет"], not: ["Привет"]),
    PatternCase("[😀-😂]", ["😁"], not: ["😃"]),
    PatternCase("[\\p{L}\\p{Nd}_-]+", ["Ab9_-ж٣"], not: ["a b"]),
    PatternCase("[^\\p{L}]", ["1", " "], not: ["a", "ж"]),
    PatternCase("[\\P{L}a]", ["1", "a"], not: ["b"]),
    // Escapes: each means the character itself or a control character.
    PatternCase("\\(\\)\\*\\+\\-\\.\\?\\[\\\\\\]\\^\\{\\|\\}", ["()*+-.?[\\]^{|}"]),
    PatternCase("\\n\\r\\t", ["\n\r\t"]),
    PatternCase("a,b-c:/=!\"'#%&~`<>@;", ["a,b-c:/=!\"'#%&~`<>@;"]),
    // General categories.
    PatternCase("\\p{Lu}", ["A", "Ж"], not: ["a", "1"]),
    PatternCase("\\p{Ll}", ["a", "ж"], not: ["A"]),
    PatternCase("\\p{Lt}\\p{Lm}\\p{Lo}", ["ǅʰא"]),
    PatternCase("\\p{L}+", ["aAǅʰא"], not: ["1", "\u{301}"]),
    PatternCase("\\p{Mn}\\p{Mc}\\p{Me}", ["\u{301}\u{903}\u{20DD}"]),
    PatternCase("\\p{M}{3}", ["\u{301}\u{903}\u{20DD}"]),
    PatternCase("\\p{Nd}\\p{Nl}\\p{No}", ["9Ⅷ½"]),
    PatternCase("\\p{N}{3}", ["9Ⅷ½"]),
    PatternCase("\\p{Pc}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}", ["_-()«»!"]),
    PatternCase("\\p{P}{7}", ["_-()«»!"]),
    PatternCase("\\p{Sm}\\p{Sc}\\p{Sk}\\p{So}", ["+₩^©"]),
    PatternCase("\\p{S}{4}", ["+₩^©"]),
    PatternCase("\\p{Zs}\\p{Zl}\\p{Zp}", [" \u{2028}\u{2029}"]),
    PatternCase("\\p{Z}", ["\u{A0}"], not: ["\n"]),
    PatternCase("\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}", ["\u{0}\u{200D}\u{E000}\u{378}"]),
    PatternCase("\\p{C}{4}", ["\u{0}\u{200D}\u{E000}\u{378}"]),
    PatternCase("\\P{Lu}", ["a", "1", "\n"], not: ["A"]),
    PatternCase("\\P{L}", ["1"], not: ["a", "A"]),
    // Unicode scalars, not grapheme clusters.
    PatternCase("..", ["e\u{301}", "👍🏽"], not: ["\u{E9}"]),
    PatternCase("e.", ["e\u{301}"]),
    // Anchors.
    PatternCase("^a$", ["a"], not: ["^a$"]),
    PatternCase("a^b|a$b", [], not: ["ab", "a^b", "a$b"]),
    PatternCase("(^|-)a(-|$)", ["a", "-a-"], not: ["aa"]),
    PatternCase("\\^a[$]", ["^a$"], not: ["a"]),
    PatternCase("^*a$+", ["a"]),
  ]
}
