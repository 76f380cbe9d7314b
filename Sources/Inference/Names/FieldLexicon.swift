/// Scores how strongly a field's name alone suggests a role, from 0 (not at all) to 1 (beyond doubt).
///
/// Uses rules about words, not lists of fields, so that names no exchange has used yet are understood as well.
enum FieldLexicon {
  /// - Parameter parts: the names on a path that the name joins; empty if it is a single one.
  static func score(_ role: Role, _ name: FieldName, parts: [FieldName] = []) -> Double {
    let score =
      switch role {
      case .price: price(name, parts.isEmpty ? [name] : parts)
      case .high: extreme(.high, "h", name, parts.isEmpty ? [name] : parts)
      case .low: extreme(.low, "l", name, parts.isEmpty ? [name] : parts)
      case .bid: side(of: [.bid, .buy], against: [.sell], "b", name)
      case .ask: side(of: [.ask, .sell], against: [.buy], "a", name)
      case .open: open(name)
      case .volume: volume(name)
      case .turnover: turnover(name)
      case .change: change(name)
      case .time: time(name)
      }
    // Beside the same number in whole units it is the worse one.
    return max(0, score - 0.1 * Double(name.unknownCount + (name.has(.scaled) ? 1 : 0)))
  }

  /// The score of a name that says too little, or the wrong thing, to be accepted for a role.
  private static let doubtful = 0.3

  /// The score of a mark, index or average price: a price to ask about if there is no other.
  static let reckoned = 0.2

  /// Words that make any price something else.
  private static let noPrice: [NameWord] = [
    .volume, .amount, .quantity, .size, .turnover, .percent, .ratio, .average, .mark, .index, .interest, .funding,
    .count, .order, .limit, .step, .fee, .time, .identifier, .otherWindow, .updated,
  ]

  /// Words that rule out even a computed price.
  private static let noReckoned = noPrice.filter { ![.mark, .index, .average].contains($0) }

  private static func price(_ name: FieldName, _ parts: [FieldName]) -> Double {
    // With a window it is of the day: `l24` is its low.
    if let letter = name.letter, !name.has(.rolling) {
      if letter == "c" { return 0.5 }
      if letter == "p" || letter == "l" { return 0.35 }
    }
    // The last price or, beside `hp`, the lowest.
    if name.words == [.unknown("lp")] { return 0.45 }
    // The price of the last order that was traded, or a number of it: others must confirm it.
    if name.words == [.last, .order] { return 0.6 }
    let others: [NameWord] = [
      .high, .low, .bid, .buy, .ask, .sell, .open, .previous, .change, .begin, .level, .total, .accumulated,
    ]
    let isReckoned = name.hasAny([.mark, .index, .average])
    if isReckoned, name.hasAny([.price, .value]), !name.hasAny(noReckoned + others) { return reckoned }
    if name.hasAny(noPrice + others) { return 0 }
    // `mPx`, `zPrice`: a prefix makes it any kind of price.
    if !name.hasAny([.last, .close, .current, .trade]), name.hasQualifier { return name.has(.price) ? doubtful : 0 }
    // `last_block`, `currentPage`: of something else than a price or a trade; `metrics.last` is only kept there.
    let lasts: [NameWord] = [.last, .close, .current]
    if isOfSomething(parts, having: lasts), name.hasAny(lasts), !name.hasAny([.price, .trade]) { return doubtful }
    // `last.s`, beside `last.p`: what else belongs to the last trade.
    if parts.count > 1, let letter = parts.last?.letter, !["c", "p"].contains(letter) { return doubtful }
    let base: Double
    if name.has(.last) {
      // `last_24h`: of now, or of 24 hours ago.
      base = name.has(.rolling) ? doubtful : 1
    } else if name.has(.close) || name.has(.current) {
      // The close of 24 hours ago is an open.
      base = name.has(.close) && name.has(.rolling) ? doubtful : 0.92
    } else if name.has(.price) {
      // Changes are measured from a base price.
      if name.words.contains(.base), !name.has(.trade) { return doubtful }
      base = name.has(.trade) ? 0.95 : name.has(.rolling) || name.has(.day) ? 0.4 : 0.88
    } else if name.has(.rate) || name.has(.trade) || name.has(.value) {
      base = 0.4
    } else {
      return 0
    }
    // The last price in dollars appears beside that in the payment currency.
    return name.code == nil ? base : base * 0.5
  }

  /// Returns whether a name has an unknown word, so that it may be of anything. Two letters, as in `lastPr`, shorten one.
  static func isOfSomething(_ name: FieldName) -> Bool {
    name.words.contains { word in
      if case .unknown(let text) = word { text.count > 2 } else { false }
    }
  }

  /// Returns whether the last of the names on a path, or one that has any of some words, is of something else:
  /// `last_block.value`.
  static func isOfSomething(_ parts: [FieldName], having words: [NameWord]) -> Bool {
    (parts.suffix(1) + parts.filter { $0.hasAny(words) }).contains(where: isOfSomething)
  }

  private static func extreme(
    _ word: NameWord, _ letter: Character, _ name: FieldName, _ parts: [FieldName]
  ) -> Double {
    if name.letter == letter { return 0.5 }
    guard name.has(word) else { return 0 }
    let others: [NameWord] = [.bid, .buy, .ask, .sell, .change, .previous, .open, .trade]
    if name.hasAny(noPrice + others) { return name.has(.otherWindow) ? 0.05 : 0 }
    // `maxLeverage`, `btc_minimum_withdraw`: the maximum or minimum of something else.
    let isOfOther = !name.words.contains(word) && name.unknownCount > 0
    if name.code != nil { return isOfOther && !name.has(.price) ? 0 : 0.4 }
    // The highest allowed bid is called a maximum price as well.
    if !name.words.contains(word), name.has(.price), !name.hasAny([.rolling, .day]) { return doubtful }
    if isOfOther { return 0 }
    // `high52` is of weeks, `total_high` of all time.
    if name.hasAny([.level, .total, .accumulated]) { return 0.05 }
    // `highest_leverage`: of something else, unless its numbers are prices.
    if isOfSomething(parts, having: [word]), !name.has(.price) { return 0.5 }
    return name.has(.rolling) ? 1 : 0.97
  }

  private static func side(
    of words: [NameWord], against: [NameWord], _ letter: Character, _ name: FieldName
  ) -> Double {
    if name.letter == letter { return 0.5 }
    // "Lowest sell bid" is an ask: the verb takes precedence over the noun.
    // The total of all bids is an amount.
    let isOther = name.hasAny(against) || (name.has(.bid) && name.has(.ask)) || name.has(.total)
    guard name.hasAny(words), !isOther else { return 0 }
    if name.hasAny(noPrice + [.change, .previous, .open, .trade, .last]) { return 0 }
    if name.has(.level) { return 0.2 }
    // `min_sell` is the smallest allowed order.
    if name.hasAny([.minimum, .maximum]) {
      // `maxBidPrice` limits bids, so it is at most worth a question; `max_bid` may be the best one.
      let isBest = name.words == (words[0] == .bid ? [.maximum, .bid] : [.minimum, .ask])
      return isBest ? 0.78 : name.hasAny([.bid, .ask]) ? 0.2 : 0.1
    }
    if name.hasAny([.rolling, .day]) { return 0.6 }
    if name.code != nil { return 0.4 }
    let isBid = words[0] == .bid
    if name.has(.best) { return 1 }
    if name.has(.high) { return isBid ? 0.96 : 0.3 }
    if name.has(.low) { return isBid ? 0.3 : 0.96 }
    return name.has(words[0]) ? 0.97 : 0.92
  }

  private static func open(_ name: FieldName) -> Double {
    if name.letter == "o" { return 0.5 }
    let others: [NameWord] = [.high, .low, .bid, .buy, .ask, .sell, .change]
    if name.hasAny(noPrice + others) { return 0 }
    // `openInt`, `openPositions`: of something else, unless its numbers are prices.
    if name.has(.open), name.unknownCount > 0 { return 0.5 }
    if name.has(.open) { return name.code == nil ? 0.97 : 0.4 }
    // A previous close may be that of another day than the change is measured from.
    if name.has(.previous), name.hasAny([.close, .price, .last]) { return name.has(.rolling) ? 0.85 : doubtful }
    return name.has(.begin) && name.has(.price) ? doubtful : 0
  }

  /// Words of amounts that are offered or allowed, not traded.
  private static let noTrades: [NameWord] = [.bid, .buy, .ask, .sell, .order, .size, .minimum, .maximum]

  /// The ends of unknown words for amounts that exist or are held: `circulatingSupply`, `marketCap`, `holdVol`.
  private static let stocks = [
    "supply", "cap", "reserve", "reserves", "pool", "pooled", "liquidity", "hold", "holding", "holdings", "fdv", "tvl",
  ]

  private static func isStock(_ name: FieldName) -> Bool {
    name.words.contains { word in
      if case .unknown(let text) = word { stocks.contains(where: text.hasSuffix) } else { false }
    }
  }

  /// Returns whether an amount with this name is known not to be traded.
  static func isUntraded(_ name: FieldName) -> Bool { name.hasAny(noTrades) || isStock(name) }

  private static let noVolume: [NameWord] = [
    .last, .high, .low, .count, .change, .percent, .ratio, .time, .previous, .open, .interest, .step, .limit, .fee,
    .identifier, .average, .current, .level, .rate,
  ]

  private static func isVolume(_ name: FieldName) -> Bool {
    if isUntraded(name) || name.hasAny(noVolume) { return false }
    if name.hasAny([.volume, .turnover, .amount, .quantity]) { return true }
    if name.has(.trade), name.hasAny([.value, .rolling, .base, .quote]) { return true }
    return name.has(.value) && name.hasAny([.rolling, .day])
  }

  /// Returns whether an amount with this name is that of another span than 24 hours.
  static func isOfOtherSpan(_ name: FieldName) -> Bool {
    name.hasAny([.otherWindow, .today]) || name.has(.accumulated) && !name.has(.rolling)
  }

  private static func volume(_ name: FieldName) -> Double {
    if name.letter == "v" { return 0.5 }
    guard isVolume(name) else { return 0 }
    if isOfOtherSpan(name) { return 0.05 }
    var score = name.has(.volume) ? 0.8 : 0.65
    if isOfAsset(name) || name.has(.trade) && name.has(.quantity) { score = 0.93 }
    if name.has(.quote) || name.has(.turnover) || name.has(.value) || name.has(.price) { score = 0.1 }
    if name.has(.rolling) { score = min(0.95, score + 0.02) }
    return name.code == nil ? score : score * 0.3
  }

  private static func turnover(_ name: FieldName) -> Double {
    if name.letter == "q" { return 0.5 }
    if name.words == [.trade] { return 0.3 }
    guard isVolume(name) else { return 0 }
    if isOfOtherSpan(name) { return 0.05 }
    var score = name.has(.volume) ? 0.15 : 0.3
    if name.has(.quote) || name.has(.turnover) { score = 0.93 }
    if name.has(.value) { score = 0.85 }
    if isOfAsset(name) { score = 0.1 }
    if name.has(.rolling) { score = min(0.95, score + 0.02) }
    return name.code == nil ? score : score * 0.3
  }

  /// Whether it names the asset: the coin of `quoteCoinVolume` is the payment currency.
  private static func isOfAsset(_ name: FieldName) -> Bool {
    name.words.contains(.base) || name.has(.base) && !name.has(.quote)
  }

  private static func change(_ name: FieldName) -> Double {
    let others: [NameWord] = [
      .volume, .bid, .buy, .ask, .sell, .fee, .interest, .funding, .high, .low, .average, .count, .time, .identifier,
      .step, .mark, .index, .order, .base, .quote,
    ]
    if name.hasAny(others) || name.code != nil { return 0 }
    let isChange = name.has(.change)
    let isShare = name.hasAny([.percent, .ratio])
    guard isChange || isShare || name.has(.rate) else { return 0 }
    if name.has(.otherWindow) { return 0.05 }
    // `long_short_ratio`, `market_cap_change_percent`: of something else, unless its numbers are the change.
    if isShare || isChange, name.unknownCount > 0 { return doubtful }
    var score = isShare ? 0.93 : isChange ? (name.has(.rate) ? 0.93 : 0.6) : 0.3
    if name.hasAny([.rolling, .day]) { score = min(0.96, score + 0.03) }
    if name.has(.signed) { score = min(0.98, score + 0.03) }
    if name.has(.absolute) { score = 0.1 }
    return score
  }

  private static let noTime: [NameWord] = [
    .open, .begin, .funding, .otherWindow, .previous, .high, .low, .bid, .ask, .limit, .identifier, .status, .fee,
    .index, .mark, .interest, .average, .currency, .order,
  ]

  /// Unknown words that only say whose clock it is, or in which unit.
  private static let clockWords: Set<String> = [
    "event", "engine", "exchange", "match", "matching", "snapshot", "system", "sys", "generated", "transact", "request",
    "response", "query", "ms", "msec", "millis", "milli", "milliseconds", "sec", "secs", "seconds", "us", "micros",
    "ns", "nanos", "nanoseconds", "unix", "epoch", "iso", "gmt",
  ]

  /// Returns whether a time is that of the server's clock, which says when an answer was sent, not how old a quote is.
  static func isClock(_ name: FieldName) -> Bool {
    name.has(.time) && !name.hasAny([.updated, .trade, .last])
      && name.words.contains { word in
        if case .unknown(let text) = word { senders.contains(text) } else { [.current, .server].contains(word) }
      }
  }

  private static let senders: Set<String> = ["system", "sys", "request", "response", "query"]

  private static func time(_ name: FieldName) -> Double {
    if name.letter?.lowercased() == "t" { return 0.5 }
    guard name.has(.time) || name.has(.updated) else { return 0 }
    if name.hasAny(noTime) { return 0 }
    // Anything that a pair has may have a time of its own, such as `haltTime`.
    let isOfSomething = name.words.contains { word in
      if case .unknown(let text) = word { !clockWords.contains(text) } else { false }
    }
    if isOfSomething { return 0.45 }
    if name.hasAny([.end, .close]) { return 0.8 }
    return name.hasAny([.last, .trade]) ? 0.85 : 0.95
  }
}
