import Mapping
import Quotes
import Testing

/// The sources of values and their conversion to numbers.
@Suite struct ValueTests {
  /// A text that begins with `$` is a path; any other text or a number is a constant.
  static let sources = [
    ValueCase(#""$.v""#, in: #""v": "1.50""#, is: "1.50"),
    ValueCase(#""$.c[0]""#, in: #""c": [7, 8]"#, is: "7"),
    ValueCase(#""$.c[-1]""#, in: #""c": [7, 8]"#, is: "8"),
    ValueCase(#""$['24h-vol']""#, in: #""24h-vol": 5"#, is: "5"),
    ValueCase(#""$[\"v\"]""#, in: #""v": 5"#, is: "5"),
    ValueCase(#""12.0""#, in: #""v": 5"#, is: "12.0"),
    ValueCase("12.0", in: #""v": 5"#, is: "12.0"),
    ValueCase(#"{"path": "$.v"}"#, in: #""v": 5"#, is: "5"),
    ValueCase(#"{"path": "$[0].v", "from": "response"}"#, in: #""v": 5"#, is: "5"),
    ValueCase(#"{"path": "$", "from": "key"}"#, in: #""v": 5"#, is: "0"),
    ValueCase(#"{"from": "key"}"#, in: #""v": 5"#, is: "0"),
    ValueCase(#"{"path": "$.keys", "from": "request", "capture": "K(?<value>.),.*"}"#, in: #""v": 5"#, is: "1"),
    ValueCase(
      #"{"path": "$.date", "from": "request", "strip": "-"}"#, in: #""v": 5"#, is: "20240229"),
    ValueCase(
      #"{"path": "$.size", "from": "contracts"}"#, in: #""v": 5"#, is: "0.01", with: Self.contracts,
      lookups: ["contracts": #"[{"id": "AAA-BBB", "size": "0.01"}]"#]),
  ]

  /// A name may contain a template, filled with the row's own spelling of its pair, wherever the path begins.
  static let templates = [
    ValueCase(#""$['vol_{asset}']""#, in: #""vol_AAA": 5"#, is: "5"),
    ValueCase(#""$['vol_{asset|lower}']['{payment|upper}']""#, in: #""vol_aaa": {"BBB": 5}"#, is: "5"),
    ValueCase(#""$['{{asset}']""#, in: #""{asset}": 5"#, is: "5"),
    ValueCase(#""$['{asset}{payment}'][1]""#, in: #""AAABBB": [4, 5]"#, is: "5"),
    ValueCase(#"{"path": "$[0]['vol_{asset|lower}']", "from": "response"}"#, in: #""vol_aaa": 5"#, is: "5"),
    ValueCase(
      #"{"path": "$['{payment}']", "from": "contracts"}"#, in: #""v": 5"#, is: "8", with: Self.contracts,
      lookups: ["contracts": #"[{"id": "AAA-BBB", "BBB": 8}]"#]),
  ]

  /// `first` takes the first value that is not missing, and keeps its digits.
  static let firsts = [
    ValueCase(#"{"first": ["$.a", "$.b"]}"#, in: #""a": 1, "b": 2"#, is: "1"),
    ValueCase(#"{"first": ["$.a", "$.b"]}"#, in: #""b": 2"#, is: "2"),
    ValueCase(#"{"first": ["$.a", "$.b"]}"#, in: #""a": null, "b": 2"#, is: "2"),
    ValueCase(#"{"first": ["$.a", "$.b"]}"#, in: #""a": "N/A", "b": 2"#, is: "2"),
    ValueCase(#"{"first": ["$.a", "$.b"]}"#, in: #""a": "0", "b": 2"#, is: "0"),
    ValueCase(#"{"first": [{"path": "$.a", "missing": ["0"]}, "$.b"]}"#, in: #""a": "0", "b": 2"#, is: "2"),
    ValueCase(#"{"first": ["$.a", "$.b"], "missing": ["0"]}"#, in: #""a": "0", "b": 2"#, is: "json-null"),
    ValueCase(#"{"first": ["$.a", "$.b"]}"#, in: #""a": "soon", "b": 2"#, is: "not-a-number"),
    ValueCase(#"{"first": ["$.a", "$.b"], "strip": "%"}"#, in: #""b": "5%""#, is: "5"),
    ValueCase(#"{"first": ["$.a", "$.b"]}"#, in: #""b": null"#, is: "json-null"),
    ValueCase(#"{"first": ["$.a", 1]}"#, in: #""v": 5"#, is: "1"),
    ValueCase(#"{"first": ["$.a", {"product": ["$.b", 2]}]}"#, in: #""b": 2"#, is: "4"),
    ValueCase(#"{"first": [{"path": "$.a", "scale": 100}, "$.b"]}"#, in: #""a": 0.5, "b": 2"#, is: "50"),
    ValueCase(
      #"{"first": ["$.a", "$.b"]}"#, in: #""b": 0.1234567890123456789012345678901234567890123"#,
      is: "0.1234567890123456789012345678901234567890123"),
  ]

  /// Arithmetic is exact, and missing if an operand is.
  static let arithmetic = [
    ValueCase(#"{"sum": ["$.a", "$.b", 1]}"#, in: #""a": "0.1", "b": 0.2"#, is: "1.3"),
    ValueCase(#"{"product": ["$.a", "$.b"]}"#, in: #""a": 3, "b": "1e-8""#, is: "0.00000003"),
    ValueCase(#"{"difference": ["$.a", "$.b"]}"#, in: #""a": 1, "b": 3"#, is: "-2"),
    ValueCase(#"{"quotient": ["$.a", "$.b"]}"#, in: #""a": 1, "b": 3"#, is: "0.333333333333"),
    ValueCase(#"{"quotient": ["$.a", "$.b"]}"#, in: #""a": 1, "b": 0"#, is: "zero"),
    ValueCase(#"{"sum": ["$.a", "$.b"]}"#, in: #""a": 1"#, is: "path-miss"),
    ValueCase(#"{"product": ["$.a", "$.b"]}"#, in: #""a": 1, "b": null"#, is: "json-null"),
    ValueCase(#"{"product": ["$.a", {"sum": ["$.b", 1]}], "scale": 10}"#, in: #""a": 2, "b": 3"#, is: "80"),
    ValueCase(#"{"join": ["$.a", "$.b"], "with": "."}"#, in: #""a": 12, "b": "50""#, is: "12.50"),
    ValueCase(#"{"join": ["$.a", "$.b"]}"#, in: #""a": 12"#, is: "path-miss"),
  ]

  /// Modifiers apply in a fixed order: capture, strip, missing, decimals, scale.
  static let modifiers = [
    ValueCase(#"{"path": "$.v", "capture": "(?<value>[0-9.]+) .*"}"#, in: #""v": "1.5 BTC""#, is: "1.5"),
    ValueCase(#"{"path": "$.v", "capture": "(?<value>[0-9.]+) .*"}"#, in: #""v": "BTC""#, is: "not-a-number"),
    ValueCase(#"{"path": "$.v", "strip": ",%"}"#, in: #""v": "1,234.5%""#, is: "1234.5"),
    ValueCase(#"{"path": "$.v", "capture": "(?<value>.*) KRW", "strip": ","}"#, in: #""v": "1,5 KRW""#, is: "15"),
    ValueCase(#"{"path": "$.v", "strip": "-", "missing": [""]}"#, in: #""v": "--""#, is: "json-null"),
    ValueCase(#"{"path": "$.v", "missing": ["0"]}"#, in: #""v": "0""#, is: "json-null"),
    ValueCase(#"{"path": "$.v", "missing": ["0"]}"#, in: #""v": 0"#, is: "json-null"),
    ValueCase(#"{"path": "$.v", "missing": ["0"]}"#, in: #""v": """#, is: "not-a-number"),
    ValueCase(#"{"path": "$.v", "decimals": 8}"#, in: #""v": 12345"#, is: "0.00012345"),
    ValueCase(#"{"path": "$.v", "decimals": "$.d"}"#, in: #""v": 12345, "d": "2""#, is: "123.45"),
    ValueCase(#"{"path": "$.v", "decimals": "$.d"}"#, in: #""v": 12345"#, is: "path-miss"),
    ValueCase(#"{"path": "$.v", "decimals": "$.d"}"#, in: #""v": 12345, "d": 1.5"#, is: "not-a-number"),
    ValueCase(#"{"path": "$.v", "decimals": "$.d"}"#, in: #""v": 1, "d": 1e9"#, is: "not-a-number"),
    ValueCase(
      #"{"path": "$.v", "decimals": {"path": "$.places", "from": "contracts"}}"#, in: #""v": 12345"#, is: "1.2345",
      with: Self.contracts, lookups: ["contracts": #"[{"id": "AAA-BBB", "places": 4}]"#]),
    ValueCase(#"{"path": "$.v", "scale": 100}"#, in: #""v": "0.0150""#, is: "1.50"),
    ValueCase(#"{"path": "$.v", "scale": 1e-8}"#, in: #""v": 5"#, is: "0.00000005"),
    ValueCase(#"{"path": "$.v", "scale": "1e-8"}"#, in: #""v": 5"#, is: "0.00000005"),
    ValueCase(#"{"path": "$.v", "decimals": 2, "scale": 3}"#, in: #""v": 150"#, is: "4.50"),
    ValueCase(
      #"{"path": "$.v", "capture": "v(?<value>.*)", "strip": "_", "missing": ["0"], "decimals": 1, "scale": 2}"#,
      in: #""v": "v1_5""#, is: "3.0"),
  ]

  /// Numbers are JSON numbers or texts of any exponent and length, and keep the exchange's digits.
  static let numbers = [
    ValueCase(#""$.v""#, in: #""v": 1.16539E8"#, is: "116539000"),
    ValueCase(#""$.v""#, in: #""v": "-2.7E-7""#, is: "-0.00000027"),
    ValueCase(#""$.v""#, in: #""v": 6.250001e+07"#, is: "62500010"),
    ValueCase(#""$.v""#, in: #""v": "0E-8""#, is: "0.00000000"),
    ValueCase(#""$.v""#, in: #""v": ".5""#, is: "0.5"),
    ValueCase(#""$.v""#, in: #""v": "\u0031\u002e5""#, is: "1.5"),
    ValueCase(#""$.v""#, in: #""v": 12345678901234567890"#, is: "12345678901234567890"),
    ValueCase(
      #""$.v""#, in: #""v": "1.7637341012146637999999751200000000000001""#,
      is: "1.7637341012146637999999751200000000000001"),
    ValueCase(
      #"{"path": "$.v", "strip": ","}"#, in: #""v": "1,000.7637341012146637999999751200000000000001""#,
      is: "1000.7637341012146637999999751200000000000001"),
    ValueCase(
      #"{"path": "$.v", "scale": 10}"#, in: #""v": "1.7637341012146637999999751200000000000001""#,
      is: "17.637341012146637999999751200000000000"),
  ]

  /// An empty cell says why.
  static let reasons = [
    ValueCase(#""$.v""#, in: #""w": 5"#, is: "path-miss"),
    ValueCase(#""$.v.w""#, in: #""v": 5"#, is: "path-miss"),
    ValueCase(#""$.v""#, in: #""v": null"#, is: "json-null"),
    ValueCase(#""$.v""#, in: #""v": """#, is: "json-null"),
    ValueCase(#""$.v""#, in: #""v": "NaN""#, is: "json-null"),
    ValueCase(#""$.v[*]""#, in: #""v": [1, 2]"#, is: "path-many"),
    ValueCase(#""$.v[*]""#, in: #""v": [1]"#, is: "1"),
    ValueCase(#""$.v""#, in: #""v": "1 000""#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": "1,5""#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": "9.9e39""#, is: "9900000000000000000000000000000000000000"),
    ValueCase(#""$.v""#, in: #""v": "1e40""#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": 1e300"#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": "-1e40""#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": 1e-40"#, is: "0.0000000000000000000000000000000000000001"),
    ValueCase(#""$.v""#, in: #""v": 9e-41"#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": 0e-99"#, is: "0." + String(repeating: "0", count: 99)),
    ValueCase(#"{"path": "$.v", "scale": 100}"#, in: #""v": "1e38""#, is: "not-a-number"),
    ValueCase(#"{"path": "$.v", "scale": 0.01}"#, in: #""v": "1e-39""#, is: "not-a-number"),
    ValueCase(#"{"path": "$.v", "scale": 0.01}"#, in: #""v": "1e40""#, is: "1" + String(repeating: "0", count: 38)),
    ValueCase(#""$.v""#, in: #""v": "0x10""#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": true"#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": [1]"#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": {"w": 1}"#, is: "not-a-number"),
    ValueCase(#""$.v""#, in: #""v": 1e99999"#, is: "not-a-number"),
    ValueCase(#"{"path": "$.nothing", "from": "request"}"#, in: #""v": 5"#, is: "path-miss"),
    ValueCase(#"{"path": "$.keys.deeper", "from": "request"}"#, in: #""v": 5"#, is: "path-miss"),
  ]

  static let contracts =
    #""lookups": {"contracts": {"request": {"path": "/c"}, "rows": "$[*]", "key": "$.id", "match": "$.s"}}"#

  @Test(arguments: sources) func source(_ value: ValueCase) throws { try value.check() }
  @Test(arguments: templates) func template(_ value: ValueCase) throws { try value.check() }
  @Test(arguments: firsts) func first(_ value: ValueCase) throws { try value.check() }
  @Test(arguments: arithmetic) func operation(_ value: ValueCase) throws { try value.check() }
  @Test(arguments: modifiers) func modifier(_ value: ValueCase) throws { try value.check() }
  @Test(arguments: numbers) func number(_ value: ValueCase) throws { try value.check() }
  @Test(arguments: reasons) func reason(_ value: ValueCase) throws { try value.check() }

  /// A price of zero or less is not a price; a volume of zero is a volume.
  @Test(arguments: [("0", "zero"), (#""0.00""#, "zero"), ("-1", "negative"), (#""-0.5""#, "negative")])
  func notAbove0(_ number: String, _ reason: String) throws {
    let table = try TestTable(
      #""fields": {"price": "$.v", "open": "$.v", "high": "$.v", "low": "$.v", "bid": "$.v", "ask": "$.v"}"#)
    #expect(try table.lines(#"[{"s": "A-B", "v": \#(number)}]"#) == ["A/B" + String(repeating: " \(reason)", count: 6)])
  }

  /// Per single unit, the price is too small and the volume too large for any market.
  @Test func implausibleUnitsAreMissing() throws {
    let table = try TestTable(
      #""multiplier": {"1000": 1000}, "fields": {"price": "$.p", "volume24": "$.v"}"#)
    #expect(
      try table.lines(#"[{"s": "1000A-B", "p": 1e-38, "v": 1e37}, {"s": "1000C-B", "p": 1000, "v": 1}]"#)
        == ["A/B not-a-number not-a-number", "C/B 1 1000"])
  }

  /// Computed values are marked; values only scaled by a unit are not.
  @Test func computedFieldsAreMarked() throws {
    let table = try TestTable(
      #"""
      "fields": {
        "price": {"quotient": ["$.a", "$.b"]}, "volume24": {"first": ["$.none", {"sum": ["$.a", "$.b"]}]},
        "turnover24": {"path": "$.a", "scale": 10}, "open": "$.a",
        "changePricePercent24": {"fromOpen": "$.b", "basis": "utcDay"}}
      """#)
    let row = try #require(try table.table(Array(#"[{"s": "A-B", "a": 3, "b": 2}]"#.utf8)).rows.first?.ticker)
    #expect(row.derived == [.price, .changePricePercent24, .volume24])
    #expect(row.quotients == [.price, .changePricePercent24])
    #expect(row.changePricePercent24 == .value(-25))
    #expect(row.changeBasis == .utcDay)
  }
}
