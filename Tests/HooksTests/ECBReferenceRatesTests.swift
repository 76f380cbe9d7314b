import Hooks
import JSON
import Mapping
import Testing

@Suite("Euro reference rates")
struct ECBReferenceRatesTests {
  /// Returns the bank's file around the given rates.
  private static func file(_ inner: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary">
      <gesmes:subject>Reference rates</gesmes:subject>
      <Cube>\(inner)</Cube>
    </gesmes:Envelope>
    """
  }

  private static let day =
    "<Cube time='2026-11-17'><Cube currency='USD' rate='1.1592'/><Cube currency='JPY' rate='179.07'/></Cube>"
  private static let json = #"{"date":"2026-11-17","rates":{"USD":"1.1592","JPY":"179.07"}}"#

  private func result(_ text: String) -> Result<String, HookError> {
    do throws(HookError) {
      return .success(String(decoding: try ECBReferenceRates().json(from: Array(text.utf8)), as: UTF8.self))
    } catch {
      return .failure(error)
    }
  }

  struct Good: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String

    init(_ what: String, _ text: String) {
      testDescription = what
      self.text = text
    }
  }

  /// Different texts with the same rates.
  static let good: [Good] = [
    Good("as the bank writes it", file(day)),
    Good("on one line", file(day).replacing("\n", with: "")),
    Good("with CRLF and tabs", file(day).replacing("\n", with: "\r\n\t")),
    Good("with double quotes", file(day.replacing("'", with: "\""))),
    Good("with a prefix", file(day).replacing("<Cube", with: "<ecb:Cube").replacing("</Cube", with: "</ecb:Cube")),
    Good("with spaces inside tags", file(day.replacing("=", with: " = ").replacing("/>", with: " />"))),
    Good(
      "with end tags", file(day.replacing("/><", with: "></Cube><").replacing("'179.07'/>", with: "'179.07'></Cube>"))),
    Good("with comments", file("<!-- <Cube currency='USD' rate='9'/> -->" + day + "<!-- a > b -->")),
    Good("with CDATA", file("<note><![CDATA[ <Cube currency='USD' rate='9'/> ]]></note>" + day)),
    Good("with other tags", file("<Other currency='CHF' rate='1'/>" + day + "<CubeX time='1999-01-01'/>")),
    Good(
      "with attributes in another order",
      file(day.replacing("currency='USD' rate='1.1592'", with: "rate='1.1592' currency='USD'"))),
    Good("with further attributes", file(day.replacing("<Cube currency", with: "<Cube multiplier='1' currency"))),
    Good(
      "of many days, the newest first",
      file(day + "<Cube time='2026-11-16'><Cube currency='USD' rate='1.2'/><Cube currency='JPY' rate='1'/></Cube>")),
  ]

  @Test(arguments: good)
  func ratesAreRead(from item: Good) {
    #expect(result(item.text) == .success(Self.json))
  }

  /// A partial file is never accepted as complete: fewer rates than the bank sent would pass for its list.
  @Test func truncatedFilesAreRefused() {
    let bytes = Array(Self.file(Self.day).utf8)
    for length in 0..<bytes.count {
      let text = String(decoding: bytes[..<length], as: UTF8.self)
      guard case .success(let json) = result(text) else { continue }
      Issue.record("cut after \(length) bytes it gave \(json)")
    }
    #expect(result(Self.file(Self.day) + "\n") == .success(Self.json))
  }

  @Test(arguments: [
    ("", "the file has no rates with a date"),
    ("{\"error\":true}", "the file has no rates with a date"),
    (file(""), "the file has no rates with a date"),
    (file("<Cube time='2026-11-17'></Cube>"), "the file has no rates with a date"),
    (file("<Cube currency='USD' rate='1.1'/>"), "the file has no rates with a date"),
    (file("<Cube time='2026-11-17'><Cube currency='USD' rate=1.1/></Cube>"), "an attribute value is not quoted"),
    (file("<Cube time='2026-11-17'><Cube currency rate='1'/></Cube>"), "an attribute of <Cube> has no value"),
    (
      file("<Cube time='2026-11-17'><Cube currency='USD' rate='1.1/></Cube>"),
      "an attribute value has no closing quote"
    ),
    (file("<!-- " + day), "missing '-->'"),
    (
      file(day).replacing("</gesmes:Envelope>", with: "</gesmes:Other>"),
      "</gesmes:Other> does not match <gesmes:Envelope>"
    ),
    ("<html><body>Service unavailable</body></html>", "the file has no rates with a date"),
    ("<html><br>Service unavailable</html>", "</html> does not match <br>"),
  ])
  func otherFilesAreRefused(text: String, reason: String) {
    #expect(result(text) == .failure(HookError(reason)))
  }

  @Test func invalidUTF8IsRefused() {
    let bytes = Array(Self.file(Self.day).utf8) + [0xFF]
    #expect(throws: HookError("the file is not valid UTF-8")) { try ECBReferenceRates().json(from: bytes) }
  }

  /// Whatever the attributes contain, the hook returns JSON with those texts and nothing else.
  @Test(arguments: [
    (#"1","KRW":"9"#, "a quote that would end the text"), ("\u{1}\u{2}", "control characters"),
    ("1\\", "a backslash"), ("🙂", "an emoji"), ("&lt;1&gt;", "references"),
  ])
  func hostileAttributesStayStrings(rate: String, _ what: String) throws {
    let text = Self.file("<Cube time='2026-11-17'><Cube currency='USD' rate='\(rate)'/></Cube>")
    let bytes = try ECBReferenceRates().json(from: Array(text.utf8))
    let rates = try #require(try JSONDocument(parsing: bytes).root["rates"])
    #expect(rates.members.map(\.name) == ["USD"])
    #expect(rates["USD"]?.string == rate)
  }

  /// Deep, long and repetitive files take time linear in their length.
  @Test func hostileFilesTakeLinearTime() {
    let deep = String(repeating: "<a>", count: 200_000)
    #expect(result(deep) == .failure(HookError("tags are nested deeper than 64 levels")))
    let open = String(repeating: "<!-", count: 200_000)
    #expect(result(open) == .failure(HookError("missing '>'")))
    let rates = (0..<20_000).map { "<Cube currency='C\($0)' rate='1'/>" }.joined()
    let many = result(Self.file("<Cube time='2026-11-17'>\(rates)</Cube>"))
    guard case .success(let json) = many else {
      Issue.record("\(many)")
      return
    }
    #expect(json.utf8.count > 20_000 * 10)
  }

  /// A repeated rate: the JSON reader takes the last, so the hook must not leave it to chance.
  @Test func duplicateCurrencyIsRefused() {
    let text = Self.file(
      "<Cube time='2026-11-17'><Cube currency='USD' rate='1'/><Cube currency='USD' rate='2'/></Cube>")
    #expect(result(text) == .failure(HookError("duplicate currency USD")))
  }

  @Test func hookIsRegistered() {
    let registry = HookRegistry(shippedHooks)
    #expect(registry.names == ["ecb-reference-rates"])
    #expect(registry["ecb-reference-rates"] is ECBReferenceRates)
    #expect(registry["ECB-reference-rates"] == nil)
  }
}
