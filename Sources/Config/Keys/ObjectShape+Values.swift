import Quotes

// Values and conditions.

extension ObjectShape {
  static let value: Self = .init(
    "value", "Value",
    "Where a value comes from (one of path, first, sum, product, difference, quotient, join), then what is "
      + "done to it, in the order of these keys.",
    excluding: exclusiveOrigins,
    origins + modifiers + [
      KeyShape(
        "basis", .choice(ChangeBasis.allCases.map(\.rawValue) + PriceBasis.allCases.map(\.rawValue)),
        "Of high and low: since when. Of price: last, mid, mark or oracle.")
    ])

  static let timeValue: Self = time(
    "timeValue",
    KeyShape(
      "basis", .choice(TimeBasis.allCases.map(\.rawValue)), "Of the quote, or of the last trade.",
      default: "\"quote\""))

  static let candleTimeValue: Self = time(
    "candleTimeValue",
    KeyShape(
      "basis", .choice(CandleTimeBasis.allCases.map(\.rawValue)),
      "Whether it is the candle's start, its end, or any moment within it.", default: "\"start\""))

  private static func time(_ name: String, _ basis: KeyShape) -> ObjectShape {
    ObjectShape(
      name, "Time", "A point in time, with a `unit` or a `format`.", needsOneOf: ["unit", "format"],
      excluding: exclusiveOrigins,
      origins + modifiers + [
        basis,
        KeyShape(
          "unit", .choice(ValueSpec.TimeReading.units), "The unit of the number, counted from 1970."
        ),
        KeyShape("format", .text(), "How the string is written.", examples: ["\"yyyy-MM-dd HH:mm:ss\""]),
        KeyShape(
          "zone", .zone, "The digits are local time in this zone; a count is one from 1970 by its clock.",
          default: "\"Z\"", examples: ["\"+09:00\""]),
      ])
  }

  static let sideValue: Self = .init(
    "sideValue", "Side", "Whether the taker bought or sold: the words for either, ignoring case.",
    excluding: exclusiveOrigins,
    origins + modifiers + [
      KeyShape(
        "buy", .any([.scalar, .list(.scalar)]), "The words for a taker buy.",
        examples: ["\"buy\"", "false"], isRequired: true),
      KeyShape(
        "sell", .any([.scalar, .list(.scalar)]), "The words for a taker sell.",
        examples: ["\"sell\"", "true"], isRequired: true),
    ])

  static let changeValue: Self = .init(
    "changeValue", "Change", "The change in percent.",
    excluding: exclusiveOrigins + [("fromOpen", ["path", "from"] + operations.map(\.name))],
    [KeyShape("fromOpen", .numeric, "Computes the change from this price to the row's.")] + origins + modifiers
      + [
        KeyShape(
          "basis", .choice(ChangeBasis.allCases.map(\.rawValue)), "What the exchange measures the change from.",
          isRequired: true)
      ])

  static let condition: Self = .init(
    "condition", "Condition", "A value and one test. Scalars are compared as strings; missing and null are the same.",
    needsOneOf: tests.map(\.name), excluding: exclusiveOrigins + exclusiveTests,
    origins + tests + modifiers + [KeyShape("basis", .text(), "Has no effect here.")])

  static let rowCondition: Self = .init(
    "rowCondition", "Condition of a row", "A value, one test, and what a row that fails it says of its pair.",
    needsOneOf: condition.needsOneOf, excluding: condition.excluding,
    condition.keys + [
      KeyShape(
        "else", .choice(ConditionSpec.Else.allCases.map(\.rawValue)),
        "What a row that fails it says of its pair: listed but not traded now, or not listed.", default: "\"halted\"",
        examples: ["\"unlisted\""])
    ])

  static let walletCondition: Self = .init(
    "walletCondition", "Condition of a wallet", "A value, and one test or the values of both states.",
    needsOneOf: (tests + states).map(\.name),
    excluding: exclusiveOrigins + exclusiveTests.map { ($0.name, $0.others + states.map(\.name)) }
      + states.map { ($0.name, tests.map(\.name)) },
    together: states.map(\.name), condition.keys + states)

  static let pairSign: Self = .init(
    "pairSign", "Sign of an unlisted or halted pair", "A condition on the answer, or its HTTP status.",
    needsOneOf: ["status"] + tests.map(\.name),
    excluding: [("status", condition.keys.map(\.name))] + exclusiveOrigins + exclusiveTests,
    [KeyShape("status", .integer(IntegerRange.status), "The HTTP status alone.", examples: ["404"])] + condition.keys)

  /// A value has exactly one origin.
  private static let exclusiveOrigins: [(name: String, others: [String])] = operations.map { operation in
    (operation.name, ["path", "from"] + operations.map(\.name).filter { $0 != operation.name })
  }

  private static let exclusiveTests: [(name: String, others: [String])] = tests.map { test in
    (test.name, tests.map(\.name).filter { $0 != test.name })
  }

  /// The possible origins of a value.
  private static let origins =
    [
      KeyShape("path", .path, "A JSONPath (RFC 9535) relative to `from` (default: `$`).", examples: ["\"$.last\""]),
      KeyShape(
        "from", .any([.choice(["response", "key", "request"]), .text()]),
        "What `$` is: the row, or `response`, `key`, `request`, or a lookup's name.", examples: ["\"response\""]),
      KeyShape(
        "up", .integer(IntegerRange.levelsUp),
        "For `from: \"key\"`: the name of what contains the row, this many levels up.",
        examples: ["1"]),
    ] + operations + [
      KeyShape("with", .text(), "The separator for `join`.", default: "\"\"", examples: ["\" \""])
    ]

  static let operations = [
    KeyShape(
      "first", .list(.value, 1...10_000), "The first that is not missing.",
      examples: ["[\"$.last\", \"$.close\"]"]),
    KeyShape("sum", .list(.numeric, 1...10_000), "The sum of all.", examples: ["[\"$.buys\", \"$.sells\"]"]),
    KeyShape(
      "product", .list(.numeric, 1...10_000), "The product of all.", examples: ["[\"$.volume\", \"$.average\"]"]),
    KeyShape(
      "difference", .list(.numeric, 2...2), "The first minus the second.",
      examples: ["[\"$.last\", \"$.change\"]"]),
    KeyShape(
      "quotient", .list(.numeric, 2...2), "The first divided by the second.",
      examples: ["[\"$.turnover\", \"$.volume\"]"]),
    KeyShape("join", .list(.value, 1...10_000), "Strings joined together.", examples: ["[\"$.date\", \"$.time\"]"]),
  ]

  private static let modifiers = [
    KeyShape(
      "capture", .capture, "A regular expression; its group `value` is kept.",
      examples: ["\"(?<value>[0-9.]+) .*\""]),
    KeyShape("strip", .text(), "Characters to remove.", examples: ["\",\"", "\"%\""]),
    KeyShape("missing", .texts, "Strings that mean no value.", default: "[\"\", \"nan\", \"NaN\", \"N/A\"]"),
    KeyShape("decimals", .numeric, "How many places to move the decimal point to the left.", examples: ["8"]),
    KeyShape("scale", .positiveNumber, "An exact factor.", examples: ["100", "\"1e-8\""]),
  ]

  /// What a wallet's condition may have instead of a test.
  static let states = [
    KeyShape("open", comparands, "Is one of these if the wallet is open.", examples: ["\"normal\""]),
    KeyShape(
      "closed", comparands, "Is one of these if the wallet is closed; any other value is unknown.",
      examples: ["[\"suspended\", \"delisted\"]"]),
  ]

  private static let comparands = ValueShape.any([.comparand, .list(.comparand, 1...10_000)])

  static let tests = [
    KeyShape("equals", .comparand, "Equals this.", examples: ["0", "\"live\""]),
    KeyShape("in", .list(.comparand, 1...10_000), "Is one of these.", examples: ["[\"\", null]"]),
    KeyShape("notIn", .list(.comparand, 1...10_000), "Is none of these.", examples: ["[\"halted\"]"]),
    KeyShape("prefix", .text(pattern: "."), "Begins with this.", examples: ["\"PERP_\""]),
    KeyShape("suffix", .text(pattern: "."), "Ends with this.", examples: ["\"-SWAP\""]),
    KeyShape("match", .text(), "The whole string matches this regular expression.", examples: ["\"[A-Z]+_[0-9]{6}\""]),
    KeyShape("above", .any([.number, .decimalText]), "Is a greater number than this.", examples: ["0"]),
    KeyShape(
      "is", .choice(ConditionSpec.Shape.allCases.map(\.rawValue)), "The kind of value.",
      examples: ["\"present\""]),
  ]
}
