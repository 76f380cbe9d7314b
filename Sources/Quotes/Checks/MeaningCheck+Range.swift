/// `low <= price <= high` within 0.5 %, because exchanges cache the price and the range apart, and `bid <= ask`.
extension MeaningCheck {
  func rangeFinding(_ ticker: Ticker) -> Flag? {
    guard case .value(let price) = ticker.price else { return nil }
    // The limits are wider than the range itself, which nearly every price is in: so that is asked first.
    if case .value(let low) = ticker.low, low.signum <= 0 || price < low,
      price < low * Decimal(exactly: 995, exponent: -3)
    {
      return Flag(
        code: "range", message: "price \(price) is more than 0.5 % below the low \(low)", excludes: true)
    }
    if case .value(let high) = ticker.high, high.signum <= 0 || price > high,
      price > high * Decimal(exactly: 1005, exponent: -3)
    {
      return Flag(
        code: "range", message: "price \(price) is more than 0.5 % above the high \(high)", excludes: true)
    }
    return nil
  }

  func bidAskFinding(_ ticker: Ticker) -> Flag? {
    guard case .value(let bid) = ticker.bid, case .value(let ask) = ticker.ask, bid > ask else { return nil }
    return Flag(code: "bid-ask", message: "bid \(bid) is above ask \(ask)", excludes: true)
  }
}
