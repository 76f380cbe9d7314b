import Config
import Quotes

/// A command with the user's arguments and options, validated against the command's data.
package struct Invocation: Sendable {
  package let command: Command
  private let arguments: [String: [String]]
  private let optionValues: [String: [String]]
  /// An argument that may be meant as part of a list of exchanges; nil if there is none.
  let besideList: WordBesideList?

  /// A word right after a list of exchanges, behind other arguments.
  struct WordBesideList: Sendable {
    let word: String
    /// Whether it is in capitals, as a coin that is named like an exchange (WOO): only the outcome can tell them apart.
    let mayBeCoin: Bool
    /// How the option is written if the word belongs to it: `--exchange upbit,bithumb`.
    let remedy: String
  }

  /// - Parameters:
  ///   - arguments: the words of each positional argument, keyed by name.
  ///   - optionValues: the values of each given option in order, keyed by name; a flag has `""` per occurrence.
  init(
    command: Command, arguments: [String: [String]], optionValues: [String: [String]], besideList: WordBesideList? = nil
  ) {
    (self.command, self.arguments, self.optionValues) = (command, arguments, optionValues)
    self.besideList = besideList
  }

  /// Returns the value of a required argument; empty only if the command does not declare it.
  package func text(of argument: Argument) -> String { arguments[argument.name]?.first ?? "" }

  package func optionalText(of argument: Argument) -> String? { arguments[argument.name]?.first }

  package func texts(of argument: Argument) -> [String] { arguments[argument.name] ?? [] }

  package func has(_ option: Option) -> Bool { optionValues[option.name] != nil }

  /// Returns the option's value, the last one if given more than once, or else its default.
  package func value(of option: Option) -> String? {
    optionValues[option.name]?.last ?? option.defaultValue
  }

  /// Returns all values of a repeatable option in order, or else its default.
  package func values(of option: Option) -> [String] {
    optionValues[option.name] ?? option.defaultValue.map { [$0] } ?? []
  }

  /// Returns the option's value as a case of an enumeration whose raw values are the option's choices.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of option: Option
  ) throws(UsageProblem) -> Choice? {
    guard let text = value(of: option) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw .invalidValue(option: option.spelling, value: text, valid: Choice.names)
    }
    return choice
  }

  /// Returns the argument's value as a case of an enumeration; nil if not given.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of argument: Argument
  ) throws(UsageProblem) -> Choice? {
    guard let word = optionalText(of: argument) else { return nil }
    guard let choice = Choice(rawValue: word) else {
      let near = UsageProblem.nearest(word, Choice.names).map { "did you mean '\($0)'?" }
      let hint = near ?? "expected \(Choice.names.listed("or"))"
      throw .other("unknown \(argument.name.lowercased()) '\(word)'; \(hint)")
    }
    return choice
  }

  /// Returns the option's comma-separated values as distinct cases of an enumeration; nil without the option.
  ///
  /// - Parameters:
  ///   - known: the cases that are valid here.
  ///   - mayRepeat: whether a repeated value has no effect; otherwise it is an error.
  ///   - parse: returns the case of a word, or nil if it is invalid.
  package func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
    of option: Option, among known: [Choice] = Array(Choice.allCases), mayRepeat: Bool = true,
    _ parse: (String) -> Choice?
  ) throws(UsageProblem) -> [Choice]? {
    guard let text = value(of: option) else { return nil }
    var choices: [Choice] = []
    for word in text.split(separator: ",").map(String.init) {
      guard let choice = parse(word), known.contains(choice) else {
        throw .invalidValue(option: option.spelling, value: word, valid: known.map(\.rawValue))
      }
      if !mayRepeat, choices.contains(choice) { throw .other("duplicate value '\(word)' in '\(option.spelling)'") }
      choices.append(choice)
    }
    return choices.unique
  }

  /// Returns the parsed value of an option; nil without the option.
  ///
  /// - Parameters:
  ///   - expected: what is expected, for the error message: `a pair such as BTC/KRW`.
  ///   - parse: returns nil for an invalid text.
  package func value<Value>(
    of option: Option, as expected: String, _ parse: (String) -> Value?
  ) throws(UsageProblem) -> Value? {
    guard let text = value(of: option) else { return nil }
    guard let value = parse(text) else {
      throw .invalidValue(option: option.spelling, value: text, valid: [expected])
    }
    return value
  }

  /// Returns the option's value as a whole number within `range`.
  package func integer(of option: Option, in range: ClosedRange<Int>) throws(UsageProblem) -> Int? {
    try value(of: option, as: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Returns the option's value as a duration in milliseconds. A number without a unit is of seconds, as in
  /// `--timeout`.
  ///
  /// - Parameter example: `10s or 1m`
  package func milliseconds(
    of option: Option, such example: String, atLeast least: Int = 0
  ) throws(UsageProblem) -> Int? {
    try value(of: option, as: "a duration such as \(example)") { text in
      DurationText.milliseconds(text.last?.isNumber == true ? text + "s" : text).flatMap { $0 >= least ? $0 : nil }
    }
  }
}
