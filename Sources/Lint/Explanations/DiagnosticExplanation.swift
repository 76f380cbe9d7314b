package import Config

/// The explanation of a code for someone who has never met it, with a wrong and a right example.
package struct DiagnosticExplanation: Sendable {
  package let code: FindingCode
  package let title: String
  package let text: String
  /// The place of the examples, which are parts of a config.
  let scene: Scene
  /// Part of a config, as shown to the user.
  package let wrong: String
  package let right: String

  package init(_ code: FindingCode, _ title: String, _ text: String, in scene: Scene, wrong: String, right: String) {
    (self.code, self.title, self.text) = (code, title, text)
    (self.scene, self.wrong, self.right) = (scene, wrong, right)
  }

  /// The part of a config that an example represents; the rest is always the same.
  package enum Scene: Sendable {
    /// The whole file.
    case file
    /// Top-level members.
    case top
    /// Members of `exchanges`.
    case exchanges
    /// Members of an exchange's spot market.
    case market
    /// Members of an exchange's spot market, including `tickers`.
    case wholeMarket
    /// Members of an exchange.
    case account
    /// Members of `fx`.
    case rates
  }

  /// All codes, in order.
  package static let all: [DiagnosticExplanation] =
    texts + shapes + keys + grammars + references + meanings + looseEnds + routes + blocks + streams + accounts

  package static func explanation(of code: FindingCode) -> DiagnosticExplanation? { all.first { $0.code == code } }

  /// Returns the explanation of a code, in any of its spellings: `MKT021`, `mkt21`, `21`.
  package static func explanation(spelled word: String) -> DiagnosticExplanation? {
    guard let number = digits(of: word).flatMap({ Int($0) }), number < 1000 else { return nil }
    return all.first { Int($0.code.rawValue.dropFirst(3)) == number }
  }

  /// Returns the explanations whose codes differ in one digit, or whose titles contain the word.
  package static func near(_ word: String) -> [DiagnosticExplanation] {
    if let digits = digits(of: word) {
      return all.filter { Spelling.distance("MKT" + digits, $0.code.rawValue) == 1 }
    }
    return word.count > 2 ? all.filter { $0.title.lowercased().contains(word.lowercased()) } : []
  }

  /// Returns the digits of a word that is spelled as a code; nil if it is another word.
  package static func digits(of word: String) -> String? {
    word.wholeMatch(of: /(?i:mkt)?-?([0-9]+)/).map { String($0.1) }
  }
}

extension DiagnosticExplanation {
  /// Returns the whole config that an example is part of.
  package func config(of example: String) -> String {
    switch scene {
    case .file: example
    case .top: Self.top(Self.indented(example, 2))
    case .exchanges: Self.top("  \"exchanges\": {\n\(Self.indented(example, 4)) }")
    case .market: Self.top(Self.exchange(Self.indented(example, 8) + ",\n        \(Self.tickers)"))
    case .wholeMarket: Self.top(Self.exchange(Self.indented(example, 8)))
    case .account:
      Self.top(Self.exchange("        \(Self.tickers)", members: Self.indented(example, 6) + ",\n"))
    case .rates: Self.top(Self.exchange("        \(Self.tickers)") + ",\n  \"fx\": {\n\(Self.indented(example, 4)) }")
    }
  }

  private static let tickers = #""tickers": { "request": { "path": "/tickers" } }"#

  private static func top(_ members: String) -> String { "{ \"version\": 1,\n\(members) }\n" }

  private static func exchange(_ market: String, members: String = "") -> String {
    """
      "exchanges": {
        "Example": {
          "baseUrls": ["https://api.exchange.example"],
          "rows": "$.data[*]", "symbol": { "path": "$.symbol", "split": "-" }, "fields": { "price": "$.last" },
    \(members)      "markets": { "spot": {
    \(market) } } } }
    """
  }

  private static func indented(_ text: String, _ count: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(repeating: " ", count: count) + $0 }.joined(separator: "\n")
  }
}
