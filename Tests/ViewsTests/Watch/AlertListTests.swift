import MarketData
import Quotes
import Terminal
import Testing

@testable import Views

/// The list of alerts, and the line of those that fired, at any width.
@Suite struct AlertListTests {
  private static let replay = Task { try await WatchReplay() }

  /// Returns the second line of the only alert in a list, after it has been checked once.
  private static func state(
    of text: String, _ board: WatchBoard, width: Int, problem: AlertCommandProblem? = nil
  ) throws -> StyledText {
    let rule = try AlertRule(parsing: text, AlertNames(exchanges: board.exchanges))
    var alerts = AlertWatch([rule])
    _ = alerts.take(board.figures, board.state, at: board.now)
    let problems = problem.map { [rule.text: $0] } ?? [:]
    return AlertList(board: board, alerts: alerts, problems: problems, cursor: nil, width: width).lines().lines[1]
  }

  /// Pairs that are not named are counted.
  @Test(
    arguments: [
      (100, "ETH/USDT since 14:12:07, PEPE/USDT since 14:12:07, USDT/KRW since 14:12:07, fired 3 x", Language.english),
      (80, "ETH/USDT since 14:12:07, PEPE/USDT since 14:12:07, USDT/KRW since 14:12:07", .english),
      (77, "ETH/USDT since 14:12:07, PEPE/USDT since 14:12:07 and 1 more", .english),
      (60, "ETH/USDT since 14:12:07 and 2 more, fired 3 x in all", .english),
      (40, "ETH/USDT since 14:12:07 and 2 more", .english),
      (60, "ETH/USDT 14:12:07부터, PEPE/USDT 14:12:07부터 외 1개", .korean),
      (50, "ETH/USDT 14:12:07부터 외 2개, 모두 3회 알림", .korean),
    ])
  func holdingPairsAreCounted(_ width: Int, _ line: String, _ language: Language) async throws {
    let board = try await Self.replay.value.watch(language)
    #expect(try Self.state(of: "premium > 0.13%", board, width: width).painted(with: .plain) == "    " + line)
  }

  /// No line is wider than the screen, whatever has been said before.
  @Test(arguments: ["premium > 0.13%", "premium > 99%", "BTC/KRW kimchi < 0% and premium > 99% and price@Upbit > 1"])
  func everyWidth(_ text: String) async throws {
    for language in Language.allCases {
      let board = try await Self.replay.value.watch(language)
      for width in 40...120 {
        for problem in [nil, AlertCommandProblem.failed(code: 7)] where problem == nil || width >= 80 {
          let line = try Self.state(of: text, board, width: width, problem: problem)
          #expect(line.width <= width, "\(width) \(line.painted(with: .plain))")
        }
      }
    }
  }

  /// If there is no room for the whole list of fields, a mark says that it goes on.
  @Test(arguments: [40, 50, 60, 80, 100, 200]) func longRemarksAreMarked(_ width: Int) async throws {
    for language in Language.allCases {
      let board = try await Self.replay.value.watch(language)
      var state = WatchState(screen: .alerts).taking(board)
      _ = state.perform(.alerts, board, page: 5)
      for character in "x > 3" { _ = state.type(Key(.character(character)), board, page: 5) }
      _ = state.type(Key(.enter), board, page: 5)
      let lines = board.texts(state, columns: width)
      let remark = try #require(lines.firstIndex { $0.contains("'x'") })
      let isWhole = lines[remark...].contains { $0.contains(AlertField.failedFeeds.name(language)) }
      #expect(isWhole || lines[lines.count - 2].hasSuffix(" …"), "\(lines.suffix(4))")
      if width == 60, language == .english { #expect(!isWhole) }
    }
  }

  /// How many others have fired is said at any width.
  @Test func otherAlarmsAreCounted() async throws {
    for language in Language.allCases {
      let board = try await Self.replay.value.watch(language)
      var state = WatchState()
      state.alerts = AlertWatch([try AlertRule(parsing: "premium > 0.13%", AlertNames())])
      state.alarms = state.alerts.take(board.figures, board.state, at: board.now)
      state.take(board)
      #expect(state.alarms.count == 3)
      for width in 40...200 {
        let line = try #require(WatchScreen(board, state, ScreenSize(columns: width, rows: 24)).notices.first)
        let text = line.painted(with: .plain)
        #expect(text.contains(language("  and 2 more", "  외 2건")) && line.width <= width, "\(width) \(text)")
      }
    }
  }
}
