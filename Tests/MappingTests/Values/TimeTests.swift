import Quotes
import Testing

/// A time of the config, the row it reads, and the moment in UTC or the reason why there is none.
struct TimeCase: Sendable, CustomTestStringConvertible {
  let time: String
  let row: String
  let moment: String

  init(_ time: String, in row: String, is moment: String) {
    self.time = time
    self.row = row
    self.moment = moment
  }

  var testDescription: String { "\(time) in {\(row)}" }
}

@Suite struct TimeTests {
  static let all = [
    TimeCase(#"{"path": "$.t", "unit": "s"}"#, in: #""t": 1709220600"#, is: "2024-02-29T15:30:00Z"),
    TimeCase(#"{"path": "$.t", "unit": "s"}"#, in: #""t": "1709220600.25""#, is: "2024-02-29T15:30:00.25Z"),
    TimeCase(#"{"path": "$.t", "unit": "ms"}"#, in: #""t": "1709220600123""#, is: "2024-02-29T15:30:00.123Z"),
    TimeCase(#"{"path": "$.t", "unit": "us"}"#, in: #""t": 1709220600123456"#, is: "2024-02-29T15:30:00.123456Z"),
    // Integers never pass through a binary fraction: 19 digits stay 19 digits.
    TimeCase(#"{"path": "$.t", "unit": "ns"}"#, in: #""t": 1709220600123456789"#, is: "2024-02-29T15:30:00.123456789Z"),
    TimeCase(#"{"path": "$.t", "unit": "ms"}"#, in: #""t": 1.709220600123E12"#, is: "2024-02-29T15:30:00.123Z"),
    TimeCase(#"{"path": "$.t", "unit": "ms", "missing": ["", "0"]}"#, in: #""t": "0""#, is: "json-null"),
    TimeCase(#"{"path": "$.t", "unit": "ms"}"#, in: #""t": null"#, is: "json-null"),
    TimeCase(#"{"path": "$.t", "unit": "ms"}"#, in: #""u": 1"#, is: "path-miss"),
    TimeCase(#"{"path": "$.t", "unit": "ms"}"#, in: #""t": "now""#, is: "not-a-number !time"),
    TimeCase(#"{"path": "$.t", "unit": "s"}"#, in: #""t": 99999999999999999999"#, is: "not-a-number !time"),
    // With a zone, the digits are wall time there.
    TimeCase(
      #"{"path": "$.t", "unit": "ms", "zone": "+09:00"}"#, in: #""t": 1709253000000"#, is: "2024-02-29T15:30:00Z"),
    TimeCase(
      #"{"path": "$.t", "unit": "ns", "zone": "+09:00"}"#, in: #""t": -9223372036854775808"#, is: "not-a-number !time"),
    TimeCase(
      #"{"path": "$.t", "unit": "iso8601"}"#, in: #""t": "2024-02-29T15:30:00.5Z""#, is: "2024-02-29T15:30:00.5Z"),
    TimeCase(
      #"{"path": "$.t", "unit": "iso8601"}"#, in: #""t": "2024-03-01 00:30:00+09:00""#, is: "2024-02-29T15:30:00Z"),
    TimeCase(
      #"{"path": "$.t", "unit": "iso8601", "zone": "+09:00"}"#, in: #""t": "2024-03-01T00:30:00""#,
      is: "2024-02-29T15:30:00Z"),
    TimeCase(#"{"path": "$.t", "unit": "iso8601"}"#, in: #""t": "2024-02-30T00:00:00Z""#, is: "not-a-number !time"),
    TimeCase(
      #"{"path": "$.t", "format": "yyyy-MM-dd HH:mm:ss"}"#, in: #""t": "2024-02-29 15:30:00""#,
      is: "2024-02-29T15:30:00Z"),
    TimeCase(
      #"{"path": "$.t", "format": "yyyyMMddHHmmss", "zone": "+09:00"}"#, in: #""t": 20240301003000"#,
      is: "2024-02-29T15:30:00Z"),
    TimeCase(
      #"{"join": ["$.d", "$.h"], "with": " ", "format": "yyyy-MM-dd HH:mm:ss", "zone": "+09:00"}"#,
      in: #""d": "2024-03-01", "h": "00:30:00""#, is: "2024-02-29T15:30:00Z"),
    TimeCase(#"{"first": ["$.t", "$.u"], "unit": "ms"}"#, in: #""u": 1709220600123"#, is: "2024-02-29T15:30:00.123Z"),
    TimeCase(#"{"first": ["$.t", "$.u"], "format": "yyyyMMdd"}"#, in: #""u": "20240210""#, is: "2024-02-10T00:00:00Z"),
    TimeCase(
      #"{"path": "$.t", "capture": "/Date\\((?<value>[0-9]+)\\)/", "unit": "ms"}"#,
      in: #""t": "/Date(1709220600123)/""#, is: "2024-02-29T15:30:00.123Z"),
    TimeCase(#"{"path": "$.t", "scale": 10, "unit": "s"}"#, in: #""t": 170922060"#, is: "2024-02-29T15:30:00Z"),
    TimeCase(
      #"{"path": "$[0].t", "from": "response", "unit": "s"}"#, in: #""t": 1709220600"#, is: "2024-02-29T15:30:00Z"),
  ]

  @Test(arguments: all) func time(_ time: TimeCase) throws {
    let table = try TestTable(#""fields": {"time": \#(time.time)}"#)
    #expect(try table.lines(#"[{"s": "A-B", \#(time.row)}]"#) == ["A/B \(time.moment)"])
  }

  /// A quote is stale after a minute, a trade after an hour; without an arrival time, this is unknown.
  @Test(arguments: [
    (#""unit": "s""#, 60, true, "A/B 2024-02-29T15:30:00Z"),
    (#""unit": "s""#, 61, true, "A/B 2024-02-29T15:30:00Z !stale"),
    (#""unit": "s", "basis": "trade""#, 3600, true, "A/B 2024-02-29T15:30:00Z"),
    (#""unit": "s", "basis": "trade""#, 3601, true, "A/B 2024-02-29T15:30:00Z !stale"),
    (#""unit": "s""#, 5000, false, "A/B 2024-02-29T15:30:00Z"),
  ])
  func staleness(_ reading: String, age: Int64, isKnown: Bool, line: String) throws {
    let table = try TestTable(#""fields": {"time": {"path": "$.t", \#(reading)}}"#)
    var asked = Asked()
    if isKnown { asked.arrival = .init(nanoseconds: (1_709_220_600 + age) * 1_000_000_000) }
    #expect(try table.lines(#"[{"s": "A-B", "t": 1709220600}]"#, asked) == [line])
  }

  /// An exchange with slow pairs can define its own limit.
  @Test(arguments: [(120, "A/B 2024-02-29T15:30:00Z"), (121, "A/B 2024-02-29T15:30:00Z !stale")])
  func exchangeMayDefineItsAgeLimit(age: Int64, line: String) throws {
    let table = try TestTable(#""staleAfter": "2m", "fields": {"time": {"path": "$.t", "unit": "s"}}"#)
    var asked = Asked()
    asked.arrival = .init(nanoseconds: (1_709_220_600 + age) * 1_000_000_000)
    #expect(try table.lines(#"[{"s": "A-B", "t": 1709220600}]"#, asked) == [line])
  }
}
