import JSON
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  private func write(indent: Int? = nil, _ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(indent: indent)
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func sample(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("price")
    writer.number(text: "1.50")
    writer.key("rows")
    writer.beginArray()
    writer.string("a")
    writer.boolean(true)
    writer.boolean(false)
    writer.null()
    writer.beginArray()
    writer.endArray()
    writer.beginObject()
    writer.endObject()
    writer.raw(Array("[1, 2]".utf8))
    writer.endArray()
    writer.key("last")
    writer.beginObject()
    writer.key("")
    writer.null()
    writer.endObject()
    writer.endObject()
  }

  @Test func compact() {
    #expect(
      write(sample) == #"{"price":1.50,"rows":["a",true,false,null,[],{},[1, 2]],"last":{"":null}}"#)
  }

  @Test func pretty() {
    #expect(
      write(indent: 2, sample) == """
        {
          "price": 1.50,
          "rows": [
            "a",
            true,
            false,
            null,
            [],
            {},
            [1, 2]
          ],
          "last": {
            "": null
          }
        }
        """)
  }

  @Test func scalarText() {
    #expect(write { $0.string("x") } == "\"x\"")
    #expect(write(indent: 4) { $0.null() } == "null")
  }

  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("비트 😀 é", "비트 😀 é"), ("\"\\/", #"\"\\/"#),
    ("\u{8}\u{C}\n\r\t", #"\b\f\n\r\t"#), ("\0\u{1}\u{1A}\u{1F}\u{7F}", #"\u0000\u0001\u001a\u001f\u007f"#),
    ("\u{2028}", #"\u2028"#), ("하나\u{9B}2J", #"하나\u009b2J"#), ("\u{202E}é\u{2066}", #"\u202eé\u2066"#),
    ("\u{E0041}", #"\udb40\udc41"#), ("\u{10FFFF}", #"\udbff\udfff"#),
    ("BTC\u{3164}\u{115F}", #"BTC\u3164\u115f"#), ("❤\u{FE0F}\u{E000}", #"❤\ufe0f\ue000"#),
  ])
  func escapes(_ text: String, _ written: String) throws {
    let result = write { $0.string(text) }
    #expect(result == "\"\(written)\"")
    #expect(try JSONDocument(parsing: Array(result.utf8)).root.string == text)
  }

  /// All of ASCII survives the round trip, as names and as values.
  @Test func roundTrip() throws {
    for code in UInt8(0)..<0x80 {
      let text = "a\(Character(Unicode.Scalar(code)))b"
      let result = write { writer in
        writer.beginObject()
        writer.key(text)
        writer.string(text)
        writer.endObject()
      }
      #expect(try JSONDocument(parsing: Array(result.utf8)).root[text]?.string == text)
    }
  }
}
