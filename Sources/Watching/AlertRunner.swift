import Live
package import MarketData
import Quotes
package import Shell
import Synchronization
import Terminal
import Transport
package import Views

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The parsed alerts of a command line.
package struct WatchAlerts: Sendable {
  /// The rules of `--alert`.
  package let rules: [AlertRule]
  /// The rule that ends the run.
  package let until: AlertRule?

  /// - Parameters:
  ///   - command: The command to run when any of them fires.
  ///   - run: The run, for the pairs it follows and the names that alerts may use.
  /// - Throws: Also for an alert on a pair that is not followed, as it could never fire.
  package init(_ alerts: [String], until: String?, command: String?, of run: WatchRun) throws(UsageProblem) {
    func rule(_ text: String, _ option: String) throws(UsageProblem) -> AlertRule {
      let rule: AlertRule
      do {
        rule = try AlertRule(parsing: text, run.alertNames)
      } catch {
        throw .other("invalid value '\(text)' for '\(option)', \(error)")
      }
      if let pair = rule.pair, !run.pairs.contains(pair) {
        let all = (run.pairs + [pair]).map(\.description).joined(separator: " ")
        throw .other("invalid value '\(text)' for '\(option)'; \(pair) is not followed; write: market watch \(all)")
      }
      return command.map { rule.running($0) } ?? rule
    }
    var rules: [AlertRule] = []
    for text in alerts { rules.append(try rule(text, "--alert")) }
    self.rules = rules
    self.until = try until.map { text throws(UsageProblem) in try rule(text, "--until") }
  }
}

/// Alerts without a screen: the caller writes their lines, everything else is done here.
package struct AlertRunner {
  private let alerts: WatchAlerts
  private var watch: AlertWatch
  private var until: AlertWatch
  private var followed: Followed<AlertsFile>?
  private var looked: Instant?
  /// The pairs followed at the start; favourites may come and go.
  private let pairs: Set<Pair>
  private let exchanges: Set<String>
  private let commands: AlertCommands
  /// The signal that ends the run; nil if there was none.
  private let signal = SharedMutex<Int32?>(nil)
  private let context: Context
  /// What has been said of figures that the command line's alerts compare and no exchange has.
  private var absences = AlertAbsences()
  /// The alert that the run was to end on, once it has fired.
  package private(set) var reached: AlertFiring?

  package init(_ alerts: WatchAlerts, of run: WatchRun, in context: Context) {
    self.alerts = alerts
    self.context = context
    commands = AlertCommands { rule, problem in
      if let problem { context.note(problem.sentence(rule)) }
    }
    followed = run.alerts(in: context)
    let isReplay = run.settings.isReplay
    (pairs, exchanges) = (Set(run.pairs), Set(run.exchanges))
    watch = AlertWatch(alerts.rules + (followed?.contents ?? []), isReplay: isReplay)
    until = AlertWatch([alerts.until].compactMap(\.self), isReplay: isReplay)
    noteProblem()
  }

  /// Takes the current figures; rules that fire play their sound and run their command.
  package mutating func take(_ board: WatchBoard) -> [AlertFiring] {
    // Nothing new is begun at the end.
    if isEnding { return [] }
    follow(at: board.now)
    noteAbsences(board)
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

  /// Whether a signal ends the run.
  package var isEnding: Bool { signal.value.withLock { $0 != nil } }

  /// Lets signals end the run as they would without this, once it is said or awaited what becomes of commands: Ctrl-C
  /// waits for none.
  package func followSignals() {
    guard let signals = EndSignals() else { return }
    SystemThread { [signal, commands, context] in
      guard case .signal(let number)? = signals.wait() else { return }
      signal.value.withLock { $0 = number }
      if [SIGINT, SIGQUIT].contains(number) {
        // What the reader does not take would keep the process from ending.
        for note in commands.leave() { context.note(note, afterOutput: false) }
        return LiveEnding.end(by: number)
      }
      // Whether or not the reader takes what is being written.
      Task {
        await commands.finish { context.note($0) }
        LiveEnding.end(by: number)
      }
    }?.detach()
  }

  /// Waits for all commands, and if a signal ends the run, ends the process by it.
  package func finish() async {
    context.output.flush()
    await commands.finish { [context] in context.note($0) }
    if let number = signal.value.withLock({ $0 }) { LiveEnding.end(by: number) }
  }

  private mutating func follow(at now: Instant) {
    guard now.isPast(.milliseconds(WatchRun.filesMilliseconds), after: looked) else { return }
    looked = now
    guard followed?.refresh() == true else { return }
    watch.follow(alerts.rules + (followed?.contents ?? []))
    noteProblem()
  }

  private mutating func noteAbsences(_ board: WatchBoard) {
    guard board.state.isSettled else { return }
    let rules = alerts.rules + [alerts.until].compactMap(\.self)
    for sentence in absences.new(of: rules, board) { context.note(sentence) }
  }

  private func noteProblem() {
    guard let followed else { return }
    if let sentence = followed.sentence { context.note(sentence) }
    for rule in followed.contents {
      let others = rule.condition.values.compactMap(\.exchange).filter { !exchanges.contains($0) }
      let absent = rule.pair.flatMap { pairs.contains($0) ? nil : "\($0)" } ?? others.first
      guard let absent else { continue }
      context.note("\(absent) is not followed here, so this alert never fires: \(rule.text)")
    }
  }

  private func perform(_ action: AlertAction, of firing: AlertFiring) {
    // Lines may go to another program, so ring the terminal that shows messages.
    switch action {
    case .bell: if context.terminal.errorIsTerminal { context.errorOutput.write(bytes: [0x07]) }
    case .desktop:
      guard context.terminal.errorIsTerminal else { break }
      context.errorOutput.write(
        bytes: TerminalMessage.notification(
          title: AlertText.title(firing), body: AlertText.sentence(firing), version: nil,
          environment: context.environment.lookup))
    case .command(let command): commands.run(command, firing)
    }
  }
}
