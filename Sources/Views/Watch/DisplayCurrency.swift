import MarketData
import Quotes
import Terminal

/// The currency of prices in a live view, switched with the `w` key.
package enum DisplayCurrency: Sendable, Hashable, CaseIterable {
  /// As sent by the exchanges.
  case sent
  /// In the quote currency of the header's rate: won.
  case local
  case dollars

  /// Returns which of the two currencies of a rate it is; nil for prices as sent.
  func currency(of rate: Pair) -> String? {
    switch self {
    case .sent: nil
    case .local: rate.payment
    case .dollars: rate.asset
    }
  }
}

extension WatchBoard {
  /// Returns how prices of a pair are converted; nil to show them as sent.
  func conversion(of pair: Pair) -> Conversion? {
    guard let currency = money.currency(of: settings.headerRate) else { return nil }
    return state.conversion(of: pair, to: currency, dollarTokens: settings.dollarTokens, at: now)
  }

  /// Returns the rates behind the prices of some pairs, as far as they fit: `in KRW: USD/KRW 1461.50, 하나은행; USDT
  /// counted as one USD; 2026-11-18 14:11:48 KST`. nil if prices are shown as sent.
  func conversionLine(_ pairs: [Pair], cells: Int) -> StyledText? {
    var payments: Set<String> = []
    let conversions = pairs.compactMap { payments.insert($0.payment).inserted ? conversion(of: $0) : nil }
    return conversions.conversionLine(at: now, settings.language, cells: cells)
  }
}
