// Exchange rates.

extension ObjectShape {
  static let fx: Self = .init(
    "fx", "Exchange rates", "Where they come from, and which provider is used when.",
    [
      KeyShape("providers", .map(.object(.provider)).orNull, "Providers by name."),
      KeyShape(
        "routes", .map(.object(.route), names: ValueShape.pairPattern).orNull,
        "By pair, such as `USD/KRW`; `*` is for all others."),
    ])

  static let provider: Self = .init(
    "provider", "Rate provider", "A source of exchange rates: a table of its own, or an exchange's ticker.",
    [
      KeyShape("enabled", .boolean, "Whether it is used.", default: "true"),
      KeyShape("docs", .text(pattern: "^https?://"), "Its API documentation."),
      KeyShape(
        "pairs", .list(.text(pattern: ValueShape.pairPattern)), "The pairs it knows; `*` is any currency.",
        examples: ["[\"*/KRW\"]"]),
      KeyShape("refresh", .object(.refresh), "How often it has new rates."),
      KeyShape("budget", .object(.budget), "How many calls are allowed."),
    ] + block + [
      KeyShape("rate", .object(.rate).orNull, "The table; its fields are those of a rate."),
      KeyShape("ticker", .object(.providerTicker).orNull, "The rate that an exchange's price implies."),
    ])

  static let rate: Self = .init(
    "rate", "Rate", "A table with fields of a rate.",
    block.map { $0.name == "fields" ? rateFieldsKey : $0 } + [
      KeyShape(
        "daysBack", .integer(IntegerRange.daysBack),
        "While there is no row, the request is repeated with `{date}` a day earlier.",
        default: "0")
    ])

  private static let rateFieldsKey = KeyShape(
    "fields", .object(.rateFields).orNull, "Where a row has the rate and the like.")

  package static let rateFields: Self = .init(
    "rateFields", "Fields of a rate", "USD/KRW is won for one dollar.",
    [
      KeyShape("rate", .numeric, "The rate."),
      KeyShape("units", .numeric, "Number of units that rate, change and open refer to.", default: "1"),
      KeyShape("open", .numeric, "What the change is measured from."),
      KeyShape("change", .numeric, "The change, as an amount."),
      KeyShape("changePercent", .numeric, "The change in percent."),
      KeyShape("date", .value, "The day of the rate."),
      KeyShape("time", .object(.timeValue), "The time of the rate."),
      KeyShape("provider", .value, "The source of the rate."),
    ].map { KeyShape($0.name, $0.value.orNull, $0.summary, default: $0.defaultValue) })

  static let refresh: Self = .init(
    "refresh", "Refresh", "How often it has new rates.",
    [
      KeyShape("every", .duration, "Once in this time,", isRequired: true),
      KeyShape(
        "at", .text(pattern: "^:[0-5][0-9]:[0-5][0-9]$"), "this long after the hour or day.", examples: ["\":00:30\""]),
    ])

  static let budget: Self = .init(
    "budget", "Budget", "How many calls are allowed.",
    [
      KeyShape("calls", .integer(IntegerRange.calls), "This many calls", isRequired: true),
      KeyShape(
        "per", .choice(RateProvider.Budget.Period.allCases.map(\.rawValue)), "per day or month.", isRequired: true),
    ])

  static let providerTicker: Self = .init(
    "providerTicker", "Ticker as a rate", "The rate that an exchange's price implies.",
    [
      KeyShape("exchange", .text(), "The exchange.", isRequired: true),
      KeyShape("asset", .text(), "The asset.", examples: ["\"USDT\""], isRequired: true),
      KeyShape("payment", .text(), "The payment currency.", examples: ["\"KRW\""], isRequired: true),
    ])

  static let route: Self = .init(
    "route", "Route", "Which provider is used for a pair, and when.",
    [
      KeyShape("zone", .zone, "The zone of hours and days.", default: "\"Z\""),
      KeyShape("rules", .list(.object(.routeRule), 1...10_000), "Tried in order.", isRequired: true),
      KeyShape(
        "via", .text().orNull, "If no rule has the rate, it is derived from the rates of this currency.",
        examples: ["\"USD\""]),
    ])

  static let routeRule: Self = .init(
    "routeRule", "Rule of a route", "One provider; the next rule applies if its hours, condition or answer fail.",
    [
      KeyShape("from", .timeOfDay, "When it starts to apply.", default: "\"00:00\"", examples: ["\"09:00\""]),
      KeyShape("to", .timeOfDay, "When it stops applying.", default: "\"24:00\"", examples: ["\"24:00\""]),
      KeyShape("when", .object(.routeWhen), "Conditions on the answer."),
      KeyShape("use", .text(), "The provider.", isRequired: true),
      KeyShape("open", .text(), "The provider whose rate of an earlier day the change is measured from."),
    ])

  static let routeWhen: Self = .init(
    "routeWhen", "Condition of a rule", "Conditions on the answer.",
    [KeyShape("date", .choice(["today"]), "The rate must be from today, in the route's zone.")])
}
