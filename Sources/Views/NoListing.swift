import MarketData
import Quotes
import Terminal

/// What is said of something that none of the exchanges asked lists. Only of these: others may list it.
package struct NoListing {
  private let exchanges: [String]

  /// - Parameter exchanges: The names of those that were asked, in any order; repetitions count once. Empty if unknown.
  package init(by exchanges: [String] = []) { self.exchanges = exchanges.unique }

  init(by reports: [ExchangeReport]) { self.init(by: reports.filter { !$0.isUnasked }.map(\.exchange)) }

  /// `Coinone does not list SHIB/KRW`, `none of 5 exchanges lists it`
  ///
  /// - Parameter what: nil for what has just been named.
  package func text(_ what: String?, _ language: Language) -> String {
    let (none, place) =
      switch exchanges.count {
      case 0: ("none of the exchanges asked lists", "조회한 거래소에")
      case 1: ("\(exchanges[0]) does not list", "\(exchanges[0])에")
      default: ("none of \(exchanges.count) exchanges lists", "거래소 \(exchanges.count)곳 어디에도")
      }
    return language("\(none) \(what ?? "it")", "\(place) \(what.map { "\($0) " } ?? "")상장되지 않음")
  }

  /// What is said of all exchanges but those that a sentence has named.
  static func others(_ language: Language) -> String { language("the others do not list it", "나머지에는 상장되지 않음") }

  /// Returns the assets that may have been meant by a name, as a question: `did you mean BTC (Bitcoin)?`; nil without any.
  package static func question(_ assets: [(asset: String, name: String)]) -> String? {
    let words = assets.map { TerminalText.sanitized("\($0.asset) (\($0.name))") }
    return words.isEmpty ? nil : "did you mean \(words.listed("or"))?"
  }

  /// Returns the whole sentence about an asset or a pair.
  ///
  /// - Parameters:
  ///   - areNamed: whether the user has named the exchanges.
  ///   - option: what another command needs to find the same config: ` -c FILE`.
  ///   - advice: what is likelier to help than asking all exchanges, or searching for the asset.
  func sentence(
    _ what: String, areNamed: Bool, of asset: String, _ option: String, advice: String? = nil
  ) -> String {
    let search = "look for it with: market search \(asset)\(option)"
    return areNamed
      ? "\(text(what, .english)); \(advice ?? "without -e all exchanges are asked")"
      : "no exchange lists \(what); \(advice ?? search)"
  }
}

/// What is said of a pair that exchanges have, but do not trade now.
enum Halt {
  static let korean = "거래 중지"

  /// `does not trade it now`
  ///
  /// - Parameter count: the number of exchanges that the words are about.
  static func predicate(of count: Int = 1, _ language: Language) -> String {
    language(count == 1 ? "does not trade it now" : "do not trade it now", korean)
  }

  /// `Alpha has BTC/USDT on its spot market, but does not trade it now`
  ///
  /// - Parameter what: nil for what has just been named.
  static func sentence(_ exchange: String, _ what: String?, _ language: Language) -> String {
    language(
      "\(exchange) has \(what ?? "it"), but \(predicate(.english))",
      [exchange, what, korean].compactMap(\.self).joined(separator: " "))
  }
}
