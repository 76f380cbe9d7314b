package import Quotes

/// What happens when an alert fires, beside its line.
package enum AlertAction: Sendable, Hashable {
  case bell
  case desktop
  /// A command of the shell, with the figures in its environment.
  case command(String)
}

/// An alert as a person writes it: `[PAIR] EXPR [for TIME] [then bell,desktop,exec CMD]`.
///
///     premium > 3% and exchanges >= 3 for 10s then bell,desktop
///     BTC/KRW kimchi < 0%
package struct AlertRule: Sendable, Hashable {
  /// As it was written, without blanks at the ends.
  package let text: String
  /// nil: each pair that is followed.
  package let pair: Pair?
  package let condition: AlertCondition
  /// How long the condition must hold.
  package let holdMilliseconds: Int
  /// A bell where nothing is said.
  package let actions: [AlertAction]

  /// - Parameters:
  ///   - exchanges: the names that may stand behind `@`.
  ///   - aliases: other names of assets, in capitals, and what the program calls them.
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

  /// The same alert that runs a command as well.
  package func running(_ command: String) -> AlertRule {
    AlertRule(
      text: text, pair: pair, condition: condition, holdMilliseconds: holdMilliseconds,
      actions: actions + [.command(command)])
  }

  package func isMeant(for pair: Pair) -> Bool { self.pair == nil || self.pair == pair }

  /// Whether it holds of one pair and not of another.
  var isOfPairs: Bool { condition.values.contains { $0.field.isOfPair } }
}

extension AlertCondition {
  /// A condition alone, as filters have it.
  package init(parsing text: String, exchanges: [String]) throws(AlertProblem) {
    var parser = AlertParser(text, exchanges: exchanges)
    self = try parser.wholeCondition()
  }
}

/// What is wrong with the text of an alert, and where.
package struct AlertProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// In characters, from 1.
  package let column: Int
  package let message: String

  package init(column: Int, _ message: String) {
    self.column = column
    self.message = message
  }

  /// `column 1: unknown field 'premum'; did you mean 'premium'?`
  package var description: String { "column \(column): \(message)" }
}
