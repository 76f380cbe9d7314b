import Config
import JSON
import Mapping
import MarketData
import Quotes
import Terminal

/// An exchange rate as it is shown.
struct RateView {
  let quote: RateQuote
  /// The moment that its age is counted to.
  let moment: Instant

  init(_ quote: RateQuote, at moment: Instant) {
    self.quote = quote
    self.moment = moment
  }

  /// Who quotes, in the provider's own words, else the provider's name.
  var provider: String { quote.quotedBy ?? quote.provider }

  /// `1272.00 (-0.16%)`, in the colour of the change.
  var text: StyledText {
    let percent = quote.changePercent.value
    let change = percent.map { " (\($0.signedPercentText)%)" } ?? ""
    return StyledText(quote.rate.rateText + change, percent.map { Style(ofChange: $0) } ?? .neutral)
  }

  /// The change with as many decimals as the rate has on the screen: `-2.00`.
  var changeText: String? {
    guard let change = quote.change.value else { return nil }
    let rate = quote.rate.rateText
    let places = rate.firstIndex(of: ".").map { rate.distance(from: $0, to: rate.endIndex) - 1 } ?? 0
    let text = change.fixedText(places: places)
    return text.hasPrefix("-") ? text : "+" + text
  }

  /// When it was quoted, by the clock of Seoul, and how long ago; the day alone where no time is said.
  var timeText: StyledText {
    guard let time = quote.time else { return StyledText(quote.date ?? "-") }
    let text = StyledText(ClockText.seoul(time))
    guard let age = quote.age(at: moment) else { return text }
    return text + StyledText(" (\(ClockText.age(nanoseconds: age)) ago)", .dim)
  }

  /// What has to be known beside it: `daily`, `last known, timeout`.
  var remarks: [String] { quote.labels.map(\.explanation) }

  /// The newest rate that is known, which never takes the place of a rate that is missing.
  var lastKnown: StyledText {
    StyledText("\(quote.rate.rateText)  \(provider)  ", .dim) + timeText
  }
}

extension RateLabel {
  /// The label in words, without what only concerns a close look.
  var explanation: String {
    switch self {
    case .daily: "daily"
    case .kept(let failure): "last known, \(failure.reason.code)"
    case .old: "old"
    case .undated: "of unknown age"
    case .implied: "implied by a stablecoin's price"
    case .crossed(let currency): "through \(currency)"
    case .inverse: "inverted"
    case .confirmed(let provider): "far from the last, confirmed by \(provider)"
    case .unchecked: "first rate, unchecked"
    }
  }
}

// MARK: - Header

extension Page {
  /// The top of a page: what it is about, UTC and the local clock, the dollar in won.
  func header(_ title: String, time: Instant, rate: RateReport?) -> String {
    let clocks = [ClockZone.utc, localClock(time)].compactMap(\.self).map { clock in
      "\(clock.name) \(ClockText.dayAndTime(time, offsetSeconds: clock.offsetSeconds, language))"
    }
    let head = [titled(StyledText(title, .heading)), StyledText(clocks.joined(separator: "   "))]
    return lines(head + (rate.map { [line(of: $0, at: time)] } ?? []))
  }

  private func line(of report: RateReport, at time: Instant) -> StyledText {
    let name = StyledText("\(report.pair) ")
    guard let quote = report.quote else {
      let line = name + StyledText("- (\(report.shortReason))", .dim)
      return report.lastKnown.map { line + StyledText("  last known ", .dim) + RateView($0, at: time).lastKnown }
        ?? line
    }
    let view = RateView(quote, at: time)
    let line = name + view.text + StyledText("  \(view.provider)  ") + view.timeText
    let remarks = view.remarks + [report.failureCount].compactMap(\.self)
    return remarks.isEmpty ? line : line + StyledText("  \(remarks.joined(separator: "; "))", .warning)
  }
}

// MARK: - Failures

extension RateReport {
  /// Why there is no rate, in a few words: the reason of one provider, or how many have failed.
  var shortReason: String { failedSteps.count > 1 ? failureCount ?? "" : reason ?? "" }

  /// `3 providers failed, -v says more`; nil where none has.
  fileprivate var failureCount: String? {
    let count = failedSteps.count
    return count == 0 ? nil : "\(count) \(count == 1 ? "provider" : "providers") failed, -v says more"
  }

  /// A line for each provider that has failed.
  package var failureLines: [String] {
    failedSteps.map { "\(pair): \($0.rule.use): \($0.verdict.explanation(zoneSeconds: route?.zoneSeconds ?? 0))" }
  }
}

// MARK: - JSON

extension RateReport {
  /// The rate as an object; a missing one is null with its reason beside it.
  ///
  /// - Parameter moment: what ages are counted to.
  func json(at moment: Instant) -> JSONValue {
    let quote = quote
    let rate: JSONValue = [
      "pair": .string("\(pair)"),
      "rate": .text(quote?.rate.shortest),
      "open": .text(quote?.open.value?.shortest),
      "change": .text(quote?.change.value?.shortest),
      "changePercent": .text(quote?.changePercent.value?.quotientText),
    ]
    let rest: JSONValue = [
      "openSource": .text(quote?.openProvider),
      "openTime": .text(quote?.openTime?.iso8601),
      "labels": .texts(quote?.labels.map(\.code) ?? []),
      "openReason": .text(openReason),
      "reason": .text(reason),
      "lastKnown": lastKnown.map { ["rate": .string($0.rate.shortest)] + Self.origin(of: $0, at: moment) } ?? nil,
    ]
    return rate + Self.origin(of: quote, at: moment) + rest
  }

  private static func origin(of quote: RateQuote?, at moment: Instant) -> JSONValue {
    [
      "provider": .text(quote.map { $0.quotedBy ?? $0.provider }),
      "source": .text(quote?.provider),
      "date": .text(quote?.date),
      "time": .text(quote?.time?.iso8601),
      "ageSeconds": .text(quote?.age(at: moment).map { Decimal.seconds(nanoseconds: $0) }),
    ]
  }
}
