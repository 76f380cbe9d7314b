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

  /// Words that exchanges and other programs have for values of options and for actions.
  private static let synonyms = [
    "perp": "futures", "perps": "futures", "perpetual": "futures", "swap": "futures", "jsonl": "ndjson", "ls": "list",
    "rm": "remove", "del": "remove", "delete": "remove",
  ]

  /// Whether a word is known to stand for a value or an action.
  package static func isSynonym(_ word: String) -> Bool { synonyms[word.lowercased()] != nil }

  /// Returns the allowed value that was most likely meant. Of numbers, any is close to any other; only of durations the
  /// same one is known.
  static func nearest(_ value: String, _ valid: [String]) -> String? {
    guard valid.count > 1 else { return nil }
    guard value.first?.isNumber != true else {
      return seconds(value).flatMap { wanted in valid.first { seconds($0) == wanted } }
    }
    return synonyms[value.lowercased()].flatMap { valid.contains($0) ? $0 : nil }
      ?? Spelling.suggestion(for: value, among: valid)
  }

  /// Returns how long a duration is, however it is written: `60m`, `1H`, `7d`, `1day`; nil for other words, and for `1M`,
  /// which is a month elsewhere.
  private static func seconds(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).lowercased()
    guard let count = Int(digits), count <= 100_000, !unit.isEmpty, !text.hasSuffix("M") else { return nil }
    let units = [("minutes", 60), ("hours", 3600), ("days", 86_400), ("weeks", 604_800)]
    return units.first { $0.0.hasPrefix(unit) }.map { count * $0.1 }
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? ""
  }
}
