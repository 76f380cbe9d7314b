import Config
import HTTP
import Hooks
import Mapping
import Quotes
import TestSupport

/// The result of reading a recorded response with a shipped block, in one pass and through a tree.
struct BlockReading: Sendable {
  enum Contents: Hashable, Sendable {
    case orderbook(OrderBook)
    case trades([Trade])
    case candles(CandleSeries)
  }

  let market: ShippedMarket
  let block: RecordedBlock.Block
  let contents: Contents
  let readersAgree: Bool
  /// Whether the block's own request produced the response, rather than an older address of the same shape.
  let isAsked: Bool

  /// Inconsistencies within the contents.
  var findings: [DataFinding] { Self.findings(contents) }

  static func findings(_ contents: Contents) -> [DataFinding] {
    switch contents {
    case .orderbook: []
    case .trades(let trades): TradeCheck.findings(trades, ticker: nil, arrival: nil).filter(\.indicatesMappingError)
    case .candles(let series):
      CandleCheck(series).findings(ticker: nil, identityPercent: 20, arrival: nil).filter(\.indicatesMappingError)
    }
  }
}

extension RecordedBlock {
  enum Verdict: Sendable {
    case read(BlockReading)
    /// The response is of the current API but contains no data, for the given reason.
    case refused(String)
    /// The response is to something that no block requests, as described.
    case other(String)

    var reading: BlockReading? { if case .read(let reading) = self { reading } else { nil } }
  }

  /// What is excluded by rule; nil if the blocks are tried.
  private var otherInterface: String? {
    if market == "options" { return "options" }
    guard let request else { return nil }
    // A rule is a word in the path that no current block has.
    let words = [
      "aggTrades": "joined trades", "continuousKlines": "dated contracts", "indexPrice": "index prices",
      "/charts/v1/mark": "mark prices", "uiKlines": "another product", "/trade/order/trades": "trades of an account",
      "brokerage": "another interface", "/ua/": "another interface", "candles/seconds": "an interval without a name",
    ]
    if let (_, cause) = words.first(where: { request.path.contains($0.key) }), asked.isEmpty { return cause }
    return nil
  }

  /// The verdict by file; each file is read once for all tests.
  private static let verdicts: [String: Result<Verdict, any Error>] = Dictionary(
    uniqueKeysWithValues: all.map { block in (block.file, Result { try block.judged() }) })

  /// - Throws: an error if the file cannot be read.
  func verdict() throws -> Verdict { try Self.verdicts[file]?.get() ?? judged() }

  private func judged() throws -> Verdict {
    if let otherInterface { return .other(otherInterface) }
    let body = try bytes()
    let asked = asked
    let candidates = asked.isEmpty ? ofInterval(blocks) : asked
    var failure: AnswerFailure?
    var alarming: BlockReading?
    for candidate in candidates {
      do throws(AnswerFailure) {
        let reading = try reading(of: body, by: candidate, isAsked: !asked.isEmpty)
        if reading.findings.isEmpty { return .read(reading) }
        alarming = alarming ?? reading
      } catch {
        failure = failure ?? error
      }
    }
    // With the wrong interval or part it may be readable too, but inconsistent.
    if let alarming, !asked.isEmpty || !isFromExchange || request == nil { return .read(alarming) }
    if case .lookupFailed? = failure?.reason { return .other("no recording of its lookup") }
    if asked.isEmpty, request != nil { return .other("an address that no block asks") }
    if request == nil, file.contains("@msgparser") { return .other("an interface of 2022 that no block asks") }
    return .refused(failure?.reason.code ?? "no-block")
  }

  private func reading(
    of body: [UInt8], by candidate: (market: ShippedMarket, block: Block), isAsked: Bool
  ) throws(AnswerFailure) -> BlockReading {
    var failure: AnswerFailure?
    // A contract may have had another size when the lookup was recorded than when the response was.
    var alarming: BlockReading?
    for states in lookups(of: candidate) {
      do throws(AnswerFailure) {
        let scan = try contents(of: body, candidate.block, states, usesScan: true)
        let tree = try contents(of: body, candidate.block, states, usesScan: false)
        let reading = BlockReading(
          market: candidate.market, block: candidate.block, contents: scan, readersAgree: scan == tree, isAsked: isAsked
        )
        if reading.findings.isEmpty { return reading }
        alarming = alarming ?? reading
      } catch {
        failure = error
      }
    }
    if let alarming { return alarming }
    throw failure ?? AnswerFailure(.emptyAnswer)
  }

  private func contents(
    of body: [UInt8], _ block: Block, _ states: [String: LookupState], usesScan: Bool
  ) throws(AnswerFailure) -> BlockReading.Contents {
    let answer = HTTPResponse(body: body)
    var context = RequestContext(
      pair: Pair(asset: spelling.asset, payment: spelling.payment), now: Instant(nanoseconds: 0))
    context.spelling = spelling
    let reading = ReadingContext(context, lookups: states, hooks: HookRegistry(shippedHooks))
    switch block {
    case .orderbook(let spec):
      return .orderbook(
        try BookPlan(spec, usesScan: usesScan).book(in: answer, reading))
    case .trades(let table):
      let trades = try TradePlan(table, usesScan: usesScan).trades(
        in: answer, reading)
      if trades.trades.isEmpty { throw AnswerFailure(.emptyAnswer) }
      return .trades(trades.trades)
    case .candles(let spec):
      let plan = CandlePlan(spec, usesScan: usesScan)
      let candles = try plan.candles(in: answer, reading)
      if candles.candles.isEmpty { throw AnswerFailure(.emptyAnswer) }
      return .candles(CandleSeries(candles.candles, on: plan.grid))
    }
  }

  /// Returns the known states of the lookups: for each its recordings, longest first, then the cassettes.
  private func lookups(of candidate: (market: ShippedMarket, block: Block)) -> [[String: LookupState]] {
    let table = candidate.block.table
    let known = table.lookups.map { lookup -> (name: String, states: [LookupState]) in
      guard let request = lookup.request else { return (lookup.name, []) }
      let recorded = RecordedBody.recorded.filter { body in
        body.isOf(candidate.market) && body.request.fit(request, of: table, baseURLs: lookup.baseURLs) != nil
      }
      let bodies =
        recorded.compactMap { try? $0.bytes() }
        + LookupCassette.bodies(of: candidate.market.exchange.name, request, of: table, baseURLs: lookup.baseURLs)
      let tables = bodies.compactMap {
        try? LookupTable(lookup, answer: HTTPResponse(body: $0), hooks: HookRegistry(shippedHooks))
      }
      return (lookup.name, tables.sorted { $0.keys.count > $1.keys.count }.map { .table($0) })
    }
    let count = max(1, known.map(\.states.count).max() ?? 1)
    return (0..<count).map { index in
      Dictionary(
        uniqueKeysWithValues: known.map { name, states in
          (
            name,
            states.isEmpty ? .failed(AnswerFailure(.noAnswer(.notRecorded))) : states[min(index, states.count - 1)]
          )
        })
    }
  }
}

/// Cassettes that answer a lookup, whatever they were made for.
private enum LookupCassette {
  static func bodies(
    of exchange: String, _ request: RequestSpec, of table: TableSpec, baseURLs: [String]
  ) -> [[UInt8]] {
    let folder = "\(Project.cassettes)/\(exchange)"
    return Project.names(in: folder).filter { $0.hasSuffix(".json") }.compactMap { name in
      guard let text = try? String(decoding: Project.bytes("\(folder)/\(name)"), as: UTF8.self),
        let url = text.split(separator: "\"url\": \"").dropFirst().first?.split(separator: "\"").first,
        let recorded = RecordedRequest("GET \(url)"), recorded.fit(request, of: table, baseURLs: baseURLs) != nil
      else { return nil }
      return try? Project.bytes("\(folder)/\(name.dropLast(4))body")
    }
  }
}
