import Quotes

// The data that an exchange provides only to account owners, and the signing of such requests.

extension ObjectShape {
  static let auth = ObjectShape(
    "Signing", "How the requests of an account are signed: what is computed, and what of it is sent.",
    excluding: [("form", ["body"])],
    [
      KeyShape(
        "values", .map(.any([.signedTemplate, .object(.authFunction)])),
        "What is computed, in this order: texts, or a function with what it works on. Each may name those before it.",
        examples: ["{ \"sign\": { \"hmac-sha256\": \"{query}\", \"key\": \"{secret:secret}\" } }"]),
      KeyShape(
        "headers", .map(.signedScalar), "Headers that are added.", examples: ["{ \"X-KEY\": \"{secret:apiKey}\" }"]),
      KeyShape(
        "query", .map(.signedScalar),
        "Parameters that are added: before those of the request, or at the end where they "
          + "are made of it.", examples: ["{ \"timestamp\": \"{now.ms}\", \"signature\": \"{sign|hex}\" }"]),
      KeyShape(
        "form", .map(.signedScalar), "Members of the form that are added.", examples: ["{ \"nonce\": \"{nonce.ms}\" }"]),
      KeyShape(
        "body", .map(.anything), "Members of the JSON object that are added.", examples: ["{ \"nonce\": \"{uuid}\" }"]),
      KeyShape("baseUrls", .baseURLs, "Where signed requests go, if not where the others go."),
      KeyShape("success", .object(.success), "How the answers to signed requests are told from refusals."),
      KeyShape("limit", .object(.limit), "How many signed requests the exchange allows."),
      KeyShape("note", .text(), "What a reader should know."),
      KeyShape(
        "vectors", .list(.object(.authVector)),
        "Known answers: each is computed when the config is checked, and never sent."),
    ])

  static let authFunction = ObjectShape(
    "Function", "One function, and what it works on.",
    needsOneOf: functions.map(\.name),
    excluding: functions.map { function in
      (
        function.name,
        functions.map(\.name).filter { $0 != function.name } + (function.name == "json" ? ["key"] : [])
      )
    },
    functions + [
      KeyShape(
        "key", .signedTemplate, "What it is done with; every function but json has one.",
        examples: ["\"{secret:secret}\"", "\"{secret:secret|unbase64}\""])
    ])

  private static let functions =
    ["hmac-sha256", "hmac-sha384", "hmac-sha512"].map { name in
      KeyShape(
        name, .signedTemplate, "The code of this text (RFC 2104), as bytes.", examples: ["\"{now.ms}{method}{target}\""]
      )
    } + [
      KeyShape(
        "ed25519", .signedTemplate,
        "The signature of this text (RFC 8032), as bytes; the key has 32 bytes, or 64 whose first half counts.")
    ]
    + ["jwt-hs256", "jwt-hs512"].map { name in
      KeyShape(
        name, .map(.anything), "The token with these claims (RFC 7519).",
        examples: ["{ \"access_key\": \"{secret:apiKey}\", \"nonce\": \"{uuid}\" }"])
    } + [
      KeyShape(
        "json", .map(.anything), "The text of this object, without blanks.", examples: ["{ \"nonce\": \"{nonce.ms}\" }"]
      )
    ]

  static let authVector = ObjectShape(
    "Known answer", "A request, made-up secrets, and what is sent for them.",
    [
      KeyShape("source", .text(), "Where it is from.", examples: ["\"rest-api.md of the exchange\""]),
      KeyShape("now", .integer(0...8_000_000_000_000), "The time, in milliseconds since 1970.", default: "0"),
      KeyShape("nonce", .integer(0...8_000_000_000_000), "The nonce, in milliseconds, if not the time."),
      KeyShape("uuid", .text(), "What {uuid} is."),
      KeyShape("secrets", .map(.text()), "Made up; by name."),
      KeyShape("set", .map(.any([.scalar, .null])), "What the names of `set` are."),
      KeyShape("keys", .text(), "What {keys} is."),
      KeyShape("request", .object(.vectorRequest), "What is asked.", isRequired: true),
      KeyShape("sent", .object(.vectorSent), "What must be equal.", isRequired: true),
    ])

  static let vectorRequest = ObjectShape(
    "Request of a known answer",
    "As any request; a text in the place of parameters, form or body is signed as it stands.",
    request.keys.map { key in
      switch key.name {
      case "query", "form": KeyShape(key.name, .any([.text(), key.value]), key.summary)
      default: key
      }
    })

  static let vectorSent = ObjectShape(
    "What is sent", "What stands here must be equal.",
    needsOneOf: ["method", "url", "headers", "body"],
    [
      KeyShape("method", .choice(["GET", "POST"]), "The method."),
      KeyShape("url", .text(), "The whole URL."),
      KeyShape("headers", .map(.text()), "Headers, by name."),
      KeyShape("body", .text(), "The body, byte by byte."),
    ])

  static let balances = ObjectShape(
    "Balances of an account",
    "How much of what is in one account. It takes what it lacks from `auth`, then from the exchange.",
    asked + rowsWithAsset + [balanceFieldsKey, forEach(.balancesPart), batchKey])

  static let balancesPart = ObjectShape(
    "Part of an account", "What differs in this part.", [setKey] + asked + rowsWithAsset + [balanceFieldsKey])

  static let balanceFields = ObjectShape(
    "Fields of a balance", "Two of the three give the third.",
    [
      ("free", "What can be used."), ("locked", "What is in orders, serves as margin, or is on its way out."),
      ("total", "All that is yours; in futures with the open profit, where the exchange says it."),
    ].map { KeyShape($0.0, .any([.numeric(.value), .null]), $0.1, examples: ["\"$.\($0.0)\""]) })

  static let walletStatus = ObjectShape(
    "Wallet status", "Which coins can be deposited and withdrawn, network by network.",
    asked + rowsWithAsset + wallets + [forEach(.walletStatusPart), batchKey])

  static let walletStatusPart = ObjectShape(
    "Part of the wallets", "What differs in this part.", [setKey] + asked + rowsWithAsset + wallets)

  static let permissions = ObjectShape(
    "Permissions of a key", "What a key may do: one condition of a list holds, or all of a list inside.",
    asked + rights + [forEach(.permissionsPart), batchKey])

  static let permissionsPart = ObjectShape(
    "Part of the permissions", "What differs in this part.", [setKey] + asked + rights)

  // MARK: Groups of keys

  /// The request keys of such a block.
  private static let asked =
    block.filter {
      ["baseUrls", "headers", "limit", "success", "request", "lookups", "hook", "verified", "note"].contains($0.name)
    } + [
      KeyShape(
        "signed", .any([.boolean, .null]),
        "Whether the request is signed; without it those of balances and permissions are, those of walletStatus are not."
      ),
      KeyShape("auth", .any([.object(.auth), .null]), "Another way to sign than the exchange's."),
    ]

  private static let rowsWithAsset =
    block.filter { ["rows", "where", "aliases", "multiplier"].contains($0.name) } + [
      KeyShape("asset", .any([.name(.value), .null]), "The name of the asset.", examples: ["\"$.currency\""])
    ]

  private static let balanceFieldsKey = KeyShape(
    "fields", .any([.object(.balanceFields), .null]), "Where a row has how much.",
    examples: ["{ \"free\": \"$.free\", \"locked\": \"$.locked\" }"])

  private static let wallets = [
    KeyShape(
      "networks", .any([.path, .null]),
      "From a row to the rows of its networks, which are `$` then; the row is "
        + "`\"from\": \"row\"`.", examples: ["\"$.chains[*]\""]),
    KeyShape("network", .any([.value(.value), .null]), "The name of the network.", examples: ["\"$.name\""]),
    KeyShape(
      "deposit", .any([.list(.object(.condition)), .null]),
      "Open: all hold. Closed: one fails. Unknown: one leads to nothing, and none fails.",
      examples: ["[{ \"path\": \"$.depositEnable\", \"equals\": true }]"]),
    KeyShape(
      "withdraw", .any([.list(.object(.condition)), .null]), "The same of withdrawals.",
      examples: ["[{ \"path\": \"$.withdrawEnable\", \"equals\": true }]"]),
    KeyShape(
      "message", .any([.value(.value), .list(.value(.value), 1...100), .null]),
      "The exchange's words: the first text that is there.", examples: ["[\"$.depositDesc\", \"$.withdrawDesc\"]"]),
    KeyShape("ttl", .any([.duration, .null]), "How long a public answer is kept on disk.", default: "\"1m\""),
  ]

  private static let rights = [
    KeyShape(
      "trade", rightShape, "The key may trade.", examples: ["[{ \"path\": \"$.canTrade\", \"equals\": true }]"]),
    KeyShape(
      "withdraw", rightShape, "The key may withdraw, or transfer to others.",
      examples: ["[{ \"path\": \"$.canWithdraw\", \"equals\": true }]"]),
    KeyShape(
      "expires", .any([.object(.timeValue), .null]), "When it ends.",
      examples: ["{ \"path\": \"$.expiresAt\", \"unit\": \"ms\" }"]),
    KeyShape(
      "addresses", .any([.path, .null]),
      "Where it may be used from: a list of addresses, a text with commas between them, or true and false.",
      examples: ["\"$.ipWhitelist\""]),
  ]

  private static let rightShape = ValueShape.any([
    .list(.any([.object(.condition), .list(.object(.condition), 1...100)])), .null,
  ])

  private static let setKey = KeyShape(
    "set", .any([.map(.any([.scalar, .null])), .null]), "Constants for templates; those of `auth` know them too.",
    examples: ["{ \"call\": \"user-balance\" }"])

  private static let batchKey = KeyShape(
    "batch", .any([.object(.batch), .null]), "Keys of a lookup that are asked for in portions.")

  private static func forEach(_ part: ShapeID) -> KeyShape {
    KeyShape(
      "forEach", .any([.list(.object(part), 1...1000), .null]), "Parts that are asked apart: any key may differ.")
  }

  /// The account blocks of an exchange.
  static let accountBlocks = [
    KeyShape("auth", .any([.object(.auth), .null]), "How requests of an account are signed."),
    KeyShape(
      "balances", .any([.map(.object(.balances)), .null]),
      "How much of what is there, by account: spot, funding, futures, or the exchange's own word."),
    KeyShape("walletStatus", .any([.object(.walletStatus), .null]), "Which wallets are open."),
    KeyShape("permissions", .any([.object(.permissions), .null]), "What a key may do."),
  ]
}

extension ValueShape {
  /// A template of `auth`, with placeholders and filters.
  static let signedTemplate = ValueShape.text(
    pattern: "^([^{]|\\{\\{|\\{[^{}|]+(\\|("
      + SignedTemplate.Filter.allCases.map(\.rawValue).joined(separator: "|") + "))*\\})*$")

  /// The same, or a number or boolean used as text.
  static let signedScalar = ValueShape.any([signedTemplate, .number, .boolean])
}
