import Cassettes
import Config
import Foundation
import JSON
import MarketData
import Quotes
import TestSupport
import Testing

@testable import Inference
@testable import Mapping

/// Proposals made from recorded trades, order books and candles, compared with the shipped channels: both read the
/// messages, and whatever is called sure must match.
@Suite struct StreamBlockAccuracyTests {
  private static let wantsDetail = ProcessInfo.processInfo.environment["MARKET_INFERENCE_DETAIL"] != nil

  struct Score {
    /// Reads all messages exactly as the shipped channel does.
    var equal = 0
    /// Reads the same, except for omitted fields or messages that are not taken.
    var partly = 0
    var refused = 0
    var wrong: [String] = []
    var notes: [String] = []

    var text: String {
      "\(equal + partly + refused + wrong.count) channels: equal \(equal), partly \(partly), refused \(refused), "
        + "wrong \(wrong.count)"
    }
  }

  private static func channels(of recordings: [MessageRecording], _ kind: BlockKind) throws -> Score {
    var score = Score()
    let exchanges = try RecordedStreams.exchanges()
    for recording in recordings {
      guard let exchange = exchanges.first(where: { $0.name == recording.exchange }) else { continue }
      for stream in RecordedStreams.streams(of: recording, exchange, [kind.channel])
      where recording.market == nil || stream.market == recording.market {
        try judge(stream, exchange, kind, &score)
      }
    }
    return score
  }

  private static func judge(
    _ stream: RecordedStream, _ exchange: Exchange, _ kind: BlockKind, _ score: inout Score
  ) throws {
    let expected = readings(stream.reader(usesScan: true), stream.messages)
    guard expected.contains(where: { !$0.isEmpty }) else { return }
    let known = stream.pairs.enumerated().compactMap { index, pair -> StreamInference.KnownRow? in
      let price = expected.lazy.compactMap { $0[index]?.first?.price }.first
      return StreamInference.KnownRow(
        symbol: pair.row.symbol, asset: pair.spelling.asset, payment: pair.spelling.payment, pair: pair.row.pair,
        numbers: price.map { [.price: $0] } ?? [:])
    }
    let name = "\(stream.exchange) \(stream.market.rawValue) \(stream.file)"
    let inference = StreamInference(stream.messages, beside: known, tablePaths: [:])
    let proposal: StreamBlockProposal
    do throws(SampleProblem) { proposal = try inference.proposal(of: kind, isFutures: stream.market == .futures) } catch
    {
      score.refused += 1
      score.notes.append("refused \(name): \(error)")
      return
    }
    let spec = try #require(try stream.spec(of: proposal, exchange))
    let reader = StreamReader(
      spec, market: stream.market, stream.pairs, interval: .oneMinute, Interpretation(check: MeaningCheck()))
    let found = readings(reader, stream.messages)
    // No messages tell that an amount has to be halved.
    let isSized = stream.spec.table.fields.mapValues { $0.scale == nil }
    var (untaken, left, wrong) = (0, Set<String>(), [String]())
    for (index, (one, other)) in zip(expected, found).enumerated() {
      if !one.isEmpty, other.isEmpty { untaken += 1 }
      for (pair, records) in other {
        guard let own = one[pair], own.count == records.count else {
          wrong.append("message \(index): \(records.count) records, not \(one[pair]?.count ?? 0)")
          continue
        }
        for (own, record) in zip(own, records) {
          for (field, value) in own.values {
            guard let said = record.values[field] else {
              left.insert(field)
              continue
            }
            if said != value, isSized[field] ?? true {
              wrong.append("message \(index): \(field) \(said), not \(value)")
            }
          }
        }
      }
    }
    let block = proposal.block.text()
    // Other intervals must be readable as well.
    if kind == .candles, block.contains(#/(when|capture).*(1m|1min|60|minute)\b/#) {
      wrong.append("it holds its interval")
    }
    if let first = wrong.first {
      score.wrong.append("\(name): \(wrong.count) wrong, \(first): \(block)")
    } else if untaken > 0 || !left.isEmpty {
      score.partly += 1
      score.notes.append("partly \(name): \(untaken) untaken, left \(left.sorted()): \(block)")
    } else {
      score.equal += 1
      score.notes.append("equal \(name): \(block)")
    }
  }

  /// A trade, candle or order book as given by a message.
  struct Record: Equatable {
    let price: Double?
    var values: [String: String] = [:]
  }

  /// Returns the content of each message, by pair.
  private static func readings(_ reader: StreamReader, _ messages: [[UInt8]]) -> [[Int: [Record]]] {
    var reader = reader
    return messages.map { message in
      var said: [Int: [Record]] = [:]
      for case .updates(let updates) in reader.read(message, arrival: RecordedStream.arrival) {
        for update in updates {
          if case .unusable = update.value { continue }
          said[update.pair, default: []] += Record.records(of: update.value)
        }
      }
      return said
    }
  }

  // MARK: Measures

  @Test(.enabled(if: SharedCorpora.arePresent), arguments: BlockKind.allCases)
  func recordingsOfOthers(_ kind: BlockKind) throws {
    let names = try RecordedStreams.exchanges().map(\.name)
    let recordings = RecordedStreams.recordings(of: names).filter { ["mixed", kind.rawValue].contains($0.kind) }
    try check(Self.channels(of: recordings, kind), kind, Self.expectedOfOthers)
  }

  @Test(arguments: BlockKind.allCases)
  func ownRecordings(_ kind: BlockKind) throws {
    let recordings = try RecordedStreams.exchanges().flatMap { exchange in
      try StreamTape.all(in: Checkout.path("Tests/Cassettes/\(exchange.name)"))
        .filter { $0.name.contains("-\(kind.rawValue)-") }
        .map { name, tape in
          MessageRecording(
            exchange: exchange.name, kind: kind.rawValue, market: String(name.prefix { $0 != "-" }), file: name,
            bytes: Array(tape.messages.compactMap(\.bytes).joined(separator: [UInt8(ascii: "\n")])))
        }
    }
    try check(Self.channels(of: recordings, kind), kind, Self.expectedOfOwn)
  }

  private func check(_ score: Score, _ kind: BlockKind, _ expected: [BlockKind: String]) throws {
    if Self.wantsDetail { print(score.notes.joined(separator: "\n")) }
    #expect(score.wrong == [])
    #expect(score.text == expected[kind], "\(score.notes.joined(separator: "\n"))")
  }

  private static let expectedOfOthers: [BlockKind: String] = [
    .orderbook: "42 channels: equal 0, partly 0, refused 42, wrong 0",
    .trades: "69 channels: equal 13, partly 45, refused 11, wrong 0",
    .candles: "41 channels: equal 5, partly 24, refused 12, wrong 0",
  ]
  private static let expectedOfOwn: [BlockKind: String] = [
    .orderbook: "61 channels: equal 28, partly 0, refused 33, wrong 0",
    .trades: "62 channels: equal 14, partly 46, refused 2, wrong 0",
    .candles: "32 channels: equal 11, partly 11, refused 10, wrong 0",
  ]
}

extension StreamBlockAccuracyTests.Record {
  fileprivate static func records(of value: StreamUpdate.Value) -> [Self] {
    switch value {
    case .ticker, .unusable: return []
    case .trades(let trades):
      return trades.map { trade in
        var record = Self(price: Double(trade.price.shortest))
        record.values = ["price": trade.price.shortest, "time": trade.time.iso8601]
        record.values["size"] = trade.size.value?.shortest
        record.values["side"] = trade.side?.rawValue
        record.values["id"] = trade.id
        return record
      }
    case .candle(let candle, _):
      var record = Self(price: Double(candle.close.shortest))
      record.values = [
        "time": candle.start.iso8601, "open": candle.open.shortest, "high": candle.high.shortest,
        "low": candle.low.shortest, "close": candle.close.shortest,
      ]
      record.values["volume"] = candle.volume.value?.shortest
      record.values["turnover"] = candle.turnover.value?.shortest
      return [record]
    case .orderbook(let book):
      let levels = [("bids", book.bids), ("asks", book.asks)].map { name, levels in
        (name, levels.map { "\($0.price.shortest) \($0.size.shortest)" }.joined(separator: ", "))
      }
      let best = book.bids.first ?? book.asks.first
      return [
        Self(price: best.flatMap { Double($0.price.shortest) }, values: Dictionary(uniqueKeysWithValues: levels))
      ]
    }
  }
}

extension RecordedStream {
  /// Returns the proposed channel, as the exchange's only one.
  fileprivate func spec(of proposal: StreamBlockProposal, _ exchange: Exchange) throws -> StreamSpec? {
    var block = proposal.block
    block.set(["subscribe"], to: .text("{symbol}"))
    if proposal.kind == .candles { block.set(["intervals"], to: .object([("1m", .text("1m"))])) }
    var whole = ConfigValue(exchange.node.json).withoutStreams
    whole.set(
      ["markets", market.rawValue, "streams"],
      to: .object([("urls", .list([.text("wss://exchange.test")])), (proposal.kind.rawValue, block)]))
    let config = ConfigValue.object([("version", .number("1")), ("exchanges", .object([(exchange.name, whole)]))])
    let file = try ConfigFile(name: "exchanges.json", bytes: Array(config.text().utf8))
    let configuration = try Configuration(file) { () throws(ConfigSyntaxError) in file }
    let read = configuration.read(try #require(configuration.exchanges.first))
    let errors = read.diagnostics.filter { $0.severity == .error }.map(\.message)
    #expect(errors == [], "\(block.text())")
    return read.exchange?.market(market)?.streams.lazy.compactMap { $0[proposal.kind.channel] }.first
  }
}

extension ConfigValue {
  fileprivate var withoutStreams: ConfigValue {
    switch self {
    case .object(let members):
      .object(members.filter { $0.name != "streams" }.map { ($0.name, $0.value.withoutStreams) })
    case .list(let values): .list(values.map(\.withoutStreams))
    default: self
    }
  }
}
