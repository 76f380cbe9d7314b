import Config
import Mapping
import Quotes
import Testing

@testable import Proving

/// Mappings and answers whose every row is plausible or nearly so, and what their tables prove.
@Suite struct WrongMappingTests {
  typealias Row = InventedTable.Row

  private static let offers: [String: String?] = ["bid": #""$.bid""#, "ask": #""$.ask""#]

  private static func scaled(_ factor: String) -> String {
    #"{"path": "$.change", "scale": \#(factor), "basis": "rolling24h"}"#
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let edits: [String: String?]
    let problems: [String]

    init(_ description: String, _ edits: [String: String?], _ problems: String...) {
      (testDescription, self.edits, self.problems) = (description, edits, problems)
    }
  }

  @Test(arguments: mappings) func finds(_ example: Case) async throws {
    let problems = try await InventedTable(example.edits).problems()
    #expect(problems == example.problems)
  }

  static let mappings = [
    Case("nothing", [:]),
    Case("nothing, with offers", offers),
    Case("nothing, with an open", ["open": #""$.open""#]),
    Case(
      "an open as the price", ["price": #""$.open""#],
      "change: 7 of 12 rows fail (is the sign wrong, or is the price not the last one?), for example C0X-USDT: change "
        + "-4.4 % implies an open of 10460.3, outside low 9460 to high 10100: is the sign wrong, or is the price not "
        + "the last one?", misnamed("open")),
    Case(
      "an open as the price, with offers, as a scale hides it",
      offers.merging(["price": #""$.open""#, "changePricePercent24": scaled("0.01")]) { $1 },
      "price: outside of bid and ask in 12 of 12 rows where these are close, 3.74 % away in the median | is it "
        + "another member, such as an open, a high or an average?", misnamed("open")),
    Case(
      "an open as the price and the open", ["price": #""$.open""#, "open": #""$.open""#],
      "change: 12 of 12 rows fail (is it measured from another open?), for example C0X-USDT: change -4.4 % but (price "
        + "- open) / open is +0.00 %: is it measured from another open?", misnamed("open")),
    Case(
      "offers as the range", ["high": #""$.ask""#, "low": #""$.bid""#],
      "change: 10 of 12 rows fail (is it measured from another open?), for example C0X-USDT: change -4.4 % implies an "
        + "open of 10000, outside low 9559 to high 9561: is it measured from another open?"),
    // Two of the rows would fit with a scale, but the others confirm theirs.
    Case(
      "a difference as the change", ["changePricePercent24": #"{"path": "$.delta", "basis": "rolling24h"}"#],
      "change: 2 of 12 rows fail, for example C0X-USDT: change -440 %: no price falls by 100 % or more"),
    Case(
      "a change 100 times too large", ["changePricePercent24": scaled("100")],
      // The range would allow a tenth of it as well as a hundredth.
      "change: 12 of 12 rows fail, for example C0X-USDT: change -440 %: no price falls by 100 % or more"),
    Case(
      "a change 100 times too large, with an open",
      ["open": #""$.open""#, "changePricePercent24": scaled("100")],
      "changePricePercent24: 12 of 12 rows look 100 times too large: remove its \"scale\""),
    Case(
      "a change 100 times too small", ["changePricePercent24": scaled("0.01")],
      "changePricePercent24: 12 of 12 rows look 100 times too small: remove its \"scale\""),
    Case(
      "a high as the price", offers.merging(["price": #""$.high""#, "high": nil]) { $1 },
      "price: outside of bid and ask in 12 of 12 rows where these are close, 2.84 % away in the median | is it "
        + "another member, such as an open, a high or an average?", misnamed("high")),
    // A mark price is near the offers, but need not be between them.
    Case(
      "a price beside its offers", offers.merging(["price": #"{"path": "$.ask", "scale": "1.0008"}"#]) { $1 },
      misnamed("ask")),
    Case("a mark price by its basis", ["price": #"{"path": "$.markPrice", "basis": "mark"}"#]),
    Case(
      "a mark price as the last", ["price": #""$.markPrice""#], misnamed("markPrice", ", or write \"basis\": \"mark\"")),
    Case("a price called that of the spot market", ["price": #""$.spotPrice""#]),
    Case("a volume and a turnover", ["volume24": #""$.volume""#, "turnover24": #""$.money""#]),
    Case("a turnover alone", ["turnover24": #""$.money""#]),
    Case(
      "the volume of a week", ["volume24": #""$.volume7d""#],
      "volume24: by its name, $.volume7d does not cover 24 hours | use a member that does, or leave volume24 out"),
    Case(
      "money as the only volume", ["volume24": #""$.money""#],
      "volume24: against the price it has slope -0.03 in 12 rows (coins -1, money 0), as money would | is it the "
        + "turnover? write it as \"turnover24\""),
    Case(
      "coins as the only turnover", ["turnover24": #""$.volume""#],
      "turnover24: against the price it has slope -1.03 in 12 rows (coins -1, money 0), as coins would | is it the "
        + "volume in coins? write it as \"volume24\""),
  ]

  private static func misnamed(_ name: String, _ more: String = "") -> String {
    "price: by its name, $.\(name) is not the last price | use \"$.last\" (9560)\(more)"
  }

  struct Answer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Changes the recorded rows.
    let edit: @Sendable ([Row]) -> [Row]
    let problems: [String]

    init(_ description: String, _ edit: @escaping @Sendable ([Row]) -> [Row], _ problems: String...) {
      (testDescription, self.edit, self.problems) = (description, edit, problems)
    }
  }

  /// Answers that differ from the recording, read with a volume.
  @Test(arguments: answers) func findsChanged(_ answer: Answer) async throws {
    let table = try InventedTable(["volume24": #""$.volume""#])
    let problems = try await table.problems(in: answer.edit(InventedTable.rows), recorded: InventedTable.rows)
    #expect(problems == answer.problems)
  }

  static let answers = [
    Answer("nothing", { $0 }),
    Answer(
      "changes without signs",
      { $0.editing("change") { row in String(row["change", default: ""].drop { $0 == "-" }) } },
      "change: 4 of 12 rows fail (is the sign wrong, or is the price not the last one?), for example C0X-USDT: change "
        + "+4.4 % implies an open of 9157.09, outside low 9460 to high 10100: is the sign wrong, or is the price not "
        + "the last one?"),
    Answer(
      "changes with the other sign", { $0.editing("change") { Self.negated($0["change", default: ""]) } },
      "change: 8 of 12 rows fail (is the sign wrong, or is the price not the last one?), for example C0X-USDT: change "
        + "+4.4 % implies an open of 9157.09, outside low 9460 to high 10100: is the sign wrong, or is the price not "
        + "the last one?"),
    Answer("two thirds of the pairs", { Array($0.prefix(8)) }),
    Answer("half of the pairs", { Array($0.prefix(6)) }, gone("6", from: 6)),
    Answer("a quarter of the pairs", { Array($0.prefix(3)) }, gone("9", from: 3)),
    Answer("a single pair", { Array($0.prefix(1)) }, gone("11", from: 1)),
    // The names of the coins find the rows, but these are other pairs.
    Answer(
      "all pairs in another currency", { $0.editing("s") { $0["s", default: ""].replacing("USDT", with: "USDC") } },
      gone("12", from: 0)),
    Answer(
      "all pairs in another currency, and no other name",
      { $0.editing("s") { $0["s", default: ""].replacing("USDT", with: "USDC") }.editing("coin") { _ in "coin" } },
      gone("12", from: 0)),
    Answer(
      "longer symbols of the same pairs, and no other name",
      { $0.editing("s") { $0["s", default: ""] + ".V2" }.editing("coin") { _ in "coin" } }),
    Answer(
      "volumes of a livelier day",
      { $0.editing("volume") { ((Decimal($0["volume", default: ""]) ?? 0) * 10).description } }),
    Answer(
      "money as the volume", { $0.editing("volume") { $0["money", default: ""] } },
      "volume24: $.volume is about the recorded amount times the price in 7 of 7 rows whose price is far from 1 | if "
        + "it counts money now, it is \"turnover24\""),
  ]

  /// The problem that recorded symbols are gone, from one on.
  private static func gone(_ count: String, from first: Int) -> String {
    let names = (first..<first + 5).map { "C\($0)X-USDT" }.joined(separator: ", ")
    return "\(count) of 12 recorded symbols are gone: \(names), …"
  }

  /// The other way round, for a mapping that reads money as the volume.
  @Test func findsCoinsInsteadOfMoney() async throws {
    let coins = InventedTable.rows.editing("money") { $0["volume", default: ""] }
    let problems = try await InventedTable(["turnover24": #""$.money""#]).problems(
      in: coins, recorded: InventedTable.rows)
    #expect(
      problems == [
        "turnover24: $.money is about the recorded amount divided by the price in 7 of 7 rows whose price is far from 1 "
          + "| if it counts coins now, it is \"volume24\""
      ])
  }

  private static func negated(_ text: String) -> String { text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text }

  // MARK: Single pairs

  /// An answer for the first pair, whatever is requested, is the right one for the first pair.
  @Test(arguments: [
    (true, []),
    (
      false,
      [
        "price is 9560 here and 0.00009820 in the table of all pairs",
        "high is 10100 here and 0.00010100 in the table of all pairs",
        "low is 9460 here and 0.00009720 in the table of all pairs",
      ]
    ),
  ])
  func requestsTwoPairsAlone(readsPair: Bool, problems: [String]) async throws {
    let table = try InventedTable(
      besides: """
        , "ticker": { "request": { "path": "/one", "query": { "s": "{asset}-{payment}" } }, "rows": "$", "symbol": "request" }
        """)
    let rows = InventedTable.rows
    let found = try await table.problems { url in
      let row = rows.first { url.contains("=" + $0["s", default: ""].prefix { $0 != "-" } + "-") } ?? rows[0]
      return Array(InventedTable.body([readsPair ? row : rows[0]]).dropFirst().dropLast())
    }
    #expect(found == problems)
  }

  /// Of an exchange without a table two pairs are asked that it is likely to list; nothing else would show an answer that
  /// is about one of them whatever is requested.
  @Test(arguments: [true, false])
  func asksLikelyPairsWithoutTable(_ readsPair: Bool) async throws {
    let stub = try StubExchanges(
      config: """
        { "version": 1, "exchanges": { "alpha": {
          "baseUrls": ["https://alpha.test"], "rows": "$", "symbol": "request",
          "paymentCurrencies": { "fiat": ["EUR"] },
          "fields": { "price": "$.p", "high": "$.h", "low": "$.l", "volume24": "$.v" },
          "markets": { "spot": { "ticker": { "request": { "path": "/{asset}{payment}" } } } } } } }
        """)
    let client = stub.client { _, url in
      let price = readsPair && url.hasSuffix("/ETHEUR") ? 3000 : 90_000
      let body = #"{"p": \#(price), "h": \#(price + 9), "l": \#(price - 9), "v": \#(price / 7)}"#
      return .success((200, Array(body.utf8)))
    }
    let tested = await ExchangeTester(live: client, Interpretation(check: MeaningCheck())).test(
      try #require(stub.exchanges.first))
    #expect(tested.tables.map { $0.pair?.description } == ["BTC/EUR", "ETH/EUR"])
    let text =
      "the rows of BTC/EUR, ETH/EUR have the same figures: the answer seems to be about one pair, whatever is requested"
    #expect(tested.problems.contains { $0.message == text } == !readsPair)
  }

  /// A table in which each row has the figures of one pair is of that pair alone.
  @Test func reportsAlikeRows() async throws {
    let table = try InventedTable()
    let rows = InventedTable.rows
    let figures = rows[0].filter { $0.key != "s" }
    let alike = rows.map { row in figures.merging(["s": row["s", default: ""]]) { own, _ in own } }
    let found = try await table.problems(in: alike)
    let names = rows.prefix(3).map { $0["s", default: ""].replacing("-", with: "/") }.joined(separator: ", ")
    let message =
      "the rows of \(names), … have the same figures: the answer seems to be about one pair, "
      + "whatever is requested | check how the request names the pair, and what the rows are"
    #expect(found.contains(message), "\(found)")
  }
}

extension [InventedTable.Row] {
  /// Returns the rows with another value of a member.
  fileprivate func editing(_ member: String, _ value: (Element) -> String) -> Self {
    map { row in
      var row = row
      row[member] = value(row)
      return row
    }
  }
}
