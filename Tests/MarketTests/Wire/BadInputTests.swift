import Files
import JSON
import TestSupport
import Testing

/// The built program against exchanges that each respond badly in their own way, in one run: every one gets its reason,
/// the others are unaffected, and nothing sent by an exchange acts on a terminal, in any output format.
@Suite(.waitsForPrograms) struct BadInputTests {
  struct Exchange: Sendable {
    let name: String
    let steps: [LoopbackServer.Step]
    /// The line of a failed exchange, after its name; nil if it has rows.
    var failure: String?
    /// The prices of an exchange with rows, in row order.
    var prices: [String] = []

    init(_ name: String, _ body: String, failure: String) {
      self.init(name, [.bytes(Answer.ok(body))], failure: failure)
    }

    init(_ name: String, _ body: String, prices: [String]) {
      self.init(name, [.bytes(Answer.ok(body))], prices: prices)
    }

    init(_ name: String, _ steps: [LoopbackServer.Step], failure: String? = nil, prices: [String] = []) {
      self.name = name
      self.steps = steps
      self.failure = failure
      self.prices = prices
    }
  }

  /// Colours, a link, the clipboard (OSC 52), C1 and its single-byte CSI, bidi overrides, zero width, separators, NUL.
  private static let escapes = #"\u001b[31m\u001b]8;;x\u0007\u001b]52;c;eA==\u0007\u009b2J\u0000\u007f\u0085"#
  private static let invisible = #"\u202e\u2066\u200b\u200d\ufeff\u2028\udb40\udc41"#

  private static func utf16(_ text: String) -> [UInt8] {
    [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private static func row(_ price: String) -> String { LocalExchanges.answer(LocalExchanges.row(price)) }

  /// Returns a row whose price is a JSON number.
  private static func bare(_ price: String) -> String {
    #"{"ok":true,"list":[{"s":"BTC-USDT","p":\#(price),"o":99,"q":1}]}"#
  }

  static let exchanges = [
    Exchange("First", LocalExchanges.good, prices: ["100.5"]),
    Exchange("Cut", #"{"ok":true,"li"#, failure: "not-json (the text ends inside a string at line 1, column 15)"),
    Exchange("Empty", "", failure: "not-json (the answer is empty)"),
    Exchange("Page", "<!doctype html><p>busy", failure: "not-json (the answer is an HTML or XML page)"),
    Exchange(
      "ListForObject", "[\(LocalExchanges.good)]",
      failure: "venue-error (the response does not meet the success conditions; $.ok: expected 'true', found nothing)"),
    Exchange(
      "TextForRows", #"{"ok":true,"list":"none"}"#, failure: "path-miss (the path of the rows leads to a string)"),
    Exchange("NestedRows", #"{"ok":true,"list":[[[1]]]}"#, failure: "unsplit"),
    Exchange("WrongTypes", #"{"ok":true,"list":[{"s":7,"p":{},"o":[],"q":true}]}"#, failure: "not-listed"),
    Exchange(
      "Deep", String(repeating: "[", count: 1_000_000),
      failure: "not-json (nesting deeper than 512 at line 1, column 513)"),
    Exchange("UTF16", [.bytes(Answer.whole(utf16(LocalExchanges.good)))], failure: "not-json"),
    Exchange(
      "Latin1", [.bytes(Answer.whole(Array(#"{"ok":true,"name":""#.utf8) + [0xE9] + Array(#""}"#.utf8)))],
      failure: "not-json (invalid UTF-8 at line 1, column 20)"),
    Exchange("Mark", "\u{FEFF}" + LocalExchanges.good, prices: ["100.5"]),
    Exchange("Twice", LocalExchanges.good + "\0", failure: "not-json"),
    Exchange("NotANumber", bare("NaN"), failure: "not-json"),
    Exchange(
      "HostileSymbol",
      LocalExchanges.answer(
        LocalExchanges.row("1", symbol: "BTC-USDT" + escapes),
        LocalExchanges.row("2", symbol: "BTC-USDT" + invisible),
        LocalExchanges.row("100.25")), prices: ["100.25"]),
    Exchange(
      "HostileError", #"{"ok":false,"code":"E\#(escapes)","message":"m\#(escapes)\#(invisible)"}"#,
      failure: #"venue-error E\u{1B}[31m\u{1B}]8;;x"#),
    Exchange("HostilePrice", row("1" + escapes), prices: [""]),
    Exchange(
      "HostileHead",
      [
        .bytes(
          Answer.ok("{}", status: "403 \u{1B}[31mNo\u{1B}]52;c;eA==\u{7}", headers: ["X-\u{9B}2J: \u{1B}]8;;x\u{7}"]))
      ],
      failure: "http-403 (refused, usually a regional or IP block)"),
    Exchange(
      "HostileRedirect", [.bytes(Answer.redirect(to: "http://\u{1B}[2J.example/\u{1B}[31m"))],
      failure: "no-answer redirect"),
    Exchange(
      "LongError", #"{"ok":false,"message":"\#(String(repeating: "m", count: 100_000))"}"#, failure: "venue-error"),
    Exchange(
      "LongSymbol",
      LocalExchanges.answer(LocalExchanges.row("1", symbol: String(repeating: "B", count: 100_000) + "-USDT")),
      failure: "not-listed"),
    Exchange(
      "Formula", LocalExchanges.answer(LocalExchanges.row("1", symbol: "=cmd|' /C calc'!A0-USDT")),
      failure: "not-listed"),
    Exchange(
      "Repeats", LocalExchanges.answer(LocalExchanges.row("1"), LocalExchanges.row("2"), LocalExchanges.row("1")),
      prices: ["1", "2", "1"]),
    Exchange(
      "RepeatsForEver",
      #"{"ok":true,"list":["# + Array(repeating: LocalExchanges.row("1"), count: 20_000).joined(separator: ",") + "]}",
      prices: Array(repeating: "1", count: 10)),
    Exchange("Endless", row(String(repeating: "9", count: 1_500)), prices: [""]),
    Exchange("Huge", bare("1e999999"), prices: [""]), Exchange("Tiny", bare("1e-999999"), prices: [""]),
    Exchange("MinusZero", bare("-0"), prices: [""]), Exchange("Hexadecimal", row("0x1F"), prices: [""]),
    Exchange("Blanks", row("1 000"), prices: [""]), Exchange("Thousands", row("1,000.5"), prices: [""]),
    Exchange("FullWidth", row("１００"), prices: [""]), Exchange("TextNaN", row("NaN"), prices: [""]),
    Exchange("Infinity", row("-Infinity"), prices: [""]),
    Exchange("Closes", [.close], failure: "no-answer unreachable"),
    Exchange("Resets", [.reset], failure: "no-answer unreachable"),
    Exchange(
      "TooLong", [.bytes(Answer.head(headers: ["Content-Length: 100000000"])), .hold],
      failure: "no-answer too-large (the answer is longer than 16777216 bytes)"),
    Exchange(
      "Bomb",
      [
        .bytes(Answer.head(headers: ["Content-Encoding: gzip", "Connection: close"])),
        .bytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]), .endless(Self.megabyteOfBlanks),
      ], failure: "no-answer too-large (the answer is longer than 16777216 bytes)"),
    Exchange(
      "NotCompressed", [.bytes(Answer.ok(LocalExchanges.good, headers: ["Content-Encoding: gzip"]))],
      failure: "no-answer encoding"),
    Exchange("NoHTTP", [.bytes(Array("220 \u{1B}[2Jmail\r\n".utf8)), .close], failure: "no-answer transport"),
    Exchange("Last", LocalExchanges.good, prices: ["100.5"]),
  ]

  /// A deflate block that any number of others may follow: 64 KiB minus one byte, uncompressed.
  private static let megabyteOfBlanks: [UInt8] =
    [0, 0xFF, 0xFF, 0, 0] + [UInt8](repeating: UInt8(ascii: " "), count: 0xFFFF)

  /// A server that plays all the exchanges, and a folder with their config.
  private struct World {
    let server: LoopbackServer
    let folder = Result { try TemporaryFolder() }

    init(_ exchanges: [Exchange]) throws {
      let answers = Dictionary(uniqueKeysWithValues: exchanges.map { ("/\($0.name)", $0.steps) })
      server = try LoopbackServer { answers[$0.target] ?? [.close] }
      let base = server.url("")
      let config = LocalExchanges(exchanges: exchanges.map { ($0.name, base, "/\($0.name)") }).config
      try FileSystem.writeAtomically(Array(config.utf8), to: "\(folder.get().path)/config.json")
    }

    func market(_ words: String...) throws -> Subprocess {
      let path = try folder.get().path
      return try Subprocess(
        market: words.map { $0.replacing("{folder}", with: path) } + ["-c", "\(path)/config.json"],
        environment: ["HOME": path, "no_proxy": "*"])
    }
  }

  @Test func hostileInputIsReportedAndHarmless() throws {
    let world = try World(Self.exchanges)
    defer { world.server.stop() }
    let text = try world.market("show", "BTC", "USDT", "--explain", "--timeout", "120", "--record", "{folder}/kept")
    let csv = try world.market("show", "BTC", "USDT", "-f", "csv", "--timeout", "120")
    let json = try world.market("show", "BTC", "USDT", "-f", "json", "--timeout", "120")
    let replay = try world.market("show", "BTC", "USDT", "--explain", "--replay", "{folder}/kept")
    let table = try world.market("tickers", "HostileSymbol", "-f", "csv")

    let long = try world.market("tickers", "LongSymbol")

    for run in [text, csv, json, replay, table, long] {
      #expect(run.code == 0)
      Self.expectQuiet(run.output.replacing("\r\n", with: "\n"))
      Self.expectQuiet(run.errorOutput)
    }
    let root = try JSONDocument(parsing: Array(json.output.utf8)).root
    let rows = root["spot"]?.elements.map { ($0["exchange"]?.string ?? "", $0["price"]?.string ?? "") } ?? []
    for exchange in Self.exchanges {
      let report = root["venues"]?.elements.first { $0["exchange"]?.string == exchange.name }
      #expect(rows.filter { $0.0 == exchange.name }.map(\.1) == exchange.prices, "\(exchange.name)")
      if let failure = exchange.failure {
        let said = [report?["reason"]?.string, report?["message"]?.string.map { "(\($0))" }, report?["status"]?.string]
        let words = said.compactMap(\.self).joined(separator: " ")
        let isSame = words.hasPrefix(failure) || report?["status"]?.string == failure
        #expect(
          isSame || csv.errorOutput.contains("market: \(exchange.name) spot: \(failure)"), "\(exchange.name): \(words)")
      } else {
        #expect(report?["status"]?.string == "ok", "\(exchange.name)")
      }
    }
    #expect(root["maxPremium"]?["high"]?.string == "First")
    let note = "market: RepeatsForEver spot: 19990 more rows of repeated pairs are left out\n"
    for run in [text, csv, json] { #expect(run.errorOutput.contains(note)) }
    // A line is a sentence or two, whatever an exchange sends.
    let longest =
      (text.output + text.errorOutput + csv.errorOutput + long.output).split(separator: "\n").map(\.count).max() ?? 0
    #expect(longest < 2_000)
    // The recording replays identically, except for the two lines at the top that contain the time.
    #expect(replay.output.split(separator: "\n").dropFirst(2) == text.output.split(separator: "\n").dropFirst(2))
  }

  /// Only exchanges that did not respond within the run time out.
  @Test func slowExchangesTimeOut() throws {
    let world = try World([
      Exchange("Hangs", [.hold]),
      Exchange("HangsInside", [.bytes(Answer.head(headers: ["Content-Length: 9"])), .hold]),
      Exchange(
        "Drips", [.bytes(Answer.head(headers: ["Content-Length: 9000"])), .drip([UInt8](repeating: 32, count: 9_000))]),
      Exchange(
        "DripsTheHead", [.bytes(Array("HTTP/1.1 200 OK\r\nX: ".utf8)), .drip([UInt8](repeating: 120, count: 9_000))]),
    ])
    defer { world.server.stop() }
    let run = try world.market("show", "BTC", "USDT", "-f", "csv", "--timeout", "1", "-v")
    #expect(run.code == 1)
    #expect(
      run.errorOutput.split(separator: "\n").count {
        $0.hasSuffix(" spot: timeout (no answer in time)")
      } == 4, "\(run.errorOutput)")
  }

  /// Expects no control characters but the line feed, no bidi overrides, and nothing with zero width.
  private static func expectQuiet(_ text: String) {
    let loud = Set(
      text.unicodeScalars.filter {
        switch $0.value {
        case 10: false
        case 0..<32, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xE0000...0xE0FFF: true
        default: false
        }
      })
    #expect(loud.isEmpty)
  }
}
