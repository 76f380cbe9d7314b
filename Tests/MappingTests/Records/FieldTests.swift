import Mapping
import Quotes
import Testing

/// What the fields of a row say beyond their digits: bases, change, reasons.
@Suite struct FieldTests {
  static func row(_ fields: String, _ row: String) throws -> Ticker {
    let table = try TestTable(#""fields": {\#(fields)}"#)
    return try #require(try table.table(Array(#"[{"s": "A-B", \#(row)}]"#.utf8)).rows.first?.ticker)
  }

  @Test func basesComeFromMapping() throws {
    let row = try Self.row(
      #"""
      "price": {"path": "$.p", "basis": "mark"}, "changePricePercent24": {"path": "$.c", "basis": "kstDay"},
      "high": {"path": "$.p", "basis": "utcDay"}, "low": {"path": "$.p", "basis": "previousClose"},
      "time": {"path": "$.t", "unit": "s", "basis": "trade"}
      """#, #""p": 5, "c": 1, "t": 1"#)
    #expect(row.priceBasis == .mark)
    #expect(row.changeBasis == .kstDay)
    #expect(row.highBasis == .utcDay)
    #expect(row.lowBasis == .previousClose)
    #expect(row.timeBasis == .trade)
  }

  @Test func defaultBases() throws {
    let row = try Self.row(
      #""price": "$.p", "high": "$.p", "low": "$.p", "time": {"path": "$.t", "unit": "s"}"#, #""p": 5, "t": 1"#)
    #expect(row.priceBasis == .last)
    #expect(row.changeBasis == nil)
    #expect(row.highBasis == .rolling24h)
    #expect(row.lowBasis == .rolling24h)
    #expect(row.timeBasis == .quote)
  }

  /// A price has the basis of the alternative that was used.
  @Test(arguments: [
    (#""mid": 5, "mark": 6"#, PriceBasis.mid), (#""mark": 6"#, .mark), (#""mid": null, "mark": 6"#, .mark),
  ])
  func priceHasBasisOfUsedAlternative(_ members: String, _ basis: PriceBasis) throws {
    let row = try Self.row(
      #""price": {"first": [{"path": "$.mid", "basis": "mid"}, {"path": "$.mark", "basis": "mark"}]}"#, members)
    #expect(row.priceBasis == basis)
  }

  /// The change from an open is exact, or missing with the reason for what it lacks.
  @Test(arguments: [
    (#""p": 110, "o": "100""#, "+10.00"), (#""p": "0.095", "o": "0.1""#, "-5.00"), (#""p": 1, "o": 3"#, "-66.67"),
    (#""p": 1, "o": 0"#, "zero"), (#""p": 1"#, "path-miss"), (#""p": 1, "o": null"#, "json-null"),
    (#""o": 1"#, "path-miss"),
    (#""p": 0, "o": 1"#, "zero"), (#""p": -1, "o": 1"#, "negative"), (#""p": 1, "o": -1"#, "negative"),
  ])
  func changeFromOpen(_ members: String, _ change: String) throws {
    let row = try Self.row(
      #""price": "$.p", "changePricePercent24": {"fromOpen": "$.o", "basis": "rolling24h"}"#, members)
    #expect(row.text(.changePricePercent24) ?? row.changePricePercent24.missing?.code == change)
  }

  /// The change and range of a day that was over on arrival are those of the day before, unless nothing was traded since.
  /// When a saved answer arrived is unknown.
  @Test(
    arguments: [
      (
        1_709_220_600,
        ["A/B 3150 stale stale stale stale", "C/D 3150 +0.00 3150 3150 3150", "E/F 3150 +5.00 3000 3200 2990"]
      ),
      (nil, ["A/B 3150 +5.00 3000 3200 2990", "C/D 3150 +0.00 3150 3150 3150", "E/F 3150 +5.00 3000 3200 2990"]),
    ] as [(Int64?, [String])])
  func figuresOfEndedDay(_ arrival: Int64?, _ lines: [String]) throws {
    let table = try TestTable(
      #"""
      "fields": {
        "price": "$.p", "changePricePercent24": {"path": "$.c", "basis": "kstDay"}, "open": "$.o",
        "high": {"path": "$.h", "basis": "kstDay"}, "low": {"path": "$.l", "basis": "kstDay"},
        "time": {"path": "$.t", "unit": "s", "basis": "trade"}}
      """#)
    // The day in Korea began at 15:00 UTC, after the first two trades and before the third.
    let response = #"""
      [{"s": "A-B", "p": 3150, "c": 5, "o": 3000, "h": 3200, "l": 2990, "t": 1709218722},
       {"s": "C-D", "p": 3150, "c": 0, "o": 3150, "h": 3150, "l": 3150, "t": 1709218722},
       {"s": "E-F", "p": 3150, "c": 5, "o": 3000, "h": 3200, "l": 2990, "t": 1709219400}]
      """#
    let times = ["2024-02-29T14:58:42Z", "2024-02-29T14:58:42Z", "2024-02-29T15:10:00Z"]
    let arrival = arrival.map { Instant(nanoseconds: $0 * Instant.second) }
    #expect(try table.lines(response, Asked(arrival: arrival)) == zip(lines, times).map { "\($0) \($1)" })
  }

  /// Inconsistent numbers are flagged, not hidden.
  @Test func flags() throws {
    let row = try Self.row(
      #""price": "$.p", "high": "$.h", "low": "$.l", "changePricePercent24": {"path": "$.c", "basis": "rolling24h"}, "open": "$.o""#,
      #""p": 110, "h": 100, "l": 90, "c": 0.1, "o": 100"#)
    #expect(row.flags.map(\.code) == ["range", "change"])
    #expect(row.text(.price) == "110")
  }

  /// A computed figure is checked against a sent one, unless it was derived from that or from the price.
  @Test(arguments: [
    (#""volume24": {"product": ["$.n", "$.size"]}, "turnover24": "$.t""#, ["turnover"]),
    (#""volume24": {"quotient": ["$.t", "$.p"]}, "turnover24": "$.t""#, []),
    (#""volume24": "$.n", "turnover24": {"product": ["$.n", "$.p"]}"#, []),
    (#""volume24": {"product": ["$.n", "$.p"]}, "turnover24": "$.t""#, []),
    (#""volume24": {"product": ["$.n", "$.size"]}, "turnover24": {"sum": ["$.t", "$.t"]}"#, ["turnover"]),
    (#""volume24": "$.n", "turnover24": "$.t""#, ["turnover"]),
    // An average price must be within the day's range.
    (#""volume24": "$.n", "turnover24": {"product": ["$.n", "$.size"]}"#, ["turnover"]),
    (#""volume24": "$.n", "turnover24": {"product": ["$.n", "$.average"]}"#, []),
  ])
  func computedFigures(_ fields: String, flags: [String]) throws {
    let row = try Self.row(#""price": "$.p", \#(fields)"#, #""p": 10, "n": 3, "size": 100, "t": 5, "average": 11"#)
    #expect(row.flags.map(\.code) == flags)
  }

  /// A change that is sent is checked against an open, also one computed from other members, but not against one of its
  /// own.
  @Test(arguments: [
    (
      #""open": {"difference": ["$.p", "$.d"]}, "changePricePercent24": {"path": "$.c", "basis": "rolling24h"}"#,
      ["change"]
    ),
    (#""open": {"difference": ["$.p", "$.d"]}, "changePricePercent24": {"path": "$.r", "basis": "rolling24h"}"#, []),
    (#""open": {"quotient": ["$.p", "$.c"]}, "changePricePercent24": {"path": "$.c", "basis": "rolling24h"}"#, []),
    (
      #""open": {"difference": ["$.p", "$.d"]}, "changePricePercent24": {"fromOpen": {"difference": ["$.p", "$.d"]}, "basis": "rolling24h"}"#,
      []
    ),
  ])
  func computedOpens(_ fields: String, flags: [String]) throws {
    let row = try Self.row(#""price": "$.p", \#(fields)"#, #""p": 65000, "d": 1000, "c": 156.25, "r": 1.5625"#)
    #expect(row.flags.map(\.code) == flags)
  }

  /// Fields without a mapping are not offered.
  @Test func unmappedFieldsAreNotOffered() throws {
    let row = try Self.row(#""price": "$.p""#, #""p": 1"#)
    #expect(
      TickerField.allCases.filter { row.cell($0) == .missing(.notOffered) }
        == TickerField.allCases.filter { $0 != .price })
  }

  /// Rows of one pair in several products: the product named first in the config has the lower rank.
  @Test func ranks() throws {
    let table = try TestTable(
      #""paymentCurrencies": {"stable": ["USDT"], "coin": ["USD"]}, "fields": {"price": "$.p"}"#, market: .futures)
    let rows = try table.table(
      Array(#"[{"s": "A-USD", "p": 1}, {"s": "A-USDT", "p": 2}, {"s": "A-EUR", "p": 3}]"#.utf8)
    ).rows
    #expect(rows.sorted { $0.rank < $1.rank }.map(\.ticker.pair.payment) == ["USDT", "USD", "EUR"])
  }

  /// A later rule comes after all groups of an earlier one, and a later part after all rules, however many there are.
  @Test func ranksOfManyProducts() throws {
    let rules = (0..<70).map { #"{"suffix": ".\#($0)", "split": "-"}"# }.joined(separator: ", ")
    let groups = (0..<70).map { #""g\#($0)": ["P\#($0)"]"# }.joined(separator: ", ")
    let symbol = #""symbol": {"path": "$.s", "rules": [\#(rules)]}"#
    let table = try TestTable(#"\#(symbol), "paymentCurrencies": {\#(groups)}, "fields": {"price": "$.p"}"#)
    let symbols = ["A-P0.0", "A-P69.0", "A-EUR.0", "A-P0.1", "A-P69.69"]
    let rows = symbols.map { #"{"s": "\#($0)", "p": 1}"# }.joined(separator: ", ")
    let part = try table.table(Array("[\(rows)]".utf8))
    let ranks = TickerTable(joining: [part, part]).rows.map(\.rank)
    #expect(Set(ranks).count == 2 * symbols.count)
    #expect(ranks == ranks.sorted())
  }
}
