import JSON
import Testing

/// Hand-written response shapes: the scan must find what the document finds.
@Suite("One-pass scan")
struct ScanTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var container: ScanPath?
    var rowPaths: [ScanPath] = []
    var responsePaths: [ScanPath] = []

    var testDescription: String { name }

    var reference: ScanReference {
      ScanReference(
        bytes: Array(text.utf8), rowContainer: container, rowPaths: rowPaths, responsePaths: responsePaths)
    }
  }

  static let shapes = [
    Shape(
      name: "array of objects", text: #"[{"s":"A","p":1.50},{"s":"B","p":"2"},{"s":"C","p":null}]"#, container: "",
      rowPaths: ["s", "p"]),
    Shape(
      name: "object of objects", text: #"{"A":{"p":1},"B":{"p":2},"C":3}"#, container: "", rowPaths: ["p", ""]),
    Shape(
      name: "rows that are arrays", text: #"{"data":[["A",1,[2,3]],["B"],[],["C",4,[5]]]}"#, container: "data",
      rowPaths: ["0", "1", "2.0", "2.1", "-1", "-2", "-1.-1"]),
    Shape(
      name: "rows that are arrays of plain values",
      text:
        #"{"data":[["1","a",2],[ 3 , "b\u0041" ,[4,{"p":5}]],[6],[],{"p":7},8,[null,true,"c"] ,["d",{},-9.5e2,10]]}"#,
      container: "data", rowPaths: ["0", "2", "p", ""]),
    Shape(
      name: "arrays of plain values in two containers",
      text: #"{"b":[["1","2"],["3","4"]],"a":[["5","6"],["7"],["8","9"]]}"#,
      container: "b", rowPaths: ["1", "0"], responsePaths: ["a.1.0", "b.1.1"]),
    Shape(
      name: "nested rows", text: #"[{"a":{"b":{"c":1}},"d":[{"e":2}]},{"a":{"b":3}},{"a":{}},{"a":[]},{}]"#,
      container: "", rowPaths: ["a.b.c", "a.b", "a", "d.0.e", "d"]),
    Shape(
      name: "repeated members", text: #"[{"p":1,"p":2},{"a":{"b":1},"a":{"c":2}},{"a":{"b":1},"a":7},{"p":{},"p":[]}]"#,
      container: "", rowPaths: ["p", "a.b", "a.c", "a"]),
    Shape(
      name: "repeated container", text: #"{"d":[{"p":1},{"p":2}],"d":[{"p":3}]}"#, container: "d", rowPaths: ["p"],
      responsePaths: ["d.0.p", "d.1.p"]),
    Shape(
      name: "repeated container that ends as a scalar", text: #"{"d":{"r":[{"p":1}]},"d":5}"#, container: "d.r",
      rowPaths: ["p"], responsePaths: ["d"]),
    Shape(
      name: "repeated rows of an object", text: #"{"A":{"p":1},"A":{"p":2,"q":1},"A":{"p":3}}"#, container: "",
      rowPaths: ["p"], responsePaths: ["A.p", "A.q"]),
    Shape(
      name: "escapes in keys",
      text:
        #"[{"l\u0061st":1},{"last":2},{"\u006c\u0061\u0073\u0074":"x\ny"},{"lastPriceOf24":3,"lastPrice\u004ff24":4}]"#,
      container: "", rowPaths: ["last", "lastPriceOf24"]),
    Shape(
      name: "escapes in container keys", text: #"{"\u0042TC":{"p":1},"a\"b":{"p":2},"":{"p":3}}"#, container: "",
      rowPaths: ["p"], responsePaths: ["BTC.p"]),
    Shape(
      name: "keys that share their first eight bytes",
      text: #"[{"priceChange":1,"priceChangePercent":2,"priceChanged":3,"priceChang":4,"pricecha":5,"priceChb":6}]"#,
      container: "",
      rowPaths: ["priceChange", "priceChangePercent", "priceChang", "priceChanged", "pricecha", "priceChx"]),
    Shape(
      name: "members missing, added and in another order",
      text: #"[{"a":1,"b":2,"c":3},{"b":4,"c":5},{"c":6,"a":7},{"x":0,"a":8,"b":9,"c":1},{"a":2,"x":1,"c":3},{"d":5}]"#,
      container: "", rowPaths: ["a", "b", "c", "d"]),
    Shape(
      name: "first row unlike the others", text: #"[{"x":1,"y":2},{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]"#,
      container: "", rowPaths: ["a", "b"]),
    Shape(
      name: "indented", text: "{\n  \"data\" : [\n    { \"a\" : 1 , \"b\" :\t[ 2 ] } ,\r\n    { \"a\" : 3 }\n  ]\n}\n",
      container: "data", rowPaths: ["a", "b.0"], responsePaths: ["data.1"]),
    Shape(
      name: "blanks that differ from row to row",
      text: "[{\"a\":1,\"b\":2},{\"a\": 3 ,\"b\":  4},{ \"a\":5, \"b\":\n6 }]",
      container: "", rowPaths: ["a", "b"]),
    Shape(
      name: "texts with blanks and exclamation marks", text: #"[{"a":"one two! three","b":" "},{"a":"!","b":"x y"}]"#,
      container: "", rowPaths: ["a", "b"]),
    Shape(
      name: "no container", text: #"{"code":0,"msg":"ok"}"#, container: "data", rowPaths: ["p"], responsePaths: ["msg"]),
    Shape(name: "empty array", text: #"{"data":[ ]}"#, container: "data", rowPaths: ["p"], responsePaths: ["data"]),
    Shape(name: "empty object", text: #"{"data":{ }}"#, container: "data", rowPaths: ["p"]),
    Shape(name: "container is null", text: #"{"data":null}"#, container: "data", rowPaths: ["p"]),
    Shape(name: "container is a string", text: #"{"data":"none"}"#, container: "data", rowPaths: ["p"]),
    Shape(name: "container through a scalar", text: #"{"data":1}"#, container: "data.rows", rowPaths: ["p"]),
    Shape(
      name: "rows that are scalars", text: #"[1,"two",null,true,false,{"p":3},[4]]"#, container: "",
      rowPaths: ["", "p", "0"]),
    Shape(
      name: "whole response", text: #" {"symbol":"A","d":{"p":[1,2]}} "#, container: nil,
      rowPaths: ["symbol", "d.p.1", ""], responsePaths: ["d.p", "symbol"]),
    Shape(name: "whole response is an array", text: "[1,2]", container: nil, rowPaths: ["0", "-1", "2"]),
    Shape(name: "whole response is a scalar", text: "17", container: nil, rowPaths: ["", "a"]),
    Shape(
      name: "response paths after the rows", text: #"{"data":[{"p":1},{"p":2}],"time":5,"more":{"n":"x"}}"#,
      container: "data", rowPaths: ["p"], responsePaths: ["time", "more.n", "more", "data.0.p", "data.-1", "data"]),
    Shape(
      name: "container by index", text: #"[{"t":1},[{"p":1},{"p":2}]]"#, container: "1", rowPaths: ["p"],
      responsePaths: ["0.t"]),
    Shape(
      name: "container from the end", text: #"[{"t":1},[{"p":1},{"p":2}]]"#, container: "-1", rowPaths: ["p"],
      responsePaths: ["0.t", "-2.t", "-3"]),
    Shape(
      name: "index from both ends", text: "[[1],[1,2],[1,2,3],[]]", container: "",
      rowPaths: ["0", "-1", "1", "-2", "-3"]
    ),
    Shape(name: "equal paths", text: #"[{"p":1}]"#, container: "", rowPaths: ["p", "p", "q", "q"]),
    Shape(name: "no paths", text: #"[{"p":1},{}]"#, container: ""),
    Shape(
      name: "names with other letters", text: #"[{"시세":"비트코인","é":1},{"시세":"x","é":2}]"#, container: "",
      rowPaths: ["시세", "é", "e\u{301}"]),
  ]

  @Test(arguments: shapes)
  func scanMatchesDocument(in shape: Shape) throws {
    #expect(try shape.reference.scanned() == shape.reference.expected())
  }

  /// One shape with literal expectations, so that the two readers cannot be wrong together.
  @Test func findings() throws {
    let reference = ScanReference(
      bytes: Array(#"{"t":7,"d":{"A":{"p":"1\n"},"B":{}}}"#.utf8), rowContainer: "d", rowPaths: ["p"],
      responsePaths: ["t"])
    #expect(
      try reference.scanned()
        == ScanReference.Findings(
          containerKind: .object,
          rows: ["string 13..<14 A at 16..<27: string 22..<25 1\n", "string 29..<30 B at 32..<34: missing"],
          response: ["number 5..<6 7"], repetitions: [false, false, false]))
  }

  /// A member is repeated even if what was there before leads nowhere.
  @Test(arguments: [
    #"{"d":{"A":{"p":{"q":1},"p":{"q":2}}}}"#, #"{"d":{"A":{"p":5,"p":{"q":2}}}}"#,
    #"{"d":{"A":{"p":{"r":1},"p":{"q":2}}}}"#,
    #"{"d":{"A":{"p":{"q":1},"p":{}}}}"#,
  ])
  func repeatedMembersAreNoticed(_ text: String) throws {
    let reference = ScanReference(
      bytes: Array(text.utf8), rowContainer: "d", rowPaths: ["p.q"], responsePaths: [])
    let found = try reference.scanned()
    #expect(try found == reference.expected() && found.repetitions == [false, true])
  }

  /// A row that is an array says how long it is, whatever was before it.
  @Test func elementCounts() throws {
    let plan = ScanPlan(rowContainer: ScanPath(), rowPaths: [ScanPath(steps: [.index(0)])], responsePaths: [])
    let found = try plan.scan(Array("[[1,2,[3]],[],{\"a\":[1]},[1]]".utf8))[0]
    #expect((0..<found.rowCount).map(found.elementCount) == [3, 0, 0, 1])
  }

  /// Rows with more members than a shape remembers, and enough rows to be remembered, forgotten and learned again.
  @Test(arguments: [1, 63, 64, 65, 200])
  func wideRows(_ width: Int) throws {
    let rows = (0..<6).map { row in
      let order = row % 3 == 2 ? Array((0..<width).reversed()) : Array(0..<width)
      return "{" + order.map { "\"member\($0)\":\(row * 1000 + $0)" }.joined(separator: ",") + "}"
    }
    let reference = ScanReference(
      bytes: Array("[\(rows.joined(separator: ","))]".utf8), rowContainer: "",
      rowPaths: [0, width / 2, width - 1, width].map { ScanPath(steps: [.member("member\($0)")]) }, responsePaths: [])
    #expect(try reference.scanned() == reference.expected())
  }

  /// Names of every length around the word size, at every distance from the end of the text.
  @Test(arguments: 0..<20)
  func shortTexts(_ length: Int) throws {
    let name = String("abcdefghijklmnopqrstuvwxyz".prefix(length))
    for tail in 0..<10 {
      let padding = String(repeating: " ", count: tail)
      let reference = ScanReference(
        bytes: Array("[{\"\(name)\":1},{\"\(name)\":2},{\"\(name)x\":3},{\"\(name)\":4}]\(padding)".utf8),
        rowContainer: "", rowPaths: [ScanPath(steps: [.member(name)])], responsePaths: [])
      #expect(try reference.scanned() == reference.expected())
    }
  }
}
