import Testing

@testable import Shell
@testable import market

@Suite struct HelpPageTests {
  private static let sample = Command(
    name: "show",
    summary: "show an asset on every exchange",
    examples: [
      .init("market show BTC USDT", "BTC/USDT everywhere"),
      .init("market show BTC KRW --format csv --only Upbit,Bithumb,Coinone > prices.csv", "a file for a spreadsheet"),
    ],
    arguments: [
      Argument("ASSET", help: "the base currency"),
      Argument("PAYMENT", help: "the payment currencies", isOptional: true, isRepeating: true),
    ],
    options: [
      Option(
        "only", short: "o", value: "NAMES",
        help: "ask these exchanges and no other, in the order in which they stand here"),
      .format,
      Option("replay-the-answers-of-a-folder", value: "DIR", help: "no network", category: .network),
    ],
    discussion: ["Prices are shown with the digits that the exchange sent. A row that fails a check is flagged."],
    work: .immediate { _, _ in .answer })

  @Test func pageOfCommand() {
    #expect(
      HelpPage(program: "market").page(of: Self.sample) == """
        market show - show an asset on every exchange

        Examples:
          market show BTC USDT  BTC/USDT everywhere
          market show BTC KRW --format csv --only Upbit,Bithumb,Coinone > prices.csv
                                a file for a spreadsheet

        Usage: market show ASSET [PAYMENT...] [OPTIONS]

        Arguments:
          ASSET    the base currency
          PAYMENT  the payment currencies

        Options:
          -o, --only NAMES  ask these exchanges and no other, in the order in which they
                            stand here

        Output:
          -f, --format FORMAT  output format (one of: text, json, csv; default: text)
              --color WHEN     when to colour the output (one of: auto, always, never;
                               default: auto)

        Network:
              --replay-the-answers-of-a-folder DIR
                                          no network

        Help:
          -h, --help  show this help

        Prices are shown with the digits that the exchange sent. A row that fails a
        check is flagged.

        """)
  }

  @Test func pageOfProgram() {
    let program = Program(
      name: "market", summary: "compare one asset across exchanges",
      examples: [.init("market show BTC USDT", "BTC/USDT on every exchange")],
      entries: [.init(Self.sample.name) { Self.sample }])
    #expect(
      HelpPage(program: "market").page(of: program) == """
        market - compare one asset across exchanges

        Examples:
          market show BTC USDT  BTC/USDT on every exchange

        Usage: market COMMAND [ARGUMENTS] [OPTIONS]

        Commands:
          show  show an asset on every exchange

        Run 'market help COMMAND' or 'market COMMAND --help' for a command's own page.

        """)
  }

  /// Groups are in one order, whatever that of the commands, and their summaries in one column.
  @Test func pageHasGroups() {
    func entry(_ name: String, _ group: Program.Entry.Group, isHidden: Bool = false) -> Program.Entry {
      .init(name, group) {
        Command(name: name, summary: "do it", examples: [], isHidden: isHidden, work: .immediate { _, _ in .answer })
      }
    }
    let program = Program(
      name: "market", summary: "compare", examples: [],
      entries: [
        entry("version", .program), entry("wallet-status", .account), entry("show", .prices), entry("fx", .prices),
        entry("complete", .live, isHidden: true),
      ])
    let page = HelpPage(program: "market").page(of: program)
    let groups = page.split(separator: "\n\n").drop { !$0.hasPrefix("Usage") }.dropFirst().dropLast()
    #expect(
      groups.joined(separator: "\n\n") == """
        Prices:
          show           do it
          fx             do it

        Your accounts:
          wallet-status  do it

        The program:
          version        do it
        """)
    let headings = ManPage(program).text.split(separator: "\n").filter { $0.hasPrefix(".S") }
    #expect(
      headings.dropFirst(4).prefix(7) == [
        ".SH PRICES", ".SS \"market show [OPTIONS]\"", ".SS \"market fx [OPTIONS]\"", ".SH YOUR ACCOUNTS",
        ".SS \"market wallet\\-status [OPTIONS]\"", ".SH THE PROGRAM", ".SS \"market version [OPTIONS]\"",
      ])
  }

  /// Every command of the program is under a heading of its own kind.
  @Test func everyCommandHasAGroup() {
    #expect(Program.market.groups.map(\.group) == Array(Program.Entry.Group.allCases.dropFirst()))
    #expect(Program.market.groups.flatMap(\.commands).map(\.name) == Program.market.shownCommands.map(\.name))
  }

  @Test func pageOfJSONPath() async {
    let world = TestWorld(["help", "jsonpath"])
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(
      world.output == """
        market jsonpath - print what a JSONPath query finds in a JSON text

        Examples:
          market jsonpath '$[*].symbol' tickers.json      every symbol, one per line
          market jsonpath --paths '$..last' tickers.json  where prices are
          market jsonpath -r '$[*].symbol' tickers.json   the same without quotes, for a
                                                          shell
          curl -s https://api.example/tickers | market jsonpath '$.data[0]'
                                                          the first row of an answer

        Usage: market jsonpath QUERY [FILE] [OPTIONS]

        Arguments:
          QUERY  a JSONPath query (RFC 9535)
          FILE   the JSON text; without it, or with '-', standard input is read

        Options:
          -p, --paths  print the normalized paths of the values instead of the values
          -r, --raw    print strings as text, without quotes and escapes

        Output:
              --color WHEN  when to colour the output (one of: auto, always, never;
                            default: auto)

        Help:
          -h, --help  show this help

        Prints one value per line, compact, with the digits of numbers unchanged. Exits
        with 1 if nothing is found or the JSON is invalid, with 2 if the query is
        invalid.

        On a terminal, control characters and other invisible text in strings are shown
        as \\u escapes, which mean the same; a pipe gets the original bytes, with --raw
        the decoded text, line breaks and all.

        """)
  }

  /// All ways to reach the same page.
  @Test(
    arguments: [
      [[], ["help"], ["--help"], ["-h"]],
      [["jsonpath", "--help"], ["jsonpath", "-h"], ["help", "jsonpath"], ["jsonpath", "$", "--help"]],
    ] as [[[String]]])
  func allWaysToHelp(_ commandLines: [[String]]) async {
    var pages: Set<String> = []
    for words in commandLines {
      let world = TestWorld(words)
      #expect(await Program.market.run(in: world.context) == .answer)
      pages.insert(world.output)
    }
    #expect(pages.count == 1)
  }

  @Test(arguments: Program.market.commands.map(\.name))
  func fitsEightyColumns(_ name: String) throws {
    let command = try #require(Program.market.command(named: name))
    let lines = HelpPage(program: "market").page(of: command).split(separator: "\n")
    #expect(lines.filter { $0.count > 80 }.isEmpty)
  }
}
