import Testing

@testable import Config
@testable import Lint

/// Errors in the hours and crossings of routes.
@Suite struct RouteCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let routes: String
    var findings: [String] = []
  }

  private static func rules(_ rules: String) -> String { #""USD/KRW": { "rules": [\#(rules)] }"# }

  @Test(arguments: [
    Case(
      testDescription: "day and night",
      routes: rules(#"{ "from": "09:00", "use": "A" }, { "to": "09:00", "use": "A" }"#)),
    Case(
      testDescription: "fallbacks with the same hours",
      routes: rules(#"{ "from": "09:00", "use": "A" }, { "from": "09:00", "use": "B" }, { "use": "A" }"#)),
    Case(
      testDescription: "hours within others",
      routes: rules(
        #"{ "from": "09:00", "use": "A" }, { "from": "12:00", "to": "13:00", "use": "B" }, { "use": "A" }"#),
      findings: ["MKT073 during 12:00-13:00 the rule on line 7 also applies, and takes precedence"]),
    Case(
      testDescription: "two gaps",
      routes: rules(#"{ "from": "09:00", "to": "12:00", "use": "A" }, { "from": "13:00", "use": "A" }"#),
      findings: ["MKT074 no rule applies during 00:00-09:00 and 12:00-13:00"]),
    Case(
      testDescription: "a leading rule without hours leaves no gap",
      routes: rules(#"{ "use": "A" }, { "from": "09:00", "use": "B" }"#)),
    Case(
      testDescription: "an open from an unknown provider", routes: rules(#"{ "use": "A", "open": "C" }"#),
      findings: [#"MKT047 unknown rate provider 'C'"#]),
    Case(
      testDescription: "through the dollar, and back through the euro",
      routes:
        #""USD/*": { "rules": [{ "use": "A" }], "via": "EUR" }, "*": { "rules": [{ "use": "A" }], "via": "USD" }"#,
      findings: ["MKT075 circular routes: USD/any -> EUR/any -> USD/any"]),
    Case(
      testDescription: "two crossings that terminate",
      routes: #""EUR/*": { "rules": [{ "use": "A" }] }, "USD/*": { "rules": [{ "use": "A" }], "via": "EUR" }"#),
    Case(
      testDescription: "all at once",
      routes: #"""
        "USDKRW": { "rules": [] }, "*": { "zone": "KST", "rules": [{ "from": "9", "use": "A" }, { "when": { "date": "friday" }, "use": "A" }, {}] }
        """#,
      findings: [
        #"MKT070 invalid pair 'USDKRW'"#, #"MKT016 invalid offset from UTC 'KST'"#, #"MKT071 invalid time of day '9'"#,
        #"MKT012 unknown value 'friday'; expected today"#, #"MKT011 missing key 'use' in this rule"#,
      ]),
  ])
  func finds(_ sample: Case) {
    let provider =
      #"{ "pairs": ["*/*"], "baseUrls": ["https://rates.example"], "rate": { "request": { "path": "/latest" }, "rows": "$", "symbol": "request", "fields": { "rate": "$.rate" } } }"#
    let story = DiagnosticExplanation(
      .notJSON, "", "", in: .top,
      wrong:
        "\"fx\": { \"providers\": {\n\n\n\"A\": \(provider),\n\"B\": \(provider) },\n\"routes\": { \(sample.routes) } }",
      right: "")
    let review = ConfigReview(of: story.config(of: sample.routes.isEmpty ? "" : story.wrong))
    let found = review.findings.filter { $0.code != .sameRequest }
    #expect(found.map { "\($0.code.rawValue) \($0.message)" } == sample.findings)
  }
}
