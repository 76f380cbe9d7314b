import Adapters
import MarketData
import Quotes
import Terminal

/// A quoted rate as it is shown: what the provider left out is worked out from the rest, and nothing else.
struct RateView {
  let rate: Decimal
  let open: Decimal?
  let change: Decimal?
  let changePercent: Decimal?
  /// Who quotes, in the provider's own words, else the provider's name.
  let provider: String
  let time: Instant?
  /// How old the rate was when it arrived.
  let ageNanoseconds: Int64?

  init(_ quote: RateReport.Quote) {
    let reading = quote.reading
    rate = reading.rate
    open = reading.open
    change = reading.change ?? reading.open.map { reading.rate - $0 }
    changePercent =
      reading.changePercent
      ?? reading.open.flatMap { ((reading.rate - $0) * 100).divided(by: $0) }
    provider = reading.quotedBy ?? quote.provider
    time = reading.time
    ageNanoseconds = reading.time.flatMap { time in quote.arrival.map { max(0, $0.nanoseconds(since: time)) } }
  }

  /// `1272.00 (-0.16%)`, in the colour of the change.
  var text: StyledText {
    let change = changePercent.map { " (\($0.signedPercentText)%)" } ?? ""
    let style = changePercent.map { Style(ofChange: $0) } ?? .neutral
    return StyledText(rate.rateText + change, style)
  }
}
