package import MarketData
import Quotes
package import Shell
import Terminal
package import Views

/// The alerts of a command line, understood.
package struct WatchAlerts: Sendable {
  /// Those of `--alert`.
  package let rules: [AlertRule]
  /// What the run ends by.
  package let until: AlertRule?

  /// - Parameters:
  ///   - command: runs when any of them fires.
  ///   - exchanges: the names that they may use.
  package init(_ alerts: [String], until: String?, command: String?, exchanges: [String]) throws(UsageProblem) {
    func rule(_ text: String, _ option: String) throws(UsageProblem) -> AlertRule {
      do {
        let rule = try AlertRule(parsing: text, exchanges: exchanges)
        return command.map { rule.running($0) } ?? rule
      } catch {
        throw .other("invalid value '\(TerminalText.sanitized(text))' for '\(option)', \(error)")
      }
    }
    var rules: [AlertRule] = []
    for text in alerts { rules.append(try rule(text, "--alert")) }
    self.rules = rules
    self.until = try until.map { text throws(UsageProblem) in try rule(text, "--until") }
  }
}

/// Alerts where there is no screen: their lines are written, the rest is done here.
package struct WatchAlarms {
  private let alerts: WatchAlerts
  private var watch: AlertWatch
  private var until: AlertWatch
  private var followed: FollowedAlerts?
  private var looked: Instant?
  private let commands = AlertCommands()
  private let context: Context
  /// What the run was to end by.
  package private(set) var reached: AlertFiring?

  /// How often the file of the alerts is looked at.
  private static let fileMilliseconds = 2000

  package init(_ alerts: WatchAlerts, of run: WatchRun, in context: Context) {
    self.alerts = alerts
    self.context = context
    followed = context.paths.config.map { FollowedAlerts(AlertsFile(in: $0, exchanges: run.exchanges)) }
    let gap = run.settings.isReplay ? nil : 5000
    watch = AlertWatch(alerts.rules + (followed?.rules ?? []), longestGapMilliseconds: gap)
    until = AlertWatch(alerts.until.map { [$0] } ?? [], longestGapMilliseconds: gap)
    noteProblem()
  }

  /// Takes in the figures of a moment; what fires makes its sound, and runs its command.
  package mutating func take(_ board: WatchBoard) -> [AlertFiring] {
    follow(at: board.now)
    var firings = watch.take(board.figures, board.state, at: board.now)
    if let firing = until.take(board.figures, board.state, at: board.now).first {
      reached = firing
      firings.append(firing)
    }
    for firing in firings {
      for action in firing.rule.actions { perform(action, of: firing) }
    }
    return firings
  }

  /// Waits for commands that are under way.
  package func finish() async { await commands.finish() }

  private mutating func follow(at now: Instant) {
    if let looked, now >= looked, now < looked.advanced(by: .milliseconds(Self.fileMilliseconds)) { return }
    looked = now
    guard followed?.refresh() == true else { return }
    watch.follow(alerts.rules + (followed?.rules ?? []))
    noteProblem()
  }

  private func noteProblem() {
    guard let followed, let problem = followed.problem else { return }
    context.note(TerminalText.sanitized(problem.sentence(of: followed.file.path)))
  }

  private func perform(_ action: AlertAction, of firing: AlertFiring) {
    // Lines are for whoever reads them; what rings is the terminal that messages go to.
    switch action {
    case .bell: if context.terminal.errorIsTerminal { context.errorOutput.write(bytes: [0x07]) }
    case .desktop:
      guard context.terminal.errorIsTerminal else { break }
      let environment = context.environment
      context.errorOutput.write(
        bytes: TerminalMessage.notification(
          title: "market \(firing.pair)", body: AlertText.sentence(firing), version: nil,
          environment: { environment[$0] }))
    case .command(let command): commands.run(command, firing)
    }
  }
}
