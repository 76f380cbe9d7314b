import Files
import Testing

@testable import Shell
@testable import market

@Suite struct ProgramTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let words: [String]
    var environment: [String: String] = [:]
    var code: ExitCode = .usage
    let message: String

    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Case(words: ["jsnpath"], message: "unknown command 'jsnpath'; did you mean 'jsonpath'?\nhelp: market help"),
    Case(words: ["json"], message: "unknown command 'json'; did you mean 'jsonpath'?\nhelp: market help"),
    Case(words: ["nothing-like-it"], message: "unknown command 'nothing-like-it'\nhelp: market help"),
    Case(
      words: ["help", "jsnpath"],
      message: "unknown command 'jsnpath'; did you mean 'jsonpath'?\nhelp: market help"),
    Case(
      words: ["--color", "never"],
      message: "unexpected option '--color' before the command; write the command first\nhelp: market help"),
    Case(words: ["--hlep"], message: "unknown option '--hlep'; did you mean '--help'?\nhelp: market help"),
    Case(
      words: ["favorites", "list", "BTC"],
      message: "'market favorites list' takes no pair\nhelp: market favorites --help"),
    Case(
      words: [String(repeating: "A", count: 100)],
      message: "unknown command '\(String(repeating: "A", count: 64))…'\nhelp: market help"),
    Case(
      words: ["show", String(repeating: "A", count: 100), "USDT"],
      message: "invalid asset '\(String(repeating: "A", count: 64))…'; expected one name, for example: "
        + "market show BTC/USDT\nhelp: market show --help"),
    Case(words: ["jsonpath"], message: "missing argument QUERY\nhelp: market jsonpath --help"),
    Case(words: ["version", "x"], message: "unexpected argument 'x'\nhelp: market version --help"),
    Case(
      words: ["jsonpath", "--color=x"],
      message: "invalid value 'x' for '--color'; expected auto, always or never\nhelp: market jsonpath --help"),
    Case(
      words: ["show", "BTC", "USDT", "--columns", "exchange,price,Exchange"],
      message: "duplicate value 'Exchange' in '--columns'\nhelp: market show --help"),
    // A value that is invalid is one of an option by its full name, however that was typed.
    Case(
      words: ["stream", "BTC/USDT", "-n", "0"],
      message:
        "invalid value '0' for '--number'; expected a whole number from 1 to 1000000000\nhelp: market stream --help"),
    Case(
      words: ["candles", "BTC", "USDT", "-i", "7x"],
      message:
        "invalid value '7x' for '--interval'; expected 1m, 3m, 5m, 10m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d or 1w\nhelp: market candles --help"
    ),
    Case(
      words: ["candles", "BTC", "-i", "60m"],
      message: "invalid value '60m' for '--interval'; did you mean '1h'?\nhelp: market candles --help"),
    Case(
      words: ["chart", "BTC", "-i", "1H"],
      message: "invalid value '1H' for '--interval'; did you mean '1h'?\nhelp: market chart --help"),
    Case(
      words: ["candles", "BTC", "-i", "7days"],
      message: "invalid value '7days' for '--interval'; did you mean '1w'?\nhelp: market candles --help"),
    Case(
      words: ["candles", "BTC", "-i", "1M"],
      message:
        "invalid value '1M' for '--interval'; expected 1m, 3m, 5m, 10m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d or 1w\nhelp: market candles --help"
    ),
    Case(
      words: ["candles", "BTC", "--since", "2w"],
      message:
        "invalid value '2w' for '--since'; expected a time such as 2026-11-01, 2026-11-01T09:00Z, 12h, 2d or yesterday\nhelp: market candles --help"
    ),
    Case(
      words: ["show", "BTC", "--market", "perp"],
      message: "invalid value 'perp' for '--market'; did you mean 'futures'?\nhelp: market show --help"),
    Case(
      words: ["show", "BTC", "--json"], message: "unknown option '--json'; write -f json\nhelp: market show --help"),
    Case(
      words: ["show", "BTC", "--full"],
      message: "unknown option '--full'; write --digits full\nhelp: market show --help"),
    Case(
      words: ["version", "--size", "1"], message: "unknown option '--size'\nhelp: market version --help"),
    Case(words: ["wallets"], message: "unknown command 'wallets'; did you mean 'wallet-status'?\nhelp: market help"),
    Case(words: ["BTC"], message: "unknown command 'BTC'; for the price, run: market show BTC USDT\nhelp: market help"),
    Case(
      words: ["btc", "krw"],
      message: "unknown command 'btc'; for the price, run: market show BTC KRW\nhelp: market help"),
    Case(
      words: ["BTCUSDT"],
      message: "unknown command 'BTCUSDT'; for the price, run: market show BTC USDT\nhelp: market help"),
    Case(
      words: ["eth/btc"],
      message: "unknown command 'eth/btc'; for the price, run: market show ETH BTC\nhelp: market help"),
    Case(words: ["price", "BTC"], message: "unknown command 'price'; did you mean 'show'?\nhelp: market help"),
    Case(words: ["Book", "BTC"], message: "unknown command 'Book'; did you mean 'orderbook'?\nhelp: market help"),
    Case(words: ["kimchi"], message: "unknown command 'kimchi'; did you mean 'premium'?\nhelp: market help"),
    Case(words: ["help", "kimchi"], message: "unknown command 'kimchi'; did you mean 'premium'?\nhelp: market help"),
    Case(words: ["ls"], message: "unknown command 'ls'; did you mean 'list'?\nhelp: market help"),
    Case(words: ["top"], message: "unknown command 'top'; did you mean 'watch'?\nhelp: market help"),
    Case(words: ["alerts"], message: "unknown command 'alerts'; did you mean 'watch --alert'?\nhelp: market help"),
    Case(words: ["rm", "Newex"], message: "unknown command 'rm'; did you mean 'remove-exchange'?\nhelp: market help"),
    Case(
      words: ["favorites", "ls"],
      message: "unknown action 'ls'; did you mean 'list'?\nhelp: market favorites --help"),
    Case(
      words: ["favorites", "rm", "BTC/KRW"],
      message: "unknown action 'rm'; did you mean 'remove'?\nhelp: market favorites --help"),
    Case(
      words: ["keys", "rm", "Upbit"], message: "unknown action 'rm'; did you mean 'remove'?\nhelp: market keys --help"),
    Case(words: ["obtain", "BTC"], message: "unknown command 'obtain'\nhelp: market help"),
    Case(
      words: ["newcoin", "usdt"],
      message: "unknown command 'newcoin'; for the price, run: market show NEWCOIN USDT\nhelp: market help"),
    Case(
      words: ["usd", "krw"],
      message: "unknown command 'usd'; for the exchange rate, run: market fx USD KRW\nhelp: market help"),
    Case(
      words: ["EURUSD"],
      message: "unknown command 'EURUSD'; for the exchange rate, run: market fx EUR USD\nhelp: market help"),
    Case(
      words: ["show", "", "USDT"],
      message: "missing asset; write the pair as BTC USDT or as BTC/USDT\nhelp: market show --help"),
    Case(
      words: ["show", "BTC/USDT", "USDT"],
      message: "'BTC/USDT' is already a pair; name one, for example: market show BTC/USDT\nhelp: market show --help"),
    Case(
      words: ["show", "btc/usdt", "ETH/USDT"],
      message:
        "'btc/usdt' and 'ETH/USDT' are two pairs; name one, for example: market show btc/usdt\nhelp: market "
        + "show --help"),
    Case(
      words: ["show", "BTC,ETH", "USDT"],
      message: "invalid asset 'BTC,ETH'; expected one name, for example: market show BTC/USDT\nhelp: market show --help"
    ),
    Case(
      words: ["show", "BTC", "USDT,KRW"],
      message:
        "invalid payment currency 'USDT,KRW'; expected one name, for example: market show BTC/USDT\nhelp: "
        + "market show --help"),
    Case(
      words: ["show", "BTC/"],
      message: "missing payment currency; write the pair as BTC USDT or as BTC/USDT\nhelp: market show --help"),
    Case(
      words: ["show", "btcusdt"],
      message: "'btcusdt' looks like a pair; run: market show BTC USDT\nhelp: market show --help"),
    Case(
      words: ["candles", "BTC", "USDT", "--zone", "9"],
      message:
        "invalid value '9' for '--zone'; expected an offset such as +09:00, or KST or UTC\nhelp: market candles --help"),
    Case(
      words: ["show", "KRW-btc"],
      message: "'KRW-btc' has the payment currency first; run: market show BTC/KRW\nhelp: market show --help"),
    Case(
      words: ["trades", "usd", "eth"],
      message: "'usd eth' has the payment currency first; run: market trades ETH/USD\nhelp: market trades --help"),
    Case(
      words: ["tickers", "Upbit", "--pair", "krw-btc"],
      message:
        "'krw-btc' has the payment currency first; run: market tickers Upbit --pair BTC/KRW\nhelp: market tickers --help"
    ),
    Case(
      words: ["tickers", "Upbit", "--pair", "btc"],
      message:
        "'btc' is not a pair; write it like: market tickers Upbit --pair BTC/USDT\nhelp: market tickers --help"),
    Case(
      words: ["premium", "KRW-BTC"],
      message: "invalid asset 'KRW-BTC'; expected an asset without a payment currency; run: "
        + "market premium BTC --local KRW\nhelp: market premium --help"),
    Case(
      words: ["premium", "BTC", "KRW"],
      message: "invalid asset 'BTC KRW'; expected an asset without a payment currency; run: "
        + "market premium BTC --local KRW\nhelp: market premium --help"),
    Case(
      words: ["premium", "BTC", "ETH"],
      message: "invalid asset 'BTC ETH'; expected an asset without a payment currency; run: market premium BTC\n"
        + "help: market premium --help"),
    Case(
      words: ["premium", "BTC", "KRW", "USDT"],
      message: "unexpected argument 'KRW'\nhelp: market premium --help"),
    Case(
      words: ["premium", ""],
      message: "invalid asset ''; expected one name, for example: market premium BTC\nhelp: market premium --help"),
    Case(
      words: ["fx", "usdkrw"], message: "'usdkrw' looks like a pair; run: market fx USD KRW\nhelp: market fx --help"),
    Case(
      words: ["fx", "-5"],
      message:
        "invalid amount '-5'; expected a number above zero, of at most 30 digits, such as 100, 1.5M or 1억\nhelp: market fx --help"
    ),
    Case(words: ["show", "BTC", "-5"], message: "unknown option '-5'\nhelp: market show --help"),
    Case(
      words: ["show", "BTC", "--sort", "tunrover"],
      message: "invalid value 'tunrover' for '--sort'; did you mean 'turnover'?\nhelp: market show --help"),
    Case(
      words: ["show", "BTC", "--columns", "price,turnovr"],
      message: "invalid value 'turnovr' for '--columns'; did you mean 'turnover'?\nhelp: market show --help"),
    Case(
      words: ["list", "Upbit", "--sort", "exchanges"],
      message:
        "invalid value 'exchanges' for '--sort'; expected pair, name, price, change or turnover\nhelp: market list --help"
    ),
    Case(
      words: ["premium", "BTC", "--top", "2", "-f", "csv"],
      message: "'--top' needs '--format text'; json and csv have every pair\nhelp: market premium --help"),
    Case(
      words: ["favorites", "add", "BTC", "USDT"],
      message: "a pair is one word here; run: market favorites add BTC/USDT\nhelp: market favorites --help"),
    Case(
      words: ["watch", "BTCUSDT", "ETHUSDT"],
      message: "'BTCUSDT' looks like a pair; run: market watch BTC USDT\nhelp: market watch --help"),
    Case(
      words: ["show"], message: "missing asset; write it like: market show BTC USDT\nhelp: market show --help"),
    Case(
      words: ["stream"], message: "missing pair; write it like: market stream BTC USDT\nhelp: market stream --help"),
    Case(
      words: ["show", "BTC", "--watch"],
      message: "unknown option '--watch'; for a live screen, run: market watch BTC/USDT\nhelp: market show --help"),
    Case(
      words: ["candles", "BTC", "USDT", "-w"],
      message: "unknown option '-w'; for a live screen, run: market chart BTC USDT -w\nhelp: market candles --help"),
    Case(
      words: ["balances", "-w"],
      message: "unknown option '-w'; for a live screen, press B in: market watch\nhelp: market balances --help"),
    Case(
      words: ["list", "Upbit", "Binance"],
      message: "'list' takes one exchange; for several, write -e Upbit,Binance\nhelp: market list --help"),
    Case(
      words: ["candles", "BTC", "USDT", "--zone", "Asia/Seoul"],
      message:
        "unknown time zone 'Asia/Seoul' in '--zone'; write its offset from UTC, such as +09:00\nhelp: market candles --help"
    ),
    Case(
      words: ["stream", "BTC/USDT", "--for", "+5s"],
      message: "invalid value '+5s' for '--for'; expected a duration such as 60s or 5m\nhelp: market stream --help"),
    Case(words: ["\u{1B}[2J"], message: #"unknown command '\u{1B}[2J'"# + "\nhelp: market help"),
    Case(
      words: ["jsonpath", "$", "/nowhere/x.json"], code: .noAnswer,
      message: "cannot read '/nowhere/x.json': No such file or directory"),
  ])
  func errors(_ sample: Case) async {
    let world = TestWorld(sample.words)
    #expect(await Program.market.run(in: world.context) == sample.code)
    #expect(world.errorOutput == "error: \(sample.message)\n")
    #expect(world.output == "")
  }

  @Test(arguments: [["version"], ["--version"], ["-V"]])
  func version(_ words: [String]) async {
    let world = TestWorld(words)
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.output == "market \(Version.number) (\(Version.target), swift \(Version.compiler))\n")
    #expect(world.errorOutput == "")
  }

  @Test func colouredErrors() async {
    var world = TestWorld(["nope"])
    world.context.terminal.errorIsTerminal = true
    #expect(await Program.market.run(in: world.context) == .usage)
    #expect(
      world.errorOutput
        == "\u{1B}[1;38;5;196merror:\u{1B}[0m unknown command 'nope'\n\u{1B}[1mhelp:\u{1B}[0m market help\n")
  }

  /// A command that has to wait is returned as a step, and its errors are printed like all others.
  @Test func commandThatWaits() async {
    let command = Command(
      name: "wait", summary: "wait", examples: [],
      work: .awaiting { _, context in
        await Task.yield()
        context.output.write("half\n")
        throw CommandError.noAnswer("nobody answered")
      })
    let program = Program(name: "market", summary: "", examples: [], entries: [.init(command.name) { command }])
    let world = TestWorld(["wait"])
    #expect(await program.run(in: world.context) == .noAnswer)
    #expect(world.output == "half\n")
    #expect(world.errorOutput == "error: nobody answered\n")
  }

  @Test func unwritableOutput() async {
    let failure = FileError.failed(.write, path: "standard output", reason: "No space left on device")
    var world = TestWorld(["version"])
    world.context.output = OutputWriter(capacity: 1024) { _ in .failed(failure) }
    #expect(await Program.market.run(in: world.context) == .noAnswer)
    #expect(
      world.errorOutput == "error: cannot write 'standard output': No space left on device\n")
  }

  @Test func outputWithoutReader() async {
    var world = TestWorld(["version"])
    world.context.output = OutputWriter(capacity: 0) { _ in .readerGone }
    #expect(await Program.market.run(in: world.context) == .answer)
    #expect(world.errorOutput == "")
  }

  /// Names and letters are unique, only trailing arguments are optional, and help fits its space.
  @Test(arguments: Program.market.commands.map(\.name))
  func commandsAreWellFormed(_ name: String) throws {
    let command = try #require(Program.market.command(named: name))
    #expect(Set(command.options.map(\.name)).count == command.options.count)
    let letters = command.options.compactMap(\.short)
    #expect(Set(letters).count == letters.count)
    #expect(!command.examples.isEmpty)
    let firstOptional = command.arguments.firstIndex(where: \.isOptional) ?? command.arguments.endIndex
    #expect(command.arguments[firstOptional...].filter { !$0.isOptional }.isEmpty)
    #expect(command.arguments.dropLast().allSatisfy { !$0.isRepeating })
    for option in command.options {
      #expect(option.defaultValue.map { option.choices.isEmpty || option.choices.contains($0) } ?? true)
    }
  }

  /// Commands that ask exchanges load libcurl early. An exchange rate is usually stored, and a test asks with `--live`.
  @Test func commandsThatQueryExchanges() {
    let entries = Program.market.entries
    let replayed = entries.filter { $0.command().option(named: "replay") != nil }.map(\.name)
    let expected = replayed.filter { !["fx", "test-exchange"].contains($0) }
    #expect(entries.filter(\.queriesExchanges).map(\.name) == expected)
  }
}
