import Cassettes
import Files
import HTTP
import Quotes
import Synchronization
import TestSupport
import Testing

@testable import Transport

@Suite struct CassetteRecorderTests {
  static let arrival = Instant(nanoseconds: 1_767_225_600_123_456_789)

  static func response(_ body: String, url: String, headers: [HTTPHeader] = []) -> HTTPResponse {
    HTTPResponse(status: 200, headers: headers, body: Array(body.utf8), arrival: arrival, url: url)
  }

  @Test func writesMetadataAndBody() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let handler = CassetteRecorder(directory: "\(folder.path)/tapes", now: { Instant(nanoseconds: 0) }).recording { _ in
      Self.response("{\"last\":1}", url: "https://b.com/t", headers: [HTTPHeader(name: "X-A", value: "1")])
    }
    let request = HTTPRequest(exchange: "Bitget", name: "spot-tickers", urls: ["https://a.com/t", "https://b.com/t"])
    let response = try await handler(request)
    #expect(response.body == Array("{\"last\":1}".utf8))
    #expect(try folder.files() == ["tapes/Bitget/01-spot-tickers.body", "tapes/Bitget/01-spot-tickers.json"])
    #expect(try folder.read("tapes/Bitget/01-spot-tickers.body") == "{\"last\":1}")
    #expect(
      try folder.read("tapes/Bitget/01-spot-tickers.json") == #"""
        {
          "method": "GET",
          "url": "https://b.com/t",
          "status": 200,
          "headers": {
            "x-a": "1"
          },
          "arrival": "2026-01-01T00:00:00.123456789Z",
          "body": "01-spot-tickers.body"
        }

        """#)
  }

  /// Answers are played in the order in which they came, also if the clock was set back meanwhile. One that arrived before
  /// that may be written after it.
  @Test func setBackClockKeepsTheOrder() async throws {
    let folder = try TemporaryFolder()
    let shown = Mutex<[Int64]>([])
    let recorder = CassetteRecorder(
      directory: folder.path, now: { Instant(nanoseconds: shown.withLock { $0.removeFirst() } * Instant.second) })
    let arrivals: [(now: Int64, arrival: Int64)] = [(10, 10), (12, 12), (9, 13), (11, 11), (13, 13)]
    for (number, (now, arrival)) in arrivals.enumerated() {
      shown.withLock { $0 = [now] }
      let handler = recorder.recording { request in
        HTTPResponse(
          status: 200, body: Array("\(number)".utf8), arrival: Instant(nanoseconds: arrival * Instant.second),
          url: request.urls[0])
      }
      _ = try await handler(HTTPRequest.to("https://a.com/"))
    }
    let player = try CassettePlayer(directory: folder.path)
    var bodies: [String] = []
    for _ in arrivals {
      bodies.append(String(decoding: try await player.handler(HTTPRequest.to("https://a.com/")).body, as: UTF8.self))
    }
    #expect(bodies == ["0", "1", "2", "3", "4"])
    #expect(player.earliestArrival == Instant(nanoseconds: 10 * Instant.second))
    #expect(player.latestArrival == Instant(nanoseconds: 13 * Instant.second))
  }

  /// Responses about an owner's account, failures included, are readable only by that user.
  @Test(arguments: [([], false), (["hush-key"], true)]) func accountRecordingsArePrivate(
    _ secrets: [String], _ isPrivate: Bool
  )
    async throws
  {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let recorder = CassetteRecorder(directory: folder.path, now: { Instant(nanoseconds: 0) })
    let request = HTTPRequest.to("https://a.com/") { $0.secrets = secrets }
    _ = try await recorder.recording { _ in Self.response("x", url: "https://a.com/") }(request)
    let failing = recorder.recording { _ throws(TransportError) in throw .timeout }
    _ = try? await failing(request)
    let files = try folder.files()
    #expect(files.count == 3)
    for file in files {
      #expect(FileStatus("\(folder.path)/\(file)")?.mode == (isPrivate ? 0o600 : 0o644), "\(file)")
    }
  }

  @Test func numberingContinues() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("{}", to: "Test/07-old.json")
    try folder.write("", to: "Test/\(Int.max)-not-ours.txt")
    for _ in 0..<2 {
      let handler = CassetteRecorder(directory: folder.path, now: { Instant(nanoseconds: 0) }).recording {
        Self.response("x", url: $0.urls[0])
      }
      for name in ["a", "b"] { _ = try await handler(.to("https://a.com/", name: name)) }
    }
    #expect(
      try folder.files() == [
        "Test/07-old.json", "Test/08-a.body", "Test/08-a.json", "Test/09-b.body", "Test/09-b.json",
        "Test/10-a.body", "Test/10-a.json", "Test/11-b.body", "Test/11-b.json", "Test/\(Int.max)-not-ours.txt",
      ])
  }

  /// Two programs that record into one folder at the same time, be it answers or failures.
  @Test(arguments: [false, true]) func recordersOverwriteNothing(_ isFailing: Bool) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let other = CassetteRecorder(directory: folder.path, now: { Self.arrival }).recording {
      request throws(TransportError) in
      if isFailing { throw .tls("expired") }
      return Self.response("other", url: request.urls[0])
    }
    let handler = CassetteRecorder(directory: folder.path, now: { Self.arrival }).recording {
      request throws(TransportError) in
      _ = await outcome(of: request, by: other)
      return Self.response("own", url: request.urls[0])
    }
    for _ in 0..<2 { _ = try await handler(.to("https://a.com/", name: "a")) }
    let files = (1...4).flatMap { ["Test/0\($0)-a.body", "Test/0\($0)-a.json"] }
    // The number of a failure is reserved by a body, which is removed.
    let kept = isFailing ? files.filter { !["Test/02-a.body", "Test/04-a.body"].contains($0) } : files
    #expect(try folder.files() == kept)
    #expect(try ["01", "03"].map { try folder.read("Test/\($0)-a.body") } == ["own", "own"])
  }

  /// A run of days has many requests: what appears in the folder during it is not looked for.
  @Test func folderIsListedOnce() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let handler = CassetteRecorder(directory: folder.path, now: { Self.arrival }).recording {
      Self.response("x", url: $0.urls[0])
    }
    _ = try await handler(.to("https://a.com/", name: "a"))
    try folder.write("", to: "Test/07-note.txt")
    _ = try await handler(.to("https://a.com/", name: "a"))
    let names = ["01-a.body", "01-a.json", "02-a.body", "02-a.json", "07-note.txt"]
    #expect(try folder.files() == names.map { "Test/\($0)" })
  }

  @Test func failuresAreRecorded() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let handler = CassetteRecorder(directory: folder.path, now: { Self.arrival }).recording {
      _ throws(TransportError) in throw .tls("expired")
    }
    #expect(await outcome(of: .to("https://a.com/"), by: handler) == .failure(.tls("expired")))
    let player = try CassettePlayer(directory: folder.path)
    #expect(await outcome(of: .to("https://a.com/"), by: player.handler) == .failure(.tls("expired")))
    #expect(player.latestArrival == Self.arrival)
  }

  @Test func cancelledRequestLeavesNothing() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let handler = CassetteRecorder(directory: folder.path, now: { Instant(nanoseconds: 0) }).recording {
      _ throws(TransportError) in
      throw .cancelled
    }
    #expect(await outcome(of: .to("https://a.com/"), by: handler) == .failure(.cancelled))
    #expect(try folder.files() == [])
  }

  @Test func unwritableRecordingFails() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("", to: "file")
    let handler = CassetteRecorder(directory: "\(folder.path)/file", now: { Instant(nanoseconds: 0) }).recording {
      Self.response("x", url: $0.urls[0])
    }
    let result = await outcome(of: .to("https://a.com/"), by: handler)
    #expect(
      result == .failure(.other("recording: cannot create the folder '\(folder.path)/file/Test': Not a directory")))
  }

  /// The secret in every place where an exchange or a caller can put it.
  @Test func secretsAreInNoFileOrError() async throws {
    let secret = "s3cr3t+key/=="
    let escaped = "s3cr3t%2Bkey%2F%3D%3D"
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // The failure comes after the response.
    let recorder = CassetteRecorder(directory: folder.path, now: { Instant(nanoseconds: Self.arrival.nanoseconds + 1) })
    let request = HTTPRequest(
      exchange: "Exchange \(secret)", name: "name \(secret)", method: "POST",
      urls: ["https://a.com/\(escaped)/x?app_id=\(escaped)"], headers: [HTTPHeader(name: "X-Key", value: secret)],
      body: Array("{\"key\":\"s3cr3t+key\\/==\"}".utf8), secrets: [secret])
    let handler = recorder.recording { request in
      Self.response(
        "you sent \(secret), that is \(escaped)", url: Redaction(request.secrets)(request.urls[0]),
        headers: [
          HTTPHeader(name: "Set-Cookie", value: "session=abcdef"), HTTPHeader(name: "X-Auth-Token", value: "abcdef"),
          HTTPHeader(name: "Location", value: "/x?app_id=\(escaped)"),
        ])
    }
    _ = try await handler(request)
    let failing = recorder.recording { _ throws(TransportError) in throw .brokenOff("at /\(escaped)") }
    _ = await outcome(of: request, by: failing)

    let files = try folder.files()
    #expect(files.count == 3)
    for file in files {
      let text = try file + folder.read(file)
      for leak in [secret, escaped, "s3cr3t", "abcdef"] { #expect(!text.contains(leak), "\(file): \(text)") }
    }
    // The recording matches the request with the secret, or with another secret in its place.
    let player = try CassettePlayer(directory: folder.path)
    let replayed = try await player.handler(request)
    #expect(replayed.body == Array("you sent REDACTED, that is REDACTED".utf8))
    #expect(replayed.url == "https://a.com/REDACTED/x?app_id=REDACTED")
    let missing = await outcome(of: .to("https://b.com/?k=\(escaped)") { $0.secrets = [secret] }, by: player.handler)
    #expect(missing == .failure(.notInCassette("GET https://b.com/?k=REDACTED")))
  }

  @Test(arguments: [
    ("Bitget", "Bitget"), ("spot-tickers", "spot-tickers"), ("../../etc/passwd", "-.-..-etc-passwd"), (".", "-"),
    ("", "unnamed"), ("a b\u{0}c\\d:e", "a-b-c-d-e"), ("업비트", "업비트"), ("v2.1", "v2.1"),
    (String(repeating: "x", count: 300), String(repeating: "x", count: 60)), ("v2.", "v2"), ("v2...", "v2"),
    (String(repeating: "비", count: 61), String(repeating: "비", count: 60)),
    (String(repeating: "\u{20000}", count: 60), String(repeating: "\u{20000}", count: 45)),
  ])
  func safeNames(_ name: String, _ expected: String) { #expect(CassetteRecorder.safeFileName(name) == expected) }
}
