import Quotes

// Values and conditions.

extension ObjectShape {
  static let value = ObjectShape(
    "Value",
    "Where a value comes from (one of path, first, sum, product, difference, quotient, join), then what is "
      + "done to it, in the order of these keys.",
    origins + modifiers + [
      KeyShape(
        "basis", .choice(ChangeBasis.allCases.map(\.rawValue) + PriceBasis.allCases.map(\.rawValue)),
        "Of high and low: since when. Of price: last, mid, mark or oracle.")
    ])

  static let timeValue = ObjectShape(
    "Time", "A value that is a moment: with a `unit` or a `format`.",
    origins + modifiers + [
      KeyShape(
        "basis", .choice(TimeBasis.allCases.map(\.rawValue)), "Of the quote, or of the last trade.",
        default: "\"quote\""),
      KeyShape("unit", .choice(TimeUnit.allCases.map(\.rawValue) + ["iso8601"]), "What the number counts since 1970."),
      KeyShape("format", .text(), "How the text is written.", examples: ["\"yyyy-MM-dd HH:mm:ss\""]),
      KeyShape("zone", .zone, "The digits are wall time there.", default: "\"Z\"", examples: ["\"+09:00\""]),
    ])

  static let changeValue = ObjectShape(
    "Change", "The change in percent.",
    [KeyShape("fromOpen", .value(.value), "Computes the change from this price to the row's.")] + origins + modifiers
      + [
        KeyShape(
          "basis", .choice(ChangeBasis.allCases.map(\.rawValue)), "What the exchange measures the change from.",
          isRequired: true)
      ])

  static let condition = ObjectShape(
    "Condition", "A value and one test. Scalars compare as text; nothing and null are the same.",
    origins + tests + modifiers + [KeyShape("basis", .text(), "Has no meaning here.")])

  static let unlistedSign = ObjectShape(
    "Sign of an unlisted pair", "A condition on the answer, or its HTTP status.",
    [KeyShape("status", .integer(100...599), "The HTTP status, alone.")] + condition.keys)

  /// Where a value may come from.
  private static let origins =
    [
      KeyShape(
        "path", .path, "A JSONPath (RFC 9535) from where `from` says; without it: `$`.", examples: ["\"$.last\""]),
      KeyShape("from", .text(), "What `$` is: the row, or `response`, `key`, `request`, or a lookup's name."),
    ] + operations + [KeyShape("with", .text(), "What stands between the texts of `join`.", default: "\"\"")]

  static let operations = [
    KeyShape("first", .list(.value(.value), 1...100), "The first that is not missing."),
    KeyShape("sum", .list(.value(.value), 1...100), "All added."),
    KeyShape("product", .list(.value(.value), 1...100), "All multiplied."),
    KeyShape("difference", .list(.value(.value), 2...2), "The first less the second."),
    KeyShape("quotient", .list(.value(.value), 2...2), "The first by the second."),
    KeyShape("join", .list(.value(.value), 1...100), "Texts put together."),
  ]

  private static let modifiers = [
    KeyShape("capture", .text(), "A regular expression; its group `value` is what stays."),
    KeyShape("strip", .text(), "Characters that are taken out."),
    KeyShape("missing", .texts, "Texts that mean: no value.", default: "[\"\", \"nan\", \"NaN\", \"N/A\"]"),
    KeyShape("decimals", .value(.value), "How many places the point moves to the left."),
    KeyShape("scale", .positiveNumber, "An exact factor.", examples: ["100", "\"1e-8\""]),
  ]

  static let tests = [
    KeyShape("equals", .comparand, "Is this."),
    KeyShape("in", .list(.comparand), "Is one of these."),
    KeyShape("notIn", .list(.comparand), "Is none of these."),
    KeyShape("prefix", .text(), "Begins with this."),
    KeyShape("suffix", .text(), "Ends with this."),
    KeyShape("match", .text(), "All of it fits this regular expression."),
    KeyShape("above", .any([.number, .text()]), "Is a greater number."),
    KeyShape("is", .choice(ConditionSpec.Shape.allCases.map(\.rawValue)), "What kind of thing it is."),
  ]
}
