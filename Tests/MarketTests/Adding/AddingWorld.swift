import Files
import HTTP
import Onboarding
import Quotes
import Synchronization
import Terminal
import TestSupport
import Transport

@testable import Shell
@testable import market

/// `add-exchange` with its own folder, a scripted network and a person with predetermined input.
struct AddingWorld {
  let folder: TemporaryFolder
  /// The requests that were sent, in order.
  let sent = Requests()

  final class Requests: Sendable {
    private let requests = Mutex<[HTTPRequest]>([])
    var all: [HTTPRequest] { requests.withLock { $0 } }
    func append(_ request: HTTPRequest) { requests.withLock { $0.append(request) } }
  }

  /// A person typing lines, followed by the end of input.
  private final class Person: Sendable {
    private let lines: Mutex<ArraySlice<String>>
    init(_ lines: [String]) { self.lines = Mutex(lines[...]) }
    func line() -> String? { lines.withLock { $0.popFirst() } }
  }

  init() throws { folder = try TemporaryFolder() }

  var config: String { "\(folder.path)/exchanges.json" }

  struct Outcome {
    let code: ExitCode
    let output: String
    let errorOutput: String
    /// All output, to be searched for forbidden text.
    var everything: String { output + errorOutput }
    /// The output with single spaces.
    var flat: String { output.split { $0.isWhitespace }.joined(separator: " ") }
  }

  /// A config with Newex, whose table has prices and volumes.
  static let newex = """
    { "version": 1, "exchanges": { "Newex": {
      "baseUrls": ["https://api.newex.example"], "rows": "$[*]", "symbol": { "path": "$.s", "split": "-" },
      "fields": { "price": "$.p", "volume24": "$.v" },
      "markets": { "spot": { "tickers": { "request": { "path": "/all" } } } } } } }

    """

  /// Returns the config with single spaces.
  func written() throws -> String {
    try text(of: "exchanges.json").split { $0.isWhitespace }.joined(separator: " ")
  }

  func text(of name: String) throws -> String {
    String(decoding: try FileSystem.read("\(folder.path)/\(name)"), as: UTF8.self)
  }

  func save(_ text: String, as name: String) throws -> String {
    try FileSystem.writeAtomically(Array(text.utf8), to: "\(folder.path)/\(name)")
    return "\(folder.path)/\(name)"
  }

  /// Adds Newex by a saved table, of which the config is to say this address.
  func add(_ table: String, at path: String = "t", _ words: [String] = []) async throws -> Outcome {
    let file = try save(table, as: "sample.json")
    let address = "https://api.newex.example/\(path)"
    return try await run(["add-exchange", "Newex", "--from-sample", file, "--tickers", address, "--yes"] + words)
  }

  /// Adds Newex by a saved table of these rows.
  func add(rows: [String], _ words: [String] = []) async throws -> Outcome {
    try await add("[\(rows.joined(separator: ","))]", words)
  }

  /// Adds Newex by what an address answers.
  func add(from address: String, _ words: [String] = [], answer: String) async throws -> Outcome {
    try await run(["add-exchange", "Newex", "--from-sample", address, "--yes"] + words, answer: answer)
  }

  /// Adds a block for BTC/USDT to Newex by what the address of this path answers.
  func addBlock(_ kind: String, at path: String, _ answer: String, _ words: [String] = []) async throws -> Outcome {
    let sample = "\(kind)=https://api.newex.example/\(path)"
    return try await run(
      ["add-exchange", "Newex", "--symbol", "BTC/USDT", "--from-sample", sample, "--yes"] + words, answer: answer)
  }

  /// Proposes streams of Newex from messages, to be compared with what the table of a config answers.
  ///
  /// - Parameter channel: the one that has the messages: `trades=`.
  func addStream(
    _ messages: String, of channel: String = "", beside config: String, _ table: String, _ words: [String] = []
  ) async throws -> Outcome {
    _ = try save(config, as: "exchanges.json")
    let file = try save(messages, as: "messages.ndjson")
    return try await run(["add-exchange", "Newex", "--stream-sample", channel + file] + words, answer: table)
  }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - typed: the lines typed by a person, which makes it a terminal; nil for none.
  ///   - input: standard input.
  ///   - answer: the body of every response, except for addresses that contain a key of `answers`.
  ///   - columns: the width of the screen; nil if there is none.
  func run(
    _ words: [String], typed: [String]? = nil, input: String = "", answer: String = "",
    answers: [String: String] = [:], status: Int = 200,
    columns: Int? = nil, failure: TransportError? = nil
  ) async throws -> Outcome {
    var world = TestWorld(words, input: input, environment: ["HOME": folder.path])
    world.context.executablePath = { Checkout.path(".build/debug/market") }
    world.context.terminal.columns = columns
    world.context.terminal.errorColumns = columns
    if let typed {
      let person = Person(typed)
      world.context.terminal.inputIsTerminal = true
      world.context.terminal.errorIsTerminal = true
      world.context.readLine = { person.line() }
    }
    let sent = sent
    let handler: HTTPHandler = { request throws(TransportError) in
      sent.append(request)
      if let failure { throw failure }
      return HTTPResponse(
        status: status, headers: [HTTPHeader(name: "Content-Type", value: "application/json")],
        body: Array((answers.first { request.urls[0].contains($0.key) }?.value ?? answer).utf8),
        arrival: Instant(nanoseconds: 1_700_000_001_000_000_000), url: request.urls[0])
    }
    let code: ExitCode
    do {
      let invocation = try CommandLineParser.parse(
        words.dropFirst() + ["--config", config], for: AddExchangeCommand.command)
      code = try await Onboarding.add(invocation, in: world.context, by: handler)
      world.context.output.flush()
    } catch {
      world.context.output.flush()
      let report = ErrorReport(error, program: "market", command: nil, palette: Palette.plain, width: 200)
      return Outcome(code: report.exitCode, output: world.output, errorOutput: world.errorOutput + report.text)
    }
    return Outcome(code: code, output: world.output, errorOutput: world.errorOutput)
  }
}
