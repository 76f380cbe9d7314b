import Testing

@testable import Shell

@Suite struct CommandLineParserTests {
  private static let format = Option(
    "format", short: "f", value: "FORMAT", help: "how", default: "text", choices: ["text", "csv"])
  private static let only = Option("only", value: "NAME", help: "which")
  private static let verbose = Option("verbose", short: "v", help: "say more")
  private static let asset = Argument("ASSET", help: "what")
  private static let payment = Argument("PAYMENT", help: "for what", isOptional: true)
  private static let files = Argument("FILE", help: "files", isOptional: true, isRepeating: true)

  private static let command = Command(
    name: "sample", summary: "a sample", examples: [], arguments: [asset, payment, files],
    options: [format, only, verbose], work: .immediate { _, _ in .answer })

  struct Parsed: Sendable, CustomTestStringConvertible {
    let words: [String]
    var asset: String?
    var payment: String?
    var files: [String] = []
    var format = "text"
    var only: [String] = []
    var isVerbose = false
    var asksForHelp = false

    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Parsed(words: ["BTC"], asset: "BTC"),
    Parsed(words: ["BTC", "USDT"], asset: "BTC", payment: "USDT"),
    Parsed(words: ["BTC", "USDT", "a", "b"], asset: "BTC", payment: "USDT", files: ["a", "b"]),
    Parsed(words: ["--format", "csv", "BTC"], asset: "BTC", format: "csv"),
    Parsed(words: ["BTC", "--format=csv"], asset: "BTC", format: "csv"),
    Parsed(words: ["BTC", "-f", "csv", "-v"], asset: "BTC", format: "csv", isVerbose: true),
    Parsed(words: ["BTC", "-fcsv"], asset: "BTC", format: "csv"),
    Parsed(words: ["BTC", "--format=csv", "--format=text"], asset: "BTC"),
    Parsed(words: ["--only", "a", "BTC", "--only=b"], asset: "BTC", only: ["a", "b"]),
    Parsed(words: ["BTC", "--only="], asset: "BTC", only: [""]),
    Parsed(words: ["BTC", "--only=a=b"], asset: "BTC", only: ["a=b"]),
    Parsed(words: ["BTC", "--only", "-"], asset: "BTC", only: ["-"]),
    Parsed(words: ["BTC", "--only", "-5"], asset: "BTC", only: ["-5"]),
    Parsed(words: ["BTC", "--only=--x"], asset: "BTC", only: ["--x"]),
    Parsed(words: ["-"], asset: "-"),
    Parsed(words: ["--", "--format", "-v"], asset: "--format", payment: "-v"),
    Parsed(words: ["BTC", "--", "--"], asset: "BTC", payment: "--"),
    Parsed(words: [""], asset: ""),
    Parsed(words: ["--help"], asksForHelp: true),
    Parsed(words: ["-h", "BTC"], asksForHelp: true),
    Parsed(words: ["하나", "원"], asset: "하나", payment: "원"),
  ])
  func parses(_ sample: Parsed) throws {
    let invocation = try CommandLineParser.parse(sample.words, for: Self.command)
    #expect(invocation.optionalText(of: Self.asset) == sample.asset)
    #expect(invocation.optionalText(of: Self.payment) == sample.payment)
    #expect(invocation.texts(of: Self.files) == sample.files)
    #expect(invocation.value(of: Self.format) == sample.format)
    #expect(invocation.values(of: Self.only) == sample.only)
    #expect(invocation.has(Self.verbose) == sample.isVerbose)
    #expect(invocation.has(.help) == sample.asksForHelp)
  }

  @Test(
    arguments: [
      ([], .missingArgument("ASSET")),
      (["--formt", "csv"], .unknownOption("--formt", suggestion: "--format")),
      (["--formt=csv"], .unknownOption("--formt", suggestion: "--format")),
      (["--form"], .unknownOption("--form", suggestion: "--format")),
      (["--colour"], .unknownOption("--colour", suggestion: "--color")),
      (["--nothing-like-it"], .unknownOption("--nothing-like-it", suggestion: nil)),
      (["-x"], .unknownOption("-x", suggestion: nil)),
      (["-vv"], .unknownOption("-vv", suggestion: nil)),
      (["-verbose"], .unknownOption("-verbose", suggestion: "--verbose")),
      (["-format", "csv"], .unknownOption("-format", suggestion: "--format")),
      (["-fxml"], .invalidValue(option: "--format", value: "xml", valid: ["text", "csv"])),
      (["BTC", "--format"], .missingValue(option: "--format", valueName: "FORMAT")),
      (["BTC", "-f"], .missingValue(option: "-f", valueName: "FORMAT")),
      (["--format", "--verbose"], .missingValue(option: "--format", valueName: "FORMAT")),
      (["--format", "--", "x"], .missingValue(option: "--format", valueName: "FORMAT")),
      (["--verbose=yes"], .unexpectedValue(option: "--verbose", value: "yes")),
      (["--format=cvs"], .invalidValue(option: "--format", value: "cvs", valid: ["text", "csv"])),
      (["--color", "alwys"], .invalidValue(option: "--color", value: "alwys", valid: ["auto", "always", "never"])),
    ] as [([String], UsageProblem)])
  func refuses(_ words: [String], _ problem: UsageProblem) {
    #expect(throws: problem) { try CommandLineParser.parse(words, for: Self.command) }
  }

  @Test func refusesTooManyArguments() {
    let command = Command(
      name: "one", summary: "one argument", examples: [], arguments: [Self.asset],
      work: .immediate { _, _ in .answer })
    #expect(throws: UsageProblem.unexpectedArgument("USDT")) {
      try CommandLineParser.parse(["BTC", "USDT"], for: command)
    }
  }

  /// A word too many right after a list is likely one of it.
  @Test(arguments: [
    ("BTC -e upbit binance", "unexpected argument 'binance'; write --exchange upbit,binance"),
    ("-e upbit BTC binance", "unexpected argument 'binance'"),
    ("BTC binance -e upbit", "unexpected argument 'binance'"),
    ("BTC -e upbit -n 1 binance", "unexpected argument 'binance'"),
  ])
  func wordAfterList(_ line: String, _ message: String) {
    let options = [
      Option("exchange", short: "e", value: "A,B", help: "these", kind: .list(.exchange)),
      Option("count", short: "n", value: "N", help: "so many"),
    ]
    let command = Command(
      name: "one", summary: "one argument", examples: [], arguments: [Self.asset], options: options,
      work: .immediate { _, _ in .answer })
    let problem = #expect(throws: UsageProblem.self) {
      try CommandLineParser.parse(line.split(separator: " ").map(String.init), for: command)
    }
    #expect(problem?.description == message)
  }

  @Test(arguments: [("1", 1), ("60", 60), (nil, nil)] as [(String?, Int?)])
  func integers(_ text: String?, _ number: Int?) throws {
    let words = ["BTC"] + (text.map { ["--only", $0] } ?? [])
    let invocation = try CommandLineParser.parse(words, for: Self.command)
    #expect(try invocation.integer(of: Self.only, in: 1...60) == number)
  }

  @Test(arguments: ["0", "61", "1.5", "", "x"])
  func integersOutOfRange(_ text: String) throws {
    let invocation = try CommandLineParser.parse(["BTC", "--only=\(text)"], for: Self.command)
    let valid = ["a whole number from 1 to 60"]
    #expect(throws: UsageProblem.invalidValue(option: "--only", value: text, valid: valid)) {
      try invocation.integer(of: Self.only, in: 1...60)
    }
  }
}
