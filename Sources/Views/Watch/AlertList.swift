package import MarketData
import Terminal

/// Why an alert's command failed.
package enum AlertCommandProblem: Sendable, Hashable {
  /// As in a shell, 128 plus the signal that ended it.
  case failed(code: Int32)
  case tookTooLong(seconds: Int)
  case cannotStart(String)
  /// It was dropped, as this many were waiting.
  case tooManyWaiting(Int)

  /// Returns `exit code 7`, `ended after 10 s`.
  func text(_ language: Language) -> String {
    switch self {
    case .failed(let code): language("exit code \(code)", "종료 코드 \(code)")
    case .tookTooLong(let seconds): language("ended after \(seconds) s", "\(seconds)초가 지나 중단됨")
    case .cannotStart(let reason): language("not started: \(reason)", "시작 못 함: \(reason)")
    case .tooManyWaiting(let count): language("not run, \(count) were waiting", "실행 안 함, \(count)개 대기 중")
    }
  }

  /// Returns `the command of an alert failed (exit code 7): premium > 3% then exec ./tell`.
  package func sentence(_ rule: AlertRule, _ language: Language = .english) -> String {
    language("the command of an alert failed", "알림 명령 실패") + " (\(text(language))): \(rule.text)"
  }
}

/// The alerts of a live view and their states.
struct AlertList {
  let board: WatchBoard
  let alerts: AlertWatch
  /// By the text of the alert: why its command failed the last time.
  let problems: [String: AlertCommandProblem]
  let cursor: String?
  let width: Int

  private var language: Language { board.settings.language }

  var title: StyledText {
    let title = StyledText("\(language("Alerts", "알림")) \(alerts.rules.count)", .heading)
    guard let end = alerts.silentUntil(at: board.now) else { return title }
    return title + StyledText("  \(AlertText.silent(until: board.clockText(end), language))", .warning)
  }

  func lines() -> (lines: [StyledText], cursor: Int?) {
    guard !alerts.rules.isEmpty else {
      let hint = language("no alerts: a adds one, such as: premium > 3% for 10s", "알림 없음: a로 추가, 예: 프리미엄 > 3%")
      return ([StyledText("  " + hint, .dim)], nil)
    }
    let shared = AlertReading.Shared(board.state, at: board.now)
    var lines: [StyledText] = []
    for rule in alerts.rules {
      let isHere = rule.text == cursor
      lines.append(StyledText((isHere ? "▸ " : "  ") + rule.text, isHere ? .heading : .neutral))
      let problem = problems[rule.text].map { problem in
        StyledText(language("command failed: ", "명령 실패: ") + "\(problem.text(language)); ", .warning)
      }
      let head = "    " + (problem ?? "")
      lines.append(head + state(of: rule, shared, cells: width - head.width))
    }
    return (lines, alerts.rules.firstIndex { $0.text == cursor })
  }

  /// Returns the pairs for which the alert holds, otherwise the values of the first pair for which it does not.
  private func state(of rule: AlertRule, _ shared: AlertReading.Shared, cells: Int) -> StyledText {
    let pairs = board.figures.filter { rule.isMeant(for: $0.pair) }.prefix(rule.isPerPair ? .max : 1)
    guard !pairs.isEmpty else { return StyledText(language("the pair is not followed", "관심 종목이 아님"), .warning) }
    let standings = pairs.map { (figures: $0, standing: alerts.standing(of: rule, $0.pair)) }
    let holding = standings.filter { $0.standing?.holds == true }
    let failing = standings.filter { $0.standing?.holds == false }
    let named = holding.isEmpty ? failing.isEmpty ? standings : failing : holding
    let pieces = named.prefix(holding.isEmpty ? 1 : Self.maximumPairs).enumerated().map { place, one in
      let reading = AlertReading(one.figures, shared)
      let lead = AlertText.lead(reading.subject(of: rule))
      if holding.isEmpty {
        let word = failing.isEmpty ? language("not known: ", "알 수 없음: ") : language("not now: ", "아직 아님: ")
        return StyledText(word + lead + AlertText.condition(rule.condition, reading, language), .dim)
      }
      let clock = one.standing.map { board.clockText($0.since) } ?? ""
      return StyledText((place == 0 ? "" : ", ") + lead + language("since \(clock)", "\(clock)부터"), .alert)
    }
    let unknown = holding.isEmpty ? standings.count - named.count : 0
    let (line, shown) = StyledText.counting(pieces, cells: cells) { shown in
      let more = named.count - shown
      let text =
        (more > 0 ? language(" and \(more) more", " 외 \(more)개") : "")
        + (unknown > 0 ? language(", \(unknown) unknown", ", \(unknown)개 알 수 없음") : "")
      return StyledText(text, holding.isEmpty ? .dim : .alert)
    }
    let all = standings.reduce(0) { $0 + ($1.standing?.count ?? 0) }
    guard all > 0 else { return line }
    // Pairs that are not named may have fired, too.
    let own = named.prefix(shown).reduce(0) { $0 + ($1.standing?.count ?? 0) }
    let fired =
      own == all
      ? language(", fired \(all) x", ", \(all)회 알림") : language(", fired \(all) x in all", ", 모두 \(all)회 알림")
    return StyledText(whole: [line, StyledText(fired, .dim)], cells: max(cells, line.width))
  }

  private static let maximumPairs = 4
}

extension AlertWatch {
  /// Creates a watch on live figures, or on those of recordings, in which gaps are usual.
  package init(_ rules: [AlertRule], isReplay: Bool) {
    if isReplay { self.init(rules, maximumGapMilliseconds: nil) } else { self.init(rules) }
  }
}
