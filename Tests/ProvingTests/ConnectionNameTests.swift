import Config
import Quotes
import Testing

@testable import Proving

/// Names of recorded connections, as `StreamSubject.name` writes them.
@Suite struct ConnectionNameTests {
  @Test(arguments: [
    ("spot-ticker-BTC-USDT", "ticker BTC/USDT 1"),
    ("futures-trades-BTC-USD-of-3", "trades BTC/USD 3"),
    ("spot-ticker-A-B-USDT", "ticker A-B/USDT 1"),
    ("spot-orderbook-A-B-C-KRW-of-12", "orderbook A-B-C/KRW 12"),
    ("spot-ticker-of-USDT", "ticker of/USDT 1"),
    ("spot-news-BTC-USDT", "nil BTC/USDT 1"),
    ("spot-ticker-BTC", "ticker /BTC nil"),
    ("spot-ticker", "ticker / nil"),
    ("", "nil / nil"),
  ])
  func names(_ text: String, _ parts: String) {
    let name = ConnectionName(text)
    let count = name.pairCount.map(String.init) ?? "nil"
    #expect("\(name.channel?.rawValue ?? "nil") \(name.pair.asset)/\(name.pair.payment) \(count)" == parts)
  }
}
