import JSON
import Mapping
package import MarketData
package import Quotes
package import Terminal

/// The output formats of the status bar programs that can display a `market` line.
package enum BarFormat: String, CaseIterable, Sendable {
  case line
  /// A JSON object with `text`, `tooltip` and `class` (Waybar's custom module with `return-type: json`).
  case waybar
  /// tmux style markup: `#[fg=red]`.
  case tmux
  /// The menu bar line, `---`, then a line per exchange, with parameters after a `|` (xbar, SwiftBar, Argos).
  case xbar
  /// The full text, the short text and the color, one per line.
  case i3blocks
}

/// One pair on one line, for status bars. Text is escaped for its target so that no name can run or restyle anything.
package struct BarReport: Sendable {
  private let figures: PairFigures
  private let alert: PremiumAlert
  private let rule: HeadlineRule
  private let badges: [String: String]
  private let scheme: ColorScheme
  private let isSettled: Bool

  /// - Parameters:
  ///   - badges: up to three letters per exchange.
  ///   - isSettled: whether every exchange has answered or failed; before, one may list what the others do not.
  package init(
    _ figures: PairFigures, alert: PremiumAlert, rule: HeadlineRule, badges: [String: String], scheme: ColorScheme,
    isSettled: Bool = true
  ) {
    self.figures = figures
    self.alert = alert
    self.rule = rule
    self.badges = badges
    self.scheme = scheme
    self.isSettled = isSettled
  }

  package func text(_ format: BarFormat) -> String {
    switch format {
    case .line: clean(line(naming: badge)) + "\n"
    case .waybar: String(decoding: waybar.written(), as: UTF8.self) + "\n"
    case .tmux: tmux + "\n"
    case .xbar: xbar
    case .i3blocks: [clean(short + local(" ")), clean(short), color.code].map { $0 + "\n" }.joined()
    }
  }

  /// Returns the text as an update of a bar that reads a running command. Such a command gives SwiftBar a line `~~~`
  /// before each menu, and i3blocks one line each, which with `format=json` is an object.
  package func update(_ format: BarFormat) -> String {
    switch format {
    case .line, .waybar, .tmux: text(format)
    case .xbar: "~~~\n" + xbar
    case .i3blocks: String(decoding: block.written(), as: UTF8.self) + "\n"
    }
  }

  // MARK: Words

  private func clean(_ text: String) -> String { TerminalText.sanitized(text) }

  private func badge(_ exchange: String) -> String { badges[exchange] ?? String(exchange.prefix(2)).uppercased() }

  private var change: String { figures.leadRow.map(change) ?? "" }

  /// `20s old`: how old the answers of an earlier run are, from ten seconds on; nil before.
  private var age: String? {
    let language = Language.english
    return language.quietAge(nanoseconds: figures.snapshot.keptNanoseconds).map(language.old)
  }

  private var remark: String { age.map { " (\($0))" } ?? "" }

  /// `- (http-500)`, `- (failed, stale, 20s old)`: why there is no usable price. Reasons that differ are summed up.
  private var absence: String {
    let reasons = (leftOut.map(\.objection.code) + unavailable.compactMap(\.reason)).unique
    let parts = (reasons.count == 1 ? reasons : classes) + [age].compactMap(\.self)
    return "- (\(parts.joined(separator: ", ")))"
  }

  /// ` +0.46u`, with what the change is measured from.
  private func change(of row: TickerRow) -> String { row.ticker.changeText.map { " \($0)" } ?? "" }

  private func local(_ separator: String) -> String {
    switch figures.localPremium[.official] {
    case .failure(let objection): "\(separator)kimchi \(objection.code)"
    case .success(let percent): "\(separator)kimchi \(percent.signedPercentText)\(remarks)"
    case nil: ""
    }
  }

  /// ` (rate old)`: what must be known about the rate behind the premium.
  private var remarks: String {
    figures.snapshot.rate?.quote.flatMap { RateView($0, at: figures.snapshot.time).remark(.english) }.map { " \($0)" }
      ?? ""
  }

  /// `BTC/KRW 134512000 UP +0.46u  premium 0.13 GP>CO  kimchi +0.54`
  ///
  /// - Parameter name: what an exchange is called where there is room for as much.
  private func line(naming name: (String) -> String) -> String {
    guard let lead = figures.leadRow else { return "\(figures.pair) \(absence)" }
    let price = PriceDigits(figures, rule).plain(lead.ticker) ?? "-"
    var line = "\(figures.pair) \(price) \(name(lead.ticker.exchange))\(change)\(remark)"
    if let premium = try? figures.snapshot.premium.get() {
      let ends = [premium.high, premium.low].map { name(figures.snapshot.spot[$0].ticker.exchange) }
      line += "  premium \(premium.percentText) \(ends.joined(separator: ">"))"
    }
    return line + local("  ")
  }

  /// `BTC 134512000 +0.46u`: a rounded price would hide half a percent.
  private var short: String {
    let price = figures.leadRow.flatMap { PriceDigits(figures, rule).plain($0.ticker) }
    return "\(figures.pair.asset) " + (price.map { $0 + change + remark } ?? absence)
  }

  private var style: Style { figures.leadRow?.ticker.changeStyle ?? .neutral }

  /// `up` or `down`, plus `premium` from the alert's limit on; without a usable price, why there is none.
  private var classes: [String] {
    guard figures.leadRow != nil else {
      let classes = leftOut.map(\.objection.barClass) + unavailable.map { $0.isHalted ? Missing.halted.code : "failed" }
      return classes.isEmpty ? [isSettled ? "not-listed" : "loading"] : classes.unique
    }
    var classes = style == .up ? ["up"] : style == .down ? ["down"] : []
    if let premium = try? figures.snapshot.premium.get(), alert.highlight(premium.percent) == .orange {
      classes.append("premium")
    }
    return classes
  }

  /// The rows that are in no headline, and why.
  private var leftOut: [(row: TickerRow, objection: HeadlineObjection)] {
    figures.snapshot.spot.compactMap { row in row.ticker.headlineObjection(rule).map { (row, $0) } }
  }

  /// The exchanges that failed, entirely or in part, or do not trade the pair now.
  private var unavailable: [ExchangeReport] {
    figures.snapshot.reports.filter { $0.market == .spot && ($0.hasFailed || $0.isHalted) }
  }

  /// The line with whole names, the usable prices, then the others with the reason: `Upbit 134500000 stale`, and what
  /// failed or is halted: `Okx http-503`.
  private var tooltip: [String] {
    let digits = PriceDigits(figures, rule)
    func text(_ row: TickerRow) -> String { "\(row.ticker.exchange) \(digits.plain(row.ticker) ?? "-")" }
    let usable = figures.snapshot.spot.filter { $0.ticker.headlineObjection(rule) == nil }
    let lines =
      usable.map { text($0) + change(of: $0) } + leftOut.map { "\(text($0.row)) \($0.objection.code)" }
      + unavailable.map { "\($0.exchange) \($0.table.rows.isEmpty ? "" : "in part ")\($0.reason ?? "")" }
    let absence = isSettled ? [NoListing(by: figures.snapshot.reports).text(nil, .english)] : []
    return [line { $0 }] + (lines.isEmpty ? absence : lines)
  }

  // MARK: Formats

  /// Waybar interprets `text` and `tooltip` as Pango markup.
  private var waybar: JSONValue {
    let tooltip = tooltip.map { clean($0).escapedMarkup }
    return [
      "text": .string(clean(short).escapedMarkup), "tooltip": .string(tooltip.joined(separator: "\n")),
      "class": .texts(classes),
    ]
  }

  private var block: JSONValue {
    let texts: JSONValue = ["full_text": .string(clean(short + local(" "))), "short_text": .string(clean(short))]
    return texts + (color.code.isEmpty ? [:] : ["color": .string(color.code)])
  }

  /// A `#` starts tmux markup, so it is doubled.
  private var tmux: String {
    func escaped(_ text: String) -> String { clean(text).replacing("#", with: "##") }
    let text = escaped(short)
    return (color.name.isEmpty ? text : "#[fg=\(color.name)]\(text)#[default]") + escaped(local(" "))
  }

  /// A vertical bar starts xbar's parameters and cannot be escaped, so a broken bar replaces it. A leading hyphen would
  /// make the line a separator or a submenu.
  private var xbar: String {
    func escaped(_ text: String) -> String {
      let safe = clean(text).replacing("|", with: "¦")
      return safe.hasPrefix("-") ? " " + safe : safe
    }
    let head = escaped(short + local(" ")) + (color.name.isEmpty ? "" : " | color=\(color.name)")
    return ([head, "---"] + tooltip.map(escaped)).map { $0 + "\n" }.joined()
  }

  /// The color's name in tmux and xbar, and its code in i3blocks; both are empty to use the bar's own.
  private var color: (name: String, code: String) {
    switch style.tone(in: scheme) {
    case .red: ("red", "#FF5555")
    case .green: ("green", "#50C878")
    case .blue: ("blue", "#5599FF")
    case .orange: ("yellow", "#FFB000")
    default: ("", "")
    }
  }
}

extension String {
  /// The text with the characters escaped that begin a tag or an entity in XML, and in Pango's markup.
  var escapedMarkup: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}

extension HeadlineObjection {
  /// The class for a status bar's style sheet.
  fileprivate var barClass: String {
    switch self {
    case .missing(.stale), .oldTrade, .noTrades: "stale"
    // With a cause, its exchange does not answer.
    case .flagged(let flag) where flag.kind == .stale: flag.cause == nil ? "stale" : "failed"
    case .missing: "failed"
    case .basis, .flagged: "flagged"
    }
  }
}
