/// What a word in the name of a field means. Words that mean the same share a case.
enum NameWord: Hashable, Sendable {
  /// `min` and `max`: of the day's prices, or of what may be ordered.
  case minimum, maximum
  case last, close, current, price, trade, high, low, bid, buy, ask, sell, best, open, previous
  case volume, amount, quantity, turnover, value, base, quote, size
  case change, percent, rate, ratio
  /// The rolling 24 hours: `24h`, `24hr`, `rolling`.
  case rolling
  /// The day, whichever it is: `daily`, `today`, `session`.
  case day
  /// An hour, a week: not the window that a ticker is about.
  case otherWindow
  case average, mark, index, interest, funding, count, order, limit, step, fee, level
  case time, updated, begin, end, server
  case symbol, identifier, currency, name, status, signed, absolute
  /// The code of a currency, upper case: `volume_usd` is in dollars whatever the pair.
  case code(String)
  /// A single letter that stands alone.
  case letter(Character)
  /// Says nothing either way: `ticker`, `data`, `info`.
  case filler
  case unknown(String)
}
