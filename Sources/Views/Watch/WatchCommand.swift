package import Config
package import MarketData
package import Quotes

/// A user action in a live view, independent of the key.
package enum WatchCommand: Sendable, Hashable {
  case move(Int)
  case movePage(Int)
  case first, last
  /// Opens the pair's screen; from there, explains the row under the cursor.
  case open
  /// Leaves a screen, or removes what narrows it.
  case back
  /// Leaves a screen, then quits the program.
  case quit
  case sortNext, reverseSort
  /// Sorts by the column with this number, from 1.
  case sort(Int)
  case switchLayout
  /// Restricts a list to pairs in the next or previous payment currency.
  case switchPayment(Int)
  case detail, feeds, alerts, balances, help
  case freeze
  case favorite, onlyFavorites
  case switchBasis
  /// Shows prices as sent, in local money, or in dollars.
  case switchCurrency
  /// Sets the row or pair under the cursor beside others in the pair screens, or removes it.
  case togglePinned
  case filter
  case askNow
  /// Pauses the feed under the cursor, or removes the alert under it.
  case pause
  /// Silences alerts for an hour, or restores their sound.
  case silence
  case copyRow, copyScreen, save
  /// Opens the screen about the selected pair's candles, order book or trades.
  case visit(BlockKind)
  /// Shows the exchange's page for the selected row's pair.
  case page

  /// Whether it moves the cursor, and does nothing else.
  var isMove: Bool {
    switch self {
    case .move, .movePage, .first, .last: true
    default: false
    }
  }
}

/// The effect of a command outside of the screen.
package enum WatchEffect: Sendable, Hashable {
  case quit
  case toggleFavorite(Pair)
  /// Poll all feeds, or one, within the limits.
  case askNow(FeedKey?)
  case togglePause(FeedKey)
  case explain(RowKey)
  /// - Parameter replacing: the text of the alert that it was made from, which it replaces; nil for a new one.
  case addAlert(AlertRule, replacing: String?)
  /// Identified by its text.
  case removeAlert(String)
  case copy(String)
  case copyScreen
  case save(SavedForm)
  /// - Parameters:
  ///   - row: the row under the cursor, if the pair has rows.
  ///   - beside: other rows set beside it by the user; empty for those with the most trading.
  case visit(BlockKind, Pair, row: RowKey?, beside: [RowKey])
  /// Show where the row's exchange displays its pair.
  case page(RowKey)
  /// Follow a listed pair on all exchanges; nil to stop.
  case look(Pair?)
  /// The accounts are on screen: query those that are due.
  case askBalances
  /// These rows' closes of the newest hours are on screen, the most important first: request those that are due.
  case askTrends([RowKey], hours: Int)
  /// Query also those that are left alone because they refused.
  case askBalancesAgain
}
