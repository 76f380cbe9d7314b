import HTTP
import Quotes
import TestSupport
import Testing

@testable import Cassettes
@testable import MarketData
@testable import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct CassettePlayerTests {
  /// Creates a folder of cassettes: file stem, members of the metadata, body.
  static func player(_ tapes: [(stem: String, members: String, body: String?)]) throws -> (
    CassettePlayer, TemporaryFolder
  ) {
    let folder = try TemporaryFolder()
    for tape in tapes {
      try folder.write("{\(tape.members)}", to: "\(tape.stem).json")
      if let body = tape.body { try folder.write(body, to: "\(tape.stem).body") }
    }
    return (try CassettePlayer(directory: folder.path), folder)
  }

  @Test func playsHandwrittenCassettes() async throws {
    let (player, folder) = try Self.player([
      ("Bitget/ticker", #""url": "https://a.com/t", "arrival": "2026-01-01T00:00:00Z""#, "{}"),
      ("flat", #""url": "https://b.com/t", "arrival": "2026-01-01T00:00:01Z", "status": 503"#, "busy"),
    ])
    defer { folder.remove() }
    #expect(player.latestArrival == Instant(nanoseconds: 1_767_225_601_000_000_000))
    #expect(
      try await player.handler(.to("https://a.com/t"))
        == HTTPResponse(
          status: 200, body: Array("{}".utf8), arrival: Instant(nanoseconds: 1_767_225_600_000_000_000),
          url: "https://a.com/t", isRecorded: true, attempts: 0))
    #expect(await outcome(of: .to("https://b.com/t"), by: player.handler).reply == .success(Reply(503, "busy")))
  }

  /// Who asked at the same moment as others gets the answer that its run had, or the failure if that had none.
  @Test(
    arguments: [
      (nil, Reply(200, "first")), ([0], Reply(200, "first")), ([2, 9], Reply(200, "third")), ([], nil), ([1], nil),
    ] as [([Int64]?, Reply?)])
  func playsWhatTheRunHad(_ seconds: [Int64]?, _ reply: Reply?) async throws {
    let tapes = (0..<3).map { number -> (stem: String, members: String, body: String?) in
      let members = #""url": "https://a.com/t", "arrival": "2026-01-01T00:00:0\#(number)Z""#
      return number == 1
        ? ("2", members + #", "failure": "timeout""#, nil) : ("\(number + 1)", members, number == 0 ? "first" : "third")
    }
    let (player, folder) = try Self.player(tapes)
    defer { folder.remove() }
    let arrivals = seconds.map { seconds in
      Set(seconds.map { Instant(nanoseconds: (1_767_225_600 + $0) * Instant.second) })
    }
    let played = await CassettePlayer.$arrivals.withValue(arrivals) {
      await outcome(of: .to("https://a.com/t"), by: player.handler).reply
    }
    #expect(played == reply.map { .success($0) } ?? .failure(.timeout))
  }

  @Test func matchesAnyURLOfTheRequest() async throws {
    let (player, folder) = try Self.player([
      ("x", #""url": "https://b.com/t", "arrival": "2026-01-01T00:00:00Z""#, "second")
    ])
    defer { folder.remove() }
    let request = HTTPRequest.to("https://a.com/t", "https://b.com/t")
    #expect(await outcome(of: request, by: player.handler).reply == .success(Reply(200, "second")))
  }

  /// The player reports what it contains and what was not requested, and can start over.
  @Test func listsContentsAndUnplayedCassettes() async throws {
    let (player, folder) = try Self.player([
      ("01-spot-tickers", #""url": "https://a.com/all", "arrival": "2026-01-01T00:00:00Z""#, "all"),
      ("02-spot-BTC-USDT", #""url": "https://a.com/one", "arrival": "2026-01-01T00:00:01Z""#, "one"),
    ])
    defer { folder.remove() }
    #expect(player.entries.map(\.name) == ["spot-tickers", "spot-BTC-USDT"])
    #expect(player.holds(.to("https://b.com/one", "https://a.com/one")))
    #expect(!player.holds(.to("https://a.com/two")))
    #expect(player.unplayed == player.entries)
    _ = try await player.handler(.to("https://a.com/all"))
    #expect(player.unplayed.map(\.url) == ["https://a.com/one"])
    #expect(player.rewound().unplayed == player.entries)
  }

  /// Values filled in by the clock differ each time, and are not compared.
  @Test func momentsAreIgnoredInMatching() async throws {
    let (player, folder) = try Self.player([
      ("x", #""url": "https://a.com/t?at=NOW", "arrival": "2026-01-01T00:00:00Z""#, "then")
    ])
    defer { folder.remove() }
    for moment in ["1700000000000", "1800000000000"] {
      let request = HTTPRequest.to("https://a.com/t?at=\(moment)") {
        $0.clockValues = [HTTPRequest.ClockValue(moment, .now)]
      }
      #expect(await outcome(of: request, by: player.handler).reply == .success(Reply(200, "then")))
    }
  }

  private typealias ClockValue = HTTPRequest.ClockValue

  /// Possible marks in a recording, and the moments that match: as text, the request's start, end and now.
  static let marked: [(recorded: String, from: String, to: String, now: String, isFound: Bool)] = [
    // The end was now at the time; today it is another moment, or now again.
    ("?a=FROM&b=NOW&c=NOW", "5", "7", "9", true), ("?a=FROM&b=NOW&c=NOW", "5", "9", "9", true),
    // The end was another moment at the time; today it is now, or another one again.
    ("?a=FROM&b=TO&c=NOW", "5", "9", "9", true), ("?a=FROM&b=TO&c=NOW", "5", "7", "9", true),
    // All three are the same, as with days.
    ("?a=NOW&b=NOW&c=NOW", "5", "7", "9", true), ("?a=FROM&b=TO&c=NOW", "9", "9", "9", true),
    ("?a=FROM&b=FROM&c=NOW", "5", "7", "9", true),
    // Now never matches an end, and the start is not the end, if they differ.
    ("?a=FROM&b=TO&c=TO", "5", "7", "9", false), ("?a=TO&b=TO&c=NOW", "5", "7", "9", false),
    // One moment contained in another: the longer one is meant.
    ("?a=FROM&b=TO&c=NOW", "17", "179000", "179", true),
    // Text that only resembles a mark is not one.
    ("?a=FROM&b=TO&c=8", "5", "7", "9", false),
  ]

  @Test(arguments: marked)
  func differingMarksStillMatch(_ recorded: String, _ from: String, _ to: String, _ now: String, _ isFound: Bool)
    async throws
  {
    let (player, folder) = try Self.player([
      ("x", #""url": "https://a.com/t\#(recorded)", "arrival": "2026-01-01T00:00:00Z""#, "then")
    ])
    defer { folder.remove() }
    let request = HTTPRequest.to("https://a.com/t?a=\(from)&b=\(to)&c=\(now)") {
      $0.clockValues = [ClockValue(from, .from), ClockValue(to, .to), ClockValue(now, .now)]
    }
    #expect(player.holds(request) == isFound)
    guard isFound else { return }
    #expect(await outcome(of: request, by: player.handler).reply == .success(Reply(200, "then")))
    #expect(player.unplayed.isEmpty)
  }

  /// The spellings of URL and body are tried together, unless that would be thousands.
  @Test(arguments: [(2, 2, 81), (6, 0, 729), (6, 1, 1), (3, 4, 1), (7, 0, 1)])
  func spellingsAreLimited(_ urlMarks: Int, _ bodyMarks: Int, _ count: Int) {
    func marks(_ count: Int) -> String { String(repeating: "/7", count: count) }
    let request = HTTPRequest.to("https://a.com" + marks(urlMarks)) {
      $0.body = Array(marks(bodyMarks).utf8)
      $0.clockValues = [ClockValue("5", .from), ClockValue("7", .to), ClockValue("9", .now)]
    }
    let keys = Cassette.Key.all(request, url: request.urls[0], redaction: Redaction([]))
    #expect(keys.count == count)
    #expect(keys.first?.url == "https://a.com" + String(repeating: "/NOW", count: urlMarks))
    #expect(keys.first?.body == String(repeating: "/NOW", count: bodyMarks))
  }

  /// Pages are replayed as recorded, though only the first reached up to now: at any time, and twice.
  @Test(arguments: ["9", "7"])
  func pagesWithDifferentMarksAreReplayed(_ end: String) async throws {
    let (player, folder) = try Self.player([
      ("01", #""url": "https://a.com/t?b=NOW&c=NOW", "arrival": "2026-01-01T00:00:00Z""#, "newest"),
      ("02", #""url": "https://a.com/t?b=TO&c=NOW", "arrival": "2026-01-01T00:00:01Z""#, "older"),
    ])
    defer { folder.remove() }
    func page(_ end: String) -> HTTPRequest {
      .to("https://a.com/t?b=\(end)&c=9") { $0.clockValues = [ClockValue(end, .to), ClockValue("9", .now)] }
    }
    #expect(await outcome(of: page(end), by: player.handler).reply == .success(Reply(200, "newest")))
    #expect(await outcome(of: page("3"), by: player.handler).reply == .success(Reply(200, "older")))
    #expect(player.unplayed.isEmpty)
  }

  @Test func matchesByMethodURLAndBody() async throws {
    let (player, folder) = try Self.player([
      ("1", #""url": "https://a.com/", "arrival": "2026-01-01T00:00:00Z""#, "get"),
      (
        "2", #""method": "post", "url": "https://a.com/", "arrival": "2026-01-01T00:00:00Z", "requestBody": "1""#, "one"
      ),
      (
        "3", #""method": "POST", "url": "https://a.com/", "arrival": "2026-01-01T00:00:00Z", "requestBody": "2""#, "two"
      ),
    ])
    defer { folder.remove() }
    func post(_ body: String) -> HTTPRequest {
      .to("https://a.com/") {
        $0.method = "POST"
        $0.body = Array(body.utf8)
      }
    }
    #expect(await outcome(of: post("2"), by: player.handler).reply == .success(Reply(200, "two")))
    #expect(await outcome(of: .to("https://a.com/"), by: player.handler).reply == .success(Reply(200, "get")))
    #expect(await outcome(of: post("1"), by: player.handler).reply == .success(Reply(200, "one")))
    #expect(
      await outcome(of: post("3"), by: player.handler)
        == .failure(.notInCassette("POST https://a.com/ with the body 3")))
    #expect(
      await outcome(of: .to("https://a.com/?"), by: player.handler) == .failure(.notInCassette("GET https://a.com/?")))
  }

  @Test func repetitionsPlayByArrivalAndLastRepeats() async throws {
    let (player, folder) = try Self.player([
      ("01-late", #""url": "https://a.com/", "arrival": "2026-01-01T00:00:02Z""#, "c"),
      ("02-early", #""url": "https://a.com/", "arrival": "2026-01-01T00:00:01Z", "failure": "timeout""#, nil),
      ("10-same", #""url": "https://a.com/", "arrival": "2026-01-01T00:00:01Z", "body": null, "status": 204"#, nil),
    ])
    defer { folder.remove() }
    var replies: [Result<Reply, TransportError>] = []
    for _ in 0..<4 { replies.append(await outcome(of: .to("https://a.com/"), by: player.handler).reply) }
    #expect(
      replies == [
        .failure(.timeout), .success(Reply(204, "")), .success(Reply(200, "c")), .success(Reply(200, "c")),
      ])
  }

  @Test func emptyFolder() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try CassettePlayer(directory: folder.path).latestArrival == nil)
  }

  @Test func linkedBodiesAreNotRead() async throws {
    let members = #""url": "https://a.com/t", "arrival": "2026-01-01T00:00:00Z""#
    let (player, folder) = try Self.player([("V/01-x", members, "{}"), ("secret", members, "a key")])
    defer { folder.remove() }
    let body = "\(folder.path)/V/01-x.body"
    unlink(body)
    symlink("\(folder.path)/secret.body", body)
    await #expect(throws: TransportError.other("cannot read '\(body)': it is a link")) {
      try await player.handler(.to("https://a.com/t"))
    }
  }

  /// Links back to a folder are not followed for ever, and play nothing twice.
  @Test func linkedFoldersAreReadOnce() throws {
    let members = #""url": "https://a.com/t", "arrival": "2026-01-01T00:00:00Z""#
    let (player, folder) = try Self.player([("V/01-x", members, "{}")])
    defer { folder.remove() }
    for name in ["a", "b", "V/c"] { symlink(folder.path, "\(folder.path)/\(name)") }
    #expect(try CassettePlayer(directory: folder.path).entries.count == player.entries.count)
  }

  /// A folder that begins with something else than a recording may be the wrong one; `~` stands for it.
  @Test(arguments: [
    ("{", false, "~/V/01-x.json:1:2: the text ends inside an object; is '~' a folder that --record DIR has made?"),
    ("{}", false, "~/V/01-x.json:1:1: missing member 'url'; is '~' a folder that --record DIR has made?"),
    ("{}", true, "~/V/01-x.json:1:1: missing member 'url'"),
    (#"{"url": "u", "arrival": "2026-01-01T00:00:00Z"}"#, false, "~/V/01-x.json: its body '01-x.body' is missing"),
  ])
  func damage(_ metadata: String, _ hasOthers: Bool, _ complaint: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    if hasOthers {
      try folder.write(#"{"url": "u", "arrival": "2026-01-01T00:00:00Z", "body": null}"#, to: "V/00-x.json")
    }
    try folder.write(metadata, to: "V/01-x.json")
    var found: CassetteError?
    do throws(CassetteError) {
      _ = try CassettePlayer(directory: folder.path)
    } catch {
      found = error
    }
    #expect(found?.description.replacing(folder.path, with: "~") == complaint)
  }

  @Test func noFolder() throws {
    let message = "cannot list '/nowhere': No such file or directory"
    #expect(throws: CassetteError(file: "/nowhere", message: message, namesFile: true)) {
      try CassettePlayer(directory: "/nowhere")
    }
  }
}
