package import Quotes
package import Shell
package import Views

/// Options of the commands that list pairs by name.
package struct ListOptions: CommandOptions {
  static let market = Option.market("list this market", default: .spot)
  package static let sort = Option(
    "sort", value: "COLUMN", help: "sort by this column, largest first",
    choices: ListSort.columns.map(\.rawValue), category: .output)
  static let top = Option("top", value: "N", help: "show only the first N pairs", category: .output)
  static let language = Option.language("the language of titles, and of the name shown first")
  package static let noTrend = Option(
    "no-trend", help: "do not request candles; omit the sparklines", category: .output)

  package static let all = [
    market, Option.basis, .maximumAge, .noRate, sort, .reverse, top, language, .lineFormat, .digits, .scheme, .glyphs,
  ]

  package let market: Market
  package let rule: HeadlineRule
  package let asksRate: Bool
  /// nil for the command's default.
  package let sort: ListSort?
  package let isReversed: Bool
  package let top: Int?
  /// nil for that of the locale.
  package let language: Language?
  package let asksTrend: Bool
  package let format: LineFormat
  package let asking: AskingOptions

  package init(_ words: Invocation) throws(UsageProblem) {
    market = try words.choice(of: Self.market) ?? .spot
    rule = try words.headlineRule()
    asksRate = !words.has(.noRate)
    sort = try words.choice(of: Self.sort)
    isReversed = words.has(.reverse)
    top = try words.integer(of: Self.top, in: 1...100_000)
    language = try words.choice(of: Self.language)
    asksTrend = !words.has(Self.noTrend)
    format = try words.choice(of: .lineFormat) ?? .text
    asking = try AskingOptions(words)
  }
}
