/// What is wrong with a command line. The text is made by `description`, the exit code is always `usage`.
enum UsageProblem: Error, Hashable, Sendable {
  case unknownCommand(String, suggestion: String?)
  case unknownOption(String, suggestion: String?)
  /// An option stands before the name of the command.
  case optionBeforeCommand(String)
  case missingValue(option: String, valueName: String)
  case unexpectedValue(option: String, value: String)
  /// `valid` lists what is allowed; one entry with a space in it is a sentence about it.
  case invalidValue(option: String, value: String, valid: [String])
  case missingArgument(String)
  case unexpectedArgument(String)
  /// Two things that exclude each other, a value that a command refuses: said by the command itself.
  case other(String)
}

extension UsageProblem: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknownCommand(let name, let suggestion):
      "unknown command '\(name)'" + Self.question(suggestion)
    case .unknownOption(let spelling, let suggestion):
      "unknown option '\(spelling)'" + Self.question(suggestion)
    case .optionBeforeCommand(let spelling):
      "option '\(spelling)' stands before the command; write the command first"
    case .missingValue(let option, let valueName):
      "option '\(option)' needs a value; write \(option) \(valueName)"
    case .unexpectedValue(let option, let value):
      "option '\(option)' takes no value, but got '\(value)'"
    case .invalidValue(let option, let value, let valid):
      "'\(value)' is no value of '\(option)'; valid: \(valid.joined(separator: ", "))"
    case .missingArgument(let name):
      "missing argument \(name)"
    case .unexpectedArgument(let text):
      "unexpected argument '\(Self.withoutSecrets(text))'"
    case .other(let sentence):
      sentence
    }
  }

  /// An address without the user and the parameters in it, which may be keys.
  private static func withoutSecrets(_ text: String) -> String {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return text }
    let rest = parts[1].prefix { $0 != "?" && $0 != "#" }
    let host = rest.prefix { $0 != "/" }
    let user = host.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    return "\(parts[0])://\(user)" + (rest.endIndex == text.endIndex ? "" : "…")
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? ""
  }
}
