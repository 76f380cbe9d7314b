extension GivenKeys {
  static let ticker = Option(
    "ticker", value: "PATH", help: "the path that asks for one pair: /ticker?s={asset}{payment}", category: .request)
  static let tickerRows = Option(
    "ticker-rows", value: "PATH", help: "where the answer about one pair has its row", category: .request)
  static let cost = Option("cost", value: "N", help: "what the request counts against --limit", category: .request)
  static let limit = Option("limit", value: "N/TIME", help: "how much may be asked: 20/1s", category: .request)

  static let missing = Option(
    "missing", value: "TEXT", help: "a text that means no value: --missing=--; may be repeated", category: .fields)

  static let condition = Option(
    "where", value: "CONDITION",
    help: "rows that are kept: '$.state=live', '$.type!=index', '$.price>0', '$.expiry is absent'; may be repeated",
    category: .judging)
  static let success = Option(
    "success", value: "CONDITION", help: "what a good answer has: '$.code=0'; may be repeated", category: .judging)
  static let code = Option(
    "error-code", value: "PATH", help: "where a refusal has its code", category: .judging)
  static let message = Option(
    "error-message", value: "PATH", help: "where a refusal has its words; may be repeated", category: .judging)
  static let unlisted = Option(
    "unlisted", value: "CONDITION", help: "what says that a pair is not listed; may be repeated", category: .judging)

  static let alias = Option(
    "alias", value: "OWN=NAME", help: "a name of its own for an asset: XBT=BTC; may be repeated", category: .rows)
  static let multiplier = Option(
    "multiplier", value: "MARK=N", help: "what stands before an asset and multiplies it: 1000=1000", category: .rows)

  static let names = Option("names", value: "LIST", help: "further names that people ask for", category: .exchange)
  static let badge = Option("badge", value: "TEXT", help: "up to three letters or an emoji", category: .exchange)
  static let documentation = Option(
    "docs", value: "URL", help: "where the exchange documents its interface", category: .exchange)
  static let note = Option("note", value: "TEXT", help: "what a reader of the config should know", category: .exchange)
  static let verified = Option(
    "verified", value: "DAY", help: "when a recorded answer passed the checks: 2026-07-01", category: .exchange)
  static let disabled = Option("disabled", help: "write it, and do not ask it", category: .exchange)
  static let takerFee = Option(
    "taker-fee", value: "PERCENT", help: "of a trade: 0.1, or KRW=0.05,*=0.25", category: .exchange)
  static let refresh = Option("refresh", value: "TIME", help: "how often a live view asks: 2s", category: .exchange)
  static let staleAfter = Option("stale-after", value: "TIME", help: "how old a quote may be: 5m", category: .exchange)
  static let hook = Option(
    "hook", value: "NAME", help: "the Swift code that turns its answer into JSON", category: .exchange)
  static let set = Option(
    "set", value: "KEY=JSON", help: "any key of the block: markets.spot.orderbook='{…}'; may be repeated",
    category: .exchange)

  static let request = [limit, cost, ticker, tickerRows]
  static let pairs = [alias, multiplier]
  static let judging = [condition, success, code, message, unlisted]
  static let exchange = [
    names, badge, documentation, note, verified, disabled, takerFee, refresh, staleAfter, hook, set,
  ]
}
