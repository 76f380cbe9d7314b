import MarketData
import Quotes
import Terminal

/// What is said of something that none of the exchanges asked lists. Only of these: others may list it.
package struct NoListing {
  private let exchanges: [String]

  /// - Parameter exchanges: The names of those that were asked, in any order; repetitions count once. Empty if unknown.
  package init(by exchanges: [String] = []) { self.exchanges = exchanges.unique }

  init(by reports: [ExchangeReport]) { self.init(by: reports.filter { !$0.isUnasked }.map(\.exchange)) }

  /// `Coinone does not list SHIB/KRW`, `none of 5 exchanges lists SHIB/KRW`
  package func text(_ what: String, _ language: Language = .english) -> String {
    switch exchanges.count {
    case 0: language("none of the exchanges asked lists \(what)", "조회한 거래소에 \(what) 없음")
    case 1: language("\(exchanges[0]) does not list \(what)", "\(exchanges[0])에 \(what) 없음")
    default: language("none of \(exchanges.count) exchanges lists \(what)", "거래소 \(exchanges.count)곳 모두 \(what) 없음")
    }
  }

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
      ? "\(text(what)); \(advice ?? "without -e all exchanges are asked")"
      : "no exchange lists \(what); \(advice ?? search)"
  }
}
