import Files
import Terminal

/// Why a command ends without an answer: facts only. `ErrorReport` makes the text, `exitCode` the number.
///
/// A command throws one of these, a `UsageProblem` or a `FileError`; nothing else prints an error that ends the run.
enum CommandError: Error, Sendable {
  /// There is no answer; the sentence says why (lower case, no full stop).
  case noAnswer(String)
  /// The configuration cannot be used; the sentence says why.
  case invalidConfig(String)
  /// Problems at places of texts: the whole report, already laid out, and what it means for the caller.
  case diagnostics([SourceDiagnostic], ExitCode)

  var exitCode: ExitCode {
    switch self {
    case .noAnswer: .noAnswer
    case .invalidConfig: .invalidConfig
    case .diagnostics(_, let code): code
    }
  }
}
