import Cassettes
import HTTP
import MarketData
import Quotes
import Testing

/// The messages of a recording, as they are read by every command that reads recordings.
@Suite struct CompressedMessageTests {
  private static let text = #"{"s":"BTC-USDT","p":"65001"}"#

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Of the line of the recording.
    let member: String
    let text: String?
  }

  static let cases = [
    Case(testDescription: "text", member: #""got":"{\"s\":\"BTC-USDT\",\"p\":\"65001\"}""#, text: text),
    Case(
      testDescription: "bytes that are text", member: #""binary":"eyJzIjoiQlRDLVVTRFQiLCJwIjoiNjUwMDEifQ==""#,
      text: text),
    Case(
      testDescription: "zlib's own format",
      member: #""binary":"eJyrVipWslJyCnHWDQ12CVHSUSoAcs1MDQwMlWoBZxoGzg==""#, text: text),
    Case(
      testDescription: "bare compressed data", member: #""binary":"q1YqVrJScgpx1g0NdglR0lEqAHLNTA0MDJVqAQ==""#,
      text: text),
    Case(testDescription: "other bytes", member: #""binary":"//4=""#, text: nil),
  ]

  @Test(arguments: cases) func messages(_ example: Case) throws {
    let lines = #"{"at":1,"open":"wss://exchange.test"}"# + "\n" + #"{"at":2,\#(example.member)}"# + "\n"
    let tape = try StreamTape(parsing: Array(lines.utf8), file: "a.ndjson")
    #expect(tape.messages.map(\.bytes) == [example.text.map { Array($0.utf8) }])
  }
}
