import Mapping
import MarketData
import Quotes
import Terminal
import Views

/// The filter of `watch` and `list` as the user types.
enum FilterBenchmarks {
  /// 5,000 pairs, each with a Korean and an English name.
  private static let subjects: [NameFilter.Subject] = (0..<5_000).map { number in
    let letters = [number / 676, number / 26 % 26, number % 26].compactMap { UnicodeScalar(65 + $0 % 26) }
    let symbol = String(String.UnicodeScalarView(letters))
    let syllables = [number, number * 7, number * 31].compactMap { UnicodeScalar(0xAC00 + $0 % 11_172) }
    return NameFilter.Subject(
      symbol: "\(symbol)/KRW", names: [String(String.UnicodeScalarView(syllables)), "Coin \(symbol.lowercased())"])
  }

  /// Returns the milliseconds taken by the slowest keystroke.
  static func slowestKey() -> Double {
    let texts = ["ㅂ", "비", "빝", "비트", "비트 krw", "ㅂㅌ|ㄹㅍ", "q", "ql", "qlx", "qlxm", "ㅠ", "ㅠㅅㅊ", "coin", "zzzz"]
    return texts.map { text in TableBenchmarks.best(of: 20) { NameFilter(text).places(in: subjects).count } }.max() ?? 0
  }

  /// Returns the milliseconds taken by a key of a filter by figures, and by one that moves below it.
  static func figureKeys() async -> [(String, Double)] {
    let board = await board()
    var state = WatchState(listSortedBy: .pair, isReversed: false, filter: "", favorites: Favorites())
    state.take(board)
    _ = state.perform(.filter, board, page: 40)
    for character in "price > 100" { _ = state.type(Key(.character(character)), board, page: 40) }
    let typed = state
    let key = TableBenchmarks.best(of: 20) {
      var state = typed
      _ = state.type(Key(.character("0")), board, page: 40)
      return state.visible.count
    }
    _ = state.type(Key(.enter), board, page: 40)
    let entered = state
    let move = TableBenchmarks.best(of: 20) {
      var state = entered
      _ = state.perform(.move(1), board, page: 40)
      return state.visible.count
    }
    return [("figure filter key", key), ("figure filter move", move)]
  }

  /// Returns a list of as many pairs of one exchange.
  private static func board() async -> WatchBoard {
    let now = Instant(nanoseconds: 1_763_442_727_000_000_000)
    var means = FeedCapabilities(termMilliseconds: 1000, pairs: [], wholeCost: 1)
    means.isWhole = true
    let key = FeedKey(exchange: "Alpha", market: .spot)
    let feeds = FeedBoard([FeedState(key, badge: nil, capabilities: means)], now: { now }, ask: { _, _ in [] })
    let rows = subjects.indices.map { number in
      var ticker = Ticker(
        exchange: "Alpha", market: .spot, symbol: "A\(number)", pair: Pair(asset: "A\(number)", payment: "USDT"))
      ticker.price = .value(Decimal(number + 1))
      ticker.arrival = now
      return TickerRow(ticker: ticker, rank: ProductRank(), traces: [])
    }
    await feeds.take(.rows(rows), of: key)
    var settings = WatchSettings(
      language: .english, alert: .standard, rule: .standard, check: MeaningCheck(), dollarTokens: ["USDT"])
    settings.list = ListedMarket(.spot, of: "Alpha", digits: .short)
    return WatchBoard(feeds.state, pairs: [], at: now, settings)
  }
}
