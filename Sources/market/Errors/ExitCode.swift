/// What the program tells its caller; the numbers are a promise to scripts.
enum ExitCode: Int32, Sendable {
  /// There is an answer.
  case answer = 0
  /// There is none.
  case noAnswer = 1
  /// The command line is wrong.
  case usage = 2
  /// The configuration is invalid.
  case invalidConfig = 3
}
