import HTTP
import MarketData
import Synchronization
import Testing
import Views

@Suite struct RequestListTests {
  @Test func listsOutcomeOfEachRequest() async {
    let time = Mutex<Int64>(0)
    let journal = RequestJournal(clock: { time.withLock { $0 } })
    let handler = journal.following { request throws(TransportError) in
      time.withLock { $0 += 84_000_000 }
      if request.exchange == "joined" { return HTTPResponse(body: [UInt8](repeating: 1, count: 310)) }
      for _ in 0..<(request.exchange == "Slow" ? 3 : 1) { _ = request.meter?.take() }
      if request.exchange == "Slow" { throw .timeout }
      return HTTPResponse(body: [UInt8](repeating: 1, count: 48_900))
    }
    for (exchange, name) in [("Slow", "spot-tickers"), ("Binance", "spot-BTC-USDT"), ("joined", "x")] {
      _ = try? await handler(HTTPRequest(exchange: exchange, name: name, urls: ["https://\(exchange).example/"]))
    }
    journal.addKept(HTTPRequest(exchange: "Binance", name: "lookup", urls: ["https://b.example/"]), bytes: 1_290_000)
    #expect(
      RequestList(journal.entries).lines == [
        "3 requests, 49 kB; 1 sent again; 1 kept answer",
        "exchange  request        status    time   bytes                address",
        "Binance   spot-BTC-USDT  200      84 ms   48 kB                https://Binance.example/",
        "Binance   lookup                         1.2 MB  kept          https://b.example/",
        "joined    x              200      84 ms   310 B  joined        https://joined.example/",
        "Slow      spot-tickers   timeout  84 ms          sent 3 times  https://Slow.example/",
      ])
    #expect(RequestList([]).lines == [])
  }
}
