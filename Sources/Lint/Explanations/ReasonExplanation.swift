import Mapping
import Quotes

/// The explanation of a word that stands where a number, a premium or a stream should be, or beside it.
///
/// The tables of docs/config.md are made from these, and a test compares them.
package struct ReasonExplanation: Sendable, Equatable {
  /// What the word answers, as a heading.
  package enum Topic: String, CaseIterable, Sendable {
    case cell = "why a cell is empty"
    case answer = "why there is no answer"
    case flag = "why a row is flagged"
    case headline = "why a price is in no headline or premium"
    case fault = "what is wrong with a book, trades or candles"
    case feed = "what feeds and streams do"
    case rate = "what is said about an exchange rate"
    case account = "what is said about keys, balances and wallets"
  }

  package let topic: Topic
  /// The word as shown, with capitals for what differs: `http-NNN`, `lookup-failed NAME`.
  package let code: String
  /// One or more sentences, without a capital at the start and a stop at the end. Keys and options are in backticks.
  package let text: String

  init(_ topic: Topic, _ code: String, _ text: String) { (self.topic, self.code, self.text) = (topic, code, text) }

  /// All of them, by topic.
  package static let all: [ReasonExplanation] =
    cells + answers + flags + headlines + faults + feeds + rates + accounts

  /// Returns what a word means, in each place that has it: `stale` is an empty cell and a flag. Several are explained
  /// in turn if all are known; the name of a field or market may come before a reason, as in `volume not-offered`.
  package static func explanations(spelled word: String) -> [ReasonExplanation] {
    let word = word.lowercased()
    let exact = all.filter { [word, "no-answer \(word)"].contains($0.code) }
    guard exact.isEmpty else { return exact }
    let own = all.filter { $0.isFamily(of: word) }.map { $0.naming(word) }
    guard let space = word.firstIndex(of: " ") else { return own }
    let first = String(word[..<space])
    let rest = String(word[word.index(after: space)...])
    // A code or a name may be any text; a reason is one of these.
    guard own.isEmpty else {
      return own + (own.contains { $0.code.hasSuffix(" REASON") } ? explanations(spelled: rest) : [])
    }
    let before = explanations(spelled: first)
    let after = explanations(spelled: rest)
    if after.isEmpty || places.contains(first) { return after }
    return before.isEmpty ? [] : before + after
  }

  /// The names, in lowercase, that stand before the reason for an empty cell.
  private static let places: Set<String> = {
    let names = [
      TickerField.allCases.map(\.rawValue), CandleField.allCases.map(\.rawValue), Market.allCases.map(\.rawValue),
    ]
    return Set(names.joined().map { $0.lowercased() })
  }()

  /// The words to be typed, without what differs: `json-null`, `http`, `tls`.
  package static var words: [String] {
    var seen: Set<String> = []
    return all.map { $0.code.hasPrefix("no-answer ") && $0.stem == $0.code ? String($0.code.dropFirst(10)) : $0.stem }
      .filter { seen.insert($0).inserted }
  }

  /// Returns the explanation of a word of this family: that of a status has its number, and says what it means.
  private func naming(_ word: String) -> ReasonExplanation {
    guard stem == "http", let status = Int(word.dropFirst(stem.count + 1)) else { return self }
    let meaning = AnswerFailure.status(status).message.map { ": \($0)" } ?? ""
    return ReasonExplanation(topic, "http-\(status)", text + meaning)
  }

  /// The word before what differs.
  private var stem: String {
    guard let first = code.firstIndex(where: \.isUppercase) else { return code }
    return String(code[..<code.index(before: first)])
  }

  private func isFamily(of word: String) -> Bool {
    guard stem != code, word.hasPrefix(code.prefix(stem.count + 1)) else { return stem != code && word == stem }
    // A status is one word.
    return !code.hasSuffix("-NNN") || !word.contains(" ")
  }
}
