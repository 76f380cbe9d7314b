package import Quotes

extension Style {
  /// The style of a change in percent, and of the price it belongs to.
  ///
  /// The printed figure decides: what rounds to `+0.00` is neutral.
  package init(ofChange percent: Decimal) {
    switch percent.rounded(toPlaces: 2).signum {
    case 1: self = .up
    case -1: self = .down
    default: self = .neutral
    }
  }

  /// The style of a premium in percent: highlighted from `strong` up, dim from `weak` up, else neutral.
  ///
  /// The printed figure decides: 0.095 prints 0.10 and is highlighted from 0.10 up.
  package init(ofPremium percent: Decimal, strong: Decimal, weak: Decimal) {
    let printed = percent.rounded(toPlaces: 2)
    self = printed >= strong ? .highlight : printed >= weak ? .dim : .neutral
  }
}
