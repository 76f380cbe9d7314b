package import Quotes

/// What happens when an alert fires, in addition to its line.
package enum AlertAction: Sendable, Hashable {
  case bell
  case desktop
  /// A shell command, with the figures in its environment.
  case command(String)
}

/// An alert as written by a user: `[PAIR] EXPR [for TIME] [then bell,desktop,exec CMD]`.
///
///     premium > 3% and exchanges >= 3 for 10s then bell,desktop
///     BTC/KRW kimchi < 0%
package struct AlertRule: Sendable, Hashable {
  /// The text as written, without surrounding whitespace.
  package let text: String
  /// nil for each followed pair.
  package let pair: Pair?
  package let condition: AlertCondition
  /// How long the condition must hold.
  package let holdMilliseconds: Int
  /// A bell if none is given.
  package let actions: [AlertAction]

  /// - Parameters:
  ///   - exchanges: The names that may follow `@`.
  ///   - aliases: Other names of assets, in capitals, with the program's own names for them.
  package init(
    parsing text: String, exchanges: [String], aliases: [String: String] = [:]
  ) throws(AlertProblem) {
    var parser = AlertParser(text, exchanges: exchanges, aliases: aliases)
    self = try parser.rule()
  }

  init(text: String, pair: Pair?, condition: AlertCondition, holdMilliseconds: Int, actions: [AlertAction]) {
    self.text = text
    self.pair = pair
    self.condition = condition
    self.holdMilliseconds = holdMilliseconds
    self.actions = actions
  }

  /// Returns the same alert, which also runs a command.
  package func running(_ command: String) -> AlertRule {
    AlertRule(
      text: text, pair: pair, condition: condition, holdMilliseconds: holdMilliseconds,
      actions: actions + [.command(command)])
  }

  package func isMeant(for pair: Pair) -> Bool { self.pair == nil || self.pair == pair }

  /// Whether it can hold for one pair but not for another.
  package var isPerPair: Bool { condition.values.contains { $0.field.isPerPair } }
}

extension AlertCondition {
  /// Parses only a condition, as used by filters.
  package init(parsing text: String, exchanges: [String]) throws(AlertProblem) {
    var parser = AlertParser(text, exchanges: exchanges)
    self = try parser.wholeCondition()
  }
}

/// An error in the text of an alert, and its location.
package struct AlertProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// In characters, from 1.
  package let column: Int
  package let message: String

  /// `column 1: unknown field 'premum'; did you mean 'premium'?`
  package var description: String { "column \(column): \(message)" }
}
