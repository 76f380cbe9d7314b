package import MarketData
package import Quotes
package import Terminal

/// A pair screen that can be saved to a file, using the same reports as the non-interactive commands.
package protocol SavedScreen {
  /// `chart`, used in file names.
  static var subject: String { get }
  static var savedForms: [SavedForm] { get }
  /// Returns the screen's content in a format other than text.
  func saved(
    as form: SavedForm, _ board: PairBoard, _ settings: PairSettings, _ room: ScreenSize, at now: Instant
  ) -> [UInt8]
}

extension SavedScreen {
  package static var savedForms: [SavedForm] { [.text, .csv, .json] }
}

extension Report {
  fileprivate func saved(as form: SavedForm) -> [UInt8] {
    form == .json ? json() + Array("\n".utf8) : Array(csv().utf8)
  }
}

extension CandleScreen: SavedScreen {
  package static var subject: String { "chart" }
  package static var savedForms: [SavedForm] { SavedForm.allCases }

  package func saved(
    as form: SavedForm, _ board: PairBoard, _ settings: PairSettings, _ room: ScreenSize, at now: Instant
  ) -> [UInt8] {
    let report = report(board, settings, room, at: now)
    return form == .svg ? report.svg(scheme: settings.scheme) : report.saved(as: form)
  }
}

extension BookScreen: SavedScreen {
  package static var subject: String { "orderbook" }

  package func saved(
    as form: SavedForm, _ board: PairBoard, _ settings: PairSettings, _ room: ScreenSize, at now: Instant
  ) -> [UInt8] {
    let order = order.map { OrderBookReport.Order(size: $0, takerFees: board.sources.map(\.takerFee)) }
    // All known levels, since a file has room for them.
    return OrderBookReport(
      board.sources.map { $0.answer($0.book) }, depth: .max, step: step, order: order, identity: settings.identity,
      at: now, zone: settings.zone
    ).saved(as: form)
  }
}

extension TapeScreen: SavedScreen {
  package static var subject: String { "trades" }

  package func saved(
    as form: SavedForm, _ board: PairBoard, _ settings: PairSettings, _ room: ScreenSize, at now: Instant
  ) -> [UInt8] {
    guard !showsDays else {
      let days = board.sources.map { $0.answer(try? $0.days?.get(), $0.days?.failure) }
      return DailyReport(days, at: now).saved(as: form)
    }
    let trades = board.sources.map { source in source.answer(source.trades.isEmpty ? nil : tape(of: source)) }
    return TradesReport(trades, at: now, zone: settings.zone).saved(as: form)
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
