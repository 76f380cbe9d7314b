import Config
import Quotes

/// Finds the columns of candles by the relations of their numbers; meaningful names must agree.
struct CandleInference {
  private let rows: BlockRows
  private let facts: BlockFacts
  /// Whether the rows are successive states of growing candles, so that times repeat.
  private let isRunning: Bool

  init(_ rows: BlockRows, _ facts: BlockFacts, isRunning: Bool = false) {
    (self.rows, self.facts, self.isRunning) = (rows, facts, isRunning)
  }

  private var hasAllNames: Bool {
    Self.names.keys.allSatisfy { name in rows.columns.contains { Self.name(of: $0) == name } }
  }

  func proposal() throws(BlockRefusal) -> BlockProposal {
    guard rows.count >= 3 || isRunning && hasAllNames else {
      throw BlockRefusal(reason: "\(rows.text) has fewer than three rows")
    }
    let prices = try range()
    let times = try CandleTimeInference(rows: rows, isRunning: isRunning, arrival: facts.arrival).times()
    if isRunning { try grows(prices, times) }
    let (open, close) = openAndClose(prices, times)
    let fields =
      [times.field, open, prices.high.field("high", prices), prices.low.field("low", prices), close]
      + volumes(prices, times)
    return BlockProposal(
      kind: .candles, rows: rows.value, rowsText: rows.text, rowCount: rows.count, fields: fields,
      interval: times.interval, zoneSeconds: times.zone, times: times.starts.span, unused: rows.unused(beside: fields),
      isBasisOpen: times.isBasisOpen)
  }

  // MARK: High and low

  private struct Bound {
    let column: SampleColumn
    /// Whether its name contradicts it.
    var isDenied = false

    func field(_ name: String, _ range: Range) -> BlockField {
      var field = BlockField(
        name, column, range.isProved && !isDenied ? 0.97 : 0.5,
        ["low <= open, close <= high in \(range.rows) of \(range.rows)"]
          + (isDenied ? ["against its name"] : []) + (range.rival.map { ["prices also lie between \($0)"] } ?? []))
      field.isContested = isDenied || range.rival != nil
      return field
    }
  }

  private struct Range {
    var high: Bound
    var low: Bound
    var between: [SampleColumn]
    var rows: Int
    /// The distance between the two, summed over the rows.
    var width: Double
    var isProved: Bool
    /// Two other columns between which prices of all rows lie; nil if there are none.
    var rival: String?

    /// Whether both may be prices: hardly ever is one half as much again as another of its candle. An amount may be near
    /// the prices by chance.
    var isOfPrices: Bool { width <= Double(rows) / 2 }

    /// Whether neither is the same in all candles, as their length in seconds is, and a high seldom.
    var isMoving: Bool { [high, low].allSatisfy { Set($0.column.numbers).count > 1 } }

    /// Returns whether both lie in another range.
    func isWithin(_ other: Range) -> Bool {
      let columns = Set((other.between + [other.high.column, other.low.column]).map(\.path))
      return columns.contains(high.column.path) && columns.contains(low.column.path)
    }
  }

  /// Returns the two columns between which all other prices of a row lie: those with the names of high and low, or else
  /// those with the most prices between them. A best offer or another price beside the close makes more such pairs.
  private func range() throws(BlockRefusal) -> Range {
    // Prices in a small currency may look like times.
    var found = ranges { $0.moments == nil }
    if found.isEmpty { found = ranges { _ in true } }
    let named = found.filter { Self.areNamed($0.high.column, $0.low.column) }
    if named.count == 1 { return named[0] }
    let likely = found.filter(\.isOfPrices)
    let moving = likely.filter(\.isMoving)
    let ranked = (likely.isEmpty ? found : moving.isEmpty ? likely : moving).sorted { one, other in
      one.between.count == other.between.count ? one.width < other.width : one.between.count > other.between.count
    }
    guard var best = ranked.first else {
      throw BlockRefusal(
        reason: "no rows have numbers with low <= open, close <= high, at \(rows.text)", nearness: 1)
    }
    // What never moves is no price beyond the others, but within them it may be the high of all.
    if let rival = ranked.dropFirst().first ?? likely.first(where: { !$0.isMoving && $0.isWithin(best) }) {
      best.isProved = false
      best.rival = "\(rival.low.column.path.text) and \(rival.high.column.path.text)"
    }
    return best
  }

  /// Returns the pairs of columns between which at least two others always lie.
  private func ranges(_ mayBePrice: (SampleColumn) -> Bool) -> [Range] {
    let prices = rows.columns.filter { column in
      guard mayBePrice(column), column.dates == nil, let numbers = column.allNumbers else { return false }
      return numbers.allSatisfy { $0 > 0 }
    }.prefix(24)
    var found: [Range] = []
    for high in prices {
      for low in prices where low.path != high.path {
        let pairs = zip(high.numbers, low.numbers).map { ($0 ?? 0, $1 ?? 0) }
        guard pairs.allSatisfy({ $0 >= $1 && $0 < $1 * 10 }), isRunning || pairs.contains(where: { $0 > $1 })
        else { continue }
        let between = prices.filter { column in
          column.path != high.path && column.path != low.path
            && zip(column.numbers, pairs).allSatisfy { number, pair in
              number.map { $0 <= pair.0 && $0 >= pair.1 } ?? false
            }
        }
        guard between.count >= 2 else { continue }
        // The day's extremes are not proved if another column never differs from one of them.
        let isProved = between.allSatisfy { column in
          zip(column.numbers, pairs).contains { ($0 ?? 0) < $1.0 }
            && zip(column.numbers, pairs).contains { ($0 ?? 0) > $1.1 }
        }
        let isNamed = Self.areNamed(high, low)
        found.append(
          Range(
            high: Bound(column: high, isDenied: Self.isNamed(high, otherThan: "high")),
            low: Bound(column: low, isDenied: Self.isNamed(low, otherThan: "low")), between: between,
            rows: pairs.count, width: pairs.reduce(0) { $0 + ($1.0 - $1.1) / $1.1 },
            isProved: isProved && (isNamed || rows.count >= 5) || isRunning && isNamed))
      }
    }
    return found
  }

  private static let names: [String: Set<String>] = [
    "open": ["o", "open", "openprice", "opening", "openingprice", "op", "startprice"],
    "high": ["h", "high", "highprice", "max", "maxprice", "highest", "hi", "highestprice"],
    "low": ["l", "low", "lowprice", "min", "minprice", "lowest", "lo", "lowestprice"],
    "close": ["c", "close", "closeprice", "closing", "closingprice", "tradeprice", "last", "lastprice", "endprice"],
  ]

  /// Returns the price a column is named after; nil if its name says nothing.
  private static func name(of column: SampleColumn) -> String? {
    names.first { $0.value.contains(column.plainName) }?.key
  }

  private static func areNamed(_ high: SampleColumn, _ low: SampleColumn) -> Bool {
    name(of: high) == "high" && name(of: low) == "low"
  }

  private static func isNamed(_ column: SampleColumn, otherThan name: String) -> Bool {
    Self.name(of: column).map { $0 != name } ?? column.leafName.hasAny([.bid, .ask, .mark, .index, .average])
  }

  // MARK: Running candle

  /// Checks that while a candle runs, its high never falls and its low never rises.
  private func grows(_ range: Range, _ times: CandleTimes) throws(BlockRefusal) {
    for (row, next) in times.growth {
      guard let high = range.high.column.numbers[row], let later = range.high.column.numbers[next],
        let low = range.low.column.numbers[row], let last = range.low.column.numbers[next]
      else { continue }
      guard later >= high, last <= low else {
        throw BlockRefusal(reason: "the high of a candle falls, or its low rises, at \(rows.text)", nearness: 3)
      }
    }
  }

  /// Returns the two prices of which one stays and the other moves while a candle runs; nil if that is inconclusive.
  private func openAndCloseOfGrowth(
    _ range: Range, _ times: CandleTimes
  ) -> (open: SampleColumn, close: SampleColumn)? {
    let growth = times.growth
    func isMoved(_ column: SampleColumn) -> Bool {
      growth.contains { column.numbers[$0.row] != column.numbers[$0.next] }
    }
    let (moved, still) = (range.between.filter(isMoved), range.between.filter { !isMoved($0) })
    return moved.count == 1 && still.count == 1 ? (still[0], moved[0]) : nil
  }

  // MARK: Open and close

  /// Finds open and close: a candle opens where the previous one closed.
  private func openAndClose(_ range: Range, _ times: CandleTimes) -> (open: BlockField, close: BlockField) {
    func named(_ name: String) -> [SampleColumn] { range.between.filter { Self.name(of: $0) == name } }
    let (opens, closes) = (named("open"), named("close"))
    let isNamed = opens.count == 1 && closes.count == 1
    func fields(
      _ open: SampleColumn, _ close: SampleColumn, _ confidence: Double, _ evidence: [String]
    ) -> (open: BlockField, close: BlockField) {
      func field(_ name: String, _ column: SampleColumn) -> BlockField {
        var field = BlockField(name, column, confidence, evidence)
        field.isContested = !field.isSure && (isNamed || range.between.count > 2 || range.rival != nil)
        return field
      }
      return (field("open", open), field("close", close))
    }
    let name = isNamed ? ["its name"] : []
    if isRunning, let (open, close) = openAndCloseOfGrowth(range, times) {
      let isDenied = isNamed && (opens[0].path != open.path || closes[0].path != close.path)
      let evidence = name + ["while a candle runs its open stays and its close moves"]
      return fields(open, close, isDenied ? 0.4 : isNamed ? 0.95 : 0.9, evidence)
    }
    let chains = chains(range.between, times)
    let best = chains.min { $0.chain.distance < $1.chain.distance }
    let open = isNamed ? opens[0] : best?.open ?? range.between[0]
    let close = isNamed ? closes[0] : best?.close ?? range.between[1]
    let forward = Chain(open, close, times)
    let back = Chain(close, open, times)
    let next = chains.map(\.chain.distance).sorted().dropFirst().first ?? .infinity
    let confidence =
      isNamed
      // The names decide, unless the candles contradict them.
      ? (back.rows >= 6 && back.wins * 4 > back.rows * 3 ? 0.5 : 0.95)
      : opens.isEmpty && closes.isEmpty && forward.isProved(against: back, next: next) ? 0.9 : 0.5
    let text = "a candle opens nearer to the last close than vice versa in \(forward.wins) of \(forward.rows)"
    return fields(open, close, confidence, name + (forward.rows > 0 ? [text] : []))
  }

  private func chains(
    _ prices: [SampleColumn], _ times: CandleTimes
  ) -> [(open: SampleColumn, close: SampleColumn, chain: Chain)] {
    prices.flatMap { open in
      prices.filter { $0.path != open.path }.map { (open, $0, Chain(open, $0, times)) }
    }
  }

  /// How near the closes of candles are to the next open.
  private struct Chain {
    /// Their total distance.
    private(set) var distance = 0.0
    /// In how many rows the distance of open to next close is larger.
    private(set) var wins = 0
    private(set) var rows = 0

    init(_ open: SampleColumn, _ close: SampleColumn, _ times: CandleTimes) {
      for (row, next) in times.chain {
        guard let from = close.numbers[row], let to = open.numbers[next], let first = open.numbers[row],
          let last = close.numbers[next]
        else { continue }
        let (forward, back) = ((to - from).magnitude / from, (last - first).magnitude / first)
        distance += forward
        guard forward != back else { continue }
        rows += 1
        if forward < back { wins += 1 }
      }
    }

    /// Returns whether it shows what opens and what closes.
    ///
    /// - Parameters:
    ///   - back: with open and close swapped.
    ///   - next: the distance of the next best columns.
    func isProved(against back: Chain, next: Double) -> Bool {
      rows >= 4 && wins * 5 >= rows * 4 && distance * 2 <= back.distance && distance < next * 0.9
        && (rows >= 6 || wins == rows)
    }
  }

  // MARK: Volume and turnover

  /// Finds turnover / volume between low and high; of several such pairs, the total is the one that is never less.
  private func volumes(_ range: Range, _ times: CandleTimes) -> [BlockField] {
    let taken = Set((range.between + [range.high.column, range.low.column]).map(\.path))
    let amounts = rows.columns.filter { column in
      !taken.contains(column.path) && column.moments == nil && column.dates == nil
        && (column.allNumbers?.allSatisfy { $0 >= 0 } ?? false)
    }
    var found: [(volume: SampleColumn, turnover: SampleColumn, vote: RowRelations.Vote)] = []
    for volume in amounts {
      for turnover in amounts where turnover.path != volume.path {
        let vote = ratio(turnover, volume, range)
        let back = ratio(volume, turnover, range)
        guard vote.rows >= 3, vote.share >= 0.9, back.rows == 0 || back.share < 0.5 else { continue }
        found.append((volume, turnover, vote))
      }
    }
    let whole = found.filter { one in
      found.allSatisfy { other in
        zip(one.volume.numbers, other.volume.numbers).allSatisfy { ($0 ?? 0) >= ($1 ?? 0) }
          && zip(one.turnover.numbers, other.turnover.numbers).allSatisfy { ($0 ?? 0) >= ($1 ?? 0) }
      }
    }
    // Two columns with the same numbers are one.
    let isOne = whole.allSatisfy {
      $0.volume.numbers == whole[0].volume.numbers && $0.turnover.numbers == whole[0].turnover.numbers
    }
    if isOne, let pair = whole.first {
      let text = ["turnover / volume lies between low and high in \(pair.vote.text)"]
      return [amount("volume", pair.volume, 0.95, text), amount("turnover", pair.turnover, 0.95, text)]
    }
    let named = amounts.filter { ["v", "vol", "volume"].contains($0.plainName) }
    let only = [named, amounts].first { $0.count == 1 }?.first
    // Of elements without names, the other may be a count of trades, which the ticker alone decides.
    let broken = amounts.allSatisfy(\.title.isEmpty) ? amounts.filter { !$0.isWhole } : []
    guard let column = only ?? (broken.count == 1 ? broken[0] : nil) else { return [] }
    if let sum = daily(column, times), let found = facts.day?.field(ofDaily: sum, isFutures: facts.isFutures) {
      return [amount(found.name, column, 0.85, [found.evidence])]
    }
    return only == nil
      ? [] : [BlockField("volume", column, 0.5, ["nothing shows whether it counts the asset, money or contracts"])]
  }

  /// Returns an amount, which is unsure if its name has a currency that is not the one of all pairs: the block is that of
  /// any pair.
  private func amount(
    _ name: String, _ column: SampleColumn, _ confidence: Double, _ evidence: [String]
  ) -> BlockField {
    guard let code = column.wholeName.code, facts.payments != [code] else {
      return BlockField(name, column, confidence, evidence)
    }
    let reason = facts.payments.isEmpty ? "nothing shows that all pairs are paid in it" : "not all pairs are paid in it"
    return BlockField(name, column, 0.5, evidence + ["its name has the currency \(code), and \(reason)"])
  }

  /// Returns how much of an amount there is per day, by the candles of the last day or at least the last seven.
  private func daily(_ column: SampleColumn, _ times: CandleTimes) -> Double? {
    let day = 86_400.0
    guard let length = times.interval.map({ Double($0.nanoseconds) / 1e9 }), length > 0 else { return nil }
    let count = max(7, Int((day / length).rounded()))
    let amounts = times.order.suffix(count).compactMap { column.numbers[$0] }
    guard amounts.count >= 3 else { return nil }
    return amounts.reduce(0, +) / Double(amounts.count) * day / length
  }

  private func ratio(_ over: SampleColumn, _ under: SampleColumn, _ range: Range) -> RowRelations.Vote {
    var vote = RowRelations.Vote()
    for row in 0..<rows.count {
      guard let over = over.numbers[row], let under = under.numbers[row], under > 0, over > 0,
        let low = range.low.column.numbers[row], let high = range.high.column.numbers[row]
      else { continue }
      // Amounts are rounded.
      vote.count(over / under >= low * 0.999 && over / under <= high * 1.001)
    }
    return vote
  }
}
