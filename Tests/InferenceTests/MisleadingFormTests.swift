import Quotes
import Testing

@testable import Config
@testable import Inference

/// Columns of another day, forms of numbers, and the two currencies of a pair.
extension MisleadingColumnTests {
  // MARK: Names of another day, or of no day

  /// A close of yesterday is not the last price, whatever else may be.
  @Test(arguments: [
    ("last_close", "close"), ("lastDayPrice", "price"), ("last_24h", "rate"), ("last_session_close", "price"),
  ])
  func yesterdaysCloseIsNoPrice(_ other: String, _ name: String) throws {
    let sample = Self.table {
      #""\#(other)":\#($0.open),"\#(name)":\#($0.price),"high":\#($0.price * 1.2),"low":\#($0.price * 0.8)"#
    }
    let sure = try Self.sure(sample)
    #expect(sure[.price] == nil || sure[.price] == "$.\(name)")
    #expect(sure[.open] == nil)
  }

  /// Figures within an object are of its span, and so are those whose own names say it.
  @Test(arguments: [
    ("yesterday", ""), ("prevDay", ""), ("lastDay", ""), ("previous", ""), ("history", ""), ("all", ""), ("total", ""),
    ("", "last_day_"), ("", "cumulative_"), ("", "historical_"), ("", "mtd_"),
  ])
  func otherSpansAreLeftOut(_ object: String, _ prefix: String) throws {
    let sample = Self.table { row in
      let figures = [
        "high": row.price * 1.3, "low": row.price * 0.7, "volume": row.coins * 30, "turnover": row.dollars * 30,
      ]
      let members = figures.sorted { $0.key < $1.key }.map { #""\#(prefix)\#($0.key)":\#($0.value)"# }
      let text = members.joined(separator: ",")
      return #""last":\#(row.price),"# + (object.isEmpty ? text : #""\#(object)":{\#(text)}"#)
    }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  /// Of two ranges, and of an open in whatever words, the one that names the 24 hours is theirs.
  @Test(arguments: [("price24hAgo", "$.price24hAgo"), ("price_1h_ago", nil)] as [(String, String?)])
  func namesWithTheWindowDecide(_ ago: String, _ open: String?) throws {
    let sample = Self.table { row in
      let (near, far) = (1 + Double(row.index + 2) / 5000, 1.04 + Double(row.index) / 1000)
      return #""last":\#(row.price),"high":\#(row.price * near),"low":\#(row.price / near),"\#(ago)":\#(row.open),"#
        + #""high_24h":\#(row.price * far),"low_24h":\#(row.price / far)"#
    }
    let sure = try Self.sure(sample)
    #expect(sure[.high] == "$.high_24h" && sure[.low] == "$.low_24h" && sure[.open] == open, "\(sure)")
  }

  @Test(arguments: ["high52", "highBand", "acc_high"]) func boundsOfOtherSpansAreLeftOut(_ name: String) throws {
    let low = name.replacing("high", with: "low")
    let sample = Self.table { #""last":\#($0.price),"\#(name)":\#($0.price * 1.3),"\#(low)":\#($0.price * 0.7)"# }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  /// Sums since midnight, or since any other time, are not of 24 hours unless they say so.
  @Test(arguments: [("acc_volume", "acc_value", false), ("acc_volume_24h", "acc_value_24h", true)])
  func accumulatedAmounts(_ volume: String, _ turnover: String, _ areTaken: Bool) throws {
    let sample = Self.table { #""last":\#($0.price),"\#(volume)":\#($0.coins),"\#(turnover)":\#($0.dollars)"# }
    let amounts: [Role: String] = [.volume: "$.\(volume)", .turnover: "$.\(turnover)"]
    #expect(try Self.sure(sample) == [.price: "$.last"].merging(areTaken ? amounts : [:]) { $1 })
  }

  @Test func changeOfSomethingElseIsUnsure() throws {
    let sample = Self.table {
      #""last":\#($0.price),"market_cap_change_percentage_24h":\#(Double($0.index % 7 - 3) * 0.83)"#
    }
    #expect(try Self.sure(sample) == [.price: "$.last"])
  }

  // MARK: Points between thousands

  /// Two points in a number tell that they separate thousands; a single one in every number makes it unsure.
  @Test func pointsMaySeparateThousands() throws {
    func grouped(_ price: Double) -> String {
      var (digits, groups) = (String(Int(price)), [String]())
      while digits.count > 3 {
        groups.insert(String(digits.suffix(3)), at: 0)
        digits.removeLast(3)
      }
      return ([digits] + groups).joined(separator: ".")
    }
    func proposal(_ factor: Double) throws -> ExchangeProposal {
      let sample = Self.table(["IDR"]) { row in
        let price = Double(1234 + row.index * 61_007) * factor
        return #""last":"\#(grouped(price))","high":"\#(grouped(price * 1.01))","low":"\#(grouped(price * 0.99))""#
      }
      return try ExchangeInference(Array(sample.utf8)).proposal()
    }
    let many = try #require(try proposal(1000)[.price])
    #expect(many.isSure && many.example == "1.234.000" && many.strip == ".")
    let few = try #require(try proposal(1)[.price])
    #expect(!few.isSure)
  }

  /// The sign of a currency is stripped.
  @Test func signsOfCurrenciesAreStripped() throws {
    let sample = Self.table(["USD"]) {
      #""last":"$\#($0.price)","high":"$\#($0.price * 1.01)","low":"$\#($0.price * 0.99)""#
    }
    let price = try #require(try ExchangeInference(Array(sample.utf8)).proposal()[.price])
    #expect(price.isSure && price.strip == "$")
  }

  // MARK: Pairs in two columns

  /// Of two columns, the one with payment currencies is the payment currency, unless a known pair says otherwise.
  @Test(
    arguments: [
      ("symbol", "currency", nil, true), ("base", "quote", nil, true), ("quote", "base", nil, false),
      ("quote", "base", Pair(asset: "BTC", payment: "USD"), true),
    ] as [(String, String, Pair?, Bool)])
  func pairsInTwoColumns(_ asset: String, _ payment: String, _ pair: Pair?, _ isFound: Bool) throws {
    let rows = Self.coins.prefix(8).flatMap { name, price in
      [("USD", 1.0), ("EUR", 0.86)].map { code, rate in
        let (last, high, low) = (price * rate, price * rate * 1.01, price * rate * 0.99)
        return #"{"\#(asset)":"\#(name)","\#(payment)":"\#(code)","last":\#(last),"high":\#(high),"low":\#(low)}"#
      }
    }
    let sample = Array("[\(rows.joined(separator: ","))]".utf8)
    let symbol = try #require(try ExchangeInference(sample, SampleHints(pair: pair)).proposal().symbol)
    #expect(symbol.isSure == isFound)
    #expect(symbol.pairs.first??.description == (isFound ? "BTC/USD" : "USD/BTC"))
  }
}
