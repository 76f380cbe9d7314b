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

  /// The colours, as letters below each line: `+` up, `-` down, `o` premium, `.` dim, `!` alert, `?` warning, `=` heading.
  @Test(arguments: ["cards", "pair", "feeds", "old"])
  func colours(_ name: String) async throws {
    let replay = try await Self.replay.value
    let picture = try #require(Self.pictures.first { $0.name == name })
    let board = replay.watch(later: picture.later)
    var state = picture.state
    state.take(board)
    let frame = WatchScreen(board, state, ScreenSize(columns: 80, rows: 24)).frame()
    let text = frame.lines.map { line in
      let marks = line.runs.map { String(repeating: $0.style.mark, count: $0.width) }.joined()
      return line.painted(with: .plain).trimmed + "\n" + marks.trimmed + "\n"
    }.joined()
    Golden.expect(text, matches: "\(name)-80x24-en.styles.txt")
  }

  /// Whatever the size: as many lines as it has rows, none wider than it, and no number cut.
  @Test func everySize() async throws {
    let replay = try await Self.replay.value
    for language in Language.allCases {
      let board = replay.watch(language)
      for picture in Self.pictures where picture.later == 0 {
        var state = picture.state
        state.take(board)
        for columns in stride(from: 1, through: 200, by: language == .english ? 1 : 7) {
          for rows in [1, 2, 7, 8, 11, 16, 24, 60] {
            let size = ScreenSize(columns: columns, rows: rows)
            let frame = WatchScreen(board, state, size).frame()
            #expect(frame.lines.count == rows, "\(picture.name) \(columns)x\(rows)")
            let isTooWide = frame.lines.contains { $0.width > columns }
            #expect(!isTooWide, "\(picture.name) \(columns)x\(rows)")
            guard columns >= 40, rows >= 8, picture.name != "feeds" else { continue }
            let cut = frame.lines.map { $0.painted(with: .plain) }.first { $0.hasCutNumber }
            #expect(cut == nil, "\(picture.name) \(columns)x\(rows)")
          }
        }
      }
    }
  }

  /// Help, an open filter with what does not fit, and no pair at all.
  @Test func odderScreens() async throws {
    let replay = try await Self.replay.value
    let board = replay.watch()
    var state = WatchState()
    state.take(board)
    _ = state.perform(.filter, board, page: 1)
    state.type(filter: "비트", at: board.now)
    let filtering = WatchScreen(board, state, ScreenSize(columns: 80, rows: 10)).frame()
    #expect(filtering.cursor?.row == 9)
    #expect(filtering.cursor?.column == 6)
    state.endFiltering()
    _ = state.perform(.help, board, page: 1)
    let help = WatchScreen(board, state, ScreenSize(columns: 80, rows: 26)).frame()
    let empty = WatchScreen(replay.watch(pairs: []), WatchState(), ScreenSize(columns: 80, rows: 8)).frame()
    let small = WatchScreen(board, state, ScreenSize(columns: 38, rows: 7)).frame()
    let text = [filtering, help, empty, small].map { frame in
      frame.lines.map { $0.painted(with: .plain).trimmed + "\n" }.joined()
    }
    Golden.expect(text.joined(separator: "----\n"), matches: "odder.txt")
  }
}

extension Style {
  fileprivate var mark: String {
    switch self {
    case .up: "+"
    case .down: "-"
    case .highlight: "o"
    case .dim: "."
    case .alert: "!"
    case .warning: "?"
    case .heading: "="
    default: " "
    }
  }
}

extension String {
  /// Whether an ellipsis stands directly behind a digit of a figure.
  fileprivate var hasCutNumber: Bool {
    guard let place = firstIndex(of: "…"), place > startIndex else { return false }
    return self[index(before: place)].isNumber
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
