import Cassettes
import Config
import Inference
import JSON
import JSONPath
import Quotes
import TestSupport
import Testing
import Transport

@testable import Mapping
@testable import MarketData
@testable import Proving

/// The same measure for order books, trades and candles, by request and by stream: every member of a row or level read
/// by a shipped block is renamed or moved, in responses and messages whose numbers have changed.
@Suite struct DriftBlockMeasureTests {
  typealias Score = DriftMeasureTests.Score

  /// What a block reads in rows of one kind; for an order book, the levels of a side.
  private struct Subject {
    let name: String
    /// The kind, like `trades` or `candles stream`.
    let kind: String
    let documents: [JSONDocument]
    /// For each document, where its rows begin.
    let rows: [Set<Int>]
    let arrival: Instant?
    let members: [(steps: [SingularStep], use: String)]
    let drifts: (AnswerBodies, AnswerBodies) -> [Drift]

    var bodies: AnswerBodies { AnswerBodies(bodies: documents.map(\.bytes), arrival: arrival) }
  }

  /// Of another pair the amounts are others, but their times and types are alike.
  @Test(
    arguments: [
      (Self.trades(unit: 1000, quotes: "\""), []),
      (
        Self.trades(unit: 1, quotes: ""),
        [
          "$.p is a number now, but was a number in quotes in the recording",
          "$.t looks like a count of s now, but was one of ms",
        ]
      ),
    ] as [(String, [String])])
  func amountsOfAnotherPairAreNotCompared(_ now: String, _ expected: [String]) throws {
    let stub = try StubExchanges(
      config: #"""
        {"version": 1, "exchanges": {"Alpha": {"baseUrls": ["https://alpha.example"], "rows": "$[*]",
          "symbol": {"path": "$.s", "split": "-"}, "markets": {"spot": {
            "tickers": {"request": {"path": "/all"}, "fields": {"price": "$.p"}},
            "trades": {"request": {"path": "/{symbol}"}, "rows": "$[*]", "fields": {
              "time": {"path": "$.t", "unit": "ms"}, "price": "$.p", "size": "$.q"}}}}}}}
        """#)
    let table = try #require(stub.exchanges.first?.markets.first?.trades.first)
    let recorded = #"""
      [{"t": 1763442727123, "p": "95000.1", "q": "0.11"}, {"t": 1763442728123, "p": "95000.2", "q": "0.12"},
       {"t": 1763442729123, "p": "95000.3", "q": "0.13"}]
      """#
    func shifts(isSamePair: Bool) -> [String] {
      func bodies(_ text: String) -> AnswerBodies { AnswerBodies(bodies: [Array(text.utf8)], arrival: nil) }
      return Drift(bodies(recorded), bodies(now), ofRowsOf: table, isSamePair: isSamePair).shifts.map(\.text).sorted()
    }
    #expect(shifts(isSamePair: false) == expected)
    #expect(shifts(isSamePair: true).contains { $0.hasPrefix("$.q looks 100000000 times larger") })
  }

  private static func trades(unit: Int, quotes: String) -> String {
    let rows = (1...3).map { index in
      #"{"t": \#((1_763_442_727 + index) * unit), "p": \#(quotes)0.000008\#(index)\#(quotes), "q": "9\#(index)00000"}"#
    }
    return "[\(rows.joined(separator: ", "))]"
  }

  @Test func renamedMembersAreFound() async throws {
    var scores: [String: Score] = [:]
    var number = 0
    for subject in try await Self.subjects() {
      for member in subject.members {
        guard case .member(let name)? = member.steps.last else { continue }
        number += 1
        for (index, (kind, change)) in DriftMeasureTests.changes(of: name).enumerated()
        where Effort.isComplete || (index + number) % 8 == 0 {
          let after = zip(subject.documents, subject.rows).map { document, rows in
            let mover = Self.mover(subject)
            return Array(
              ChangedAnswer(rows: rows, target: member.steps, change: change, moved: mover).text(document.root).utf8)
          }
          let lost = subject.drifts(subject.bodies, AnswerBodies(bodies: after, arrival: subject.arrival)).flatMap(
            \.lost)
          let what = kind == "removed" ? "removed" : subject.kind
          DriftMeasureTests.judge(
            lost, of: member.steps, DriftMeasureTests.expected(member.steps, change), &scores[what, default: Score()],
            "\(subject.name) \(kind) \(member.use)")
        }
      }
    }
    for (kind, score) in scores.sorted(by: { $0.key < $1.key }) {
      print("drift of \(kind): \(score)")
      for text in score.wrong { print("    wrong: \(text)") }
    }
    let found = scores.filter { $0.key != "removed" }
    #expect(found.count == 6)
    for (kind, score) in found {
      #expect(score.total >= 2, "\(kind)")
      #expect(score.right * 100 >= score.total * (Self.least[kind] ?? 100), "\(kind): \(score)")
    }
    #expect(scores.values.reduce(0) { $0 + $1.wrong.count } * 200 <= scores.values.reduce(0) { $0 + $1.total })
  }

  /// The minimum percentage that must be found.
  private static let least = [
    "trades": 75, "trades stream": 85, "orderbook": 90, "orderbook stream": 90, "candles": 85, "candles stream": 70,
  ]

  // MARK: Subjects

  private static func subjects() async throws -> [Subject] {
    let player = try CassettePlayer(directory: Project.cassettes)
    var subjects: [Subject] = []
    for (number, exchange) in ShippedConfig.exchanges.enumerated() where Effort.isComplete || number % 3 == 0 {
      let tapes = try StreamTape.all(in: "\(Project.cassettes)/\(exchange.name)")
      let tester = ExchangeTester(player, tapes, credentials: Credentials(nil) { _ in "key" }, .shipped())
      let result = await tester.test(exchange)
      for block in result.blocks where (try? block.outcome.get()) != nil {
        let bodies = block.bodies
        let documents = bodies.bodies.compactMap { try? JSONDocument(parsing: $0) }
        let name = "\(exchange.name) \(block.market.rawValue)"
        func add(_ rows: RowsSpec, _ paths: [MappedPath]) {
          let starts = documents.map { Self.starts(of: rows, in: $0) }
          subjects.append(
            Subject(
              name: name, kind: block.kind.rawValue, documents: documents, rows: starts, arrival: bodies.arrival,
              members: members(paths), drifts: { block.spec.drifts($0, $1, isSamePair: true) }))
        }
        switch block.spec {
        case .orderbook(let book):
          add(book.bids.rows, MappedPath.paths(of: book.bids, "bids"))
        case .trades, .candles: add(block.spec.table.rows, MappedPath.paths(of: block.spec.table))
        }
      }
      for stream in result.streams where !stream.channel.feedsRows && stream.updateCount > 0 {
        guard let spec = stream.spec else { continue }
        let documents = stream.messages.prefix(50).compactMap { try? JSONDocument(parsing: $0) }
        var paths = MappedPath.paths(of: spec).filter { if case .field = $0.use { true } else { false } }
        var rows = documents.map { starts(of: spec.table.rows, in: $0) }
        if let side = spec.book?.whole.bids {
          paths = MappedPath.paths(of: side, "bids")
          rows = documents.map { document in
            let rows = ((try? TreeRow.rows(of: spec.table.rows, in: document)) ?? []).flatMap(\.nodes)
            guard case .path(let path) = side.rows else { return [] }
            return Set(rows.flatMap { path.query.nodes(in: $0) }.map { $0.byteRange.lowerBound })
          }
        }
        subjects.append(
          Subject(
            name: "\(exchange.name) \(stream.market.rawValue)", kind: "\(stream.channel.rawValue) stream",
            documents: Array(documents), rows: rows, arrival: nil, members: members(paths),
            drifts: { Drift.drifts($0, $1, of: spec, isSamePair: true) }))
      }
    }
    return subjects
  }

  private static func starts(of rows: RowsSpec, in document: JSONDocument) -> Set<Int> {
    Set(((try? TreeRow.rows(of: rows, in: document)) ?? []).flatMap(\.nodes).map { $0.byteRange.lowerBound })
  }

  private static func members(_ paths: [MappedPath]) -> [(steps: [SingularStep], use: String)] {
    var members: [(steps: [SingularStep], use: String)] = []
    for slot in paths where slot.isInRow && slot.use != .condition {
      guard let steps = slot.path.query.singularSteps, slot.path.templates.isEmpty,
        !members.contains(where: { $0.steps == steps })
      else { continue }
      members.append((steps, slot.use.text))
    }
    return members
  }

  /// Moves a row's prices together, amounts independently, and times by an hour; row numbers count on.
  private static func mover(_ subject: Subject) -> ([SingularStep], Int, String) -> String? {
    let uses = Dictionary(subject.members.map { ($0.steps, $0.use) }) { first, _ in first }
    return { steps, row, text in
      guard let number = Decimal(text), text.utf8.count < 30, let use = uses[steps] else { return nil }
      let places = text.split(separator: ".").dropFirst().first?.prefix { $0.isNumber }.count ?? 0
      var seed = SeededGenerator(seed: UInt64(row))
      let common = Decimal(Int.random(in: 980...1010, using: &seed))
      var own = SeededGenerator(seed: UInt64(row) &* 31 &+ UInt64(steps.pathText.utf8.reduce(0) { $0 + Int($1) }))
      let moved: Decimal
      switch use {
      case "price", "open", "high", "low", "close", "price of the bids", "price of the asks":
        moved = (number * common).scaledByPowerOfTen(-3)
      case "size", "volume", "turnover", "size of the bids", "size of the asks":
        moved = (number * Decimal(Int.random(in: 40...220, using: &own))).scaledByPowerOfTen(-2)
      case "time":
        let digits = text.prefix { $0.isNumber }.count
        moved = number + Decimal(3600).scaledByPowerOfTen(max(0, digits - 10))
      case "id": moved = places == 0 ? number + 1000 : number
      default: return nil
      }
      return moved.rounded(toPlaces: max(places, 0)).description
    }
  }
}
