import Config
import JSON
import Quotes

/// Recognizes rows with prices that are not tickers: trades, candles, the sides of an order book.
///
/// A row of a ticker table has its own pair and contains more than a single trade or hour.
struct RowsKind {
  private let rows: SampleRows
  /// Those of the rows' symbols; empty if these are unsure.
  private let pairs: [String]

  init(_ rows: SampleRows, _ symbol: SymbolProposal?) {
    self.rows = rows
    let named = symbol.flatMap { $0.source == .request || !$0.isSure ? nil : $0.pairs } ?? []
    pairs = named.compactMap { $0?.description }
  }

  /// nil if the rows may be tickers.
  var sign: AnswerKind.Sign? { AccountRows(rows).sign ?? orderBook ?? trades ?? candles }

  /// Whether each row is about a different pair: two rows about one pair are not a table.
  private var hasOwnPairs: Bool { !pairs.isEmpty && Self.areDistinct(pairs) }

  private static func areDistinct(_ texts: [String]) -> Bool { Set(texts).count * 10 >= texts.count * 9 }

  /// Whether each row has a symbol of its own, even if it is unsure which pair that is.
  private var hasOwnSymbols: Bool {
    hasOwnPairs
      || rows.columns.contains { column in
        column.leafName.has(.symbol) && column.isFull && !column.hasNumbers && Self.areDistinct(column.presentTexts)
      }
  }

  // MARK: Order books

  private static let sides: Set<String> = ["bids", "asks", "buys", "sells", "bid", "ask", "orders", "depth", "depths"]

  private var orderBook: AnswerKind.Sign? {
    let above = rows.path.names.map { Spelling.folded($0) }
    let keys = Set(rows.keys.map { Spelling.folded($0) })
    if !hasOwnPairs, let side = above.last(where: { Self.sides.contains($0) || $0.contains("orders") }) {
      return (.orderBook, "its rows are in '\(side)'")
    }
    return keys.isSuperset(of: ["bids", "asks"]) || keys.isSuperset(of: ["buy", "sell"])
      ? (.orderBook, "its rows are the two sides") : nil
  }

  // MARK: Trades

  /// Whether rows have more than a trade: the day's range, an offer, a change.
  private var saysMoreThanTrades: Bool {
    [Role.high, .low, .change].contains { has($0, above: 0.5) } || has(.bid, above: 0.5) && has(.ask, above: 0.5)
  }

  private func has(_ role: Role, above least: Double = 0.4) -> Bool {
    rows.columns.contains { $0.hasNumbers && !$0.isTimeLike && $0.nameScore(role) > least }
  }

  private var trades: AnswerKind.Sign? {
    let hasRange = has(.high, above: 0.5) && has(.low, above: 0.5) || has(.bid, above: 0.5) && has(.ask, above: 0.5)
    // Tickers may have the side of the last trade. Trades of that many pairs, one of each, are sent by nobody.
    let isTable = hasOwnSymbols && rows.nodes.count >= 10
    if !hasRange, !isTable, let column = rows.columns.first(where: { Self.isSide($0) }) {
      return (.trades, "'\(column.path.text)' is the side of a trade or an order")
    }
    guard !saysMoreThanTrades else { return nil }
    let hasAmount = rows.columns.contains {
      $0.hasNumbers && ($0.leafName.hasAny([.amount, .quantity, .size, .volume]) || $0.leafName.letter == "q")
    }
    let ids: Set = ["tradeid", "tid", "dealid", "execid", "matchid", "executionid", "fillid", "trdmatchid"]
    if hasAmount, let column = rows.columns.first(where: { ids.contains(Spelling.folded($0.path.names.last ?? "")) }) {
      return (.trades, "'\(column.path.text)' is the number of a trade")
    }
    let named = namedPairs
    if named.count >= 2, Set(named).count * 2 <= named.count {
      let pairs = Set(named).count == 1 ? "one pair" : "\(Set(named).count) pairs"
      return (.trades, "\(named.count) rows name \(pairs)")
    }
    if !hasOwnPairs, rows.nodes.count >= 2, hasAmount, has(.price), rows.columns.contains(where: \.isTimeLike) {
      return (.trades, "its rows have a time, a price and an amount, but no pair")
    }
    return nil
  }

  /// The pair of each row: from its symbol, or the text of a member with such a name.
  private var namedPairs: [String] {
    if !pairs.isEmpty { return pairs }
    let column = rows.columns.first { $0.leafName.has(.symbol) && $0.isFull && !$0.hasNumbers }
    return column?.presentTexts ?? []
  }

  private static func isSide(_ column: SampleColumn) -> Bool {
    let sides: Set = [
      "buy", "sell", "b", "s", "bid", "ask", "bought", "sold", "buyer", "seller", "buyside", "sellside",
    ]
    let texts = column.texts.compactMap { $0?.lowercased() }
    guard column.isFull, !texts.isEmpty else { return false }
    if texts.allSatisfy(sides.contains) { return true }
    let name = Spelling.folded(column.path.names.last ?? "")
    return texts.allSatisfy { $0 == "true" || $0 == "false" }
      && (["m", "isbuy", "buy", "sell"].contains(name) || ["maker", "taker", "buyer"].contains(where: name.contains))
  }

  // MARK: Candles

  private static let candleNames: Set<String> = [
    "interval", "period", "resolution", "granularity", "timeframe", "timespan", "duration", "kline", "klines", "candle",
    "candles", "candlestick", "candlesticks", "ohlc", "ohlcv", "chart", "charts", "bars",
  ]

  /// What such a member says of the figures of a ticker.
  private static let days: Set<String> = ["24h", "24hr", "1440", "86400", "86400000"]

  private static func saysDay(_ column: SampleColumn) -> Bool {
    !column.presentTexts.isEmpty && column.presentTexts.allSatisfy { days.contains($0.lowercased()) }
  }

  private var candles: AnswerKind.Sign? {
    guard !has(.bid), !has(.ask), !has(.change) else { return nil }
    if isNameless { return namelessCandles }
    // A ticker may have a chart in a list of its own.
    if hasNamedLast { return nil }
    if let times = listOfTimes { return (.candles, "'\(times)' is a list of times") }
    guard has(.high), has(.low), has(.open) else { return nil }
    let names = rows.path.names + rows.columns.flatMap { $0.path.names.dropLast(Self.saysDay($0) ? 1 : 0) }
    if let name = names.first(where: { Self.candleNames.contains(Spelling.folded($0)) }) {
      return (.candles, "'\(name)' says so")
    }
    if let column = rows.columns.first(where: { Self.isInterval($0) }) {
      return (.candles, "'\(column.path.text)' is '\(column.example ?? "")'")
    }
    if let reason = RowSpan(rows.columns)?.doubt { return (.candles, reason) }
    // A single row without a pair may be the answer about the requested pair.
    guard !hasOwnSymbols, rows.nodes.count >= 2,
      let time = rows.columns.first(where: { $0.isTimeLike && !Self.isShared($0) })
    else { return nil }
    return (.candles, "a range of prices since '\(time.path.text)', but no pair in each row")
  }

  private var hasNamedLast: Bool {
    rows.columns.contains { $0.leafName.has(.last) && $0.nameScore(.price) >= 0.9 }
  }

  /// Whether it is one row with the members of a candle, which nothing says are of 24 hours.
  var mayBeOneCandle: Bool {
    guard rows.nodes.count == 1, !isNameless, !hasNamedLast, RowSpan(rows.columns) == nil else { return false }
    let isClosed = rows.columns.contains { column in
      (column.leafName.has(.close) || column.leafName.letter == "c") && column.hasNumbers
        && column.nameScore(.price) > 0.4
    }
    return isClosed && has(.high) && has(.low) && has(.open) && !has(.bid) && !has(.ask) && !has(.change)
      && !rows.columns.contains { $0.namedBasis != nil || Self.saysDay($0) }
  }

  /// Returns whether most of many rows have the same time, such as that of the answer or of the next funding: candles
  /// begin one after another.
  private static func isShared(_ column: SampleColumn) -> Bool {
    column.texts.count >= 5 && Set(column.texts).count * 2 <= column.texts.count
  }

  /// The list with the times of candles whose columns are lists in one object: `{"t": [1, 2], "c": [10, 11]}`.
  private var listOfTimes: String? {
    guard rows.nodes.count == 1 else { return nil }
    let times = rows.columns.filter { $0.isTimeLike && !$0.path.names.isEmpty }.map(\.path.steps)
    let second = times.first { $0.last == .index(1) && times.contains($0.dropLast() + [.index(0)]) }
    return second.map { SamplePath($0.dropLast()).text }
  }

  /// Recognizes `1m`, `4hour`: the interval of a candle.
  private static func isInterval(_ column: SampleColumn) -> Bool {
    guard let text = column.texts.first.flatMap(\.self), column.texts.allSatisfy({ $0 == text }) else { return false }
    let digits = text.prefix(while: \.isNumber)
    let units: Set = ["m", "min", "h", "hour", "hr", "day", "d", "w", "week", "s", "mon"]
    return !digits.isEmpty && digits.count <= 3 && units.contains(text.dropFirst(digits.count).lowercased())
      && !saysDay(column)
  }

  // MARK: Without names

  private var isNameless: Bool { rows.columns.count >= 4 && rows.columns.allSatisfy(\.path.names.isEmpty) }

  private var namelessCandles: AnswerKind.Sign? {
    guard !hasOwnPairs, let time = rows.columns.firstIndex(where: \.isTimeLike) else { return nil }
    if isRegular(rows.columns[time]) { return (.candles, "its rows are at regular times") }
    let relations = RowRelations(columns: rows.columns)
    let numeric = rows.columns.indices.filter { rows.columns[$0].hasNumbers && !rows.columns[$0].isTimeLike }
    let most = numeric.map { seed in numeric.filter { relations.areNear(seed, $0, factor: 1.3).share >= 0.9 } }
      .max { $0.count < $1.count }
    guard let near = most else { return nil }
    let hasText = rows.columns.contains {
      !$0.hasNumbers && $0.texts.contains { $0?.contains(where: \.isLetter) == true }
    }
    if near.count >= 4, !hasText {
      return (.candles, "a time and \(near.count) prices near each other, but no pair in each row")
    }
    guard rows.nodes.count >= 2 || rows.columns.contains(where: Self.isSide), near.count < 4 else { return nil }
    return (.trades, "a time and a price, but no pair in each row")
  }

  /// Returns whether the times of the rows are equidistant.
  private func isRegular(_ column: SampleColumn) -> Bool {
    let times = column.presentNumbers
    guard times.count >= 3, times.count == column.numbers.count, times[1] != times[0] else { return false }
    let step = times[1] - times[0]
    return zip(times, times.dropFirst()).allSatisfy { $1 - $0 == step }
  }
}

extension SampleColumn {
  /// Whether the values are as large as a time since 2001, or written as one.
  var isTimeLike: Bool { TimeRole.form(of: texts.lazy.compactMap { $0 }) != nil }
}
