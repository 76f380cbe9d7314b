import Mapping
import MarketData
import Quotes
import Terminal

/// A rate as it is shown.
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

  var ageNanoseconds: Int64? { quote.age(at: moment) }

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
    var text = StyledText("\(ClockText.plain(time, offsetSeconds: 9 * 3600)) KST")
    if let age = ageNanoseconds {
      text = text + StyledText(" (\(AgeText.of(seconds: age / 1_000_000_000)) ago)", .dim)
    }
    return text
  }

  /// What has to be said beside it, in words: `one rate a day`, `last known: no answer in time`.
  var remarks: [String] { quote.labels.map(\.explanation) }
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
    case .inverse: "turned round"
    case .confirmed(let provider): "far from the last, confirmed by \(provider)"
    case .unchecked: "first rate, unchecked"
    }
  }
}
