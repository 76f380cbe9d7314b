import Quotes

// The components of a table.

extension ObjectShape {
  static let limit: Self = .init(
    "limit", "Rate limit", "How many requests one run of the program may send in what time.",
    [
      KeyShape(
        "requests", .integer(IntegerRange.counts), "This many requests, or the sum of their costs,", examples: ["20"],
        isRequired: true),
      KeyShape("per", .duration, "in this time.", examples: ["\"1s\""], isRequired: true),
    ])

  static let success: Self = .init(
    "success", "Success", "How a good answer differs from a refusal: first by its body, then by its status.",
    [
      KeyShape(
        "where", .list(.object(.condition)), "All conditions hold for a good answer.",
        examples: ["[{ \"path\": \"$.code\", \"equals\": 0 }]"]),
      KeyShape(
        "code", .any([.path, .object(.value)]), "The exchange's own code of a refusal.", examples: ["\"$.code\""]),
      KeyShape("message", .list(.path), "Its message: the first path that gives text.", examples: ["[\"$.msg\"]"]),
      KeyShape(
        "unlisted", pairSigns,
        "If one holds, or all of a nested list, the pair is not listed, which is not a failure.",
        examples: ["[{ \"path\": \"$.code\", \"equals\": -1121 }]", "[{ \"status\": 404 }]"]),
      KeyShape(
        "halted", pairSigns, "The same of a pair that is listed, but not traded now.",
        examples: ["[{ \"path\": \"$.code\", \"equals\": 109415 }]"]),
    ])

  private static let pairSigns = ValueShape.list(.any([.object(.pairSign), .list(.object(.pairSign), 1...10_000)]))

  static let request: Self = .init(
    "request", "Request",
    "The request. Templates: {asset} {payment} {keys}, names of `set`, each |lower or |upper; {now.ms} {now.s} "
      + "{date:yyyyMMdd@+09:00} {secret:name}; {{ is a brace.",
    [
      KeyShape("method", .choice(RequestSpec.methods), "A POST is also a public read.", default: "\"GET\""),
      KeyShape(
        "path", .text(pattern: "^/([!\"$->@-z|}~]|\\{\\{|\\{[^{}|]+(\\|(lower|upper))?\\})*$"),
        "Appended to the base URL.",
        examples: ["\"/v1/tickers\"", "\"/v1/ticker/{asset}-{payment}\""], isRequired: true),
      KeyShape(
        "query", .map(.any([.template, .number, .boolean, .list(.template, 1...1)])),
        "Parameters, sent in this order; one whose value is a list with {keys} is sent once for each key of a batch.",
        examples: ["{ \"symbol\": \"{asset|lower}{payment|lower}\" }", "{ \"market\": [\"{keys}\"] }"]),
      KeyShape(
        "body", .anything,
        "A JSON value, sent without whitespace; {symbol|number} is a number, a list of one string with {keys} has an "
          + "element for each key of a batch.",
        examples: ["{ \"type\": \"metaAndAssetCtxs\" }"]),
      KeyShape(
        "form", .map(.any([.template, .number, .boolean])),
        "Members to send as application/x-www-form-urlencoded, instead of a body; only with POST."),
      KeyShape("cost", .integer(IntegerRange.cost), "How much the request counts against `limit`.", default: "1"),
    ])

  static let zip: Self = .init(
    "zip", "Arrays side by side", "The row is the array of the i-th elements.",
    [
      KeyShape(
        "zip", .list(.path, 2...10_000), "Where the arrays are.", examples: ["[\"$[0].universe[*]\", \"$[1][*]\"]"],
        isRequired: true)
    ])

  static let symbolRule: Self = .init(
    "symbolRule", "Symbol rule", "How a symbol is taken apart: `prefix` and `suffix` are removed, then it is split.",
    excluding: [("match", ["split", "order"])],
    [
      KeyShape("prefix", .text(), "Required, and removed.", examples: ["\"t\""]),
      KeyShape("suffix", .text(), "Required, and removed.", examples: ["\"-SWAP\""]),
      KeyShape(
        "split", .any([.choice(["payment"]), .text(pattern: ".")]),
        "`payment`: the longest payment currency at the end; otherwise the separator between the two.",
        examples: ["\"payment\"", "\"-\""]),
      KeyShape(
        "order", .choice(SymbolSpec.Rule.Order.allCases.map(\.rawValue)), "Which of the two comes first.",
        default: "\"asset-payment\""),
      KeyShape(
        "match", .text(), "A regular expression with groups `asset` and `payment`, instead of `split`.",
        examples: ["\"(?<asset>[A-Z]+)(?<payment>USDT?)\""]),
      KeyShape("asset", .name, "Overrides the asset.", examples: ["\"$.base\""]),
      KeyShape("payment", .name, "Overrides the payment currency.", examples: ["\"USDC\"", "\"$.quote\""]),
      KeyShape("skip", .boolean, "Drops the row silently.", default: "false"),
      KeyShape("product", .text(), "Names the group of futures.", examples: ["\"inverse\""]),
    ])

  /// Here `product` names the group of futures, as in a rule. The `product` of numbers does not apply to symbols.
  static let symbol: Self = .init(
    "symbol", "Symbol",
    "Which string names the pair, and the rule or rules that take it apart; the first that matches wins.",
    excluding: [("match", ["split", "order"])],
    value.keys.filter { $0.name != "product" } + symbolRule.keys + [
      KeyShape(
        "rules", .list(.object(.symbolRule), 1...10_000), "Rules, tried in order.",
        examples: ["[{ \"suffix\": \"PERP\", \"payment\": \"USDC\" }, { \"split\": \"payment\" }]"])
    ])

  static let lookup: Self = .init(
    "lookup", "Lookup", "A keyed table. Without a request it is read from the row's own answer.",
    [
      KeyShape("request", .object(.request), "The request."),
      KeyShape("baseUrls", .baseURLs, "Hosts, if not the table's."),
      KeyShape("headers", .map(.template), "Headers, if not the table's."),
      KeyShape("success", .object(.success), "How a good answer is recognized, if not as for the table."),
      KeyShape(
        "rows", .any([.path, .object(.zip)]), "Where the rows are.", examples: ["\"$.data[*]\""], isRequired: true),
      KeyShape(
        "where", .list(.object(.condition)), "Rows to keep.",
        examples: ["[{ \"path\": \"$.state\", \"equals\": \"live\" }]"]),
      KeyShape("key", .value, "The value that identifies a row.", examples: ["\"$.symbol\""], isRequired: true),
      KeyShape(
        "match", .value, "The value of the table's row to look for (default: `key`).",
        examples: ["\"$.symbol\""]),
      KeyShape(
        "ttl", .durationOrNone,
        "How long the answer is kept on disk: by default 1h, or 10m if `where` or `batch` reads the lookup."),
      KeyShape(
        "optional", .boolean, "Whether rows are kept if it fails, as if they met the conditions that read it.",
        default: "false"),
      KeyShape("signed", .boolean, "Whether the request is signed; only in account blocks.", default: "false"),
      KeyShape("hook", .text(), "Swift code that turns the answer into JSON."),
    ])

  static let paymentGroup: Self = .init(
    "paymentGroup", "Group of payment currencies", "Currencies that are settled the same way.",
    [
      KeyShape(
        "category", .choice(PaymentGroup.Category.allCases.map(\.rawValue)),
        "What the contracts are margined in, for readers."),
      KeyShape(
        "currencies", .texts, "As the exchange spells them.", examples: ["[\"USDT\", \"USDC\"]"], isRequired: true),
      KeyShape("note", .text(), "A note for readers."),
    ])

  package static let fields: Self = .init(
    "fields", "Fields",
    "Where a row has its values: a path, a constant, or an object with more keys. null removes a field.",
    TickerField.allCases.map { field in
      KeyShape(field.rawValue, field.shape.orNull, field.summary, examples: [field.example])
    })
}

extension TickerField {
  fileprivate var shape: ValueShape {
    switch self {
    case .time: .object(.timeValue)
    case .changePricePercent24: .object(.changeValue)
    default: .numeric
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
    case .volume24: "24-hour volume in the asset."
    case .turnover24: "24-hour volume in the payment currency."
    case .open: "The price that the change is measured from."
    case .high: "The highest price."
    case .low: "The lowest price."
    case .bid: "The best bid."
    case .ask: "The best ask."
    case .time: "The time of the row."
    }
  }
}
