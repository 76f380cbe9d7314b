import Config
import Files
import JSON
import Mapping
import Quotes
import Terminal
import Transport

/// `market add-exchange [NAME]`
enum AddExchangeCommand {
  enum Format: String, CaseIterable { case text, json }

  static let name = Argument(
    "NAME", help: "what the exchange shall be called; or a file with a ready block", isOptional: true)
  static let place = Argument("SOURCE", help: "an answer, as with --from-sample", isOptional: true)
  static let sample = Option(
    "from-sample", value: "[PART=]SOURCE",
    help: "an answer with the tickers: a file, an address, or '-' for standard input; with --like, or as ticker=SOURCE "
      + "with --ticker, once for each part", category: .source)
  static let curl = Option(
    "from-curl", value: "LINE",
    help: "a pasted 'curl …'; '-' reads it from standard input, where no one else sees its keys", category: .source)
  static let like = Option(
    "like", value: "EXCHANGE", help: "start from this exchange; only what differs is written", category: .source)
  static let yes = Option("yes", short: "y", help: "write without asking whether to; what is unsure stays out")
  static let noInput = Option("no-input", help: "never ask; what is unsure stays out")
  static let dryRun = Option("dry-run", short: "n", help: "write nothing, show the block")
  static let diff = Option("diff", help: "show the lines of the config that change")
  static let format = Option(
    "format", short: "f", value: "FORMAT", help: "output format", default: Format.text.rawValue,
    choices: Format.allCases.map(\.rawValue), category: .output)

  static let command = Command(
    name: "add-exchange",
    summary: "add an exchange from one answer",
    examples: [
      .init("market add-exchange", "step by step, on a terminal"),
      .init(
        "market add-exchange Newex https://host/tickers",
        "ask once, infer the block, ask what is unsure, write it"),
      .init("market add-exchange Newex --from-sample a.json --tickers https://host/tickers", "from a saved answer"),
      .init("market add-exchange Newex --from-curl -", "paste a curl line; its keys stay out of the config"),
      .init("market add-exchange Newex --like Binance --from-sample https://host/all", "a look-alike"),
      .init(
        "market add-exchange Newex -m futures --like Bybit --from-sample linear=a.json",
        "one answer for each part; once more for the next"),
      .init("market add-exchange Newex --from-sample a.json --dry-run -f json", "for a program"),
      .init("market add-exchange block.json", "merge a block that is written already"),
    ],
    arguments: [name, place],
    options: [sample, curl, like] + AddingOptions.all
      + [yes, noInput, dryRun, diff, format, .config, .scheme, .timeout],
    discussion: [
      "Names propose, the numbers of all rows decide: low <= price <= high, bid <= ask, turnover / volume is a price, the "
        + "change fits the open. What stays unsure is asked on a terminal, and left out with --yes or --no-input. An option "
        + "that gives a path goes before what is inferred, and is refused where the sample has nothing there.",
      "Keys and passwords of an address or a curl line are never written or shown: {secret:name} takes their place, and a "
        + "message says where to put them.",
      "The config is edited in place: every other byte stays as it was, and nothing is written before the result has been "
        + "read without an error. Where only the shipped config is in use, a file of your own is made that extends it.",
      "The sample is kept, without secrets, in the folder 'cassettes' beside the config: test-exchange holds the exchange "
        + "to it from then on.",
      "With --like each part of the table, the request for one pair and each lookup is proved by an answer of its own: "
        + "linear=a.json, ticker=b.json, contracts=c.json. What has none is listed as taken on trust.",
    ],
    work: .awaiting { try await run($0, in: $1) })
}
