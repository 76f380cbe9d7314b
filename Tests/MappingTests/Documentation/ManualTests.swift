import Quotes
import Testing

/// Runs every example in the manual, so that it stays true.
@Suite struct ManualTests {
  static let examples = Manual.examples(of: "docs/config.md")

  @Test(arguments: examples) func example(_ example: ManualExample) throws { try example.check() }

  static let recipes = Manual.examples(of: "docs/recipes.md")

  @Test(arguments: recipes) func recipe(_ example: ManualExample) throws { try example.check() }

  static let streams = Manual.streamExamples(of: "docs/streams.md")

  @Test(arguments: streams) func stream(_ example: StreamExample) throws { try example.check() }

  static let accounts = AccountExample.examples(of: "docs/private.md")

  @Test(arguments: accounts) func account(_ example: AccountExample) throws { try example.check() }

  /// The keys of the language, level by level.
  static let keys = [
    "$schema version extends settings watchlist aliases retired exchanges fx",
    "colors premiumAlert staleAfter timeout identityPercent headerRate dollarTokens", "asset payment name enabled",
    "since reason",
    "names badge docs page like markets refresh note verified takerFee orderbook bids asks size",
    "spot futures tickers ticker onMiss forEach batch set",
    "baseUrls headers limit success request rows where symbol fields lookups aliases multiplier paymentCurrencies",
    "korean english", "requests per", "method path query body cost", "where code message unlisted halted status", "zip",
    "prefix suffix split order match asset payment skip product rules", "category currencies note", "of max join",
    "from first sum product difference quotient join with capture strip missing decimals scale basis",
    "unit format zone fromOpen", "equals in notIn above is", "key match ttl",
    "providers routes pairs budget calls every at rate daysBack units change changePercent date provider exchange",
    "via rules from to when use open",
    TickerField.allCases.map(\.rawValue).joined(separator: " "),
  ]

  /// Every key of the language appears in an example. (Except `hook`: an example cannot contain Swift.)
  @Test(arguments: keys) func everyKeyHasAnExample(_ names: String) {
    let written = Self.examples.reduce(into: Set<String>()) { $0.formUnion($1.keysWritten) }
    #expect(names.split(separator: " ").map(String.init).filter { !written.contains($0) } == [])
  }
}
