import Mapping
import Quotes
import Terminal

/// How the cells of a row look on the screen.
extension Ticker {
  /// Price and change share the colour of the change; none where the change rounds to nothing.
  var changeStyle: Style {
    guard let change = changePricePercent24.value?.rounded(toPlaces: 2) else { return .neutral }
    return change.signum == 0 ? .neutral : change.signum > 0 ? .up : .down
  }

  /// The digits, or why there are none.
  func cellText(_ field: TickerField, _ style: Style = .neutral) -> StyledText {
    if let text = text(field) { return StyledText(text, style) }
    return StyledText(cell(field).missing?.code ?? "-", .dim)
  }

  /// What the change is measured from; nothing for the rolling 24 hours.
  var basisText: StyledText {
    guard changePricePercent24.value != nil, let label = changeBasis?.label else { return StyledText("") }
    return StyledText(label, .dim)
  }

  /// Labels and flags, shortest first.
  var remarks: StyledText {
    var text = StyledText("")
    func add(_ word: String, _ style: Style) {
      if text.width > 0 { text = text + StyledText(" ") }
      text = text + StyledText(word, style)
    }
    if priceBasis != .last { add(priceBasis.rawValue, .warning) }
    if let multiplier { add("\(multiplier.shortest)x", .dim) }
    for flag in flags { add(flag.code, flag.excludes ? .alert : .warning) }
    return text
  }
}

extension TickerRow {
  var ageCell: StyledText {
    guard let age = ageNanoseconds else { return StyledText("-", .dim) }
    return StyledText(AgeText.of(seconds: age / 1_000_000_000))
  }
}
