import MarketData
import Quotes
import Terminal
import TestSupport
import Testing

@testable import Views

/// Whole screens, drawn from the recordings that ship.
@Suite struct WatchScreenTests {
  private static let replay = Task { try await WatchReplay() }

  struct Picture: Sendable, CustomTestStringConvertible {
    let name: String
    var state: WatchState
    var later = 0

    var testDescription: String { name }
  }

  private static let bitcoin = Pair(asset: "BTC", payment: "USDT")
  private static let favorites = Favorites([bitcoin, Pair(asset: "BTC", payment: "KRW")])

  private static let pictures: [Picture] = [
    Picture(name: "cards", state: WatchState(favorites: favorites)),
    Picture(name: "table", state: WatchState(favorites: favorites, sort: .premium, isTable: true)),
    Picture(name: "pair", state: WatchState(favorites: favorites, screen: .pair(bitcoin))),
    Picture(name: "feeds", state: WatchState(favorites: favorites, screen: .feeds)),
    Picture(name: "old", state: WatchState(favorites: favorites), later: 125),
  ]

  @Test(arguments: pictures, [(60, 20), (80, 24), (160, 50)])
  func golden(_ picture: Picture, _ size: (Int, Int)) async throws {
    let replay = try await Self.replay.value
    for language in Language.allCases {
      let board = replay.watch(language, later: picture.later)
      var state = picture.state
      state.take(board)
      let frame = WatchScreen(board, state, ScreenSize(columns: size.0, rows: size.1)).frame()
      let name = "\(picture.name)-\(size.0)x\(size.1)-\(language.rawValue)"
      let text = frame.lines.map { $0.painted(with: .plain).trimmed + "\n" }.joined()
      Golden.expect(text, matches: "\(name).txt")
    }
  }
}

extension String {
  /// Without blanks at the end.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.hasSuffix(" ") { text = text.dropLast() }
    return String(text)
  }
}
