import Files
import HTTP
import Quotes
import TestSupport
import Testing

@testable import Cassettes

/// Recordings of connections: writing, reading, and matching them with a request.
@Suite struct StreamTapeTests {
  private static func at(_ milliseconds: Int64, _ nanoseconds: Int64 = 0) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000 + nanoseconds)
  }

  private static let events: [(StreamTape.Event, String)] = [
    (.opened(url: "wss://a.test/ws?token=token"), #""open":"wss://a.test/ws?token=token""#),
    (
      .opened(url: "wss://a.test/ws", behind: .microseconds(3_000_500)), #""open":"wss://a.test/ws","behind":3000.5"#
    ),
    (.sent(#"{"op":"sub"}"#), #""sent":"{\"op\":\"sub\"}""#),
    (.signal(.message(Array("{\"p\":\"1\"}\u{1}".utf8), isText: true)), #""got":"{\"p\":\"1\"}\u0001""#),
    (.signal(.message([0x1F, 0x8B, 0, 0xFF], isText: false)), #""binary":"H4sA/w==""#),
    (.signal(.life), #""life":true"#),
    (.signal(.closed(.closed(code: 1001, words: "bye"))), #""closed":1001,"words":"bye""#),
    (.signal(.closed(.refused(status: 429))), #""refused":429"#),
    (.signal(.closed(.refused(status: 429, retryAfter: "7"))), #""refused":429,"retryAfter":"7""#),
    (.signal(.closed(.violation(code: 1007, "no UTF-8"))), #""violation":1007,"words":"no UTF-8""#),
    (.signal(.closed(.failed(.cannotResolve("a.test")))), #""failed":"cannot-resolve a.test""#),
  ]

  @Test func linesRoundTrip() throws {
    let times = [Self.at(1_763_442_727_300), Self.at(1_763_442_727_300, 1), Self.at(1_763_442_727_301, 250_000)]
    let texts = ["1763442727300", "1763442727300.000001", "1763442727301.25"]
    for (time, text) in zip(times, texts) {
      for (event, json) in Self.events {
        let line = StreamTape.Line(at: time, event: event)
        #expect(String(decoding: line.json, as: UTF8.self) == "{\"at\":\(text),\(json)}\n")
        let opening = StreamTape.Line(at: Self.at(0), event: Self.events[0].0)
        #expect(try StreamTape(parsing: opening.json + line.json, file: "tape").lines == [opening, line])
      }
    }
  }

  /// Each answer has the time at which the run took it, although a later request may have been answered earlier, and
  /// several connections may have one name. Recordings without numbers are in order of their requests.
  @Test(arguments: [true, false]) func answersKeepTheirTurn(_ hasNumbers: Bool) throws {
    let folder = try TemporaryFolder()
    let recorder = StreamRecorder(directory: folder.path)
    let kinds: [RESTAnswerLog.Answer] = [.poll("spot"), .poll("spot"), .start(.spot), .poll("spot")]
    var numbers = RESTAnswerLog.Numbers()
    let requests = kinds.map { numbers.next($0, of: "A") }
    for (place, moment) in [(1, 5), (0, 7), (2, 8), (3, 9)] as [(Int, Int64)] {
      recorder.note(requests[place], at: Self.at(moment))
    }
    if !hasNumbers {
      let path = "\(folder.path)/A/streams/taken.jsonl"
      let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
      try FileSystem.writeAtomically(Array(text.replacing(#/,"number":\d/#, with: "").utf8), to: path)
    }
    var player = try StreamPlayer(directory: folder.path, exchanges: ["A"])
    var others = RESTAnswerLog.Numbers()
    let moments = kinds.map { player.taken.take(others.next($0, of: "A")) }
    #expect(moments == (hasNumbers ? [7, 5, 8, 9] : [5, 7, 8, 9]).map { Self.at($0) })
    #expect(player.taken.take(others.next(.start(.spot), of: "A")) == nil)
  }

  /// An answer says when what it was made of had arrived, to the nanosecond; one from before that was recorded does not.
  @Test func answersKnowWhatTheyAreMadeOf() throws {
    let folder = try TemporaryFolder()
    let recorder = StreamRecorder(directory: folder.path)
    let arrived: [[Instant]?] = [[Self.at(3), Instant(nanoseconds: 4_000_000_001)], [], nil]
    var numbers = RESTAnswerLog.Numbers()
    for list in arrived {
      recorder.note(numbers.next(.poll("spot"), of: "A"), at: Self.at(5), arrived: list)
    }
    var player = try StreamPlayer(directory: folder.path, exchanges: ["A"])
    var others = RESTAnswerLog.Numbers()
    for list in arrived {
      let request = others.next(.poll("spot"), of: "A")
      #expect(player.taken.arrivals(of: request) == list.map { Set($0) })
      #expect(player.taken.take(request) == Self.at(5))
    }
  }

  /// An answer without a time was still to come when the run ended if the run had asked for such a one. A recording
  /// without that knows it of those kinds that were answered.
  @Test(arguments: [(true, [true, true, false, false]), (false, [false, true, false, false])])
  func answersStillToCome(_ hasAsked: Bool, _ expected: [Bool]) throws {
    let folder = try TemporaryFolder()
    let recorder = StreamRecorder(directory: folder.path)
    var numbers = RESTAnswerLog.Numbers()
    for name in ["hanging", "answered"] {
      let request = numbers.next(.poll(name), of: "A")
      recorder.note(asked: request, at: Self.at(4))
      if name == "answered" { recorder.note(request, at: Self.at(5)) }
      recorder.note(asked: numbers.next(.poll(name), of: "A"), at: Self.at(9))
    }
    let path = "\(folder.path)/A/streams/taken.jsonl"
    let text = String(decoding: try FileSystem.read(path), as: UTF8.self)
    #expect(
      text == """
        {"at":4,"asked":"poll hanging"}
        {"at":4,"asked":"poll answered"}
        {"at":5,"taken":"poll answered","number":1}

        """)
    if !hasAsked {
      let lines = text.split(separator: "\n").filter { !$0.contains("asked") }
      try FileSystem.writeAtomically(Array((lines.joined(separator: "\n") + "\n").utf8), to: path)
    }
    let player = try StreamPlayer(directory: folder.path, exchanges: ["A"])
    #expect(player.end == Self.at(5))
    let asked: [(kind: RESTAnswerLog.Answer, exchange: String)] = [
      (.poll("hanging"), "A"), (.poll("answered"), "A"), (.poll("other"), "A"), (.poll("hanging"), "B"),
    ]
    var others = RESTAnswerLog.Numbers()
    #expect(asked.map { player.taken.isUntaken(others.next($0.kind, of: $0.exchange)) } == expected)
  }

  /// What was recorded after the clock had been set back comes after what was before, whatever the clock showed.
  @Test func jumpsOfTheClockKeepTheOrder() throws {
    let folder = try TemporaryFolder()
    let recorder = StreamRecorder(directory: folder.path)
    let late = ClockJump(.late, since: Self.at(100), until: Self.at(5000), behind: .zero)
    let back = ClockJump(.setBack, since: Self.at(9000), until: Self.at(1000), behind: .zero)
    let asleep = ClockJump(.suspended, since: Self.at(2000), until: Self.at(40_000), behind: back.behind)
    recorder.begin(Self.request("btc"), at: Self.at(50)).note(.life, at: Self.at(60))
    for jump in [late, back] { recorder.note(jump, of: ["Alpha"]) }
    recorder.begin(Self.request("btc"), at: Self.at(1500), behind: back.behind).note(.life, at: Self.at(1600))
    var numbers = RESTAnswerLog.Numbers()
    let request = numbers.next(.poll("spot"), of: "Alpha")
    recorder.note(request, at: Self.at(1700), behind: back.behind)
    recorder.note(asleep, of: ["Alpha"])
    let log = try FileSystem.read("\(folder.path)/Alpha/streams/taken.jsonl")
    #expect(
      String(decoding: log, as: UTF8.self) == """
        {"at":5000,"late":100}
        {"at":1000,"setBack":9000,"behind":8000}
        {"at":1700,"taken":"poll spot","number":1,"behind":8000}
        {"at":40000,"suspended":2000,"behind":8000}

        """)
    var player = try StreamPlayer(directory: folder.path, exchanges: ["Alpha"])
    #expect(player.taken.jumps == [late, back, asleep])
    #expect(
      player.taken.jumps.map { [$0.start, $0.end] }
        == [[100, 5000], [9000, 9000], [10_000, 48_000]].map { $0.map { Self.at($0) } })
    #expect(player.taken.take(request) == Self.at(9700))
    #expect(player.end == Self.at(48_000))
    #expect(player.next(Self.request("btc"))?.map(\.at) == [50, 60].map { Self.at($0) })
    #expect(player.unplayed(of: "Alpha") == 2)
    #expect(player.next(Self.request("btc"))?.map(\.at) == [9500, 9600].map { Self.at($0) })
    #expect(player.unplayed(of: "Alpha") == 0)
  }

  @Test(arguments: [
    ("", "tape:1:1: the first line must be 'open'"),
    (#"{"at":1,"got":"x"}"#, "tape:1:1: the first line must be 'open'"),
    ("{\"at\":2,\"open\":\"wss://a\"}\n{\"at\":1,\"got\":\"x\"}", "tape:2:1: earlier than the line before it"),
    ("{\"at\":2,\"open\":\"wss://a\"}\n{\"at\":3,\"got\":\"x}\n", "tape:2:"),
    ("{\"at\":2,\"op", "tape:1:1: the first line must be 'open'"),
  ])
  func brokenTapes(_ text: String, _ message: String) {
    let error = #expect(throws: CassetteError.self) { try StreamTape(parsing: Array(text.utf8), file: "tape") }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    #"{"at":"1","open":"wss://a"}"#, #"{"at":1.0000001,"open":"wss://a"}"#, #"{"at":-1,"open":"wss://a"}"#,
    #"{"at":1,"open":"wss://a","behind":-1}"#,
    #"{"at":1}"#, #"{"at":1,"binary":"?"}"#,
    #"{"at":99999999999999999999,"open":"wss://a"}"#, #"{"at":9223372036854.999999,"open":"wss://a"}"#,
    "[]",
  ])
  func linesWithoutTimeAreRefused(_ text: String) {
    let error = #expect(throws: CassetteError.self) {
      try StreamTape(parsing: Array("\(text)\n".utf8), file: "tape")
    }
    #expect(error?.message.hasPrefix("expected 'at' in milliseconds") == true)
  }

  /// A line that was not written to its end is left out, in whatever file: what precedes it is as good as ever.
  @Test(arguments: [
    ("01-spot.ndjson", "", "", false, 2), ("01-spot.ndjson", "{\"at\":3,\"got\":\"x", "", true, 2),
    ("01-spot.ndjson", "{\"at\":3,\"got\":\"x\"}", "", false, 3), ("02-spot.ndjson", "{\"at\":3,\"op", "", false, 2),
    ("02-spot.ndjson", "", "", false, 2), ("taken.jsonl", "", "{\"at\":4,\"tak", true, 2),
  ])
  func cutLinesAreLeftOut(_ name: String, _ line: String, _ taken: String, _ isCut: Bool, _ count: Int) throws {
    let folder = try TemporaryFolder()
    let streams = "\(folder.path)/A/streams"
    var files = [
      "01-spot.ndjson": "{\"at\":1,\"open\":\"wss://a\"}\n{\"at\":2,\"got\":\"w\"}\n",
      "taken.jsonl": "{\"at\":3,\"taken\":\"poll spot\",\"number\":1}\n",
    ]
    files[name, default: ""] += line + taken
    try FileSystem.createFolder(streams)
    for (name, text) in files { try FileSystem.writeAtomically(Array(text.utf8), to: "\(streams)/\(name)") }
    let player = try StreamPlayer(directory: folder.path, exchanges: ["A"])
    #expect(player.cut == (isCut ? ["A"] : []))
    #expect(player.end == Self.at(3))
    let tapes = try StreamTape.all(in: "\(folder.path)/A")
    #expect(tapes.map(\.tape.lines.count) == [count])
    #expect(tapes.map(\.tape.isCut) == [isCut && taken.isEmpty])
  }

  // MARK: Recorder and player

  private static func request(_ subscription: String, url: String = "wss://a.test/ws") -> StreamRequest {
    var request = StreamRequest(exchange: "Alpha", url: url)
    request.name = "spot-ticker"
    request.subscription = [subscription]
    return request
  }

  /// Connections that never opened are told apart by their names, in whatever order they ask.
  @Test func failedOpeningsArePlayedToTheirOwn() throws {
    let folder = try TemporaryFolder()
    let recorder = StreamRecorder(directory: folder.path)
    func request(_ name: String) -> StreamRequest {
      var request = StreamRequest(exchange: "Alpha", url: "wss://a.test/ws")
      request.name = name
      return request
    }
    for (second, name) in ["spot-ticker", "spot-candles"].enumerated() {
      let recording = recorder.begin(request(name), at: Self.at(Int64(second)))
      recording.note(.closed(.refused(status: 500 + second, retryAfter: nil)), at: Self.at(Int64(second)))
    }
    var player = try StreamPlayer(directory: folder.path, exchanges: ["Alpha"])
    for (name, status) in [("spot-candles", 501), ("spot-ticker", 500)] {
      #expect(player.next(request(name))?.map(\.signal) == [.closed(.refused(status: status, retryAfter: nil))])
    }
    #expect(player.next(request("spot-ticker")) == nil)
  }

  @Test func eachRecordingIsPlayedOnceToItsRequest() throws {
    let folder = try TemporaryFolder()
    let recorder = StreamRecorder(directory: folder.path)
    for (number, subscription) in ["btc", "eth", "btc"].enumerated() {
      let start = Int64(1000 * (number + 1))
      let recording = recorder.begin(Self.request(subscription), at: Self.at(start))
      recording.note(.opened, at: Self.at(start))
      recording.note(sent: subscription, at: Self.at(start + 1))
      recording.note(.message(Array("\(number)".utf8), isText: true), at: Self.at(start + 2))
    }
    let refused = recorder.begin(Self.request("xrp"), at: Self.at(5000))
    refused.note(.closed(.refused(status: 403)), at: Self.at(5001))
    #expect(recorder.problem == nil)
    #expect(
      try FileSystem.names(in: "\(folder.path)/Alpha/streams").sorted()
        == (1...4).map { "0\($0)-spot-ticker.ndjson" })

    var player = try StreamPlayer(directory: folder.path, exchanges: ["Alpha", "Beta"])
    #expect(player.end == Self.at(5001))
    func played(_ subscription: String, url: String = "wss://a.test/ws") -> [StreamSignal]? {
      player.next(Self.request(subscription, url: url))?.map(\.signal)
    }
    #expect(played("btc", url: "wss://b.test/ws") == nil)
    #expect(played("btc") == [.opened, .message(Array("0".utf8), isText: true)])
    #expect(played("btc") == [.opened, .message(Array("2".utf8), isText: true)])
    #expect(played("eth") == [.opened, .message(Array("1".utf8), isText: true)])
    // A refused connection has sent nothing, so it may have been any.
    #expect(played("ada") == [.closed(.refused(status: 403))])
    #expect(played("btc") == nil)
  }

  /// Two programs that record into one folder at the same time.
  @Test func recordersOverwriteNothing() throws {
    let folder = try TemporaryFolder()
    let recorders = (0..<2).map { _ in StreamRecorder(directory: folder.path) }
    for recorder in recorders + recorders { _ = recorder.begin(Self.request("btc"), at: Self.at(1)) }
    #expect(recorders.allSatisfy { $0.problem == nil })
    #expect(
      try FileSystem.names(in: "\(folder.path)/Alpha/streams").sorted()
        == (1...4).map { "0\($0)-spot-ticker.ndjson" })
  }

  @Test func unwritableRecordingIsReported() throws {
    let folder = try TemporaryFolder()
    try FileSystem.writeAtomically([], to: "\(folder.path)/Alpha")
    let recorder = StreamRecorder(directory: folder.path)
    recorder.begin(Self.request("btc"), at: Self.at(1)).note(.life, at: Self.at(2))
    #expect(recorder.problem != nil)
  }
}
