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

/// The cassettes compared with responses recorded by others years apart: where the mapping fits both, nothing has
/// drifted.
@Suite(.enabled(if: SharedCorpora.arePresent))
struct DriftRecordingTests {
  private struct Subject {
    let name: String
    let spec: TableSpec
    let cassette: AnswerBodies
    let recorded: AnswerBodies
  }

  private static func subjects() async throws -> [Subject] {
    let player = try CassettePlayer(directory: Project.cassettes)
    let runner = ExchangeTester(player, credentials: Credentials(nil) { _ in "key" }, .shipped())
    var tables: [String: [TestedTable]] = [:]
    for exchange in ShippedConfig.exchanges { tables[exchange.name] = await runner.test(exchange).tables }
    return try RecordedReading.all.flatMap { reading -> [Subject] in
      guard reading.verdict(try reading.outcome()) == .passed else { return [] }
      let body = try reading.recorded.bytes()
      return reading.parts.compactMap { part in
        let table = (tables[reading.shipped.exchange.name] ?? []).first {
          $0.market == reading.shipped.market.market && $0.pair == nil
            && $0.spec.node.place == part.node.place && !$0.rows.isEmpty
        }
        guard let table else { return nil }
        return Subject(
          name: "\(reading.shipped.name) \(reading.recorded.file)", spec: part,
          cassette: table.bodies(), recorded: AnswerBodies(bodies: [body], arrival: nil))
      }
    }
  }

  @Test func matchingResponsesHaveNotDrifted() async throws {
    let subjects = try await Self.subjects()
    #expect(subjects.count > 10)
    for subject in subjects {
      let drift = Drift(subject.cassette, subject.recorded, of: subject.spec, pair: nil)
      #expect(drift.rows == nil, "\(subject.name)")
      let shifts = drift.shifts.filter(\.isProblem).map(\.text)
      #expect(shifts == [], "\(subject.name)")
      // Members that were added later, or appear only on some days.
      var known: Set = ["$.data.date", "$.volumeQuote", "$.status"]
      // The first responses of Bybit's version 5 have no time around the rows.
      if subject.name.hasPrefix("Bybit-spot") { known.insert("$.time") }
      // Sent since 2026-09.
      if subject.name.hasPrefix("Kraken-futures") { known.formUnion(["$.high24h", "$.low24h"]) }
      let lost = Set(drift.lost.map(\.replacement.lost)).subtracting(known)
      #expect(lost == [], "\(subject.name)")
      #expect(drift.lost.allSatisfy { $0.replacement.candidates.isEmpty }, "\(subject.name)")
    }
  }

  /// The hardest case: a member renamed beyond recognition, with values from another year.
  @Test func renamedMembersAreFoundYearsLater() async throws {
    var (right, tied, none) = (0, 0, 0)
    var wrong: [String] = []
    for subject in try await Self.subjects() {
      // One row per part: only names are left to go by, and `fundingBaseSymbol` is close to `baseCurrency`.
      if subject.name.hasSuffix("kucoin/open-interest@msgparser.ndjson") { continue }
      guard let body = subject.recorded.bodies.first, let document = try? JSONDocument(parsing: body) else { continue }
      let rows = ((try? TreeRow.rows(of: subject.spec.rows, in: document)) ?? []).flatMap(\.nodes)
      let starts = Set(rows.map { $0.byteRange.lowerBound })
      for slot in MappedPath.paths(of: subject.spec) where slot.isInRow && slot.use != .condition {
        guard let steps = slot.path.query.singularSteps, case .member(let name)? = steps.last else { continue }
        for new in ["zq7", name + "Value"] {
          let text = ChangedAnswer(rows: starts, target: steps, change: .renamed(new)) { _, _, _ in nil }.text(
            document.root)
          let after = AnswerBodies(bodies: [Array(text.utf8)], arrival: nil)
          let drift = Drift(subject.cassette, after, of: subject.spec, pair: nil)
          guard let lost = drift.lost.first(where: { $0.replacement.lost == slot.path.text }) else { continue }
          let expected = (steps.dropLast() + [.member(new)]).pathText
          if let chosen = lost.replacement.chosen {
            if chosen.path == expected {
              right += 1
            } else {
              wrong.append("\(subject.name): \(slot.path.text) is \(chosen.path) \(chosen.evidence), not \(expected)")
            }
          } else if lost.replacement.candidates.contains(where: { $0.path == expected }) {
            tied += 1
          } else {
            none += 1
          }
        }
      }
    }
    print("drift, years later: right \(right), among equals \(tied), none \(none), wrong \(wrong.count)")
    #expect(wrong == [])
    #expect(right * 100 >= (right + tied + none) * 75)
  }
}
