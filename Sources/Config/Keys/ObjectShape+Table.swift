import Quotes

// The components of a table.

extension ObjectShape {
  static let limit = ObjectShape(
    "Rate limit", "How much may be asked in how long.",
    [
      KeyShape(
        "requests", .integer(1...1_000_000), "So many requests, or their costs together,", examples: ["20"],
        isRequired: true),
      KeyShape("per", .duration, "in this time.", examples: ["\"1s\""], isRequired: true),
    ])

  static let success = ObjectShape(
    "Success", "How an answer is told from a refusal: first by its body, then by its status.",
    [
      KeyShape(
        "where", .list(.object(.condition)), "All conditions hold for a good answer.",
        examples: ["[{ \"path\": \"$.code\", \"equals\": 0 }]"]),
      KeyShape(
        "code", .any([.path, .object(.value)]), "The exchange's own code of a refusal.", examples: ["\"$.code\""]),
      KeyShape(
        "message", .list(.path), "Its words: the first path that gives text.", examples: ["[\"$.msg\"]"]),
      KeyShape(
        "unlisted", .list(.any([.object(.unlistedSign), .list(.object(.unlistedSign), 1...100)])),
        "If one holds, or all of a list inside, the pair is not listed: no failure.",
        examples: ["[{ \"path\": \"$.code\", \"equals\": -1121 }]", "[{ \"status\": 404 }]"]),
    ])

  static let request = ObjectShape(
    "Request",
    "What is asked. Templates: {asset} {payment} {keys}, names of `set`, each |lower or |upper; {now.ms} "
      + "{now.s} {date:yyyyMMdd@+09:00} {secret:name}; {{ is a brace.",
    [
      KeyShape("method", .choice(["GET", "POST"]), "A POST is a public read as well.", default: "\"GET\""),
      KeyShape(
        "path", .text(pattern: "^/([^{?#]|\\{\\{|\\{[^{}|]+(\\|(lower|upper))?\\})*$"), "Behind the base URL.",
        examples: ["\"/v1/tickers\"", "\"/v1/ticker/{asset}-{payment}\""], isRequired: true),
      KeyShape(
        "query", .map(.any([.template, .number, .boolean])), "Parameters, sent in this order.",
        examples: ["{ \"symbol\": \"{asset|lower}{payment|lower}\" }"]),
      KeyShape(
        "body", .anything, "A JSON value, sent as compact text.", examples: ["{ \"type\": \"metaAndAssetCtxs\" }"]),
      KeyShape(
        "form", .map(.any([.template, .number, .boolean])),
        "Members that are sent as application/x-www-form-urlencoded, in the place of a body."),
      KeyShape("cost", .integer(0...100_000), "What the request counts against `limit`.", default: "1"),
    ])

  static let zip = ObjectShape(
    "Arrays side by side", "The row is the array of the i-th elements.",
    [
      KeyShape(
        "zip", .list(.path, 2...100), "Where the arrays are.", examples: ["[\"$[0].universe[*]\", \"$[1][*]\"]"],
        isRequired: true)
    ])

  static let symbolRule = ObjectShape(
    "Symbol rule", "How a symbol is taken apart: `prefix` and `suffix` come off, then it is split.",
    excluding: [("match", ["split", "order"])],
    [
      KeyShape("prefix", .text(), "Must be there, and is taken off.", examples: ["\"t\""]),
      KeyShape("suffix", .text(), "Must be there, and is taken off.", examples: ["\"-SWAP\""]),
      KeyShape(
        "split", .any([.choice(["payment"]), .text(pattern: ".")]),
        "`payment`: the longest payment currency at the end; else what stands between the two.",
        examples: ["\"payment\"", "\"-\""]),
      KeyShape(
        "order", .choice(["asset-payment", "payment-asset"]), "Which of the two comes first.",
        default: "\"asset-payment\""),
      KeyShape(
        "match", .text(), "A regular expression with groups `asset` and `payment`, instead of `split`.",
        examples: ["\"(?<asset>[A-Z]+)(?<payment>USDT?)\""]),
      KeyShape("asset", .name(.value), "Overrides the asset.", examples: ["\"$.base\""]),
      KeyShape("payment", .name(.value), "Overrides the payment currency.", examples: ["\"USDC\"", "\"$.quote\""]),
      KeyShape("skip", .boolean, "Drops the row in silence.", default: "false"),
      KeyShape("product", .text(), "Names the group of futures.", examples: ["\"inverse\""]),
    ])

  /// Here `product` names the group of futures, as in a rule. The `product` of numbers does not apply to symbols.
  static let symbol = ObjectShape(
    "Symbol", "Which text names the pair, and the rule or rules that take it apart; the first that fits wins.",
    excluding: [("match", ["split", "order"])],
    value.keys.filter { $0.name != "product" } + symbolRule.keys + [
      KeyShape(
        "rules", .list(.object(.symbolRule), 1...1000), "Rules, tried in order.",
        examples: ["[{ \"suffix\": \"PERP\", \"payment\": \"USDC\" }, { \"split\": \"payment\" }]"])
    ])

  static let lookup = ObjectShape(
    "Lookup", "A table by key. Without a request it is read from the row's own answer.",
    [
      KeyShape("request", .object(.request), "What is asked."),
      KeyShape("baseUrls", .baseURLs, "Hosts, if others than the table's."),
      KeyShape("headers", .map(.template), "Headers, if others than the table's."),
      KeyShape("success", .object(.success), "How a good answer is told, if not as the table's."),
      KeyShape(
        "rows", .any([.path, .object(.zip)]), "Where the rows are.", examples: ["\"$.data[*]\""], isRequired: true),
      KeyShape(
        "where", .list(.object(.condition)), "Rows that are kept.",
        examples: ["[{ \"path\": \"$.state\", \"equals\": \"live\" }]"]),
      KeyShape(
        "key", .value(.value), "The value by which a row is found.", examples: ["\"$.symbol\""], isRequired: true),
      KeyShape(
        "match", .value(.value), "The value of the table's row to look for; without it: `key`.",
        examples: ["\"$.symbol\""]),
      KeyShape("ttl", .duration, "How long the answer is kept on disk.", default: "\"1d\""),
      KeyShape(
        "signed", .boolean, "Whether the request is signed; in the blocks of an account alone.", default: "false"),
      KeyShape("hook", .text(), "Swift code that turns the answer into JSON."),
    ])

  static let paymentGroup = ObjectShape(
    "Group of payment currencies", "Currencies that are settled alike.",
    [
      KeyShape("category", .choice(["usd(s)-m", "coin-m", "spot"]), "What the contracts are margined in."),
      KeyShape(
        "currencies", .texts, "As the exchange spells them.", examples: ["[\"USDT\", \"USDC\"]"], isRequired: true),
      KeyShape("note", .text(), "What a reader should know."),
    ])

  package static let fields = ObjectShape(
    "Fields", "Where a row has what: a path, a constant, or an object that says more. null removes a field.",
    TickerField.allCases.map { field in
      KeyShape(field.rawValue, .any([field.shape, .null]), field.summary, examples: [field.example])
    })
}

extension TickerField {
  fileprivate var shape: ValueShape {
    switch self {
    case .time: .object(.timeValue)
    case .changePricePercent24: .object(.changeValue)
    default: .numeric(.value)
    }
  }

  fileprivate var example: String {
    switch self {
    case .price: "\"$.last\""
    case .changePricePercent24: "{ \"path\": \"$.change\", \"scale\": 100, \"basis\": \"rolling24h\" }"
    case .volume24: "\"$.volume\""
    case .turnover24: "\"$.quoteVolume\""
    case .time: "{ \"path\": \"$.ts\", \"unit\": \"ms\" }"
    default: "\"$.\(rawValue)\""
    }
  }

  fileprivate var summary: String {
    switch self {
    case .price: "The last price."
    case .changePricePercent24: "The change in percent; its `basis` says since when."
    case .volume24: "Traded in 24 hours, in the asset."
    case .turnover24: "Traded in 24 hours, in the payment currency."
    case .open: "The price that the change is measured from."
    case .high: "The highest price."
    case .low: "The lowest price."
    case .bid: "The best offer to buy."
    case .ask: "The best offer to sell."
    case .time: "When the row was true."
    }
  }
}
