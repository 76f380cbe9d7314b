import Foundation
import Inference
import JSON
import JSONPath
import Quotes
import TestSupport
import Testing

@testable import Config

/// The accuracy of inference on recorded order books, trades and candles, compared with the shipped config's blocks:
/// a column is right if it has the values that the config reads.
@Suite("Block inference on recordings", .enabled(if: SharedCorpora.arePresent))
struct BlockAccuracyTests {
  private static let wantsDetail = ProcessInfo.processInfo.environment["MARKET_INFERENCE_DETAIL"] != nil

  /// Inverse candles filed as spot: their columns are swapped, as the sample itself shows.
  private static let filedOtherwise: Set = ["raw/bybit/candles@jkorf.json"]

  /// Responses that contain such rows, whatever they are filed as.
  private static let holders: Set = [
    "raw/bitbay/spot-tickers@vcr.json", "raw/independent_reserve/assets@cryptofeed-3.json",
    "raw/independent_reserve/assets@cryptofeed-4.json", "raw/poloniex/futures-usdtm-mark-price@gct-4.json",
  ]

  private struct Score {
    var bodies = 0, refused = 0, right = 0, unsure = 0, missing = 0
    var wrong: [String] = []
    var notes: [String] = []

    var text: String {
      let all = right + unsure + missing + wrong.count
      return
        "\(bodies) bodies, \(refused) refused; of \(all) columns \(right) right, \(unsure) unsure, \(missing) not found, \(wrong.count) wrong"
    }
  }

  @Test("Columns reported as sure are correct", arguments: BlockKind.allCases, [false, true])
  func sureColumnsAreCorrect(_ kind: BlockKind, isHeldOut: Bool) throws {
    var score = Score()
    for answer in RecordedAnswer.all
    where answer.kind == kind.rawValue && BlockTruth.isHeldOut(answer.exchange) == isHeldOut
      && !Self.filedOtherwise.contains(answer.file)
    {
      let truths = BlockTruth.all(of: kind, exchange: answer.exchange, isFutures: answer.isFutures, answer.bytes)
      guard !truths.isEmpty else { continue }
      score.bodies += 1
      let proposal: BlockProposal
      do { proposal = try BlockInference(kind, answer.bytes, isFutures: answer.isFutures).proposal() } catch {
        score.refused += 1
        score.notes.append("\(answer.file): \(error)")
        continue
      }
      for name in Set(truths.flatMap(\.values.keys)).sorted() {
        let expected = truths.compactMap { $0.values[name] }
        guard let found = proposal[name] else {
          score.missing += 1
          score.notes.append("\(answer.file): \(name) not found")
          continue
        }
        let isRight = expected.contains { $0 == found.texts }
        let line = "\(answer.file): \(name) \(found.path) \(Int(found.confidence * 100)) \(found.evidence)"
        if !found.isSure {
          score.unsure += 1
          score.notes.append("unsure \(line)")
        } else if isRight {
          score.right += 1
        } else {
          score.wrong.append(line)
        }
      }
    }
    print("\(kind) \(isHeldOut ? "held out" : "development"): \(score.text)")
    if Self.wantsDetail { print(score.notes.joined(separator: "\n")) }
    #expect(score.bodies >= 10)
    #expect(score.wrong == [])
    #expect(score.right > 0)
  }

  /// Responses of other kinds must not become a block.
  @Test(arguments: BlockKind.allCases)
  func otherKindsAreRefused(_ kind: BlockKind) throws {
    let answers = RecordedAnswer.all.filter { answer in
      let words =
        kind == .orderbook ? ["orderbook", "depth", "book"] : kind == .candles ? ["candle", "kline"] : ["trade"]
      return !words.contains { answer.kind.contains($0) }
    }
    let stride = Self.wantsDetail || Effort.isComplete ? 1 : 5
    var taken: [String] = []
    var count = 0
    for answer in Swift.stride(from: 0, to: answers.count, by: stride).map({ answers[$0] })
    where !Self.holders.contains(answer.file) {
      count += 1
      guard let proposal = try? BlockInference(kind, answer.bytes).proposal(), proposal.unproved.isEmpty else {
        continue
      }
      taken.append("\(answer.kind) \(answer.file): \(proposal.sure.map { "\($0.name) \($0.path)" })")
    }
    print("\(kind): \(count) answers of other kinds, \(taken.count) taken")
    if Self.wantsDetail { print(taken.joined(separator: "\n")) }
    #expect(taken == [])
  }
}

/// What the shipped config reads from a response: the values of each field that is a plain path.
struct BlockTruth {
  var values: [String: [String?]] = [:]

  /// Returns whether an exchange is in the held-out half, chosen by name.
  static func isHeldOut(_ exchange: String) -> Bool {
    exchange.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 2 == 1
  }

  private static let exchanges: [String: JSONNode] = {
    guard let bytes = FileManager.default.contents(atPath: "exchanges.json"),
      let root = try? JSONDocument(parsing: Array(bytes)).root, let members = root["exchanges"]?.members
    else { return [:] }
    return Dictionary(members.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
  }()

  /// Returns the blocks of a market that can read the response, one per part.
  static func all(of kind: BlockKind, exchange: String, isFutures: Bool, _ bytes: [UInt8]) -> [BlockTruth] {
    guard let block = exchanges[exchange.replacingOccurrences(of: "-", with: "").lowercased()],
      let root = try? JSONDocument(parsing: bytes).root
    else { return [] }
    let market = block["markets"]?[isFutures ? "futures" : "spot"]
    let parts = market?["tickers"]?["forEach"].map { Array($0.elements) } ?? []
    return ([nil] + parts.map(Optional.some)).compactMap { part in
      var keys: [String: JSONNode] = [:]
      var fields: [String: JSONNode] = [:]
      for level in [block, market, part].compactMap({ $0?[kind.rawValue] }) where level.kind == .object {
        for member in level.members { keys[member.name] = member.value }
        for member in level["fields"].map({ Array($0.members) }) ?? [] { fields[member.name] = member.value }
      }
      let truth = BlockTruth(kind, root, keys, fields)
      return BlockProposal.needed(of: kind).allSatisfy {
        ["bids", "asks"].contains($0) || truth.values[$0] != nil || $0 == "size"
      } ? truth : nil
    }
  }

  private init(_ kind: BlockKind, _ root: JSONNode, _ keys: [String: JSONNode], _ fields: [String: JSONNode]) {
    if kind == .orderbook {
      guard let bids = keys["bids"] else { return }
      let rows = bids["rows"] ?? bids
      for name in ["price", "size"] {
        if let path = (bids[name] ?? keys[name])?.string { values[name] = Self.column(path, rows, root) }
      }
      return
    }
    guard let rows = keys["rows"] else { return }
    for (name, value) in fields {
      let capture = value.kind == .object ? value["capture"]?.string : nil
      if let path = value.string ?? value["path"]?.string, capture == nil || name == "size" || name == "side" {
        values[name] = Self.column(path, rows, root)
      }
    }
  }

  /// Returns nil if the response has nothing at the path.
  private static func column(_ path: String, _ rows: JSONNode, _ root: JSONNode) -> [String?]? {
    func nodes(_ path: String, _ node: JSONNode) -> [JSONNode] { (try? JSONPathQuery(path))?.nodes(in: node) ?? [] }
    var texts: [String?]
    if let zip = rows["zip"] {
      let index = Int(path.dropFirst(2).dropLast()) ?? 0
      guard let list = Array(zip.elements)[index].string else { return nil }
      let found = nodes(list, root)
      let elements = found.count == 1 && found[0].kind == .array ? Array(found[0].elements) : found
      texts = elements.map(\.scalarText)
    } else {
      guard let place = rows.string else { return nil }
      texts = nodes(place, root).filter { [.object, .array].contains($0.kind) }.map {
        nodes(path, $0).first?.scalarText
      }
    }
    texts = Array(texts.prefix(1500))
    return texts.contains { $0 != nil } ? texts : nil
  }
}

extension RecordedAnswer {
  var isFutures: Bool { market.hasPrefix("futures") }
}
