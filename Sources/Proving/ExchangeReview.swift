import Cassettes
import Config
import Mapping
import MarketData
import Quotes

/// Finds problems of an exchange beyond its individual tables.
struct ExchangeReview {
  private let subject: Finding.Subject
  private let tables: [TestedTable]
  private let blocks: [TestedBlock]
  /// nil when testing live answers.
  private let cassette: CassettePlayer?

  init(_ exchange: String, _ tables: [TestedTable], _ blocks: [TestedBlock], cassette: CassettePlayer?) {
    subject = .exchange(exchange)
    (self.tables, self.blocks, self.cassette) = (tables, blocks, cassette)
  }

  /// Recordings that no request of the mapping asks for: a URL, a payment currency or a part has changed.
  var unaskedRecordings: [Finding] {
    // The folder may contain other files as well.
    let words = Set(
      Market.allCases.map(\.rawValue) + ["lookup", "rate", "wallet"] + BlockKind.allCases.map(\.rawValue))
    let unplayed = (cassette?.unplayed ?? []).filter { words.contains($0.name.prefix { $0 != "-" }.description) }
    return unplayed.map { entry in
      Finding(
        .unusedRecording, .error,
        "no request of the mapping uses the recording \(entry.name): \(entry.method) \(entry.url)", about: subject)
    }
  }

  /// Requests of the mapping that no recording answers.
  func unrecordedRequests(_ markets: [ExchangeMarket]) -> [Finding] {
    guard cassette != nil else { return [] }
    return markets.flatMap { market -> [Finding] in
      var missing: [String] = []
      if !market.ticker.isEmpty, !tables.contains(where: { $0.market == market.market && !$0.isWhole }) {
        missing.append("one pair")
      }
      for kind in market.blocks where !blocks.contains(where: { $0.market == market.market && $0.kind == kind }) {
        missing.append(kind == .orderbook ? "an order book" : kind.rawValue)
      }
      return missing.map {
        Finding(
          .notRecorded, .note, "\(market.market.rawValue): no recording answers the request for \($0)", about: subject)
      }
    }
  }

  /// Markets that a live test leaves out.
  func unrequested(_ disabled: [Market]) -> [Finding] {
    disabled.map {
      Finding(.notRequested, .note, "\($0.rawValue): disabled in the config, so nothing was requested", about: subject)
    }
  }

  /// Answers without a problem prove nothing if there are none, or no row in them.
  var nothingRead: [Finding] {
    let hasRows = tables.contains { !$0.rows.isEmpty } || blocks.contains { (try? $0.outcome.get()) != nil }
    guard !hasRows else { return [] }
    let isUnrequested = tables.isEmpty && blocks.isEmpty
    let text = isUnrequested ? "nothing was requested, so nothing is proved" : "no row was read, so nothing is proved"
    return [Finding(isUnrequested ? .notRequested : .noRows, .error, text, about: subject)]
  }

  /// Pairs that occur in more than one part of a market.
  var doubledPairs: [Finding] {
    Market.allCases.compactMap { market in
      let parts = tables.filter { $0.market == market && $0.isWhole }
      guard parts.count > 1 else { return nil }
      let before = parts.flatMap(\.rows).count { $0.ticker.isDoubled }
      let whole = TickerTable(joining: parts.map(\.gathered.table))
      let doubled = whole.rows.filter { $0.ticker.isDoubled }
      guard doubled.count > before, let first = doubled.first?.ticker else { return nil }
      let text = "\(doubled.count) rows of different parts have the same pair and product, such as \(first.pair)"
      return Finding(.duplicateRows, .error, "\(market.rawValue): \(text)", about: subject)
    }
  }

  /// Changes of another scale that only the parts of a market together show, as in a table of all its pairs, and changes
  /// of so few rows that nothing would show it.
  var changesOfParts: [Finding] {
    Market.allCases.flatMap { market -> [Finding] in
      let parts = tables.filter { $0.market == market && $0.isWhole }
      let isReported = parts.contains { part in part.counts.checks.contains { $0.kind == .change && $0.isProblem } }
      guard let first = parts.first, !isReported else { return [] }
      var check = ChangeScaleCheck()
      for row in parts.flatMap(\.rows) { check.add(row.ticker) }
      func finding(_ severity: Finding.Severity, _ text: String, help: String? = nil) -> Finding {
        Finding(.failedCheck, severity, "\(market.rawValue): change: \(text)", about: subject, help: help)
      }
      guard let flag = check.finding else {
        guard 1..<ChangeScaleCheck.least ~= check.count,
          !parts.flatMap(\.rows).contains(where: \.ticker.hasOpenAndChange)
        else { return [] }
        let rows = check.count == 1 ? "1 row is" : "\(check.count) rows are"
        return [
          finding(.note, "\(rows) too few to tell a percentage from a fraction; it takes \(ChangeScaleCheck.least)")
        ]
      }
      guard case .scale(let power)? = flag.advice else { return [finding(.error, "\(flag.fact)")] }
      let scale = first.spec.fields[TickerField.changePricePercent24.rawValue]?.scale ?? 1
      return [finding(.error, "\(flag.fact)", help: scale.scaledByPowerOfTen(power).asScaleAdvice)]
    }
  }

  /// How far the offers of a row may be from those of the order book of the same minute, in percent.
  private static let offerPercent: Decimal = 4

  /// Bids and asks of pairs requested alone that are not those of the order book. Those of a whole table prove their
  /// scale together.
  var farOffers: [Finding] {
    tables.flatMap { table -> [Finding] in
      guard let pair = table.pair, let row = table.rows.first?.ticker, let arrival = row.arrival,
        let book = book(of: pair, on: table.market, near: arrival)
      else { return [] }
      let best = [(TickerField.bid, book.bids.first), (.ask, book.asks.first)]
      return best.compactMap { field, level in
        guard let offer = row.cell(field).value, let price = level?.price,
          (offer - price).magnitude * 100 > price * Self.offerPercent
        else { return nil }
        let text = "\(field.rawValue) of \(pair) is \(offer.shortest), and \(price.shortest) in the order book"
        return table.finding(.tablesDisagree, .error, "\(table.market.rawValue): \(text)", on: field)
      }
    }
  }

  private func book(of pair: Pair, on market: Market, near moment: Instant) -> OrderBook? {
    blocks.lazy.filter { $0.market == market && $0.pair == pair }.compactMap { block -> OrderBook? in
      guard case .success(.orderbook(let book)) = block.outcome, let arrival = block.arrival,
        arrival.isWithin(seconds: 60, of: moment)
      else { return nil }
      return book
    }.first
  }

  /// Aliases and multipliers of the exchange that no row of any table uses: not a failure, as other days may have them.
  var unusedNames: [Finding] {
    let whole = tables.filter(\.isWhole)
    guard !whole.isEmpty, whole.allSatisfy({ !$0.rows.isEmpty }) else { return [] }
    let rows = whole.flatMap(\.rows).map { (ticker: $0.ticker, symbol: $0.ticker.symbol.uppercased()) }
    let aliases = whole.flatMap(\.spec.aliases).filter { alias in
      let (from, to) = (alias.from.uppercased(), alias.to.uppercased())
      return !rows.contains { row in
        let pair = row.ticker.pair
        return row.symbol.contains(from) && (pair.asset != from || pair.payment != from)
          && (pair.asset == to || pair.payment == to)
      }
    }.map(\.from).unique
    let marks = whole.flatMap(\.spec.multipliers).filter { multiplier in
      !rows.contains { row in
        row.ticker.multiplier == multiplier.factor && row.symbol.contains(multiplier.mark.uppercased())
      }
    }.map { $0.isBehind ? "*" + $0.mark : $0.mark }.unique
    return [(aliases, "alias", "aliases"), (marks, "multiplier", "multipliers")].filter { !$0.0.isEmpty }.map {
      names, one, many in
      Finding(
        .unusedName, .note, "no row has the \(names.count == 1 ? one : many) \(names.shortList)", about: subject)
    }
  }
}

extension Ticker {
  fileprivate var isDoubled: Bool { flags.contains { $0.kind == .duplicate } }

  /// Whether the exchange sends both: then the open proves what the change counts.
  fileprivate var hasOpenAndChange: Bool {
    open.value != nil && changePricePercent24.value != nil && !derived.contains(.open)
      && !derived.contains(.changePricePercent24)
  }
}
