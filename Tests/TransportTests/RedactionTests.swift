import HTTP
import Testing

@testable import Transport

@Suite struct RedactionTests {
  static let redactedFiveTimes = "REDACTED REDACTED REDACTED REDACTED REDACTED"

  @Test(arguments: [
    ("key=hush&x=1", ["hush"], "key=REDACTED&x=1"),
    ("hushhush", ["hush"], "REDACTEDREDACTED"),
    ("nothing here", ["hush"], "nothing here"),
    ("a%2Bb%2fc%3D", ["a+b/c="], "REDACTED"),
    ("a%2Bb/c=", ["a+b/c="], "REDACTED"),
    ("a+b%20c a%20b+c", ["a b c"], "REDACTED REDACTED"),
    ("{\"k\":\"a\\\"b\\\\c\\/d\"}", ["a\"b\\c/d"], "{\"k\":\"REDACTED\"}"),
    ("{\"k\":\"h\\u0075sh\"}", ["hush"], "{\"k\":\"REDACTED\"}"),
    ("%68%75%73%68", ["hush"], "REDACTED"),
    ("100%25", ["100%"], "REDACTED"),
    ("100%", ["100%"], "REDACTED"),
    // A secret that looks like an escape.
    ("x=abc%25secret-def", ["abc%25secret-def"], "x=REDACTED"), ("a\\\\b", ["a\\\\b"], "REDACTED"),
    ("k=a\\uber", ["a\\uber"], "k=REDACTED"),
    ("inner and innermost", ["inner", "innermost"], "REDACTED and REDACTED"),
    ("비밀 %EB%B9%84%EB%B0%80", ["비밀"], "REDACTED REDACTED"),
    // From ASCII-only writers (X13): other letters as escapes, those beyond the first plane as two.
    ("caf\\u00e9 caf\\u00E9 caf\u{e9}", ["caf\u{e9}"], "REDACTED REDACTED REDACTED"),
    ("\\ube44\\ubc00\u{bc00}", ["\u{be44}\u{bc00}"], "REDACTED\u{bc00}"),
    ("a\\ud83d\\ude00b a\\ud83d\\ude01b", ["a\u{1F600}b"], "REDACTED a\\ud83d\\ude01b"),
    ("caf\\u00e8 \\u00", ["caf\u{e9}"], "caf\\u00e8 \\u00"),
    ("hus", ["hush"], "hus"),
    ("text", ["", ""], "text"),
    ("huhush", ["hush"], "huREDACTED"),
    // A host may change the case of what it was sent; so may a text that has nothing to do with a short secret.
    ("bad key keyabc123456 KeyABC123456", ["KEYABC123456"], "bad key REDACTED REDACTED"),
    ("KEY%41bc-\\u00e9", ["keyabc-\u{e9}"], "REDACTED"),
    ("Hush", ["hush"], "Hush"),
    ("K\u{c9}Y-abc k%c3%a9y-ABC K&#201;Y-abc K\\xc9y-abc K\\u00C9y-abc", ["k\u{e9}y-abc"], redactedFiveTimes),
    ("\u{3a3}\u{3b1}\u{3c2} \u{3c3}\u{391}\u{3c3} \u{3c3}", ["\u{3c3}\u{3b1}\u{3c2}"], "REDACTED REDACTED \u{3c3}"),
    // From pages and from other writers.
    ("a&amp;b&lt;c&gt;d&quot;e&apos;f", ["a&b<c>d\"e'f"], "REDACTED"),
    ("a&#38;b&#x3c;c a&b&#X3C;c a&#0038;b<c", ["a&b<c"], "REDACTED REDACTED REDACTED"),
    ("a&#38b &#; &#x; &nbsp; &am", ["a&b"], "a&#38b &#; &#x; &nbsp; &am"),
    ("caf&#233; caf&#xE9; &#128512;", ["caf\u{e9}", "\u{1F600}"], "REDACTED REDACTED REDACTED"),
    ("h\\x75sh \\x68ush \\x7", ["hush"], "REDACTED REDACTED \\x7"),
    ("\\x78yz \\xyz xyz", ["xyz"], "REDACTED REDACTED REDACTED"),
    ("caf\\xe9 caf\\xc3\\xa9", ["caf\u{e9}"], "REDACTED REDACTED"),
    ("\\u00c3\\u00a9 \\u00e9", ["\u{e9}"], "REDACTED REDACTED"), ("\\u00c3", ["\u{c3}"], "REDACTED"),
    // An escape that a secret begins within.
    ("100%abcdef %abc%64ef", ["abcdef"], "100%REDACTED %REDACTED"),
    ("%2541%42", ["%41%42"], "REDACTED"), ("a&amp;b a&amp;amp;b", ["a&amp;b"], "REDACTED REDACTED"),
    // In hexadecimal, in any case.
    ("6162636465662d 6162636465662D6162636465662d", ["abcdef-"], "REDACTED REDACTEDREDACTED"),
    ("%36162636465662\\u0064", ["abcdef-"], "REDACTED"), ("68757368", ["hush"], "68757368"),
    // Of those that overlap nothing is left.
    ("abcdefghi", ["abcdef", "defghi"], "REDACTED"), ("abab abababab", ["abab"], "REDACTED REDACTED"),
    ("innermost inner", ["inner", "innermost", "most inn"], "REDACTED"),
  ])
  func spellings(_ text: String, _ secrets: [String], _ expected: String) {
    #expect(Redaction(secrets)(text) == expected)
  }

  /// A secret in base64 is found alone and within a longer text, whatever precedes and follows it.
  @Test(arguments: [
    "abcdef", "hush-hush-hush", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6", "\u{BE44}\u{BC00}??>>~~", "s\u{FF}\u{FE}?>~",
  ])
  func base64(_ secret: String) {
    let redaction = Redaction([secret])
    for before in ["", "k", "ke", "key:", "key::", "another key: "] {
      for behind in ["", ":", ":x", ":xy", ":x?z and more"] {
        let bytes = Array((before + secret + behind).utf8)
        for (alphabet, isPadded) in [("+/", true), ("+/", false), ("-_", true), ("-_", false)] {
          let text = "Basic " + Self.base64(bytes, alphabet, isPadded: isPadded) + "\", \"x\": 1"
          for spelled in [
            text, text.replacing("/", with: "\\/"), text.replacing("+", with: "%2B").replacing("=", with: "%3D"),
          ] {
            // Where an adjacent byte yields no character of its own, some of its characters may remain.
            let shown = redaction(spelled)
            let parts = shown.split(separator: Redaction.mark, omittingEmptySubsequences: false)
            #expect(parts.count == 2, "\(spelled): \(shown)")
            #expect(
              parts.map(String.init)[0].utf8.count == 6 + before.utf8.count * 4 / 3
                && shown.hasSuffix("\", \"x\": 1"), "\(spelled): \(shown)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    // Both parts of a pair.
    ("a2V5a2V5OnNlY3JldA==", ["keykey", "secret"], "REDACTEDOREDACTED"),
    ("a2V5a2V5czpzZWNyZXQ=", ["keykeys", "secret"], "REDACTEDREDACTED"),
    ("a2V5a2V5c2VjcmV0", ["keykey", "secret"], "REDACTEDREDACTED"),
    ("a2V5a2V5c3NlY3JldA", ["keykeys", "secret"], "REDACTEDREDACTED"),
    // Padding that belongs to nothing stays.
    ("k=YWJjZGVm=x", ["abcdef"], "k=REDACTED=x"),
    // Other texts may have as few characters as remain of a short one.
    ("aHVzaA==", ["hush"], "aHVzaA=="),
  ])
  func partialBase64(_ text: String, _ secrets: [String], _ expected: String) {
    #expect(Redaction(secrets)(text) == expected)
  }

  private static func base64(_ bytes: [UInt8], _ signs: String, isPadded: Bool) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + signs)
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
      for place in 0..<4 {
        if place <= group.count {
          text.append(alphabet[bits >> (18 - 6 * place) & 63])
        } else if isPadded {
          text += "="
        }
      }
    }
    return text
  }

  /// Clock values are told apart, even if they overlap.
  @Test func parts() {
    #expect(Redaction(["11"], inEncodings: false).parts(of: "a111b1%31") == ["a", "1b", ""])
    #expect(Redaction([], inEncodings: false).parts(of: "a") == ["a"])
  }

  @Test func bytesNeedNotBeText() {
    #expect(Redaction(["k"])([0xff, 0x6b, 0x00]) == [0xff] + Array("REDACTED".utf8) + [0x00])
  }

  @Test(arguments: [
    (TransportError.tls("at hush"), TransportError.tls("at REDACTED")),
    (.cannotResolve("hush"), .cannotResolve("REDACTED")), (.cannotConnect("hush"), .cannotConnect("REDACTED")),
    (.redirectRefused("hush"), .redirectRefused("REDACTED")), (.brokenOff("hush"), .brokenOff("REDACTED")),
    (.notInCassette("hush"), .notInCassette("REDACTED")), (.other("hush"), .other("REDACTED")),
    (.timeout, .timeout), (.tooLarge(limit: 5), .tooLarge(limit: 5)),
  ])
  func errors(_ error: TransportError, _ expected: TransportError) {
    #expect(Redaction(["hush"])(error) == expected)
  }
}
