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

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How often the right replacement is proposed: every mapped member of every shipped cassette is renamed or moved, in a
/// response whose numbers have changed like a market's do.
@Suite struct DriftMeasureTests {
  struct Score: CustomStringConvertible {
    var right = 0
    var tied = 0
    var none = 0
    var wrong: [String] = []
    var total: Int { right + tied + none + wrong.count }
    var description: String {
      "\(total): right \(right), among equals \(tied), none \(none), wrong \(wrong.count)"
    }
  }

  /// A table of a cassette, with what a mapping reads in its rows.
  private struct Subject {
    let name: String
    let spec: TableSpec
    let side: AnswerBodies
    let bodies: [JSONDocument]
    let rows: [Set<Int>]
    /// The members, each with its field.
    let members: [(steps: [SingularStep], field: String, value: ValueSpec)]
  }

  @Test func renamedMembersAreFound() async throws {
    let subjects = try await Self.subjects()
    #expect(subjects.count > 40)
    var scores: [String: Score] = [:]
    // The full set takes minutes, so by default one change in 25 stands for the others.
    let isWhole = getenv("MARKET_WHOLE_MEASURE") != nil
    var number = 0
    for subject in subjects {
      for member in subject.members {
        guard case .member(let name)? = member.steps.last else { continue }
        number += 1
        for (index, (kind, change)) in Self.changes(of: name).enumerated() where isWhole || (index + number) % 25 == 0 {
          let drift = Self.drift(subject, member.steps, change)
          let expected = Self.expected(member.steps, change)
          Self.judge(drift.lost, of: member.steps, expected, &scores[kind, default: Score()], "\(subject.name) \(kind)")
        }
      }
    }
    for (kind, score) in scores.sorted(by: { $0.key < $1.key }) {
      print("drift, \(kind): \(score)")
      for text in score.wrong { print("    wrong: \(text)") }
    }
    let found = scores.filter { $0.key != "removed" }.values
    let total = found.reduce(0) { $0 + $1.total }
    #expect(total > 100)
    #expect(found.reduce(0) { $0 + $1.right } * 100 >= total * 95)
    #expect(scores.values.reduce(0) { $0 + $1.wrong.count } * 200 <= total)
  }

  /// The response in an envelope, and the list under another name.
  @Test func movedRowsAreFound() async throws {
    var score = Score()
    for subject in try await Self.subjects() {
      guard case .path(let path) = subject.spec.rows else { continue }
      let texts = zip(subject.bodies, subject.rows).map { document, rows in
        ChangedAnswer(rows: rows, target: [], change: .none, moved: Self.mover(subject)).text(document.root)
      }
      let after = AnswerBodies(
        bodies: texts.map { Array("{\"code\":0,\"result\":{\"list\":\($0)}}".utf8) }, arrival: subject.side.arrival)
      let drift = Drift(subject.side, after, of: subject.spec, pair: nil)
      let expected = "$.result.list" + path.text.dropFirst()
      guard let found = drift.rows else {
        score.none += 1
        continue
      }
      let right = try JSONPathQuery(expected)
      let paths = try found.candidates.map { try JSONPathQuery($0.path) }
      if paths == [right] {
        score.right += 1
      } else if paths.contains(right) {
        score.tied += 1
      } else if paths.count == 1 {
        score.wrong.append("\(subject.name): \(expected) is \(paths[0].text)")
      } else {
        score.none += 1
      }
    }
    print("drift, moved rows: \(score)")
    for text in score.wrong { print("    \(text)") }
    #expect(score.wrong.isEmpty)
    #expect(score.right * 100 >= score.total * 95)
  }

  // MARK: Subjects

  private static func subjects() async throws -> [Subject] {
    let player = try CassettePlayer(directory: Project.cassettes)
    let runner = ExchangeTester(
      player, credentials: Credentials(nil) { _ in "key" }, .shipped())
    var subjects: [Subject] = []
    for exchange in ShippedConfig.exchanges {
      let result = await runner.test(exchange)
      for table in result.tables where table.pair == nil && !table.rows.isEmpty {
        let side = table.bodies()
        let bodies = side.bodies.compactMap { try? JSONDocument(parsing: $0) }
        let rows = bodies.map { document in
          Set(((try? TreeRow.rows(of: table.spec.rows, in: document)) ?? []).flatMap(\.starts))
        }
        var members: [(steps: [SingularStep], field: String, value: ValueSpec)] = []
        for slot in MappedPath.paths(of: table.spec) where slot.isInRow && slot.use != .condition {
          guard let steps = slot.path.query.singularSteps, slot.path.templates.isEmpty,
            !members.contains(where: { $0.steps == steps })
          else { continue }
          members.append((steps, slot.use.text, slot.value))
        }
        subjects.append(
          Subject(
            name: "\(exchange.name) \(table.name)", spec: table.spec, side: side, bodies: bodies, rows: rows,
            members: members))
      }
    }
    return subjects
  }

  // MARK: Changes

  private static let synonyms = [
    "last": "latest", "price": "px", "volume": "vol", "vol": "volume", "high": "highest", "low": "lowest",
    "change": "chg", "chg": "change", "percent": "pct", "percentage": "pct", "open": "opening", "bid": "buy",
    "ask": "sell", "buy": "bid", "sell": "ask", "quote": "counter", "base": "asset", "close": "last", "symbol": "pair",
    "pair": "symbol", "time": "timestamp", "timestamp": "time", "amount": "quantity", "market": "instrument",
  ]

  static func changes(of name: String) -> [(String, ChangedAnswer.Change)] {
    let words = words(of: name)
    let initials = words.compactMap(\.first).map(String.init).joined()
    let synonym = words.map { synonyms[$0] ?? $0 }.joined(separator: "_")
    let snake = words.joined(separator: "_")
    let camel = words.enumerated().map { $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    var changes: [(String, ChangedAnswer.Change)] = [
      ("nonsense", .renamed("zq7")), ("nested", .nested("value")), ("gathered", .gathered("stats")),
      ("removed", .removed), ("longer", .renamed(name + "Value")),
    ]
    if initials != name { changes.append(("initials", .renamed(initials))) }
    if name.count > 4 { changes.append(("shortened", .renamed(String(name.prefix(3))))) }
    if synonym != name, synonym != snake { changes.append(("synonym", .renamed(synonym))) }
    changes.append(("other case", .renamed(snake == name ? camel.uppercased() : snake)))
    return changes
  }

  static func words(of name: String) -> [String] {
    var words: [String] = []
    for character in name {
      if !character.isLetter && !character.isNumber {
        words.append("")
      } else if character.isUppercase, words.last?.last?.isLowercase == true || words.isEmpty {
        words.append(character.lowercased())
      } else {
        if words.isEmpty { words.append("") }
        words[words.count - 1] += character.lowercased()
      }
    }
    return words.filter { !$0.isEmpty }
  }

  static func expected(_ steps: [SingularStep], _ change: ChangedAnswer.Change) -> String? {
    switch change {
    case .none: return steps.pathText
    case .renamed(let name): return (steps.dropLast() + [.member(name)]).pathText
    case .nested(let name): return (steps + [.member(name)]).pathText
    case .gathered(let name):
      return (steps.dropLast() + [.member(name)] + steps.suffix(1)).pathText
    case .removed: return nil
    }
  }

  private static func drift(
    _ subject: Subject, _ steps: [SingularStep], _ change: ChangedAnswer.Change
  ) -> Drift {
    let mover = mover(subject)
    let texts = zip(subject.bodies, subject.rows).map { document, rows in
      ChangedAnswer(rows: rows, target: steps, change: change, moved: mover).text(document.root)
    }
    let after = AnswerBodies(bodies: texts.map { Array($0.utf8) }, arrival: subject.side.arrival)
    return Drift(subject.side, after, of: subject.spec, pair: nil)
  }

  /// Moves a row's prices together by up to a tenth, volumes independently, and changes by points.
  private static func mover(_ subject: Subject) -> ([SingularStep], Int, String) -> String? {
    let fields = Dictionary(subject.members.map { ($0.steps, $0) }) { first, _ in first }
    return { steps, row, text in
      guard let number = Decimal(text), text.utf8.count < 30 else { return nil }
      let places = text.split(separator: ".").dropFirst().first?.prefix { $0.isNumber }.count ?? 0
      var seed = SeededGenerator(seed: UInt64(row))
      let common = Decimal(Int.random(in: 90...112, using: &seed))
      var own = SeededGenerator(seed: UInt64(row) &* 31 &+ UInt64(steps.pathText.utf8.reduce(0) { $0 + Int($1) }))
      let member = fields[steps]
      let moved: Decimal
      switch member?.field {
      case "volume24", "turnover24":
        moved = (number * Decimal(Int.random(in: 40...220, using: &own))).scaledByPowerOfTen(-2)
      case "changePricePercent24":
        let points = Decimal(Int.random(in: -200...200, using: &own)).scaledByPowerOfTen(-2)
        moved = number + (member?.value.scale == 100 ? points.scaledByPowerOfTen(-2) : points)
      case "price", "open", "high", "low", "bid", "ask": moved = (number * common).scaledByPowerOfTen(-2)
      case nil: moved = places > 0 ? (number * common).scaledByPowerOfTen(-2) : number
      default: return nil
      }
      return moved.rounded(toPlaces: max(places, 0)).description
    }
  }

  static func judge(
    _ lost: [Drift.Lost], of steps: [SingularStep], _ expected: String?, _ score: inout Score, _ name: String
  ) {
    let path = steps.pathText
    guard let own = lost.first(where: { (try? JSONPathQuery($0.replacement.lost).singularSteps) == steps })
    else {
      // A member that only some rows had is not noticed as lost.
      if expected == nil || lost.isEmpty { return }
      score.none += 1
      return
    }
    let found = own.replacement
    if let chosen = found.chosen {
      if chosen.path == expected {
        score.right += 1
      } else {
        score.wrong.append(
          "\(name): \(path) is \(chosen.path) \(chosen.score) \(chosen.evidence), not \(expected ?? "-")")
      }
    } else if found.candidates.contains(where: { $0.path == expected }) {
      score.tied += 1
    } else {
      score.none += 1
    }
  }
}

extension TreeRow {
  /// Where its nodes begin.
  fileprivate var starts: [Int] { nodes.map { $0.byteRange.lowerBound } }
}
