import Config
import HTTP
import Mapping
import TestSupport
import Testing

/// Every message yields some reading, the same by scan and by tree.
@Suite struct HostileMessageTests {
  static let cases =
    StreamReaderTests.kinds + StreamReaderTests.symbols + StreamReaderTests.cells + StreamReaderTests.changes
    + BookMessageTests.cases + RecordMessageTests.cases

  private static let rounds = Effort.isComplete ? 500 : 25

  /// Good messages with bytes changed, removed, doubled and moved.
  @Test(arguments: cases) func mutatedMessages(_ example: StreamCase) throws {
    let stream = try example.stream()
    var random = SeededGenerator(seed: 20_261_122)
    for _ in 0..<Self.rounds {
      let messages = example.messages.map { Array($0.message.utf8) }.map { message in
        guard !message.isEmpty else { return message }
        var message = message
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0..<message.count, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0: message[place] = UInt8.random(in: 0...255, using: &random)
          case 1: message[place] = #"{}[]",:-0e\n"#.utf8.randomElement(using: &random) ?? 0
          case 2: message.insert(message[place], at: place)
          case 3 where message.count > 1: message.remove(at: place)
          default: message.swapAt(place, message.count / 2)
          }
        }
        return message
      }
      #expect(stream.readings(messages).allSatisfy { !$0.isEmpty })
    }
  }

  static let texts: [(name: String, text: [UInt8])] = [
    ("nothing", []), ("line ends", Array("\n\n\r\n".utf8)), ("no UTF-8", [0xFF, 0xFE, 0x00]),
    ("half a JSON text", Array(#"{"s": "BTC-USDT", "p": "#.utf8)),
    ("depth", Array(repeating: UInt8(ascii: "["), count: 100_000)),
    ("many lines", Array(repeating: UInt8(ascii: "\n"), count: 100_000) + Array("{}".utf8)),
    ("many texts", Array(String(repeating: "1\n", count: 20_000).utf8)),
    ("many names", Array(#"{"s": "BTC-USDT", "s": "ETH-USDT", "p": 1, "p": {}, "d": [], "d": 0}"#.utf8)),
    (
      "a long number",
      Array(#"{"s": "BTC-USDT", "p": 1\#(String(repeating: "0", count: 5000)), "t": 1e999999999}"#.utf8)
    ),
    ("times beyond", Array(#"{"s": "BTC-USDT", "p": 1, "t": 99999999999999999999, "o": -1}"#.utf8)),
  ]

  @Test(arguments: texts.indices) func unusualTexts(_ index: Int) throws {
    for example in Self.cases {
      let readings = try example.stream().readings([Self.texts[index].text])
      #expect(readings.allSatisfy { !$0.isEmpty })
    }
  }

  /// A lookup built from messages keeps only what its pairs may need, however many messages there are.
  @Test func lookupsDoNotGrowWithoutBound() throws {
    let example = try #require(StreamReaderTests.symbols.first { $0.streams.contains("channels") })
    let stream = try example.stream()
    var reader = stream.reader()
    for number in 0..<500 {
      let message = #"{"event": "subscribed", "chanId": \#(number), "symbol": "BTC-USDT"}"#
      _ = reader.read(Array(message.utf8), arrival: stream.arrival)
    }
    let readings = [0, 107, 499].map { number in
      reader.read(Array(#"[\#(number), ["2"]]"#.utf8), arrival: stream.arrival).map(stream.line).joined()
    }
    #expect(readings == ["BTC/USDT 2 12.5", "BTC/USDT 2 12.5", "-"])
  }

  /// Each row of such a lookup is read once, when it comes: together they may be more than one answer may have.
  @Test func lookupRowsAreReadOneByOne() throws {
    var example = try #require(StreamReaderTests.symbols.first { $0.streams.contains("channels") })
    let names = ["BTC"] + (1..<40).map { "A\($0)" }
    example.table = "[" + names.map { #"{"s": "\#($0)-USDT", "p": "1", "v": "12.5"}"# }.joined(separator: ", ") + "]"
    let stream = try example.stream()
    var reader = stream.reader()
    let zeros = [String](repeating: "0", count: 9000).joined(separator: ",")
    let messages = AnswerLimit.values / 9000 + 1
    for number in 0..<messages {
      let message = #"{"event": "subscribed", "chanId": \#(number), "symbol": "BTC-USDT", "more": [\#(zeros)]}"#
      _ = reader.read(Array(message.utf8), arrival: stream.arrival)
    }
    let readings = [0, messages - 1].map { number in
      reader.read(Array(#"[\#(number), ["2"]]"#.utf8), arrival: stream.arrival).map(stream.line).joined()
    }
    #expect(readings == ["BTC/USDT 2 12.5", "BTC/USDT 2 12.5"])
  }
}
