/// Whether the numbers of a row fit together.
///
/// A mapping can have the right shape and still be wrong: a fraction read as a percentage, base and quote volume
/// swapped, a price from yesterday. Each check holds two things that an exchange says against each other. Clean rows are
/// the rule, so they are compared by multiplying crosswise, without a division; only a finding is put in words.
package struct MeaningCheck: Sendable, Hashable {
  /// How old a quote may be when it arrives.
  package var staleAfterSeconds: Int

  /// The check of the rows of one pair against each other.
  package var identity: IdentityCheck

  package init(staleAfterSeconds: Int = 60, identityPercent: Decimal = 20) {
    self.staleAfterSeconds = staleAfterSeconds
    self.identity = IdentityCheck(limitPercent: identityPercent)
  }

  /// What is wrong with a row by itself; empty for a clean one.
  ///
  /// - Parameters:
  ///   - ticker: the row; its own flags are not looked at.
  ///   - arrival: when the answer came; nil when that is not known (a file), and then the time is not checked.
  ///   - changeIsFromOpen: the change was computed from the open, or the open from the change, so that the two cannot
  ///     contradict each other.
  ///   - turnoverIsComputed: the turnover is ours and not the exchange's, so that it proves nothing.
  package func findings(
    _ ticker: Ticker, arrival: Instant?, changeIsFromOpen: Bool, turnoverIsComputed: Bool
  ) -> [Flag] {
    var flags: [Flag] = []
    if ticker.priceBasis == .last {
      if let flag = rangeFinding(ticker) { flags.append(flag) }
      if let flag = bidAskFinding(ticker) { flags.append(flag) }
    }
    if !changeIsFromOpen, let flag = changeFinding(ticker) { flags.append(flag) }
    if !turnoverIsComputed, let flag = turnoverFinding(ticker) { flags.append(flag) }
    if let arrival, let flag = timeFinding(ticker, arrival: arrival) { flags.append(flag) }
    return flags
  }
}
