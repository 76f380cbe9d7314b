import Config
import HTTP
import JSON
import Mapping
import Quotes

/// The names by which an answer must say which pair it is about, if the request does not.
///
/// A request without the pair's name has the same answer for every pair. If the exchange lists several, only an answer
/// that names the wanted pair, and none of the others, is that pair's.
struct AnswerNames: Sendable {
  /// Letters and digits only.
  private let own: Set<String>
  private let others: [String: Pair]

  /// - Parameters:
  ///   - spelling: The exchange's names of the pair's assets.
  ///   - listed: The pairs that the exchange lists, as far as known.
  init(of pair: Pair, spelled spelling: PairSpelling, among listed: [ListedPair]) {
    var own = Self.names(pair.asset, pair.payment).union(Self.names(spelling.asset, spelling.payment))
    var others: [String: Pair] = [:]
    for listed in listed {
      var names = Self.names(listed.spelling.asset, listed.spelling.payment)
      if let symbol = listed.spelling.symbol { names.insert(Spelling.folded(symbol)) }
      if listed.pair == pair {
        own.formUnion(names)
      } else {
        for name in names { others[name] = listed.pair }
      }
    }
    self.own = own
    self.others = others.filter { !own.contains($0.key) }
  }

  private static func names(_ asset: String, _ payment: String) -> Set<String> {
    [Spelling.folded(asset + payment), Spelling.folded(payment + asset)]
  }

  /// Checks that an answer is about the pair.
  ///
  /// - Throws: `AnswerFailure` if it names another one or none.
  func check(_ answer: HTTPResponse) throws(AnswerFailure) {
    guard let document = try? JSONDocument(parsing: answer.body) else { return }
    var isOwn = false
    var other: Pair?
    func note(_ text: String) {
      // Numbers, times and most words are of another length.
      guard 4...40 ~= text.utf8.count else { return }
      let name = Spelling.folded(text)
      if own.contains(name) { isOwn = true }
      if other == nil { other = others[name] }
    }
    func visit(_ node: JSONNode) {
      if let text = node.string { note(text) }
      node.elements.forEach(visit)
      for member in node.members {
        note(member.name)
        visit(member.value)
      }
    }
    visit(document.root)
    if let other {
      throw AnswerFailure(
        .noAnswer(.otherPair), "the request does not name the pair, and the answer is about \(other)")
    }
    guard isOwn else {
      throw AnswerFailure(
        .noAnswer(.otherPair),
        "the request does not name the pair, so the answer may be about another one; write {asset} and {payment} in it")
    }
  }
}
