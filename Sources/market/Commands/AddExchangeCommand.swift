import Onboarding
import Shell

/// `market add-exchange [NAME]`
enum AddExchangeCommand {
  static let command = Command(
    name: "add-exchange",
    summary: "add an exchange from one answer",
    examples: [
      .init("market add-exchange", "step by step, on a terminal"),
      .init(
        "market add-exchange Newex https://host/tickers",
        "send one request, infer the block, ask about what is uncertain, write it"),
      .init("market add-exchange Newex --from-sample a.json --tickers https://host/tickers", "from a saved answer"),
      .init("market add-exchange Newex --from-curl -", "paste a curl line; its keys stay out of the config"),
      .init(
        "market add-exchange Newex --like Binance --from-sample https://host/all", "modelled on a similar exchange"),
      .init(
        "market add-exchange Newex -m futures --like Bybit --from-sample linear=a.json",
        "one answer for each part; repeat for the next"),
      .init(
        "market add-exchange Newex URL --set fields.high=$.hi --set takerFee=0.1",
        "give a field and a key that no answer shows"),
      .init("market add-exchange Newex --from-sample a.json --dry-run -f json", "for use by another program"),
      .init(
        "market add-exchange Newex --symbol BTC/KRW --from-sample candles=URL",
        "candles for an existing exchange; likewise trades= and orderbook="),
      .init(
        "market add-exchange Newex --stream-sample messages.ndjson",
        "propose its stream; requests its table to compare the numbers"),
      .init("market add-exchange block.json", "merge a finished block"),
    ],
    arguments: OnboardingOptions.arguments,
    options: OnboardingOptions.all,
    discussion: [
      "Names suggest a mapping, and the numbers of all rows confirm it: low <= price <= high, bid <= ask, "
        + "turnover / volume is a price, the change fits the open. What remains uncertain is asked on a terminal, "
        + "and left out with --yes or --no-input. A path given on the command line takes precedence over an "
        + "inferred one, and is rejected if the sample has nothing there.",
      "Keys and passwords in an address or curl line are never written or shown: {secret:name} takes their "
        + "place, and a message says where to store them.",
      "The config is edited in place: every other byte stays the same, and nothing is written until the result "
        + "has been read without errors. If only the shipped config is in use, a file of your own is created that "
        + "extends it.",
      "The sample is kept, without secrets, in the folder 'cassettes' beside the config in use: from then "
        + "on, test-exchange checks the exchange against it.",
      "candles=SOURCE, trades=SOURCE and orderbook=SOURCE add a block to an exchange in your own file. Columns "
        + "are identified by how they relate: low <= open, close <= high, times on a grid, turnover / volume within "
        + "the candle, all bids below all asks. The pair, the interval, the count and the times in the address "
        + "become templates. What the numbers do not prove is left out or rejected. Prices are compared with the pair's "
        + "ticker in that recording, or in tickers=SOURCE.",
      "--stream-sample requests the table of an existing exchange and looks for its numbers in the messages: "
        + "what names the pair, where the rows are, which member is which field, and what only these messages have. "
        + "The lines are the messages themselves, or a recording made by 'market stream --record'. The block is "
        + "shown, not written; a field that no number proves is null, and keeps the table's value. Trades, order "
        + "books and candles are identified by how their columns relate, as in an answer; for a book also which "
        + "messages are whole, which change it, and what numbers them.",
      "With --like, each part of the table, the request for one pair and each lookup is proved by its own "
        + "answer: linear=a.json, ticker=b.json, contracts=c.json. Those without one are listed as taken on trust.",
    ],
    work: .awaiting { try await Onboarding.add($0, in: $1) })
}
