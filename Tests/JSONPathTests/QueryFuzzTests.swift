import JSON
import JSONPath
import TestSupport
import Testing

/// Random mutations of valid queries: each must yield an error with a position, or a query that can be applied.
@Suite("Mutated queries")
struct QueryFuzzTests {
  private static let seeds: [String] =
    Selection.filters.map(\.query) + Selection.functions.map(\.query)
    + Selection.selectors.map(\.query) + Spelling.all.map(\.query) + ["$[1:2:3]", "$..[::-1]", "$[?1.5e-3 < @.a]"]

  private static let fragments: [String] = [
    "$", "@", ".", "..", "[", "]", "(", ")", "*", "?", ",", ":", "'", "\"", "\\", "\\u00e9", "\\ud83d", " ", "\n",
    "!", "==", "<=", "<", "&&", "||", "&", "-", "0", "1", "9007199254740991", ".5", "e3", "null", "true", "length(",
    "count(", "value(", "match(", "@.a", "[?", "é", "\u{0}", "😀",
  ]

  @Test("Mutated queries never crash", arguments: 0..<8)
  func mutatedQueriesNeverCrash(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let document = try JSONDocument(text: Selection.market)
    var readable = 0
    for _ in 0..<1_500 {
      let text = Self.mutation(using: &random)
      let query: JSONPathQuery
      do throws(SyntaxError) {
        query = try JSONPathQuery(text)
      } catch {
        #expect((0...text.utf8.count).contains(error.offset), "\(text)")
        #expect(!error.message.isEmpty)
        continue
      }
      readable += 1
      // Chains of wildcards over descendants multiply the nodes, so they are not applied here.
      guard text.utf8.count(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ".") }) < 8 else { continue }
      let located = try query.locatedNodes(in: document.root)
      #expect(query.nodes(in: document.root) == located.map(\.node), "\(text)")
    }
    // Most mutations are invalid; if all were, the test would prove nothing about what they select.
    #expect(readable > 50)
  }

  private static func mutation(using random: inout SeededGenerator) -> String {
    var scalars = Array((seeds.randomElement(using: &random) ?? "$").unicodeScalars)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0...scalars.count, using: &random)
      let fragment = (fragments.randomElement(using: &random) ?? "").unicodeScalars
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        scalars.insert(contentsOf: fragment, at: place)
      case 1 where place < scalars.count:
        scalars.remove(at: place)
      case 2 where place < scalars.count:
        scalars.replaceSubrange(place...place, with: fragment)
      default:
        let other = (seeds.randomElement(using: &random) ?? "$").unicodeScalars.dropFirst()
        scalars.insert(contentsOf: other, at: place)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
