import Quotes
import Testing

struct BasisComparisonTests {
  /// Returns ten coins on one exchange. Coin `n` rose by `n` percent in 24 hours, half of it since midnight in China.
  static func rows(_ exchange: String, says basis: ChangeBasis, percent: (Decimal) -> Decimal?) -> [Ticker] {
    (1...10).map { number in
      let rise = Decimal(number)
      return Ticker(
        exchange: exchange, market: .spot, symbol: "C\(number)USDT", pair: Pair(asset: "C\(number)", payment: "USDT"),
        price: .value(Decimal(100) + rise),
        changePricePercent24: percent(rise).map { .value($0) } ?? .missing(.jsonNull), changeBasis: basis)
    }
  }

  static let half = Decimal(mantissa: 5, exponent: -1)
  static let rolling = ["A", "B", "C"].flatMap { rows($0, says: .rolling24h) { $0 } }
  static let ofDay = rows("D", says: .utc8Day) { $0 * half }

  static func lines(_ rows: [Ticker]) -> [String] {
    BasisComparison(rows).findings.map {
      "\($0.source.exchange) \($0.field.rawValue) \($0.declared.rawValue): \($0.difference) in \($0.pairs), "
        + ($0.fitting.map { "\($0)" } ?? "nothing fits")
    }
  }

  @Test func findsNothingAmongAgreeingExchanges() {
    #expect(Self.lines(Self.rolling + Self.ofDay) == [])
  }

  @Test func namesTheMatchingSpan() {
    let wrong = Self.rows("E", says: .rolling24h) { $0 * Self.half }
    #expect(
      Self.lines(Self.rolling + Self.ofDay + wrong) == [
        "E changePricePercent24 rolling24h: 3.0 in 10, basis(Quotes.ChangeBasis.utc8Day)"
      ])
    // And the other way round.
    let tooLong = Self.rows("E", says: .utc8Day) { $0 }
    #expect(
      Self.lines(Self.rolling + Self.ofDay + tooLong).last
        == "E changePricePercent24 utc8Day: 3.0 in 10, basis(Quotes.ChangeBasis.rolling24h)")
  }

  @Test func namesTheScale() {
    let fraction = Self.rows("E", says: .rolling24h) { $0.scaledByPowerOfTen(-2) }
    #expect(Self.lines(Self.rolling + fraction) == ["E changePricePercent24 rolling24h: 5.94 in 10, scale(power: 2)"])
  }

  @Test func reportsWhenNothingFits() {
    let other = Self.rows("E", says: .rolling24h) { $0 + 7 }
    #expect(
      Self.lines(Self.rolling + Self.ofDay + other) == ["E changePricePercent24 rolling24h: 7 in 10, nothing fits"])
  }

  /// Four pairs are too few, and one other exchange with rolling 24 hours is not a majority.
  @Test func needsEnoughEvidence() {
    let wrong = Self.rows("E", says: .rolling24h) { $0 > 4 ? nil : $0 + 7 }
    #expect(Self.lines(Self.rolling + wrong) == [])
    let two = Self.rows("A", says: .rolling24h) { $0 } + Self.rows("E", says: .rolling24h) { $0 + 7 } + Self.ofDay
    #expect(Self.lines(two) == [])
  }

  /// Two exchanges are too few to compare one with the other.
  @Test func needsThreeExchanges() {
    #expect(Self.lines(Self.rows("D", says: .utc8Day) { $0 } + Self.rows("E", says: .utc8Day) { $0 + 7 }) == [])
  }

  /// Changes may differ by 0.4 points, and another basis must fit four times as well.
  @Test(arguments: [
    ("0.4", "9", []), ("0.41", "9", ["E changePricePercent24 rolling24h: 0.41 in 10, nothing fits"]),
    ("1.2", "0.9", ["E changePricePercent24 rolling24h: 1.2 in 10, basis(Quotes.ChangeBasis.utc8Day)"]),
    ("1.2", "0.89", ["E changePricePercent24 rolling24h: 1.2 in 10, nothing fits"]),
  ])
  func toleratesSmallDifferences(_ own: String, _ ofDay: String, _ lines: [String]) throws {
    let (own, ofDay) = (try #require(Decimal(own)), try #require(Decimal(ofDay)))
    let rows = Self.rows("D", says: .utc8Day) { $0 + ofDay } + Self.rows("E", says: .rolling24h) { $0 + own }
    #expect(Self.lines(Self.rolling + rows) == lines)
  }

  /// Highs may differ by 0.6 %.
  @Test(arguments: [("994", []), ("993.9", ["E high rolling24h: 0.61 in 10, basis(Quotes.ChangeBasis.utc8Day)"])])
  func comparesHighs(_ high: String, _ lines: [String]) {
    let sources: [(String, ChangeBasis, Cell)] = [
      ("A", .rolling24h, .value(1000)), ("B", .rolling24h, .value(1000)), ("C", .rolling24h, .value(1000)),
      ("D", .utc8Day, cell(high)), ("E", .rolling24h, cell(high)),
    ]
    let rows = sources.flatMap { exchange, basis, high in
      Self.rows(exchange, says: basis) { _ in nil }.map { row in
        var row = row
        (row.high, row.highBasis) = (high, basis)
        return row
      }
    }
    #expect(Self.lines(rows) == lines)
  }
}
