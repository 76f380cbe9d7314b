import Mapping
import Quotes
import TestSupport
import Testing

@testable import MarketData
@testable import Views

/// One CSV table of several pairs.
@Suite struct SnapshotCSVTests {
  /// Won and dollars never share a column.
  @Test func currenciesHaveTheirOwnColumns() {
    let now = SampleResponses.now
    let dollar = Pair(asset: "USD", payment: "KRW")
    let rate = RateReport(pair: dollar, moment: now, quote: RateQuote(dollar, 1400, since: nil, provider: "Dunamu"))
    func report(_ payment: String, _ price: Decimal, in currency: String) -> SnapshotReport {
      let pair = Pair(asset: "BTC", payment: payment)
      let ticker = Ticker(exchange: "A", market: .spot, symbol: "BTC", pair: pair, price: .value(price))
      let conversion = Conversion(from: payment, to: currency, by: rate, dollarTokens: ["USDT"], at: now)
      let snapshot = Snapshot(
        pair: pair, time: now, reports: [ExchangeReport("A", [ticker], of: pair)], rate: rate, check: MeaningCheck(),
        conversion: conversion, rule: .standard)
      return SnapshotReport(
        snapshot, markets: Market.allCases, alert: .standard, columns: [.payment, .price, .converted],
        isExplained: false)
    }
    let reports = [report("USDT", 65_000, in: "KRW"), report("KRW", 98_000_000, in: "USD")]
    #expect(
      String(decoding: SnapshotReport.csv(reports), as: UTF8.self)
        == "payment,price,inKRW,inUSD\r\nUSDT,65000,91000000,\r\nKRW,98000000,,70000\r\n")
    #expect(String(decoding: reports[1].csv(), as: UTF8.self) == "payment,price,inUSD\r\nKRW,98000000,70000\r\n")
  }
}
