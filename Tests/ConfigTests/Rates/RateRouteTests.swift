import Config
import Quotes
import Testing

/// Routes, hours and pair patterns as defined in the config.
@Suite struct RateRouteTests {
  private static func configuration(_ routes: String) throws -> Configuration {
    let file = try ConfigFile(name: "c.json", bytes: Array(#"{ "fx": { "routes": { \#(routes) } } }"#.utf8))
    return try Configuration(file) { () throws(ConfigSyntaxError) in file }
  }

  private static func pair(_ text: String) -> Pair {
    let parts = text.split(separator: "/").map(String.init)
    return Pair(asset: parts[0], payment: parts[1])
  }

  @Test func reads() throws {
    let configuration = try Self.configuration(
      #"""
      "usd/krw": { "zone": "+09:00", "via": "eur", "rules": [
        { "from": "09:00", "to": "24:00", "use": "A", "when": { "date": "today" } }, { "to": "06:30:15", "use": "B" },
        { "from": "18:00", "use": "C", "open": "A" }, { "use": "A", "when": {} }] }
      """#)
    #expect(configuration.diagnostics == [])
    let route = try #require(configuration.routes.first)
    #expect(route.pattern.pair == Self.pair("USD/KRW"))
    #expect(route.zoneSeconds == 9 * 3600)
    #expect(route.via == "EUR")
    #expect(route.rules.map(\.use) == ["A", "B", "C", "A"])
    #expect(route.rules.map { $0.hours?.description } == ["09:00-24:00", "00:00-06:30:15", "18:00-24:00", nil])
    #expect(route.rules.map(\.needsToday) == [true, false, false, false])
    #expect(route.rules.map(\.open) == [nil, nil, "A", nil])
    #expect(route.providers == ["A", "B", "C"])
  }

  /// The most specific route for a pair; the first of two equally specific ones.
  @Test(arguments: [
    ("USD/KRW", "USD/KRW"), ("EUR/KRW", "*/KRW"), ("EUR/JPY", "EUR/*"), ("USD/JPY", "*"), ("KRW/USD", "*"),
  ])
  func route(of pair: String, is pattern: String) throws {
    let names = ["*", "*/KRW", "EUR/*", "USD/KRW"]
    let configuration = try Self.configuration(
      names.map { #""\#($0)": { "rules": [{ "use": "A" }] }"# }.joined(separator: ", "))
    #expect(configuration.routes.route(for: Self.pair(pair))?.pattern.description == pattern)
  }

  @Test(arguments: [
    ("USD/KRW", "USD/KRW"), ("usd/*", "USD/*"), ("*", "*"), ("*/*", "*"), ("USDKRW", nil), ("USD/", nil), ("/", nil),
    ("", nil), ("A/B/C", nil), ("U SD/KRW", nil),
  ])
  func pattern(text: String, is description: String?) { #expect(PairPattern(text)?.description == description) }

  @Test(arguments: [
    ("00:00", 0), ("09:00", 32_400), ("23:59:59", 86_399), ("24:00", 86_400), ("24:00:01", nil), ("24:01", nil),
    ("9:00", nil), ("09:60", nil), ("09:00:60", nil), ("0900", nil), ("", nil), ("-9:00", nil), ("+9:00", nil),
    ("٠٩:00", nil),
  ])
  func timeOfDay(text: String, is seconds: Int?) { #expect(DayHours.seconds(text) == seconds) }

  /// The legs of a pair, and nil if `via` is one of its two currencies.
  @Test(arguments: [("EUR/KRW", "EUR/USD USD/KRW"), ("USD/KRW", nil), ("EUR/USD", nil)])
  func legs(of pair: String, are legs: String?) throws {
    let route = try #require(try Self.configuration(#""*": { "via": "USD", "rules": [] }"#).routes.first)
    #expect(route.legs(of: Self.pair(pair)).map { "\($0.first) \($0.second)" } == legs)
  }
}
