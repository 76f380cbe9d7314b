import Files
import JSON
import Lint
import TestSupport
import Testing

@testable import Config

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Typing errors in the shipped config: nearly all of them are found, on their line.
///
/// Only errors in the language's own parts count. A wrong URL, member name or number cannot be recognized without a
/// response from the exchange.
@Suite struct ConfigMutationTests {
  /// The kinds of typing errors.
  enum Kind: String, CaseIterable {
    case deletion = "characters left out"
    case misspelling = "keys misspelt"
    case swap = "neighbours swapped"
    case doubling = "characters doubled"
    case otherCase = "letters in the other case"
    case otherSign = "signs mistaken for others"
  }

  struct Mutation: Hashable, Sendable {
    let kind: Kind
    let part: ConfigMap.Part
    let range: Range<Int>
    let replacement: [UInt8]

    func line(in bytes: [UInt8]) -> Int { bytes[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1 }
  }

  struct Score {
    var all = 0
    var found = 0
    var missed: [String] = []

    var share: Double { all == 0 ? 1 : Double(found) / Double(all) }
  }

  /// Every fiftieth of 5,000 mutations by default, all with `MARKET_EXHAUSTIVE`.
  private static let stride = Effort.isComplete ? 1 : 50

  @Test func configMutationsAreFound() async throws {
    let bytes = try FileSystem.read(Checkout.path("exchanges.json"))
    let document = try JSONDocument(parsing: bytes)
    #expect(review(bytes).findings == [])
    let all = mutations(of: document, ConfigMap(document))
    let sample = all.indices.filter { $0.isMultiple(of: Self.stride) }.map { all[$0] }
    var scores: [Kind: Score] = [:]
    let excerpts = ExchangeExcerpts(document)
    // What an excerpt lacks must not look like a find.
    for text in excerpts.all.prefix(Effort.isComplete ? .max : 3) { #expect(review(text).findings == []) }
    for (mutation, isFound) in await found(sample, in: excerpts) {
      scores[mutation.kind, default: Score()].all += 1
      if isFound {
        scores[mutation.kind, default: Score()].found += 1
      } else {
        let around = bytes[max(0, mutation.range.lowerBound - 12)..<min(bytes.count, mutation.range.upperBound + 12)]
        let place = "line \(mutation.line(in: bytes)): …\(String(decoding: around, as: UTF8.self))…"
        scores[mutation.kind, default: Score()].missed.append(
          "\(place) \(String(decoding: bytes[mutation.range], as: UTF8.self)) -> "
            + String(decoding: mutation.replacement, as: UTF8.self))
      }
    }
    let total = scores.values.reduce(into: Score()) { total, score in
      total.all += score.all
      total.found += score.found
    }
    for (kind, score) in scores.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      print("mutations, \(kind.rawValue): \(score.found) of \(score.all) reported on their line")
      for place in score.missed.prefix(Effort.isComplete ? 100 : 0) {
        print("  not reported: \(place)")
      }
    }
    print("mutations: \(total.found) of \(total.all) reported on their line (\(Int(total.share * 1000)) per mille)")
    #expect(total.all >= 4_900 / Self.stride)
    // A sample is too small to measure a share of one in a hundred.
    #expect(total.share >= (Self.stride == 1 ? 0.98 : 0.95))
  }

  /// Reviews each mutation, on all cores, and tells whether it is reported on its line or an adjacent one.
  private func found(_ mutations: [Mutation], in excerpts: ExchangeExcerpts) async -> [(Mutation, Bool)] {
    await withTaskGroup(of: [(Mutation, Bool)].self) { group in
      for start in Swift.stride(from: 0, to: mutations.count, by: 10) {
        let chunk = mutations[start..<min(start + 10, mutations.count)]
        group.addTask {
          chunk.map { mutation in
            var (text, range) = excerpts.around(mutation.range)
            let line = text[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
            text.replaceSubrange(range, with: mutation.replacement)
            return (mutation, review(text).findings.contains { abs(($0.place?.start.line ?? 0) - line) <= 1 })
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func review(_ bytes: [UInt8]) -> ConfigReview {
    ConfigReview(
      .init(name: "exchanges.json", bytes: bytes), builtin: .init(name: "builtin", bytes: []),
      hooks: ["ecb-reference-rates"])
  }

  /// Returns 2,000 single-character deletions, 600 misspelled keys, then 2,400 other errors; the same on every run.
  private func mutations(of document: JSONDocument, _ map: ConfigMap) -> [Mutation] {
    var random = SeededGenerator(seed: 20_261_120)
    let places = map.parts.indices.filter { map.parts[$0].map { $0 != .data } ?? false }
    var result: Set<Mutation> = []
    var list: [Mutation] = []
    func take(_ mutation: Mutation) { if result.insert(mutation).inserted { list.append(mutation) } }
    while list.count < 2_000, let index = places.randomElement(using: &random), let part = map.parts[index] {
      take(Mutation(kind: .deletion, part: part, range: index..<(index + 1), replacement: []))
    }
    while list.count < 2_600, let key = map.keys.randomElement(using: &random) {
      let word = Array(document.bytes[key])
      let misspelt = misspelling(of: word, using: &random)
      if misspelt != word { take(Mutation(kind: .misspelling, part: .key, range: key, replacement: misspelt)) }
    }
    let others: [Kind] = [.swap, .doubling, .otherCase, .otherSign]
    while list.count < 5_000, let index = places.randomElement(using: &random), let part = map.parts[index] {
      let kind = others.randomElement(using: &random) ?? .swap
      let byte = document.bytes[index]
      let next = index + 1 < document.bytes.count ? document.bytes[index + 1] : byte
      switch kind {
      case .swap where next > 0x20 && next != byte:
        take(Mutation(kind: kind, part: part, range: index..<(index + 2), replacement: [next, byte]))
      case .doubling: take(Mutation(kind: kind, part: part, range: index..<(index + 1), replacement: [byte, byte]))
      case .otherCase where Character(Unicode.Scalar(byte)).isLetter && byte < 0x80:
        take(Mutation(kind: kind, part: part, range: index..<(index + 1), replacement: [byte ^ 0x20]))
      case .otherSign where part == .structure:
        let sign = Array("{}[]\",:;'(".utf8).randomElement(using: &random) ?? byte
        if sign != byte { take(Mutation(kind: kind, part: part, range: index..<(index + 1), replacement: [sign])) }
      default: break
      }
    }
    return list
  }

  /// Doubles a letter, replaces one, or swaps two.
  private func misspelling(of word: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    var result = word
    let index = Int.random(in: word.indices, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: result.insert(word[index], at: index)
    case 1: result[index] = UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random)
    default: if index > 0 { result.swapAt(index, index - 1) }
    }
    return result
  }
}

/// The config with only the exchanges that a mutation can affect: reviewing all of them takes twenty times as long. Of the
/// others, only the ends of lines stay.
private struct ExchangeExcerpts: Sendable {
  private let bytes: [UInt8]
  private let exchanges: [(name: String, range: Range<Int>, like: String?)]
  /// By exchange: its excerpt, and the number of bytes that this lacks before the exchange.
  private var excerpts: [String: (text: [UInt8], missing: Int)] = [:]

  init(_ document: JSONDocument) {
    bytes = document.bytes
    exchanges =
      document.root["exchanges"].map { Array($0.members) }?.map { member in
        let range = member.key.byteRange.lowerBound..<member.value.byteRange.upperBound
        return (member.name, range, member.value["like"]?.string)
      } ?? []
    let fx = document.root["fx"].map { String(decoding: document.bytes[$0.byteRange], as: UTF8.self) } ?? ""
    // Those that rate providers and routes name.
    let others = exchanges.map(\.name).filter { fx.contains("\"\($0)\"") }
    for exchange in exchanges {
      excerpts[exchange.name] = excerpt(around: exchange, with: others + [exchange.like ?? exchange.name])
    }
  }

  var all: [[UInt8]] { exchanges.compactMap { excerpts[$0.name]?.text } }

  /// Returns the text in which to make a mutation, and its place there: the whole config for one outside of all
  /// exchanges.
  func around(_ range: Range<Int>) -> (text: [UInt8], range: Range<Int>) {
    guard let own = exchanges.first(where: { $0.range.contains(range.lowerBound) }),
      let excerpt = excerpts[own.name]
    else { return (bytes, range) }
    return (excerpt.text, (range.lowerBound - excerpt.missing)..<(range.upperBound - excerpt.missing))
  }

  private func excerpt(
    around own: (name: String, range: Range<Int>, like: String?), with others: [String]
  ) -> (text: [UInt8], missing: Int) {
    var text: [UInt8] = []
    var missing = 0
    var end = 0
    var comma: Int?
    for exchange in exchanges {
      text += bytes[end..<exchange.range.lowerBound]
      // The comma behind it is its own.
      end = exchange.range.upperBound + (bytes[exchange.range.upperBound] == UInt8(ascii: ",") ? 1 : 0)
      if exchange.name == own.name { missing = exchange.range.lowerBound - text.count }
      if exchange.name == own.name || others.contains(exchange.name) {
        text += bytes[exchange.range.lowerBound..<end]
        comma = end > exchange.range.upperBound ? text.count - 1 : nil
      } else {
        text += bytes[exchange.range.lowerBound..<end].filter { $0 == UInt8(ascii: "\n") }
      }
    }
    if let comma { text[comma] = UInt8(ascii: " ") }
    return (text + bytes[end...], missing)
  }
}
