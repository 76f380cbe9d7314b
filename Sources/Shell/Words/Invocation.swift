import Quotes

/// A command together with what the user wrote after its name, checked against the command's data.
package struct Invocation: Sendable {
  package let command: Command
  private let arguments: [String: [String]]
  private let optionValues: [String: [String]]

  /// - Parameters:
  ///   - arguments: the words of each positional argument, by its name.
  ///   - optionValues: the values of each option that was written, by its name, in order; a flag has `""` a time.
  package init(command: Command, arguments: [String: [String]], optionValues: [String: [String]]) {
    self.command = command
    self.arguments = arguments
    self.optionValues = optionValues
  }

  /// The word given for a required argument; empty only for an argument that the command does not declare.
  package func text(of argument: Argument) -> String {
    arguments[argument.name]?.first ?? ""
  }

  /// The word given for an optional argument.
  package func optionalText(of argument: Argument) -> String? {
    arguments[argument.name]?.first
  }

  /// All words given for a repeating argument.
  package func texts(of argument: Argument) -> [String] {
    arguments[argument.name] ?? []
  }

  /// True when the option was written at least once.
  package func has(_ option: Option) -> Bool {
    optionValues[option.name] != nil
  }

  /// The option's value, the last one if it was written more than once, else its default.
  package func value(of option: Option) -> String? {
    optionValues[option.name]?.last ?? option.defaultValue
  }

  /// All values of an option that may be repeated, in the order written; without one, its default.
  package func values(of option: Option) -> [String] {
    optionValues[option.name] ?? option.defaultValue.map { [$0] } ?? []
  }

  /// The option's value as a case of an enumeration whose raw values are the option's choices.
  package func choice<Choice: RawRepresentable & CaseIterable>(of option: Option, as type: Choice.Type)
    throws(UsageProblem)
    -> Choice?
  where Choice.RawValue == String {
    guard let text = value(of: option) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw .invalidValue(option: option.spelling, value: text, valid: Choice.allCases.map(\.rawValue))
    }
    return choice
  }

  /// The word given for an argument as a case of an enumeration; nil without one.
  package func choice<Choice: RawRepresentable & CaseIterable>(of argument: Argument, as type: Choice.Type)
    throws(UsageProblem) -> Choice?
  where Choice.RawValue == String {
    guard let word = optionalText(of: argument) else { return nil }
    guard let choice = Choice(rawValue: word) else {
      let known = UsageProblem.alternatives(Choice.allCases.map(\.rawValue))
      throw .other("unknown \(argument.name.lowercased()) '\(word)'; expected \(known)")
    }
    return choice
  }

  /// The option's value as cases of an enumeration with commas between them, each once; nil without the option.
  ///
  /// - Parameter parse: the case of a word; nil for a word that is none.
  package func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
    of option: Option, _ parse: (String) -> Choice?
  ) throws(UsageProblem) -> [Choice]? where Choice.RawValue == String {
    guard let text = value(of: option) else { return nil }
    var choices: [Choice] = []
    for word in text.split(separator: ",").map(String.init) {
      guard let choice = parse(word) else {
        throw .invalidValue(option: option.spelling, value: word, valid: Choice.allCases.map(\.rawValue))
      }
      choices.append(choice)
    }
    return choices.unique
  }

  /// What the option's text stands for; nil without the option.
  ///
  /// - Parameters:
  ///   - expected: what such a text is, for the message: `a pair such as BTC/KRW`.
  ///   - parse: nil for a text that is none.
  package func value<Value>(
    of option: Option, as expected: String, _ parse: (String) -> Value?
  ) throws(UsageProblem) -> Value? {
    guard let text = value(of: option) else { return nil }
    guard let value = parse(text) else {
      throw .invalidValue(option: option.spelling, value: text, valid: [expected])
    }
    return value
  }

  /// The option's value as a whole number within `range`.
  package func integer(of option: Option, in range: ClosedRange<Int>) throws(UsageProblem) -> Int? {
    try value(of: option, as: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      guard let number = Int(text), number >= range.lowerBound, number <= range.upperBound else { return nil }
      return number
    }
  }

  /// The option's value as a span in milliseconds.
  ///
  /// - Parameters:
  ///   - example: `10s or 1m`
  ///   - least: what is shorter is refused.
  package func milliseconds(
    of option: Option, such example: String, atLeast least: Int = 0
  ) throws(UsageProblem) -> Int? {
    try value(of: option, as: "a duration such as \(example)") { text in
      DurationText.milliseconds(text).flatMap { $0 >= least ? $0 : nil }
    }
  }
}
