import JSON
import Quotes

extension SpecReader {
  /// Reads one exchange with its markets.
  ///
  /// - Returns: nil where what is read has an error: an exchange is whole or it is not used.
  package mutating func readExchange(_ source: ExchangeSource, _ extent: ExchangeExtent = .whole) -> Exchange? {
    let before = diagnostics.count
    for object in source.base + source.own {
      _ = checkKeys(object, .exchange)
    }
    var exchange = Exchange(name: source.name, node: source.node)
    exchange.isEnabled = source.personal("enabled").flatMap { readBoolean($0) } ?? true
    exchange.names = source.personal("names").flatMap { readTexts($0) } ?? []
    exchange.badge = source.personal("badge").flatMap { readBadge($0) }
    exchange.documentation = source.personal("docs").flatMap { readText($0) }
    exchange.note = source.personal("note").flatMap { readText($0) }
    let markets = source.level(["markets"])
    if markets.isEmpty { report(.missingKey("markets", in: "the exchange \"\(source.name)\"", at: source.node)) }
    for object in markets { _ = checkKeys(object, .markets) }
    for market in extent.markets where !source.level(["markets", market.rawValue]).isEmpty {
      if let market = readMarket(market, of: source, extent) { exchange.markets.append(market) }
    }
    return diagnostics[before...].contains { $0.severity == .error } ? nil : exchange
  }

  private mutating func readMarket(
    _ market: Market, of source: ExchangeSource, _ extent: ExchangeExtent
  ) -> ExchangeMarket? {
    let path = ["markets", market.rawValue]
    let tickersPath = path + ["tickers"]
    for object in source.level(path) {
      _ = checkKeys(object, .market)
    }
    for object in source.level(tickersPath) { _ = checkKeys(object, .tickers) }
    for object in source.level(path + ["ticker"]) {
      if checkKeys(object, .ticker), let miss = object["onMiss"] { checkMiss(miss) }
    }

    var result = ExchangeMarket(market: market)
    result.isEnabled = source.personal("enabled", of: path).flatMap { readBoolean($0) } ?? true
    if let refresh = source.value("refresh", of: path) ?? source.value("refresh", of: []) {
      result.refreshMilliseconds = readMilliseconds(refresh) ?? 1000
    }
    result.renamesPairs = source.value("onMiss", of: path + ["ticker"]) != nil
    result.takerFees =
      (source.value("takerFee", of: path) ?? source.value("takerFee", of: [])).flatMap { readTakerFees($0) }
    result.isOfOnePair = extent.isOfOnePair && source.asksForPair(at: path)
    readTables(of: source, at: path, into: &result)
    guard let table = result.tickers.first ?? result.ticker.first else { return nil }
    if !result.isOfOnePair {
      result.orderbook = source.value("orderbook", of: path).flatMap { readBook($0, of: table) }
    }
    return result
  }

  private mutating func readTables(of source: ExchangeSource, at path: [String], into result: inout ExchangeMarket) {
    let tickersPath = path + ["tickers"]
    let ticker = source.level(path + ["ticker"])
    guard !source.level(tickersPath).isEmpty else {
      // An exchange may know single pairs alone.
      guard !ticker.isEmpty else {
        let node = source.level(path).last ?? source.node
        report(.missingKey("tickers", in: "the market \"\(result.market.rawValue)\"", at: node))
        return
      }
      result.ticker = [readTable(source.block(to: path + ["ticker"]), owner: source.name, fields: .ticker)]
        .compactMap(\.self)
      return
    }
    let base = source.block(to: tickersPath)
    let batch = source.value("batch", of: tickersPath)
    for part in readParts(source.value("forEach", of: tickersPath)) {
      var bulk = base
      if let part { source.overlay(part, on: &bulk) }
      var single = bulk
      for level in ticker { source.overlay(level, on: &single) }
      // A part may know a request for one pair that the others do not.
      let own = part?["ticker"].flatMap { checkKeys($0, .ticker) ? $0 : nil }
      if let own { source.overlay(own, on: &single) }
      if !result.isOfOnePair, let table = readTable(bulk, owner: source.name, fields: .ticker, batch: batch) {
        result.tickers.append(table)
      }
      if own != nil || !ticker.isEmpty, let table = readTable(single, owner: source.name, fields: .ticker) {
        result.ticker.append(table)
      }
    }
  }

  /// What follows a pair that is not listed: there is one choice.
  private mutating func checkMiss(_ node: ConfigNode) {
    guard !node.json.isNull, let text = readText(node), text != "tickers" else { return }
    report(.notOneOf(["tickers"], found: text, at: node))
  }

  private mutating func readBadge(_ node: ConfigNode) -> String? {
    guard let text = readText(node) else { return nil }
    guard (1...3).contains(text.count) else {
      report(.badText("up to three letters or an emoji", at: node))
      return nil
    }
    return text
  }

  /// The parts of a table: nil stands for the one part of a table without `forEach`.
  private mutating func readParts(_ node: ConfigNode?) -> [ConfigNode?] {
    guard let node else { return [nil] }
    guard let elements = readElements(node), !elements.isEmpty else {
      report(.wrongType("at least one part", at: node))
      return []
    }
    return elements.filter { checkKeys($0, .part) }
  }
}

extension ExchangeSource {
  /// Whether each part of a market has a request for one pair, for all the payment currencies of the part.
  fileprivate func asksForPair(at market: [String]) -> Bool {
    var requests = level(market + ["ticker"])
    if requests.isEmpty {
      let parts = value("forEach", of: market + ["tickers"])?.elements ?? []
      requests = parts.compactMap { $0["ticker"] }.filter { $0.json.kind == .object }
      if requests.count < parts.count { return false }
    }
    return !requests.isEmpty && requests.allSatisfy { $0[BlockKey.paymentCurrencies.rawValue] == nil }
  }
}
