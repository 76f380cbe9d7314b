import HTTP
import Testing

@testable import Transport

@Suite struct RedactionTests {
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
    ("inner and innermost", ["inner", "innermost"], "REDACTED and REDACTED"),
    ("비밀 %EB%B9%84%EB%B0%80", ["비밀"], "REDACTED REDACTED"),
    // Written by what has ASCII alone (X13): letters beyond it as escapes, beyond the first plane as two.
    ("caf\\u00e9 caf\\u00E9 caf\u{e9}", ["caf\u{e9}"], "REDACTED REDACTED REDACTED"),
    ("\\ube44\\ubc00\u{bc00}", ["\u{be44}\u{bc00}"], "REDACTED\u{bc00}"),
    ("a\\ud83d\\ude00b a\\ud83d\\ude01b", ["a\u{1F600}b"], "REDACTED a\\ud83d\\ude01b"),
    ("caf\\u00e8 \\u00", ["caf\u{e9}"], "caf\\u00e8 \\u00"),
    ("hus", ["hush"], "hus"),
    ("text", ["", ""], "text"),
    ("huhush", ["hush"], "huREDACTED"),
  ])
  func spellings(_ text: String, _ secrets: [String], _ expected: String) {
    #expect(Redaction(secrets)(text) == expected)
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
