import Cassettes
import Config
import Inference
import JSON
import Mapping
import MarketData
import Proving
import Quotes
import TestSupport
import Testing

/// Proposals from recorded messages compared with the shipped blocks: nothing that is called sure may be wrong.
@Suite struct StreamInferenceTests {
  /// The outcome for the fields of one connection.
  struct Counts {
    var connections = 0
    var refused = 0
    var right = 0
    var wrong = 0
    /// Fields in the block that the proposal leaves to the table.
    var left = 0
    /// Fields that the block does not read.
    var more = 0
    /// Messages taken by only one of the two.
    var otherMessages = 0
    var messages = 0
    var details: [String] = []

    var summary: String {
      "connections \(connections), refused \(refused), right \(right), left \(left), more \(more), wrong \(wrong), "
        + "messages \(messages), other \(otherMessages)"
    }
  }

  /// A time after all recordings.
  private static let afterAll = Instant(nanoseconds: 1_900_000_000_000_000_000)

  /// Messages recorded by others. The table of their moment was not recorded: the shipped block's first reading of a
  /// pair replaces its row.
  @Test(.enabled(if: SharedCorpora.arePresent)) func sureColumnsAreCorrectInOtherRecordings() async throws {
    var counts = Counts()
    let client = try Replay().client
    let recordings = RecordedAnswer.all.filter { $0.kind == "ws-ticker" }
    for shipped in ShippedConfig.markets where shipped.exchange.node["like"] == nil {
      let own = recordings.filter { recording in
        recording.exchange == shipped.exchange.name.lowercased()
          && (recording.market == "spot") == (shipped.market.market == .spot)
      }
      for (part, streams) in zip(shipped.market.tickers, shipped.market.streams) where !own.isEmpty {
        guard let spec = streams[.ticker] ?? streams[.tickers] else { continue }
        let recorded = try await RecordedChannel(shipped, part, spec, client)
        for recording in own {
          let lines = recording.bytes.split(separator: UInt8(ascii: "\n")).map { (Self.afterAll, Array($0)) }
          try recorded.judge(lines, beside: nil, named: "\(shipped.name) \(recording.file)", &counts)
        }
      }
    }
    let details = counts.details.joined(separator: "\n")
    #expect(counts.wrong == 0, "\(details)")
    #expect(
      counts.summary == "connections 30, refused 3, right 183, left 19, more 0, wrong 0, messages 139, other 0",
      "\(details)")
  }

  @Test func sureColumnsAreCorrect() async throws {
    var counts = Counts()
    let client = try Replay().client
    for shipped in ShippedConfig.markets where shipped.exchange.node["like"] == nil {
      let folder = "\(Project.cassettes)/\(shipped.exchange.name)"
      let lead = "\(shipped.market.market.rawValue)-ticker"
      let tapes = try StreamTape.all(in: folder).filter { $0.name.hasPrefix(lead) }
      for (part, streams) in zip(shipped.market.tickers, shipped.market.streams) {
        for channel in [StreamChannel.ticker, .tickers] {
          guard let spec = streams[channel] else { continue }
          let recorded = try await RecordedChannel(shipped, part, spec, client)
          for (name, tape) in tapes where name.contains("-\(channel.rawValue)-") {
            let messages = tape.messages.compactMap { message in message.bytes.map { (message.at, $0) } }
            try recorded.judge(messages, beside: recorded.rows, named: "\(shipped.name) \(name)", &counts)
          }
        }
      }
    }
    let details = counts.details.joined(separator: "\n")
    #expect(counts.wrong == 0, "\(details)")
    // What remains: members that only a name could prove, changes that streams omit, and rows split over two members.
    #expect(
      counts.summary
        == "connections 76, refused 11, right 421, left 59, more 8, wrong 0, messages 435, other 4", "\(details)")
  }
}

/// A shipped channel and the content of its table.
private struct RecordedChannel {
  let shipped: ShippedMarket
  let part: TableSpec
  let spec: StreamSpec
  let rows: [Ticker]
  let lookups: [String: LookupState]

  init(
    _ shipped: ShippedMarket, _ part: TableSpec, _ spec: StreamSpec, _ client: MarketClient
  ) async throws {
    (self.shipped, self.part, self.spec) = (shipped, part, spec)
    let query = TableQuery(market: shipped.market.market, options: .shipped())
    rows = await client.table(of: [part], query).table.rows.map(\.ticker)
    lookups = await client.lookupStates(of: spec.table)
  }

  /// - Parameter table: the rows of the same moment; nil to use the block's first readings instead.
  func judge(
    _ messages: [(Instant, [UInt8])], beside table: [Ticker]?, named name: String,
    _ counts: inout StreamInferenceTests.Counts
  ) throws {
    let expected = readings(of: spec, messages, lookups)
    // A recorded error, or another part's messages.
    guard expected.contains(where: { !$0.isEmpty }) else { return }
    counts.connections += 1
    let first = expected.reduce(into: [Int: Ticker]()) { $0.merge($1) { first, _ in first } }
    let rows = table ?? first.sorted { $0.key < $1.key }.map(\.value)
    let inference = StreamInference(
      messages.map(\.1), beside: rows, of: part, tablePaths: StreamInference.plainPaths(of: part))
    let proposal: StreamProposal
    do throws(SampleProblem) { proposal = try inference.proposal() } catch {
      counts.refused += 1
      counts.details.append("\(name): \(error)")
      return
    }
    let block = proposal.block(basis: part.fields[TickerField.changePricePercent24.rawValue]?.basis)
    // The user is asked which is the price.
    guard proposal[.price]?.isSure == true else {
      counts.refused += 1
      counts.details.append("\(name): no sure price: \(block.text())")
      return
    }
    let own = try channel(block)
    let found = readings(of: own, messages, lookups)
    counts.messages += messages.count
    let others = zip(expected, found).count { $0.isEmpty != $1.isEmpty }
    counts.otherMessages += others
    if others > 0 { counts.details.append("\(name): \(others) other messages: \(block.text())") }
    for role in Role.allCases where role != .time {
      let verdicts = zip(expected, found).flatMap { expected, found in
        expected.compactMap { pair, row -> Bool? in
          guard let one = row.cell(role.field).value, let other = found[pair]?.cell(role.field).value else {
            return nil
          }
          // Amounts sent twice by an exchange are rounded differently.
          let isAmount = role == .volume || role == .turnover
          return one == other || isAmount && (one - other).magnitude * 100 < other.magnitude
        }
      }
      let isMapped = expected.contains { $0.values.contains { $0.cell(role.field).value != nil } }
      let isSure = proposal[role]?.isSure == true
      func note(_ verdict: String) {
        let field = proposal[role]
        counts.details.append("\(name): \(verdict) \(role.rawValue) \(field?.path ?? "-") \(field?.evidence ?? [])")
      }
      if isMapped, isSure, !verdicts.isEmpty {
        if verdicts.allSatisfy(\.self) {
          counts.right += 1
        } else {
          counts.wrong += 1
          note("wrong")
        }
      } else if isMapped {
        counts.left += 1
        note("left")
      } else if isSure {
        counts.more += 1
        note("more")
      }
    }
  }

  /// Returns the content of each message, by pair.
  private func readings(
    of spec: StreamSpec, _ messages: [(Instant, [UInt8])], _ lookups: [String: LookupState]
  ) -> [[Int: Ticker]] {
    let pairs = rows.map { row in
      let blank = Ticker(
        exchange: row.exchange, market: row.market, product: row.product, symbol: row.symbol, pair: row.pair,
        multiplier: row.multiplier)
      return StreamPair(blank, of: spec.table)
    }
    var reader = StreamReader(spec, market: shipped.market.market, pairs, lookups: lookups, .shipped())
    return messages.map { at, bytes in
      var said: [Int: Ticker] = [:]
      for case .updates(let updates) in reader.read(bytes, arrival: at) {
        for update in updates { if case .ticker(let row) = update.value { said[update.pair] = row } }
      }
      return said
    }
  }

  /// Returns the proposed channel, as the exchange's only one.
  private func channel(_ block: ConfigValue) throws -> StreamSpec {
    var exchange = ConfigValue(shipped.exchange.node.json).withoutStreams
    var members = block.members ?? []
    members.append(("subscribe", .text("{symbol}")))
    let streams = ConfigValue.object([
      ("urls", .list([.text("wss://exchange.test")])), ("ticker", .object(members)),
    ])
    exchange.set(["markets", shipped.market.market.rawValue, "streams"], to: streams)
    let config = ConfigValue.object([
      ("version", .number("1")), ("exchanges", .object([(shipped.exchange.name, exchange)])),
    ])
    let configuration = try Configuration(text: config.text())
    let read = configuration.read(try #require(configuration.exchanges.first))
    let findings = read.diagnostics.filter { $0.severity == .error }.map(\.message)
    let market = try #require(read.exchange?.market(shipped.market.market), "\(findings)")
    let index = try #require(shipped.market.tickers.firstIndex { $0.node.place == part.node.place })
    return try #require(market.streams[index][.ticker], "\(findings) \(block.text())")
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
