import JSON
import MarketData
import Quotes

extension JSONWriter {
  /// A member whose value is an exchange rate, or null where none was asked for.
  mutating func member(_ name: String, rate report: RateReport?) {
    key(name)
    guard let report else { return null() }
    let view = report.quote.map { RateView($0) }
    beginObject()
    member("pair", "\(report.pair)")
    member("rate", view?.rate.shortest)
    member("open", view?.open?.shortest)
    member("change", view?.change?.shortest)
    member("changePercent", view?.changePercent?.signedPercentText)
    member("provider", view?.provider)
    member("time", view?.time?.iso8601)
    member("ageSeconds", view?.ageNanoseconds.map { Decimal.seconds(nanoseconds: $0) })
    member("reason", report.reason)
    endObject()
  }
}
