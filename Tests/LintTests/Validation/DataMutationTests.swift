import Files
import JSON
import Mapping
import Proving
import TestSupport
import Testing

@testable import Config

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Typing errors that cannot be seen in the config, since only the exchange knows its URLs, member names, symbols and
/// numbers: nearly all of them are found by a trial on the recordings.
///
/// Excluded by kind, not by a list: prose, paces, alternate URLs, headers, streams and accounts, which no recording can
/// show (except signatures, which known answers prove, and public wallets); requests that are not recorded; and words
/// that no recording uses, recognized by the fact that replacing the word changes nothing either.
@Suite struct DataMutationTests {
  private static let sampleSize = Effort.isComplete ? 2_500 : 250

  struct Score {
    var all = 0
    var byBlock = 0
    var byCheck = 0
    var byRows = 0
    var unheard = 0
    var missed: [String] = []

    var found: Int { byBlock + byCheck + byRows }
  }

  @Test func dataMutationsAreFound() async throws {
    let bytes = try FileSystem.read(Checkout.path("exchanges.json"))
    let document = try JSONDocument(parsing: bytes)
    let map = ConfigMap(document)
    var exchanges: [String: RecordedExchange] = [:]
    var mutations: [DataMutation] = []
    var leftOut: [DataMutation.Kind: Int] = [:]
    var unrecorded = 0
    for member in document.root["exchanges"].map({ Array($0.members) }) ?? [] {
      guard let exchange = try await RecordedExchange(member, in: document) else { continue }
      #expect(exchange.problems.map(\.message) == [], "\(member.name)")
      exchanges[member.name] = exchange
      for mutation in DataMutation.all(in: member, map) {
        if !mutation.kind.isCovered {
          leftOut[mutation.kind, default: 0] += 1
        } else if !exchange.covers(mutation.block) {
          unrecorded += 1
        } else {
          mutations.append(mutation)
        }
      }
    }
    var random = SeededGenerator(seed: 20_261_121)
    let sample = mutations.shuffled(using: &random).prefix(Self.sampleSize)
    let scores = await score(Array(sample), of: exchanges, bytes)
    report(scores, leftOut, mutations.count)
    let outside = map.parts.count { $0 == .data } - mutations.count - unrecorded - leftOut.values.reduce(0, +)
    print(
      "slips in data, left out: \(unrecorded) characters of requests that no recording answers, \(outside) of exchanges "
        + "without recordings, rate providers, settings and names of the closed")
    let total = scores.values.reduce(0) { $0 + $1.all }
    let found = scores.values.reduce(0) { $0 + $1.found }
    #expect(total >= Self.sampleSize / 2)
    #expect(Double(found) >= Double(total) * 0.95)
  }

  /// Tries the slips on all cores.
  private func score(
    _ mutations: [DataMutation], of exchanges: [String: RecordedExchange], _ bytes: [UInt8]
  ) async -> [DataMutation.Kind: Score] {
    var scores: [DataMutation.Kind: Score] = [:]
    await withTaskGroup(of: [(DataMutation, RecordedExchange.Verdict, isUnheard: Bool)].self) { group in
      for start in stride(from: 0, to: mutations.count, by: 25) {
        let chunk = mutations[start..<min(start + 25, mutations.count)]
        group.addTask {
          var results: [(DataMutation, RecordedExchange.Verdict, isUnheard: Bool)] = []
          for mutation in chunk {
            guard let exchange = exchanges[mutation.exchange] else { continue }
            let verdict = await exchange.verdict(on: bytes, without: mutation.offset..<(mutation.offset + 1))
            var isUnheard = false
            if verdict == .same, mutation.kind.mayBeUnheard {
              isUnheard =
                await exchange.verdict(on: bytes, without: mutation.token, but: mutation.absurdity(in: bytes)) == .same
            }
            results.append((mutation, verdict, isUnheard))
          }
          return results
        }
      }
      for await results in group {
        for (mutation, verdict, isUnheard) in results {
          scores[mutation.kind, default: Score()].add(mutation, verdict, isUnheard: isUnheard, bytes)
        }
      }
    }
    return scores
  }

  private func report(_ scores: [DataMutation.Kind: Score], _ leftOut: [DataMutation.Kind: Int], _ count: Int) {
    for (kind, score) in scores.sorted(by: { $0.key < $1.key }) {
      print(
        "slips in data, \(kind.rawValue): \(score.found) of \(score.all) found (\(score.byBlock) by reading the block, "
          + "\(score.byCheck) by checks, \(score.byRows) by the kept rows); of \(score.unheard) no recording speaks")
      for place in score.missed.sorted() { print("  not found: \(place)") }
    }
    let total = scores.values.reduce(0) { $0 + $1.all }
    let found = scores.values.reduce(0) { $0 + $1.found }
    let rows = scores.values.reduce(0) { $0 + $1.byRows }
    print(
      "slips in data: \(found) of \(total) found (\(found * 1000 / max(1, total)) per mille), \(found - rows) without "
        + "the kept rows; a sample of \(count) characters")
    let names = leftOut.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key.rawValue)" }
    print("slips in data, left out: characters that no recording can show, \(names.joined(separator: ", "))")
  }
}

extension DataMutationTests.Score {
  fileprivate mutating func add(
    _ mutation: DataMutation, _ verdict: RecordedExchange.Verdict, isUnheard: Bool, _ bytes: [UInt8]
  ) {
    if isUnheard {
      unheard += 1
      return
    }
    all += 1
    switch verdict {
    case .broken: byBlock += 1
    case .problems: byCheck += 1
    case .otherRows: byRows += 1
    case .same:
      let line = bytes[..<mutation.offset].count { $0 == UInt8(ascii: "\n") } + 1
      let token = String(decoding: bytes[mutation.token], as: UTF8.self)
      missed.append(
        "\(mutation.exchange), line \(line): \"\(token)\" without its character \(mutation.offset - mutation.token.lowerBound + 1)"
      )
    }
  }
}

extension DataMutation {
  /// Returns a replacement for the whole word that no exchange uses.
  fileprivate func absurdity(in bytes: [UInt8]) -> [UInt8] {
    switch kind {
    case .condition: Array("$.zqzq".utf8)
    case .number: Array("77".utf8)
    default: bytes[token].allSatisfy({ (0x30...0x39).contains($0) }) ? Array("77".utf8) : Array("ZQZQ".utf8)
    }
  }
}

extension DataMutation.Kind {
  /// Fields and URLs are covered by a recording of their table; words may concern something not recorded.
  fileprivate var mayBeUnheard: Bool { [.condition, .symbol, .word, .number].contains(self) }
}

extension RecordedExchange {
  fileprivate func verdict(
    on bytes: [UInt8], without range: Range<Int>, but replacement: [UInt8] = []
  ) async -> Verdict {
    await verdict(
      on: bytes[block.lowerBound..<range.lowerBound] + replacement + bytes[range.upperBound..<block.upperBound])
  }
}
