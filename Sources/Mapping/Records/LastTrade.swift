import Quotes

/// The last trade of a row whose table has the time of it, while messages have just that of a quote.
struct LastTrade: Sendable {
  /// Whether the table has times of trades. One of its rows may lack it.
  private(set) var isOfTable = false
  private var price: Decimal?
  /// nil if unknown.
  private var time: Instant?
  /// Whether a message brought it. Then it was made when a message with a time had its price at the latest.
  private var isOfMessage = false
  /// What was traded in 24 hours, by the last message that said so, and by the one before the price was last dated; nil
  /// if none did since the table: that may count other hours, or be older.
  private var volume: Decimal?
  private var datedVolume: Decimal?

  init(of row: Ticker) { take(row) }

  /// Takes the trade of a row that is not from a message.
  mutating func take(_ row: Ticker) {
    if row.timeBasis == .trade { isOfTable = true }
    (volume, datedVolume) = (nil, nil)
    guard row.priceBasis == .last, let new = row.price.value else { return }
    isOfMessage = isOfMessage && new == price
    (price, time) = (new, row.timeBasis == .trade ? row.time : nil)
  }

  /// Dates the price in a row that a message has updated. The same price is as old as it was, unless the volume has
  /// grown; another one was paid when the message was sent at the latest, and is dated by it, or by the next that has a
  /// time.
  mutating func date(_ row: inout Ticker, after update: TickerBuilder.RowUpdate) {
    if update.fields.contains(Self.volume24), let new = row.volume24.value {
      volume = new
      datedVolume = datedVolume ?? new
    }
    guard update.hasPrice, row.priceBasis == .last, let new = row.price.value else { return }
    var isTraded = new != price
    if let volume, let datedVolume, volume > datedVolume { isTraded = true }
    (price, datedVolume) = (new, volume)
    if isTraded {
      (time, isOfMessage) = (row.time, true)
    } else if isOfMessage {
      time = time ?? row.time
    }
    if let time { (row.time, row.timeMissing) = (time, nil) }
    if time != nil || isOfMessage { row.timeBasis = .trade }
  }

  private static let volume24 = TickerFields(.volume24)
}
