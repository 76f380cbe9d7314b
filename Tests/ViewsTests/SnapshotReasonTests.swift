import JSON
import Mapping
import Quotes
import Terminal
import TestSupport
import Testing

@testable import MarketData
@testable import Views

/// Headlines of `show` that are missing say why in JSON, as they do in text.
@Suite struct SnapshotReasonTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The spot prices by exchange; nil for one that is flagged.
    var spot: [(String, Decimal?)] = []
    /// The futures prices by exchange; nil if futures were not requested.
    var futures: [(String, Decimal?)]?
    var premium: String?
    var first: String?
    var last: String?
    /// Why each spot row has no distance from the lowest.
    var distances: [String?]
  }

  static let cases = [
    Case(
      testDescription: "all", spot: [("A", 100), ("B", 101)], futures: [("A", 102), ("B", 103)], distances: [nil, nil]),
    Case(
      testDescription: "one usable price", spot: [("A", 100), ("B", nil)], futures: [("A", 102), ("B", 103)],
      premium: "one-exchange", last: "one-exchange", distances: ["one-exchange", "range"]),
    Case(
      testDescription: "no usable price", spot: [("A", nil), ("B", nil)], futures: [("A", 102)], premium: "no-price",
      first: "spot range", last: "spot range", distances: ["range", "range"]),
    Case(
      testDescription: "no futures", spot: [("A", 100), ("B", 101), ("C", nil)], futures: [], first: "not-listed",
      last: "not-listed", distances: [nil, nil, "range"]),
    Case(
      testDescription: "spot alone", spot: [("A", 100), ("B", 101)], first: "not-asked", last: "not-asked",
      distances: [nil, nil]),
  ]

  @Test(arguments: cases) func reasons(_ sample: Case) throws {
    let (now, pair) = (SampleResponses.now, SampleResponses.pair)
    func report(_ exchange: String, _ market: Market, _ price: Decimal?) -> ExchangeReport {
      let ticker = Ticker(
        exchange: exchange, market: market, symbol: "BTC", pair: pair, price: .value(price ?? 100), time: now,
        arrival: now, flags: price == nil ? [Flag(.range, .repeatedMember)] : [])
      return ExchangeReport(exchange, [ticker], on: market, of: pair)
    }
    let empty = ExchangeReport("A", [], on: .futures, of: pair)
    let futures = sample.futures.map { $0.isEmpty ? [empty] : $0.map { report($0, .futures, $1) } } ?? []
    let snapshot = Snapshot(
      pair: pair, time: now, reports: sample.spot.map { report($0, .spot, $1) } + futures, rate: nil,
      check: MeaningCheck(), rule: .standard)
    let json = try JSONDocument(
      parsing: SnapshotReport(
        snapshot, markets: Market.allCases, alert: .standard, columns: nil, isExplained: false
      ).json()
    ).root
    #expect((json["maxPremium"]?.kind == .null) == (sample.premium != nil))
    #expect(json["maxPremiumReason"]?.string == sample.premium)
    for (name, reason) in [("first", sample.first), ("last", sample.last)] {
      #expect((json["disparity"]?[name]?.kind == .null) == (reason != nil))
      #expect(json["disparity"]?["reasons"]?[name]?.string == reason)
    }
    let found = json["spot"]?.elements.map { $0["reasons"]?["overLowPercent"]?.string }
    #expect(found == sample.distances)
  }

  /// Without a row, each market says why: the sentence below its title, in two languages, and in JSON its status and
  /// reason.
  @Test(
    arguments: [
      ([.notListed], ["A does not list it", "A에 상장되지 않음"], ["not-listed not-listed"]),
      (
        [.notListed, .notListed], ["none of 2 exchanges lists it", "거래소 2곳 어디에도 상장되지 않음"],
        ["not-listed not-listed", "not-listed not-listed"]
      ),
      ([.halted], ["A has it, but does not trade it now", "A 거래 중지"], ["halted halted"]),
      ([.halted, .halted], ["2 of 2 do not trade it now", "2/2 거래 중지"], ["halted halted", "halted halted"]),
      (
        [.halted, .notListed, .notListed],
        ["1 of 3 does not trade it now, the others do not list it", "1/3 거래 중지, 나머지에는 상장되지 않음"],
        ["halted halted", "not-listed not-listed", "not-listed not-listed"]
      ),
      (
        [.timeout, .halted, .notListed],
        [
          "1 of 3 failed, 1 does not trade it now, the others do not list it",
          "1/3 실패, 1곳 거래 중지, 나머지에는 상장되지 않음",
        ],
        ["failed timeout", "halted halted", "not-listed not-listed"]
      ),
      ([.timeout, .timeout], ["2 of 2 failed", "2/2 실패"], ["failed timeout", "failed timeout"]),
    ] as [([Missing], [String], [String])])
  func absences(_ reasons: [Missing], _ sentences: [String], _ statuses: [String]) throws {
    let reports = zip(["A", "B", "C"], reasons).map { exchange, reason in
      var table = TickerTable()
      table.failures = [.init(part: "", failure: AnswerFailure(reason))]
      return ExchangeReport(exchange: exchange, market: .spot, GatheredTable(table, of: SampleResponses.pair))
    }
    let snapshot = Snapshot(
      pair: SampleResponses.pair, time: SampleResponses.now, reports: reports, rate: nil, check: MeaningCheck(),
      rule: .standard)
    let report = SnapshotReport(snapshot, markets: [.spot], alert: .standard, columns: nil, isExplained: false)
    for (language, sentence) in zip(Language.allCases, sentences) {
      let text = report.text(on: Page(palette: .plain, width: nil, language: language))
      #expect(text.contains("\n\(language("no row", "행 없음")): \(sentence)\n"), "\(text)")
    }
    let venues = try JSONDocument(parsing: report.json()).root["venues"]?.elements
    #expect(venues?.map { "\($0["status"]?.string ?? "") \($0["reason"]?.string ?? "")" } == statuses)
  }

  /// Without futures, both ends of the disparities have the reason: a failure before a halt, and that before the rest.
  @Test(
    arguments: [
      ([.notListed], "not-listed"), ([.notListed, .halted], "halted"), ([.halted, .timeout], "timeout"),
    ] as [([Missing], String)])
  func absentFutures(_ reasons: [Missing], _ code: String) throws {
    let pair = SampleResponses.pair
    let reports = zip(["A", "B"], reasons).map { exchange, reason in
      ExchangeReport(exchange, [], on: .futures, of: pair, failures: [AnswerFailure(reason)])
    }
    let snapshot = Snapshot(
      pair: pair, time: SampleResponses.now, reports: reports, rate: nil, check: MeaningCheck(), rule: .standard)
    let report = SnapshotReport(snapshot, markets: [.futures], alert: .standard, columns: nil, isExplained: false)
    let ends = try JSONDocument(parsing: report.json()).root["disparity"]?["reasons"]
    #expect(ends?["first"]?.string == code && ends?["last"]?.string == code)
  }
}
