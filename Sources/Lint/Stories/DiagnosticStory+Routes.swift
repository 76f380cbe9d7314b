import Config

// The stories of exchange rates (MKT07x).

extension DiagnosticStory {
  static let routes = [
    DiagnosticStory(
      .invalidPair, "a text that names no pair",
      "A pair is asset/payment: USD/KRW is the price of one dollar in won. Either of the two may be *, for any currency.",
      in: .rates, wrong: #""routes": { "USDKRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider,
      right: #""routes": { "USD/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider),
    DiagnosticStory(
      .invalidTimeOfDay, "no time of the day",
      """
      Hours and minutes have two digits each, from 00:00 to 24:00; seconds may follow. They are those of the route's \
      "zone".
      """,
      in: .rates, wrong: route(#"{ "from": "9am", "use": "Example" }, { "use": "Example" }"#),
      right: route(#"{ "from": "09:00", "use": "Example" }, { "use": "Example" }"#)),
    DiagnosticStory(
      .reversedHours, "hours that end before they begin",
      "Hours lie within one day. Those over midnight are two rules: one until 24:00, one from 00:00.",
      in: .rates, wrong: route(#"{ "from": "22:00", "to": "06:00", "use": "Example" }, { "use": "Example" }"#),
      right: route(
        #"{ "from": "22:00", "to": "24:00", "use": "Example" }, { "to": "06:00", "use": "Example" }, { "use": "Example" }"#
      )
    ),
    DiagnosticStory(
      .overlappingHours, "hours of two rules that overlap",
      """
      Rules are tried in order, so for the hours that two have in common the later one only helps out when the earlier \
      one fails. Two rules of the very same hours are a list of fallbacks, and fine.
      """,
      in: .rates,
      wrong: route(
        #"{ "to": "10:00", "use": "Example" },"# + "\n"
          + #"    { "from": "09:00", "use": "Example" }, { "use": "Example" }"#),
      right: route(
        #"{ "to": "09:00", "use": "Example" },"# + "\n"
          + #"    { "from": "09:00", "use": "Example" }, { "use": "Example" }"#)),
    DiagnosticStory(
      .uncoveredHours, "hours that no rule has",
      """
      Every rule of the route has hours, and some of the day is in none of them: then nobody is asked, and the pair \
      has no rate.
      """,
      in: .rates, wrong: route(#"{ "from": "09:00", "to": "24:00", "use": "Example" }"#),
      right: route(#"{ "from": "09:00", "to": "24:00", "use": "Example" }, { "use": "Example" }"#)),
    DiagnosticStory(
      .circularRoute, "a pair that is put together of itself",
      """
      "via" puts a rate together from two others where no provider has it. If one of those two needs the first again, \
      there is no end.
      """,
      in: .rates,
      wrong: #""routes": { "EUR/KRW": { "rules": [{ "use": "Example" }], "via": "USD" },"# + "\n"
        + #"  "USD/KRW": { "rules": [{ "use": "Example" }], "via": "EUR" } },"# + "\n" + wideProvider,
      right: #""routes": { "EUR/KRW": { "rules": [{ "use": "Example" }], "via": "USD" },"# + "\n"
        + #"  "USD/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + wideProvider),
    DiagnosticStory(
      .unusedProvider, "a provider that can never have the pair",
      "A provider says by \"pairs\" what it knows, and is never asked for anything else. This rule only takes up room.",
      in: .rates, wrong: #""routes": { "EUR/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider,
      right: #""routes": { "USD/KRW": { "rules": [{ "use": "Example" }] } },"# + "\n" + provider),
  ]

  private static func route(_ rules: String) -> String {
    #""routes": { "USD/KRW": { "zone": "+09:00", "rules": [\#(rules)] } },"# + "\n" + provider
  }

  private static let wideProvider = """
    "providers": { "Example": { "pairs": ["*/*"], "baseUrls": ["https://rates.example"],
      "rate": { "request": { "path": "/latest" }, "rows": "$", "symbol": "request", "fields": { "rate": "$.rate" } } } }
    """
}
