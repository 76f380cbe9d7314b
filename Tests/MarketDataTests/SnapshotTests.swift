import Mapping
import MarketData
import Quotes
import Testing

/// What follows from the rows of many exchanges.
@Suite struct SnapshotTests {
  private func prices(_ alpha: String, _ beta: String, _ gamma: String) async throws -> Snapshot {
    try await StubExchanges().snapshot { host, _ in
      StubExchanges.good(host == "alpha" ? alpha : host == "beta" ? beta : gamma)
    }
  }

  @Test func namesBothEndsOfThePremium() async throws {
    let snapshot = try await prices("100", "100.5", "99.5")
    let premium = try snapshot.premium.get()
    #expect(premium.percentText == "1.01")
    #expect(snapshot.spot[premium.high].ticker.exchange == "beta")
    #expect(snapshot.spot[premium.low].ticker.exchange == "gamma")
    #expect(snapshot.spot.map { snapshot.percentOverLowest($0)?.fixedText(places: 2) } == ["0.50", "1.01", "0.00"])
  }

  @Test func anotherCoinIsLeftOut() async throws {
    let snapshot = try await prices("100", "100000", "101")
    #expect(snapshot.spot.map { $0.ticker.flags.map(\.code) } == [[], ["identity"], []])
    #expect(try snapshot.premium.get().percentText == "1.00")
    #expect(snapshot.percentOverLowest(snapshot.spot[1]) == nil)
  }

  @Test func aDeadPriceIsNoPrice() async throws {
    let snapshot = try await prices("100", "0", "0.00")
    #expect(snapshot.spot.map { $0.ticker.price.missing?.code } == [nil, "zero", "zero"])
    guard case .failure(let absence) = snapshot.premium else {
      Issue.record("a premium of one exchange")
      return
    }
    #expect("\(absence)" == "only alpha has a usable price; beta: zero, gamma: zero")
  }

  @Test func aStalePriceIsLeftOut() async throws {
    let stale = #"{"ok":true,"list":[{"s":"BTC-USDT","p":"90","t":1763442600000}]}"#
    let snapshot = try await StubExchanges().snapshot { host, _ in
      host == "gamma" ? .success((200, Array(stale.utf8))) : StubExchanges.good("100")
    }
    #expect(snapshot.spot.map { $0.ticker.flags.map(\.code) } == [[], [], ["stale"]])
    #expect(try snapshot.premium.get().percentText == "0.00")
  }
}
