import JSON
package import Quotes

/// What an exchange takes of a trade that is filled at once, at the rate of a customer without discounts.
package struct TakerFees: Sendable {
  /// In percent, by payment currency; `*` stands for every other one.
  let percents: [(payment: String, percent: Decimal)]

  /// In percent of the trade; nil where the config does not say.
  package func percent(forPayment payment: String) -> Decimal? {
    (percents.first { $0.payment == payment } ?? percents.first { $0.payment == "*" })?.percent
  }
}

extension SpecReader {
  /// One number for every payment currency, or an object of them.
  mutating func readTakerFees(_ node: ConfigNode) -> TakerFees? {
    guard node.json.kind == .object else {
      return readFee(node).map { TakerFees(percents: [("*", $0)]) }
    }
    return TakerFees(
      percents: node.members.compactMap { member in
        readFee(member.value).map { (member.name.uppercased(), $0) }
      })
  }

  /// Some exchanges take nothing; none takes a tenth.
  private mutating func readFee(_ node: ConfigNode) -> Decimal? {
    guard let text = node.json.scalarText, let percent = Decimal(text), percent.signum >= 0, percent < 10 else {
      report(.badNumber("a fee in percent, from 0 to below 10", at: node))
      return nil
    }
    return percent
  }
}
