// Exchange rates.

extension ObjectShape {
  static let fx = ObjectShape(
    "Exchange rates", "Who knows them, and who is asked when.",
    [
      KeyShape("providers", .any([.map(.object(.provider)), .null]), "Providers by name."),
      KeyShape(
        "routes", .any([.map(.object(.route), names: ValueShape.pairPattern), .null]),
        "By pair, such as `USD/KRW`; `*` is for all others."),
    ])

  static let provider = ObjectShape(
    "Rate provider", "A source of exchange rates: a table of its own, or an exchange's ticker.",
    [
      KeyShape("enabled", .boolean, "Whether it is asked.", default: "true"),
      KeyShape("docs", .text(pattern: "^https?://"), "Where it documents its interface."),
      KeyShape(
        "pairs", .list(.text(pattern: ValueShape.pairPattern)), "The pairs it knows; `*` is any currency.",
        examples: ["[\"*/KRW\"]"]),
      KeyShape("refresh", .object(.refresh), "How often there is something new."),
      KeyShape("budget", .object(.budget), "How many calls there are."),
    ] + block + [
      KeyShape("rate", .any([.object(.rate), .null]), "The table; its fields are those of a rate."),
      KeyShape("ticker", .any([.object(.providerTicker), .null]), "The rate that an exchange's price implies."),
    ])

  static let rate = ObjectShape(
    "Rate", "A table with fields of a rate.",
    block.map { $0.name == "fields" ? rateFieldsKey : $0 } + [
      KeyShape(
        "daysBack", .integer(0...60), "While there is no row, the request is repeated with `{date}` a day earlier.",
        default: "0")
    ])

  private static let rateFieldsKey = KeyShape(
    "fields", .any([.object(.rateFields), .null]), "Where a row has the rate and the like.")

  package static let rateFields = ObjectShape(
    "Fields of a rate", "USD/KRW is won for one dollar.",
    [
      KeyShape("rate", .numeric(.value), "The rate."),
      KeyShape("units", .numeric(.value), "Rate, change and open are for so many.", default: "1"),
      KeyShape("open", .numeric(.value), "What the change is measured from."),
      KeyShape("change", .numeric(.value), "The change, in the currency."),
      KeyShape("changePercent", .numeric(.value), "The change in percent."),
      KeyShape("date", .value(.value), "The day that the rate is of."),
      KeyShape("time", .object(.timeValue), "When the rate was true."),
      KeyShape("provider", .value(.value), "Who names the rate."),
    ].map { KeyShape($0.name, .any([$0.value, .null]), $0.summary, default: $0.defaultValue) })

  static let refresh = ObjectShape(
    "Refresh", "How often there is something new.",
    [
      KeyShape("every", .duration, "Once in this time,", isRequired: true),
      KeyShape(
        "at", .text(pattern: "^:[0-5][0-9]:[0-5][0-9]$"), "so long past the hour or day.", examples: ["\":00:30\""]),
    ])

  static let budget = ObjectShape(
    "Budget", "How many calls there are.",
    [
      KeyShape("calls", .integer(1...10_000_000), "So many calls", isRequired: true),
      KeyShape(
        "per", .choice(RateProvider.Budget.Period.allCases.map(\.rawValue)), "in a day or month.", isRequired: true),
    ])

  static let providerTicker = ObjectShape(
    "Ticker as a rate", "The rate that an exchange's price implies.",
    [
      KeyShape("exchange", .text(), "The exchange.", isRequired: true),
      KeyShape("asset", .text(), "The asset.", examples: ["\"USDT\""], isRequired: true),
      KeyShape("payment", .text(), "The payment currency.", examples: ["\"KRW\""], isRequired: true),
    ])

  static let route = ObjectShape(
    "Route", "Who is asked for a pair, and when.",
    [
      KeyShape("zone", .zone, "The clock that hours and days are counted by.", default: "\"Z\""),
      KeyShape("rules", .list(.object(.routeRule), 1...1000), "Tried in order.", isRequired: true),
      KeyShape(
        "via", .any([.text(), .null]), "Where no rule has the rate: put together from those of this currency.",
        examples: ["\"USD\""]),
    ])

  static let routeRule = ObjectShape(
    "Rule of a route", "One provider, which passes on to the next when its hours, condition or answer fail.",
    [
      KeyShape("from", .timeOfDay, "When it begins to hold.", default: "\"00:00\"", examples: ["\"09:00\""]),
      KeyShape("to", .timeOfDay, "When it no longer holds.", default: "\"24:00\"", examples: ["\"24:00\""]),
      KeyShape("when", .object(.routeWhen), "What must hold of the answer."),
      KeyShape("use", .text(), "The provider.", isRequired: true),
      KeyShape("open", .text(), "The provider whose rate of an earlier day the change is measured from."),
    ])

  static let routeWhen = ObjectShape(
    "Condition of a rule", "What must hold of the answer.",
    [KeyShape("date", .choice(["today"]), "The rate must be of today, by the route's clock.")])
}
