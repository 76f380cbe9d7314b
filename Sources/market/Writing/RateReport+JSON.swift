import JSON
import MarketData
import Quotes

extension JSONWriter {
  /// A member whose value is an exchange rate, or null where none was asked for.
  ///
  /// - Parameter moment: what its age is counted to.
  mutating func member(_ name: String, rate report: RateReport?, at moment: Instant) {
    key(name)
    guard let report else { return null() }
    RateJSON(report: report, moment: moment).write(into: &self)
  }
}
