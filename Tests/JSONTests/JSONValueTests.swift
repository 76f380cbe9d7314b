import JSON
import Testing

@Suite struct JSONValueTests {
  @Test(
    arguments: [
      (nil, "null"), (true, "true"), (false, "false"), (7, "7"), (.number("-0.50"), "-0.50"),
      ("a\"b\n", #""a\"b\n""#), ("1 + 1 = \(1 + 1)", #""1 + 1 = 2""#), ([], "[]"), ([:], "{}"),
      ([1, nil, "x", [true]], #"[1,null,"x",[true]]"#),
      (["b": 1, "a": ["c": nil]], #"{"b":1,"a":{"c":null}}"#),
      (.text(nil), "null"), (.text("x"), #""x""#), (.integer(nil), "null"), (.integer(-3), "-3"),
      (.texts(["a", "b"]), #"["a","b"]"#), (.list(1...2) { .integer($0) }, "[1,2]"),
      (["a": 1] + ["b": 2], #"{"a":1,"b":2}"#), ([1] + [2], "[1,2]"),
    ] as [(JSONValue, String)])
  func writes(_ value: JSONValue, _ text: String) {
    #expect(String(decoding: value.written(), as: UTF8.self) == text)
  }

  @Test func indents() {
    let value: JSONValue = ["rows": [["price": "1.50", "flags": []]], "none": [:]]
    #expect(
      String(decoding: value.written(indent: 2), as: UTF8.self) == """
        {
          "rows": [
            {
              "price": "1.50",
              "flags": []
            }
          ],
          "none": {}
        }
        """)
  }
}
