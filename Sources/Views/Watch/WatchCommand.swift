package import MarketData
package import Quotes
import Terminal

/// What a person does at a live view, whatever key it is on.
package enum WatchCommand: Sendable, Hashable {
  case move(Int)
  case movePage(Int)
  case first, last
  /// The pair's screen; on that, how the row under the cursor came to be.
  case open
  /// Out of a screen, or of what the screen is narrowed by.
  case back
  /// Out of a screen, then out of the program.
  case quit
  case sortNext, turnSort
  /// The column of that number, from 1.
  case sort(Int)
  case switchLayout
  /// Of a list: only pairs in the next payment currency, or in the one before.
  case switchPayment(Int)
  case detail, feeds, alerts, balances, help
  case freeze
  case favorite, onlyFavorites
  case switchBasis
  /// Prices as they are sent, in local money, in dollars.
  case switchMoney
  /// Sets the row or pair under the cursor beside others in the screens about a pair; takes it from there.
  case setBeside
  case filter
  case askNow
  /// Pauses the feed under the cursor; takes the alert under it away.
  case pause
  /// No sound of alerts for an hour; again: sound.
  case silence
  case copyRow, copyScreen, save
  case visit(WatchVisit)
  /// Where the exchange of the row in hand shows the pair.
  case page
}

/// A screen about the pair in hand that another part of the program has.
package enum WatchVisit: String, Sendable, Hashable, CaseIterable {
  case chart
  case book = "orderbook"
  case tape = "trades"
}

/// What follows from it outside of the screen.
package enum WatchEffect: Sendable, Hashable {
  case quit
  case toggleFavorite(Pair)
  /// Ask all feeds, or one, within the limits.
  case askNow(FeedKey?)
  case togglePause(FeedKey)
  /// Find out how a row came to be.
  case explain(RowKey)
  case addAlert(AlertRule)
  /// By its text.
  case removeAlert(String)
  /// Into the clipboard.
  case copy(String)
  case copyScreen
  /// Into a new file.
  case save(SavedForm)
  /// - Parameters:
  ///   - row: the one under the cursor, where there are rows of the pair.
  ///   - beside: others that the user has set beside it; empty: those where most is traded.
  case visit(WatchVisit, Pair, row: RowKey?, beside: [RowKey])
  /// Say where the row's exchange shows its pair.
  case page(RowKey)
  /// A pair of a list is looked at on all exchanges; nil: none any more.
  case look(Pair?)
  /// The accounts are on the screen: ask those that may be asked again.
  case askBalances
}
