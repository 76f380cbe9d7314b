import Config
package import Quotes

/// What happens when an alert fires, in addition to its line.
package enum AlertAction: Sendable, Hashable {
  case bell
  case desktop
  /// A shell command, with the figures in its environment.
  case command(String)
}

/// The names that the text of an alert may use.
package struct AlertNames: Sendable {
  /// The exchanges that may follow `@`.
  let exchanges: [String]
  /// Other names of exchanges, folded, with those of `exchanges`.
  let others: [String: String]
  /// Other names of assets, in capitals, with the program's own names for them.
  let aliases: [String: String]

  package init(exchanges: [String] = [], others: [String: String] = [:], aliases: [String: String] = [:]) {
    (self.exchanges, self.others, self.aliases) = (exchanges, others, aliases)
  }
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

extension AlertRule {
  package init(parsing text: String, _ names: AlertNames) throws(AlertProblem) {
    var parser = AlertParser(text, names)
    self = try parser.rule()
  }
}

extension AlertCondition {
  /// Parses only a condition, as used by filters.
  package init(parsing text: String, _ names: AlertNames) throws(AlertProblem) {
    var parser = AlertParser(text, names)
    self = try parser.wholeCondition()
  }
}

/// An error in the text of an alert, and its location.
package struct AlertProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// In characters, from 1.
  package let column: Int
  package let mistake: AlertMistake

  package var message: String { mistake.description }

  /// `column 1: unknown field 'premum'; did you mean 'premium'?`
  package var description: String { "column \(column): \(message)" }
}

/// What is wrong with the text of an alert.
package enum AlertMistake: Sendable, Hashable {
  case tooLong(maximum: Int)
  case tooDeep(maximum: Int)
  /// Something after a condition.
  ///
  /// - isRule: whether `for` and `then` may follow, too.
  case rest(String, isRule: Bool)
  /// Something in place of a figure or a number.
  case notOperand(Character)
  case missingOperand
  case missingParenthesis
  case missingComparison
  case unknownComparison(String)
  case missingDuration
  case notDuration(String)
  case missingAction
  case missingCommand
  case unknownAction(String)
  case noField
  case notPercentage(AlertField)
  case unknownField(String)
  case notOfExchange(AlertField)
  case missingExchange
  case unknownExchange(String, suggestion: String?)
  case notNumber(String)
  case unknownUnit(String)
}

extension AlertMistake: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong(let maximum): return "longer than \(maximum) characters"
    case .tooDeep(let maximum): return "parentheses nested more than \(maximum) deep"
    case .rest(let rest, let isRule):
      return "unexpected '\(rest)'; expected \(isRule ? "and, or, for, then or the end" : "and, or or the end")"
    case .notOperand(let character): return "unexpected '\(character)'; expected a field or a number"
    case .missingOperand: return "missing field or number"
    case .missingParenthesis: return "missing ')'"
    case .missingComparison: return "missing comparison: <, <=, > or >="
    case .unknownComparison(let found): return "unknown comparison '\(found)'; expected <, <=, > or >="
    case .missingDuration: return "missing duration after 'for'"
    case .notDuration(let word): return "'\(word)' is not a duration such as 10s or 5m"
    case .missingAction: return "missing action after 'then'"
    case .missingCommand: return "missing command after 'exec'"
    case .unknownAction(let word): return "unknown action '\(word)'; expected bell, desktop or exec CMD"
    case .noField: return "a comparison needs a field, such as premium"
    case .notPercentage(let field): return "'\(field.rawValue)' is not a percentage"
    case .unknownField(let name):
      let names = AlertField.allCases.map(\.rawValue)
      let hint =
        Spelling.suggestion(for: name, among: names).map { "did you mean '\($0)'?" }
        ?? "expected \(names.listed("or"))"
      return "unknown field '\(name)'; \(hint)"
    case .notOfExchange(let field): return "'\(field.rawValue)' is not a figure of one exchange"
    case .missingExchange: return "missing exchange after '@'"
    case .unknownExchange(let name, let suggestion):
      return "unknown exchange '\(name)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
    case .notNumber(let digits): return "'\(digits)' is not a number"
    case .unknownUnit(let unit): return "unknown unit '\(unit)'; expected k, M, B, T, 만, 억 or 조"
    }
  }
}
