extension MeaningCheck {
  /// Returns the figures of a row that a check compares with others it was sent with. What is missing here is
  /// hardly constrained: a lone volume may be in money, and a lone change a fraction.
  ///
  /// - Parameters: as of `findings`.
  package static func comparedFields(
    of ticker: Ticker, changeIsFromOpen: Bool, turnoverIsComputed: Bool
  ) -> TickerFields {
    var compared = TickerFields()
    func take(_ fields: TickerField...) {
      if fields.allSatisfy({ ticker.cell($0).value != nil }) { compared.formUnion(TickerFields(fields)) }
    }
    if ticker.priceBasis == .last {
      take(.price, .low, .high)
      take(.price, .bid, .ask)
      if [ticker.changeBasis, ticker.lowBasis, ticker.highBasis].allSatisfy({ $0 == .rolling24h }) {
        take(.open, .low, .high)
      }
    }
    if !changeIsFromOpen {
      take(.price, .open, .changePricePercent24)
    } else if compared.contains(TickerFields(.open)) {
      take(.changePricePercent24)
    }
    let amounts = [ticker.volume24, ticker.turnover24].compactMap(\.value)
    if !turnoverIsComputed, amounts.allSatisfy({ $0.signum > 0 }) { take(.price, .volume24, .turnover24) }
    return compared
  }
}
