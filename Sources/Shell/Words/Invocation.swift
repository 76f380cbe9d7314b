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

  /// The option's value as a whole number within `range`.
  package func integer(of option: Option, in range: ClosedRange<Int>) throws(UsageProblem) -> Int? {
    guard let text = value(of: option) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .invalidValue(
        option: option.spelling, value: text,
        valid: ["a whole number from \(range.lowerBound) to \(range.upperBound)"])
    }
    return number
  }
}
