import Quotes

// The data that an exchange provides only to account owners, and the signing of such requests.

extension ObjectShape {
  static let auth: Self = .init(
    "auth", "Signing", "How account requests are signed: what is computed, and which results are sent.",
    excluding: [("form", ["body"])],
    [
      KeyShape(
        "values", .map(.any([.signedTemplate, .object(.authFunction)])),
        "What is computed, in this order: strings, or a function with its input. Each may use those before it.",
        examples: ["{ \"sign\": { \"hmac-sha256\": \"{query}\", \"key\": \"{secret:secret}\" } }"]),
      KeyShape("headers", .map(.signedScalar), "Headers to add.", examples: ["{ \"X-KEY\": \"{secret:apiKey}\" }"]),
      KeyShape(
        "query", .map(.signedScalar),
        "Parameters to add: before those of the request, or at the end if computed from it.",
        examples: ["{ \"timestamp\": \"{now.ms}\", \"signature\": \"{sign|hex}\" }"]),
      KeyShape("form", .map(.signedScalar), "Form members to add.", examples: ["{ \"nonce\": \"{nonce.ms}\" }"]),
      KeyShape("body", .map(.anything), "Members of the JSON object to add.", examples: ["{ \"nonce\": \"{uuid}\" }"]),
      KeyShape("baseUrls", .baseURLs, "Where signed requests go, if not to the same hosts as the others."),
      KeyShape("success", .object(.success), "How good answers to signed requests differ from refusals."),
      KeyShape("limit", .object(.limit), "How many signed requests the exchange allows."),
      KeyShape("note", .text(), "What else a refusal may mean: shown beside one."),
      KeyShape(
        "refused", .list(.text(), 1...10_000),
        "The exchange's error codes (`code` of `success`) beside which `note` is shown; without it, beside all.",
        examples: ["[\"10003\"]"]),
      KeyShape(
        "vectors", .list(.object(.authVector)),
        "Known answers: each is computed when the config is checked, and never sent."),
    ])

  static let authFunction: Self = .init(
    "authFunction", "Function", "One function and its input.",
    needsOneOf: functions.map(\.name),
    excluding: functions.map { function in
      (function.name, functions.map(\.name).filter { $0 != function.name } + (function.name == "json" ? ["key"] : []))
    },
    functions + [
      KeyShape(
        "key", .signedTemplate, "The key to use; every function but json needs one.",
        examples: ["\"{secret:secret}\"", "\"{secret:secret|unbase64}\""])
    ])

  private static let functions =
    ["hmac-sha256", "hmac-sha384", "hmac-sha512"].map { name in
      KeyShape(
        name, .signedTemplate, "The HMAC of this string (RFC 2104), as bytes.",
        examples: ["\"{now.ms}{method}{target}\""]
      )
    } + [
      KeyShape(
        "ed25519", .signedTemplate,
        "The signature of this string (RFC 8032), as bytes; the key has 32 bytes, or 64 of which the first half "
          + "counts.")
    ]
    + ["jwt-hs256", "jwt-hs512"].map { name in
      KeyShape(
        name, .map(.anything), "The token with these claims (RFC 7519).",
        examples: ["{ \"access_key\": \"{secret:apiKey}\", \"nonce\": \"{uuid}\" }"])
    } + [
      KeyShape(
        "json", .map(.anything), "This object as JSON, without whitespace.",
        examples: ["{ \"nonce\": \"{nonce.ms}\" }"]
      )
    ]

  static let authVector: Self = .init(
    "authVector", "Known answer", "A request, made-up secrets, and what is sent for them.",
    [
      KeyShape("source", .text(), "Its source.", examples: ["\"rest-api.md of the exchange\""]),
      KeyShape("now", .integer(IntegerRange.milliseconds), "The time, in milliseconds since 1970.", default: "0"),
      KeyShape("nonce", .integer(IntegerRange.milliseconds), "The nonce, in milliseconds, if not the time."),
      KeyShape("uuid", .text(), "What {uuid} is."),
      KeyShape("secrets", .map(.text()), "Made-up secrets, by name."),
      KeyShape("set", .map(.scalar.orNull), "The values of the names in `set`."),
      KeyShape("keys", .text(), "What {keys} is."),
      KeyShape("request", .object(.vectorRequest), "The request.", isRequired: true),
      KeyShape("sent", .object(.vectorSent), "The expected result.", isRequired: true),
    ])

  static let vectorRequest: Self = .init(
    "vectorRequest", "Request of a known answer",
    "Like any request; a string in place of parameters, form or body is signed literally.",
    request.keys.map { key in
      switch key.name {
      case "query", "form": KeyShape(key.name, .any([.text(), key.value]), key.summary)
      default: key
      }
    })

  static let vectorSent: Self = .init(
    "vectorSent", "What is sent", "Everything listed here must match.",
    needsOneOf: ["method", "url", "headers", "body"],
    [
      KeyShape("method", .choice(RequestSpec.methods), "The method."),
      KeyShape("url", .text(), "The whole URL."),
      KeyShape("headers", .map(.text()), "Headers, by name."),
      KeyShape("body", .text(), "The body, byte by byte."),
    ])

  static let balances: Self = .init(
    "balances", "Balances of an account",
    "The balances of one account. Missing keys are taken from `auth`, then from the exchange.",
    asked + rowsWithAsset + [
      balanceFieldsKey, forEach(.balancesPart), batchKey,
      KeyShape(
        "absent", .list(.text(), 1...10_000).orNull,
        "The exchange's error codes (`code` of `success`) for a key whose owner has no such account: the account is "
          + "left out if another one answers, and empty if it is the only one.", examples: ["[\"40085\"]"]),
    ])

  static let balancesPart: Self = .init(
    "balancesPart", "Part of an account", "What differs in this part.",
    [setKey] + asked + rowsWithAsset + [balanceFieldsKey])

  static let balanceFields: Self = .init(
    "balanceFields", "Fields of a balance", "Any two of the three give the third.",
    [
      ("free", "The available amount."), ("locked", "The amount in orders, used as margin, or being withdrawn."),
      ("total", "The whole amount; for futures including open profit, if the exchange sends it."),
    ].map { KeyShape($0.0, .numeric.orNull, $0.1, examples: ["\"$.\($0.0)\""]) })

  static let walletStatus: Self = .init(
    "walletStatus", "Wallet status", "Which coins can be deposited and withdrawn, network by network.",
    asked + rowsWithAsset + wallets + [forEach(.walletStatusPart), batchKey])

  static let walletStatusPart: Self = .init(
    "walletStatusPart", "Part of the wallets", "What differs in this part.", [setKey] + asked + rowsWithAsset + wallets)

  static let permissions: Self = .init(
    "permissions", "Permissions of a key",
    "What a key may do: one condition of a list holds, or all of a nested list. A string is a word of `rights`.",
    asked + rights + [forEach(.permissionsPart), batchKey])

  static let permissionsPart: Self = .init(
    "permissionsPart", "Part of the permissions", "What differs in this part.", [setKey] + asked + rights)

  // MARK: Groups of keys

  /// The request keys of such a block.
  private static let asked =
    block.filter {
      ["baseUrls", "headers", "limit", "success", "request", "lookups", "hook", "verified", "note"].contains($0.name)
    } + [
      KeyShape(
        "signed", .boolean.orNull,
        "Whether the request is signed; by default those of balances and permissions are, those of walletStatus "
          + "are not."
      ),
      KeyShape("auth", .object(.auth).orNull, "A way to sign other than the exchange's."),
    ]

  private static let rowsWithAsset =
    block.filter { ["rows", "where", "aliases", "multiplier"].contains($0.name) } + [
      KeyShape("asset", .name.orNull, "The name of the asset.", examples: ["\"$.currency\""])
    ]

  private static let balanceFieldsKey = KeyShape(
    "fields", .object(.balanceFields).orNull, "Where a row has its amounts.",
    examples: ["{ \"free\": \"$.free\", \"locked\": \"$.locked\" }"])

  private static let wallets = [
    KeyShape(
      "networks", .path.orNull,
      "From a row to the rows of its networks, which are `$` then; the row is "
        + "`\"from\": \"row\"`.", examples: ["\"$.chains[*]\""]),
    KeyShape("network", .value.orNull, "The name of the network.", examples: ["\"$.name\""]),
    KeyShape(
      "deposit", .list(.object(.walletCondition), 1...10_000).orNull,
      "Open: all hold. Closed: one fails. Unknown: none fails, but one leads nowhere, or to neither state.",
      examples: [
        "[{ \"path\": \"$.depositEnable\", \"equals\": true }]",
        "[{ \"path\": \"$.deposits\", \"open\": \"normal\", \"closed\": \"suspended\" }]",
      ]),
    KeyShape(
      "withdraw", .list(.object(.walletCondition), 1...10_000).orNull, "The same for withdrawals.",
      examples: ["[{ \"path\": \"$.withdrawEnable\", \"equals\": true }]"]),
    KeyShape(
      "message", .any([.value, .list(.value, 1...10_000), .null]),
      "The exchange's words: the first string found.", examples: ["[\"$.depositDesc\", \"$.withdrawDesc\"]"]),
    KeyShape("ttl", .durationOrNone.orNull, "How long a public answer is kept on disk.", default: "\"1m\""),
  ]

  private static let rights = [
    KeyShape(
      "trade", rightShape, "The key may trade.",
      examples: ["[{ \"path\": \"$.canTrade\", \"equals\": true }]", "[\"spot|futures\"]"]),
    KeyShape(
      "withdraw", rightShape, "The key may withdraw, or transfer to others.",
      examples: ["[{ \"path\": \"$.canWithdraw\", \"equals\": true }]", "[\"withdraw\"]"]),
    KeyShape(
      "rights", .path.orNull,
      "The words for what the key may do, an array or a string with commas between them: in `trade` and `withdraw`, a "
        + "regular expression stands for those that it matches.", examples: ["\"$.permissions\""]),
    KeyShape(
      "neither", .texts.orNull,
      "The words that are a right to neither, as regular expressions: any other leaves a right unknown.",
      examples: ["[\"read\"]"]),
    KeyShape(
      "expires", .object(.timeValue).orNull, "When it expires.",
      examples: ["{ \"path\": \"$.expiresAt\", \"unit\": \"ms\" }"]),
    KeyShape(
      "addresses", .path.orNull,
      "Where it may be used from: an array of addresses, a string with commas between them, or true or false.",
      examples: ["\"$.ipWhitelist\""]),
  ]

  private static let rightShape = ValueShape.any([
    .list(.any([.object(.condition), .text(), .list(.any([.object(.condition), .text()]), 1...10_000)])), .null,
  ])

  private static let setKey = KeyShape(
    "set", .map(.scalar.orNull).orNull, "Constants for templates, including those of `auth`.",
    examples: ["{ \"call\": \"user-balance\" }"])

  private static let batchKey = KeyShape("batch", .object(.batch).orNull, "Keys of a lookup, requested in batches.")

  private static func forEach(_ part: ObjectShape) -> KeyShape {
    KeyShape(
      "forEach", .list(.object(part), 1...10_000).orNull,
      "Parts that are requested separately: any key may differ.")
  }

  /// The account blocks of an exchange.
  static let accountBlocks = [
    KeyShape("auth", .object(.auth).orNull, "How account requests are signed."),
    KeyShape(
      "balances", .map(.object(.balances)).orNull,
      "Balances by account: spot, funding, futures, or the exchange's own word."),
    KeyShape("walletStatus", .object(.walletStatus).orNull, "Which wallets are open."),
    KeyShape("permissions", .object(.permissions).orNull, "What a key may do."),
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
