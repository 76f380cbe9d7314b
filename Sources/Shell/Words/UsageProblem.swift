import Config
import Quotes

/// A problem with a command line. `description` creates the text, the exit code is always `usage`.
package enum UsageProblem: Error, Hashable, Sendable {
  case unknownCommand(String, suggestion: String?)
  case unknownOption(String, suggestion: String?)
  case optionBeforeCommand(String)
  case missingValue(option: String, valueName: String)
  case unexpectedValue(option: String, value: String)
  /// `valid` lists the allowed values; a single entry describes them: `a whole number from 1 to 60`.
  case invalidValue(option: String, value: String, valid: [String])
  /// `example` is a command line that has it; nil if the name alone says enough.
  case missingArgument(String, example: String? = nil)
  case unexpectedArgument(String)
  case conflict(String, String)
  /// A problem specific to one command, which provides the text.
  case other(String)
}

extension UsageProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownCommand(let name, let suggestion):
      "unknown command '\(Self.brief(name))'" + Self.question(suggestion)
    case .unknownOption(let spelling, let suggestion):
      "unknown option '\(spelling)'" + Self.question(suggestion)
    case .optionBeforeCommand(let spelling):
      "unexpected option '\(spelling)' before the command; write the command first"
    case .missingValue(let option, let valueName):
      "missing value for '\(option)'; write \(option) \(valueName)"
    case .unexpectedValue(let option, let value):
      "unexpected value '\(value)' for '\(option)'; it takes none"
    case .invalidValue(let option, let value, let valid):
      "invalid value '\(value)' for '\(option)'"
        + (Self.nearest(value, valid).map { "; did you mean '\($0)'?" } ?? "; expected \(valid.listed("or"))")
    case .missingArgument(let name, let example):
      example.map { "missing \(name.lowercased()); write it like: \($0)" } ?? "missing argument \(name)"
    case .unexpectedArgument(let text):
      "unexpected argument '\(Self.withoutSecrets(text))'"
    case .conflict(let option, let other):
      "'\(option)' cannot be combined with '\(other)'"
    case .other(let sentence):
      sentence
    }
  }

  /// Returns the beginning of a word that is too long for a name, as a message quotes it.
  static func brief(_ word: String) -> String { word.count > 64 ? word.prefix(64) + "…" : word }

  /// Returns a URL without user and parameters, which may contain keys.
  private static func withoutSecrets(_ text: String) -> String {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return text }
    let rest = parts[1].prefix { $0 != "?" && $0 != "#" }
    let host = rest.prefix { $0 != "/" }
    let user = host.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    return "\(parts[0])://\(user)" + (rest.endIndex == text.endIndex ? "" : "…")
  }

  /// Returns the allowed value that was most likely meant. Of numbers, such as intervals, any is close to any other.
  private static func nearest(_ value: String, _ valid: [String]) -> String? {
    valid.count > 1 && value.first?.isNumber != true ? Spelling.suggestion(for: value, among: valid) : nil
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? ""
  }
}
