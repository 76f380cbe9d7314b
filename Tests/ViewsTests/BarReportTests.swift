import JSON
import Mapping
import Quotes
import Terminal
import Testing

@testable import MarketData
@testable import Views

/// The line of a status bar, from made-up answers.
@Suite struct BarReportTests {
  /// An exchange that fails is named, and is not one that does not list the pair.
  @Test(
    arguments: [
      (nil, ["failed"], "FOO/USDT - (failed)\nAlpha timeout\nBeta http-503"),
      (2, [], "FOO/USDT 2 Gamma\nGamma 2\nAlpha timeout\nBeta http-503"),
    ] as [(Decimal?, [String], String)])
  func barNamesFailures(_ price: Decimal?, _ classes: [String], _ tooltip: String) throws {
    // Each request of a batch may fail alike.
    let late = AnswerFailure(.timeout, "late")
    let failed = ExchangeReport("Alpha", [], of: Self.pair, failures: [late, late])
    #expect(failed.reason == "timeout")
    #expect(failed.message == "late (2 times)")
    let others = price == nil ? [] : [ExchangeReport("Gamma", [Self.ticker(of: "Gamma")], of: Self.pair)]
    let refused = ExchangeReport("Beta", [], of: Self.pair, failures: [AnswerFailure(.http(503))])
    let bar = Self.bar(try Self.figures([failed, refused] + others))
    let object = try JSONDocument(parsing: Array(bar.text(.waybar).utf8)).root
    #expect(object["class"]?.elements.compactMap(\.string) == classes)
    #expect(object["tooltip"]?.string == tooltip)
  }

  /// An exchange that does not trade the pair now is named with that reason.
  @Test(
    arguments: [
      ([.halted], ["halted"], "FOO/USDT - (halted)\nAlpha halted"),
      ([.notListed], ["not-listed"], "FOO/USDT - (not-listed)\nAlpha does not list it"),
      ([.halted, .notListed], ["halted"], "FOO/USDT - (halted)\nAlpha halted"),
      ([.halted, .http(503)], ["halted", "failed"], "FOO/USDT - (halted, failed)\nAlpha halted\nBeta http-503"),
    ] as [([Missing], [String], String)])
  func barNamesHalts(_ reasons: [Missing], _ classes: [String], _ tooltip: String) throws {
    let pair = Pair(asset: "FOO", payment: "USDT")
    let reports = zip(["Alpha", "Beta"], reasons).map { exchange, reason in
      var table = TickerTable()
      table.failures = [.init(part: "", failure: AnswerFailure(reason))]
      return ExchangeReport(exchange: exchange, market: .spot, GatheredTable(table, of: pair, requests: []))
    }
    let figures = PairFigures.all(
      of: [pair], rate: nil, rule: .standard, dollarTokens: ["USDT"], identityPercent: 20
    ) { pair in
      Snapshot(
        pair: pair, time: Instant(nanoseconds: 0), reports: reports, rate: nil, check: MeaningCheck(), rule: .standard)
    }
    let bar = BarReport(
      try #require(figures.first), alert: .standard, rule: .standard, badges: [:], scheme: .kr)
    let object = try JSONDocument(parsing: Array(bar.text(.waybar).utf8)).root
    #expect(object["class"]?.elements.compactMap(\.string) == classes)
    #expect(object["tooltip"]?.string == tooltip)
  }

  /// Prices of before are `failed` while their exchange does, and `stale` if it answers without a newer one. The reason is
  /// beside the pair; different ones are summed up.
  @Test(
    arguments: [
      ([.http(500), .http(500)], ["failed"], "http-500"), ([.http(500), .timeout], ["failed"], "failed"),
      ([.http(500), nil], ["failed", "stale"], "failed, stale"), ([nil], ["stale"], "stale"),
    ] as [([Missing?], [String], String)])
  func barDistinguishesStaleFromFailed(_ causes: [Missing?], _ classes: [String], _ reason: String) throws {
    let reports = causes.enumerated().map { place, cause in
      var ticker = Self.ticker(of: "X\(place)")
      ticker.flags = [Flag(Lapse(seconds: 18, reason: cause.map { .failing($0) } ?? .limit(seconds: 10)))]
      return ExchangeReport(ticker.exchange, [ticker], of: Self.pair)
    }
    let bar = Self.bar(try Self.figures(reports))
    #expect(bar.text(.line) == "FOO/USDT - (\(reason))\n")
    #expect(bar.text(.tmux) == "FOO - (\(reason))\n")
    #expect(bar.text(.i3blocks) == "FOO - (\(reason))\nFOO - (\(reason))\n\n")
    let object = try JSONDocument(parsing: Array(bar.text(.waybar).utf8)).root
    #expect(object["class"]?.elements.compactMap(\.string) == classes)
  }

  /// A name in a tooltip or a menu is neither markup nor a parameter.
  @Test func barEscapesNames() throws {
    let bar = Self.bar(try Self.figures([ExchangeReport("<b>|", [Self.ticker(of: "<b>|")], of: Self.pair)]))
    #expect(bar.text(.xbar) == "FOO 2\n---\nFOO/USDT 2 <b>¦\n<b>¦ 2\n")
    let object = try JSONDocument(parsing: Array(bar.text(.waybar).utf8)).root
    #expect(object["tooltip"]?.string == "FOO/USDT 2 &lt;b&gt;|\n&lt;b&gt;| 2")
  }

  private static let pair = Pair(asset: "FOO", payment: "USDT")

  /// Returns the price of FOO/USDT, which is 2 on each exchange.
  private static func ticker(of exchange: String) -> Ticker {
    Ticker(exchange: exchange, market: .spot, symbol: "FOOUSDT", pair: pair, price: .value(2))
  }

  private static func figures(_ reports: [ExchangeReport]) throws -> PairFigures {
    let figures = PairFigures.all(
      of: [pair], rate: nil, rule: .standard, dollarTokens: ["USDT"], identityPercent: 20
    ) { pair in
      Snapshot(
        pair: pair, time: Instant(nanoseconds: 0), reports: reports, rate: nil, check: MeaningCheck(), rule: .standard)
    }
    return try #require(figures.first)
  }

  private static func bar(_ figures: PairFigures) -> BarReport {
    BarReport(figures, alert: .standard, rule: .standard, badges: [:], scheme: .kr)
  }

  /// Answers of an earlier run say their age: in a bar from ten seconds on, like other ages.
  @Test(arguments: [(9_999, ""), (25_123, " (20s old)"), (3_600_000, " (1h old)")] as [(Int64, String)])
  func keptAnswersHaveAnAge(_ milliseconds: Int64, age: String) throws {
    let now = Instant(nanoseconds: 0)
    let requests = [0, milliseconds].map { kept in
      RequestReport(
        name: "spot-tickers", method: "GET", url: "https://gamma.example", arrival: now, status: 200, pause: nil,
        kept: .milliseconds(kept))
    }
    let report = ExchangeReport("Gamma", [Self.ticker(of: "Gamma")], of: Self.pair, requests: requests)
    let own = try Self.figures([report])
    let bar = Self.bar(own)
    #expect(bar.text(.line) == "FOO/USDT 2 GA\(age)\n")
    #expect(bar.text(.tmux) == "FOO 2\(age)\n")
    let json = SnapshotReport(own.snapshot, markets: [.spot], alert: .standard, isExplained: false).json()
    let seconds = try JSONDocument(parsing: json).root["keptSeconds"]?.string.flatMap { Decimal($0) }
    #expect(seconds == Decimal(mantissa: Int128(milliseconds), exponent: -3))
  }
}
