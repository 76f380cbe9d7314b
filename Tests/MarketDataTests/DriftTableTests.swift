import Config
import JSON
import Mapping
import MarketData
import Quotes
import Testing
import Transport

@testable import Proving

/// API changes, with the findings and proposals for each.
@Suite struct DriftTableTests {
  private static let config = """
    { "version": 1, "exchanges": { "alpha": {
      "baseUrls": ["https://alpha.example"],
      "success": { "where": [{ "path": "$.code", "equals": 0 }], "code": "$.code" },
      "rows": "$.data[*]", "symbol": { "path": "$.s", "split": "-" },
      "where": [{ "path": "$.state", "equals": "on" }],
      "lookups": { "sizes": { "request": { "path": "/sizes" }, "rows": "$.list[*]", "key": "$.id", "match": "$.s" } },
      "fields": { "price": "$.last", "high": "$.high", "low": "$.low", "bid": "$.bid", "ask": "$.ask",
        "changePricePercent24": { "path": "$.percentChange", "basis": "rolling24h" },
        "volume24": { "product": ["$.vol", { "path": "$.size", "from": "sizes" }] },
        "turnover24": "$.money", "time": { "path": "$.time", "unit": "ms" } },
      "markets": { "spot": { "tickers": { "request": { "path": "/all" } },
        "ticker": { "request": { "path": "/one", "query": { "s": "{asset}-{payment}" } }, "rows": "$.data" },
        "orderbook": { "request": { "path": "/book", "query": { "s": "{asset}-{payment}" } }, "bids": "$.bids[*]", "asks": "$.asks[*]", "price": "$[0]",
          "size": "$[1]" } } } } } }
    """

  private static let time = StubExchanges.arrival.nanoseconds / 1_000_000

  /// Returns twelve rows; on another day prices, volumes and changes differ.
  private static func rows(isLater: Bool) -> [String] {
    (0..<12).map { index in
      let move = isLater ? 90 + (index * 7) % 25 : 100
      let price = 3 * (1 << index) * move
      let volume = (Decimal((index * 977) % 53 + (isLater ? 9 : 3)) * 4 + 1).scaledByPowerOfTen(-2)
      let money = Decimal(price) * volume * Decimal(index + 1)
      let change = (isLater ? 13 - 2 * index : 7 * index - 40)
      return """
        {"s": "C\(index)X-USDT", "last": "\(price).5", "high": "\(price * 103 / 100 + 2).5", "low": "\(price * 97 / 100).5",
         "percentChange": "\(change < 0 ? "-" : "")\(abs(change) / 10).\(abs(change) % 10)7", "bid": "\(price).4",
         "ask": "\(price).6", "vol": "\(volume)", "money": "\(money)", "time": \(time - Int64(1000 * index)), "state": "on"}
        """
    }
  }

  private static func answers(_ edit: (String) -> String = { $0 }, isLater: Bool) -> (String) -> StubExchanges.Reply {
    let rows = rows(isLater: isLater)
    let sizes = (0..<12).map { "{\"id\": \"C\($0)X-USDT\", \"size\": \"\($0 + 1).0\"}" }.joined(separator: ",")
    func book(_ index: Int) -> String {
      let levels = { (sign: Int) in
        (1...5).map { "[\"\(300 * (1 << index) + sign * $0)\", \"\($0).5\"]" }.joined(separator: ",")
      }
      return edit("{\"code\": 0, \"bids\": [\(levels(-1))], \"asks\": [\(levels(1))]}")
    }
    let bodies = [
      "/all": edit("{\"code\": 0, \"data\": [\(rows.joined(separator: ",\n"))]}"),
      "/sizes": edit("{\"code\": 0, \"list\": [\(sizes)]}"),
    ]
    let bytes = bodies.mapValues { Array($0.utf8) }
    let books = rows.indices.map { Array(book($0).utf8) }
    let ones = rows.map { Array(edit("{\"code\": 0, \"data\": \($0)}").utf8) }
    return { url in
      let one = rows.indices.first { url.contains("/one?s=C\($0)X-") }
      if let index = rows.indices.first(where: { url.contains("/book?s=C\($0)X-") }) {
        return .success((200, books[index]))
      }
      return .success((200, one.map { ones[$0] } ?? bytes.first { url.contains($0.key) }?.value ?? []))
    }
  }

  private func findings(_ edit: @escaping (String) -> String) async throws -> [Found] {
    let stub = try StubExchanges(config: Self.config)
    let options = Interpretation(check: MeaningCheck())
    let exchange = try #require(stub.exchanges.first)
    let before = Before(reply: Self.answers(isLater: false))
    let after = Before(reply: Self.answers(edit, isLater: true))
    let base = await ExchangeTester(live: stub.client { before.reply($1) }, options).test(exchange)
    let result = await ExchangeTester(live: stub.client { after.reply($1) }, options).test(
      exchange, comparedWith: base)
    return result.findings.map { finding in
      var found = Found(finding)
      found.replacements = result.replacements[finding] ?? []
      return found
    }
  }

  private struct Before: @unchecked Sendable { let reply: (String) -> StubExchanges.Reply }

  struct Case: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    /// The proposals: the replacement for each lost path.
    let proposals: [String: String]

    init(_ old: String, _ new: String, _ proposals: [String: String]) {
      (self.old, self.new, self.proposals) = (old, new, proposals)
    }

    var testDescription: String { "\(old) → \(new)" }
  }

  @Test(arguments: [
    Case("\"percentChange\":", "\"pc\":", ["$.percentChange": "$.pc"]),
    Case("\"percentChange\":", "\"priceChangePct\":", ["$.percentChange": "$.priceChangePct"]),
    Case("\"percentChange\":", "\"zq\":", ["$.percentChange": "$.zq"]),
    Case("\"last\":", "\"close\":", ["$.last": "$.close"]),
    Case("\"last\":", "\"k\":", ["$.last": "$.k"]),
    Case("\"bid\":", "\"buy\":", ["$.bid": "$.buy"]),
    Case("\"bid\":", "\"xx\":", ["$.bid": "$.xx"]),
    // Numbers that would fit, with names that contradict.
    Case("\"last\":", "\"indexPrice\":", ["$.last": "none"]),
    Case("\"bid\":", "\"bestAsk\":", ["$.bid": "none"]),
    Case("\"high\":", "\"HIGH\":", ["$.high": "$.HIGH"]),
    Case("\"money\":", "\"quoteVolume\":", ["$.money": "$.quoteVolume"]),
    Case("\"vol\":", "\"amount\":", ["$.vol": "$.amount"]),
    Case("\"time\":", "\"ts\":", ["$.time": "$.ts"]),
    Case("\"s\":", "\"symbol\":", ["$.s": "$.symbol"]),
    Case("\"state\":", "\"status\":", ["$.state": "$.status"]),
    Case("\"code\":", "\"retCode\":", ["$.code": "$.retCode"]),
    Case("\"code\":", "\"errno\":", ["$.code": "$.errno"]),
    Case("\"data\":", "\"result\":", ["$.data[*]": "$.result[*]", "$.data": "$.result"]),
    Case("\"list\":", "\"contracts\":", ["$.list[*]": "$.contracts[*]"]),
    Case("\"size\":", "\"contractSize\":", ["$.size": "$.contractSize"]),
    Case("\"id\":", "\"instrument\":", ["$.id": "$.instrument"]),
    Case("\"bids\":", "\"b\":", ["$.bids[*]": "$.b[*]"]),
    Case("\"asks\":", "\"sells\":", ["$.asks[*]": "$.sells[*]"]),
  ])
  func movedMembersAreProposed(_ example: Case) async throws {
    let found = try await findings { $0.swapped(example.old, example.new) }
    var proposals: [String: String] = [:]
    for replacement in found.filter({ $0.finding.severity == .error }).flatMap(\.replacements) {
      proposals[replacement.lost] = replacement.chosen?.path ?? "none"
    }
    #expect(proposals == example.proposals)
  }

  @Test func envelopeIsSeenThrough() async throws {
    let found = try await findings { "{\"code\": 0, \"result\": \($0)}" }
    let proposals = Set(found.flatMap(\.replacements).map { "\($0.lost) \($0.chosen?.path ?? "none")" })
    #expect(
      proposals == [
        "$.data[*] $.result.data[*]", "$.data $.result.data", "$.list[*] $.result.list[*]",
        "$.bids[*] $.result.bids[*]", "$.asks[*] $.result.asks[*]",
      ])
  }

  /// A proposal's edit is at the position of the path.
  @Test func proposalIsAtPositionOfPath() async throws {
    let found = try await findings { $0.swapped("\"percentChange\":", "\"pc\":") }
    let problem = try #require(found.first { $0.finding.severity == .error })
    let replacement = try #require(problem.replacements.first)
    let place = try #require(replacement.places.first)
    #expect(String(decoding: place.file.bytes[place.range], as: UTF8.self) == "\"$.percentChange\"")
    #expect(
      problem.finding.help
        == "use \"$.pc\" (1.37): its name is similar, 12 of 12 rows within 12 points of the recorded value, no "
        + "other member is new, it is in the same place")
  }

  @Test func equallyGoodCandidatesAreBothNamed() async throws {
    let found = try await findings { text in
      Self.replacingMember("bid", in: text) { "\"bidA\": \"\($0)\", \"bidB\": \"\($0)\"" }
    }
    let replacement = try #require(found.flatMap(\.replacements).first)
    #expect(replacement.chosen == nil)
    #expect(replacement.candidates.map(\.path) == ["$.bidA", "$.bidB"])
    #expect(replacement.help.hasPrefix("these fit equally well, check which is right: \"$.bidA\""))
  }

  @Test func removedMembersAreReported() async throws {
    let found = try await findings { text in
      Self.replacingMember("bid", in: text) { _ in "\"halted\": false" }
    }
    let problems = found.filter { $0.finding.severity == .error }
    #expect(
      problems.compactMap(\.finding.help).allSatisfy { $0 == "nothing in the answer matches what was recorded there" })
    // In the table, and in the answers for two pairs requested alone.
    #expect(problems.flatMap(\.replacements).map(\.lost) == ["$.bid", "$.bid", "$.bid"])
  }

  struct Shift: Sendable, CustomTestStringConvertible {
    let name: String
    let edit: @Sendable (_ member: String, _ value: String) -> String?
    let problems: Set<String>
    var notes: Set<String> = []

    var testDescription: String { name }
  }

  /// Values whose meaning has changed.
  @Test(arguments: [
    Shift(
      name: "prices a thousand times larger",
      edit: { ["last", "high", "low", "bid", "ask"].contains($0) ? "\"\($1.dropLast(2))000\"" : nil },
      problems: Set(
        [("price", "last"), ("high", "high"), ("low", "low"), ("bid", "bid"), ("ask", "ask")].map {
          "\($0): $.\($1) looks 1000 times larger than in the recording in 12 of 12 rows"
        })),
    Shift(
      name: "seconds", edit: { name, value in name == "time" ? String(value.dropLast(3)) : nil },
      problems: ["time: $.time looks like a count of s now, but was one of ms"]),
    Shift(
      name: "null", edit: { name, _ in name == "bid" ? "null" : nil },
      problems: ["bid: $.bid is null now in all rows, but had a value in 12 of 12 of the recording"]),
    Shift(
      name: "constant", edit: { name, _ in name == "vol" ? "\"7\"" : nil },
      problems: ["volume24: $.vol is 7 in all 12 rows, but had 12 values in 12 rows of the recording"]),
    Shift(
      name: "quotes", edit: { $0 == "money" ? "\"\($1)\"" : nil }, problems: []),
    Shift(
      name: "no quotes", edit: { $0 == "last" ? $1 : nil }, problems: [],
      notes: ["price: $.last is a number now, but was a number in quotes in the recording"]),
  ])
  func whatHasShiftedIsTold(_ shift: Shift) async throws {
    let found = try await findings { Self.edited($0, shift.edit) }
    let problems = Set(
      found.filter { $0.finding.severity == .error }.map(\.finding.message).filter {
        $0.contains("$.") && !$0.contains("1 of 1 ")
      })
    #expect(problems == shift.problems)
    #expect(
      Set(found.filter { $0.finding.severity == .note && $0.finding.message.contains(" is a ") }.map(\.finding.message))
        == shift.notes)
  }

  /// The check of the change names the scale from the ranges of all rows; drift does not report it again.
  @Test func ratioIsFoundByItsCheck() async throws {
    let found = try await findings {
      Self.edited($0) { name, value in name == "percentChange" ? "\"\(Self.hundredth(value))\"" : nil }
    }
    let messages = found.filter { $0.finding.severity == .error }.map(\.finding.message)
    #expect(messages.contains { $0.hasPrefix("changePricePercent24: ") && $0.contains("look 100 times too small") })
    #expect(!messages.contains { $0.contains("smaller than in the recording") })
  }

  @Test func losingHalfThePairsIsAProblem() async throws {
    let found = try await findings { text in
      text.contains("/")
        ? text
        : text.replacing("C1", with: "D1").replacing("C2X", with: "E2X").replacing("C3X", with: "E3X")
          .replacing("C4X", with: "E4X").replacing("C5X", with: "E5X").replacing("C6X", with: "E6X")
    }
    #expect(
      found.filter { $0.finding.severity == .error }.map(\.finding.message).contains(
        "8 of 12 recorded symbols are gone: C1X-USDT, C2X-USDT, C3X-USDT, C4X-USDT, C5X-USDT, …"))
  }

  // MARK: Edits

  /// Replaces a member that is a text.
  private static func replacingMember(_ name: String, in text: String, with other: (Substring) -> String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: "\"\(name)\": \"") {
      result += rest[..<range.lowerBound]
      let value = rest[range.upperBound...].prefix { $0 != "\"" }
      result += other(value)
      rest = rest[value.endIndex...].dropFirst()
    }
    return result + rest
  }

  private static func hundredth(_ value: String) -> String {
    Decimal(value)?.scaledByPowerOfTen(-2).description ?? value
  }

  /// Replaces the values of a response's members, as JSON; nil leaves one unchanged.
  private static func edited(_ text: String, _ edit: (String, String) -> String?) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: "\": ") {
      let name = rest[..<range.lowerBound].split(separator: "\"").last.map(String.init) ?? ""
      result += rest[..<range.upperBound]
      rest = rest[range.upperBound...]
      let isText = rest.first == "\""
      let value = isText ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { !",}]".contains($0) }
      guard !value.contains("{"), !value.contains("["), let other = edit(name, String(value)) else { continue }
      result += other
      rest = rest.dropFirst(value.count + (isText ? 2 : 0))
    }
    return result + rest
  }
}

extension String {
  fileprivate func swapped(_ old: String, _ new: String) -> String { replacing(old, with: new) }
}
