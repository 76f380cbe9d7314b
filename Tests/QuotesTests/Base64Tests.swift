import Quotes
import Testing

@Suite struct Base64Tests {
  /// RFC 4648 §10, and the characters at the end of the alphabet.
  static let vectors: [(bytes: [UInt8], text: String)] = [
    ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
    (Array("foob".utf8), "Zm9vYg=="), (Array("fooba".utf8), "Zm9vYmE="), (Array("foobar".utf8), "Zm9vYmFy"),
    ([0xFB, 0xFF, 0xBF], "+/+/"), ([0], "AA=="), ([0xFF, 0xFF], "//8="),
  ]

  @Test(arguments: vectors) func encodesAndDecodes(_ bytes: [UInt8], _ text: String) {
    #expect(Base64.encode(bytes) == text)
    #expect(Base64.decode(text) == bytes)
    #expect(Base64.decode(text.replacing("=", with: "")) == bytes)
  }

  @Test func everyByteAndLength() {
    for length in 0..<256 {
      let bytes = (0..<length).map { UInt8($0) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: [
    "A", "AAAAA", "A===", "=", "====", "Zg=a", "Zm9v====", "Z=g=", "Zm 9", "Zm9v\n", "Zm-_", "Zg=", "é",
  ])
  func refuses(_ text: String) { #expect(Base64.decode(text) == nil) }
}
