import Mapping
import Quotes
import Testing

/// Open, change and percent follow from each other, also when crossed through another currency or inverted.
@Suite struct RateQuoteTests {
  private func quote(_ asset: String, _ payment: String, _ rate: String, open: String?, at second: Int64) -> RateQuote {
    var reading = RateReading(pair: Pair(asset: asset, payment: payment), rate: Decimal(rate) ?? 0)
    reading.open = open.flatMap { Decimal($0) }
    reading.time = Instant(nanoseconds: second * 1_000_000_000)
    return RateQuote(reading, provider: "\(asset)\(payment)")
  }

  /// Hana Bank's example: the open is not its opening price, the first quote of the day.
  @Test func hanaBankExample() {
    var reading = RateReading(pair: Pair(asset: "USD", payment: "KRW"), rate: Decimal("1272.00") ?? 0)
    reading.change = Decimal("-2.00")
    reading.changePercent = Decimal("-0.0015698587")?.scaledByPowerOfTen(2)
    let quote = RateQuote(reading, provider: "Dunamu")
    #expect(quote.rate.rateText == "1272.00")
    #expect(quote.open.value?.rateText == "1274.00")
    #expect(quote.change.value?.description == "-2.00")
    #expect(quote.changePercent.value?.signedPercentText == "-0.16")
  }

  /// A percentage contradicted by its own open and change is not shown, and there is none if they yield no open, or one
  /// that is too far away.
  @Test(arguments: [
    ("-2.00", "-0.157", "-0.16"), ("-2.00", "-15.7", "contradictory"), ("-2.00", "-0.00157", "contradictory"),
    ("-2.00", "+0.16", "contradictory"), ("1272", "+100", "open-unknown"), ("5000", "+1", "open-unknown"),
    ("0", "0", "+0.00"), ("-330", "-20.6", "implausible"), ("250", "+24.46", "+24.46"),
    ("260", "+25.69", "implausible"),
  ])
  func inconsistentPercentageIsDropped(change: String, percent: String, expected: String) {
    var reading = RateReading(pair: Pair(asset: "USD", payment: "KRW"), rate: Decimal("1272.00") ?? 0)
    reading.change = Decimal(change)
    reading.changePercent = Decimal(percent.hasPrefix("+") ? String(percent.dropFirst()) : percent)
    let quote = RateQuote(reading, provider: "Dunamu")
    #expect((quote.changePercent.value?.signedPercentText ?? quote.changePercent.missing?.code) == expected)
    #expect((quote.change.missing?.code ?? expected) == expected)
  }

  @Test func crossed() {
    let euro = quote("EUR", "USD", "1.1600", open: "1.1500", at: 2000)
    let won = quote("USD", "KRW", "1461.50", open: "1464.80", at: 1000)
    let crossed = euro.crossed(with: won)
    #expect(crossed.pair == Pair(asset: "EUR", payment: "KRW"))
    #expect(crossed.rate.shortest == "1695.34")
    #expect(crossed.open.value?.shortest == "1684.52")
    #expect(crossed.change.value?.shortest == "10.82")
    #expect(crossed.changePercent.value?.signedPercentText == "+0.64")
    #expect(crossed.provider == "EURUSD, USDKRW")
    // As old as the older of the two.
    #expect(crossed.time == won.time)
    #expect(crossed.labels == [.crossed("USD")])
  }

  @Test func crossedWithoutAnOpen() {
    let crossed = quote("EUR", "USD", "1.16", open: nil, at: 1).crossed(
      with: quote("USD", "KRW", "1461.50", open: "1464.80", at: 1))
    #expect(crossed.open == .missing(.openUnknown))
    #expect(crossed.changePercent == .missing(.openUnknown))
  }

  @Test func invertedQuote() throws {
    let turned = try #require(quote("USD", "KRW", "1250", open: "1000", at: 1).inverted)
    #expect(turned.pair == Pair(asset: "KRW", payment: "USD"))
    #expect(turned.rate.shortest == "0.0008")
    #expect(turned.open.value?.shortest == "0.001")
    #expect(turned.changePercent.value?.signedPercentText == "-20.00")
    #expect(turned.labels == [.inverse])
  }

  /// What is not believed of a rate is not believed of those made of it, and a remark about it names its pair.
  @Test(arguments: [("9.9", "contradictory", Decimal(1380)), ("1", "implausible", 700)])
  func doubtsAreTakenOver(_ percent: String, _ reason: String, _ open: Decimal) throws {
    var reading = RateReading(pair: Pair(asset: "USD", payment: "KRW"), rate: 1400)
    reading.open = open
    reading.changePercent = Decimal(percent)
    var won = RateQuote(reading, provider: "A")
    won.labels = [.unconfirmed(since: 1300, by: "B")]
    let pair = Pair(asset: "USD", payment: "KRW")
    let euro = quote("EUR", "USD", "1.16", open: "1.15", at: 1)
    for made in [try #require(won.inverted), euro.crossed(with: won), try #require(euro.crossed(with: won).inverted)] {
      #expect(made.changePercent.missing?.code == reason)
      #expect(made.change.missing?.code == reason)
      #expect(made.labels.first == .unconfirmed(since: 1300, by: "B", of: pair))
    }
  }

  /// A percentage without an open is of nothing known. One of more than 20 is as unlikely as such a change in money.
  @Test(arguments: [
    ("-0.23", "open-unknown"), ("0", "open-unknown"), ("20", "open-unknown"), ("20.01", "implausible"),
    ("-20.01", "implausible"),
  ])
  func lonePercentageIsNotShown(percent: String, expected: String) {
    var reading = RateReading(pair: Pair(asset: "USD", payment: "KRW"), rate: 1272)
    reading.changePercent = Decimal(percent)
    let quote = RateQuote(reading, provider: "Dunamu")
    #expect(
      [quote.open, quote.change, quote.changePercent].map { $0.missing?.code } == [expected, expected, expected])
  }
}
