import Config
import Lint
import Shell
import Terminal

/// `market explain [CODE]`
enum ExplainCommand {
  private static let code = Argument(
    "CODE", help: "a code such as MKT021; omit it to list all codes", isOptional: true, kind: .findingCode)

  static let command = Command(
    name: "explain",
    summary: "explain a code that validate-config reports",
    examples: [
      .init("market explain MKT021", "what it means, with a wrong and a right example"),
      .init("market explain", "all codes"),
    ],
    arguments: [code],
    work: .now(run))

  private struct Options: CommandOptions {
    /// nil: all.
    let code: String?
    let colors: ColorOptions

    init(_ words: Invocation) throws(UsageProblem) {
      code = words.optionalText(of: ExplainCommand.code)
      colors = try ColorOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    guard let word = options.code else {
      for story in DiagnosticStory.all { context.output.write("\(story.code.rawValue)  \(story.title)\n") }
      return .answer
    }
    guard let story = story(of: word) else {
      throw UsageProblem.other(
        "unknown code '\(TerminalText.sanitized(word))'; \(suggestion(for: word) ?? "to list all codes, run: market explain")"
      )
    }
    let palette = context.palette(options.colors)
    let text = TerminalText.wrapped(story.text, cells: 80).map { $0 + "\n" }.joined()
    context.output.write(
      """
      \(palette.paint("\(story.code.rawValue): \(story.title)", as: .heading))

      \(text)
      \(palette.paint("Wrong", as: .alert))
      \(indented(story.wrong))
      \(palette.paint("Right", as: .heading))
      \(indented(story.right))
      """)
    return .answer
  }

  /// The story of a code however it is written: `MKT021`, `mkt21`, `21`.
  private static func story(of word: String) -> DiagnosticStory? {
    let digits = word.filter { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number < 1000 else { return nil }
    return DiagnosticStory.all.first { Int($0.code.rawValue.dropFirst(3)) == number }
  }

  /// The codes that differ in one digit, or whose titles have the word.
  private static func suggestion(for word: String) -> String? {
    let digits = word.filter { $0.isASCII && $0.isNumber }
    let near = DiagnosticStory.all.filter { story in
      digits.isEmpty
        ? word.count > 2 && story.title.lowercased().contains(word.lowercased())
        : Spelling.distance("MKT" + digits, story.code.rawValue) == 1
    }
    guard !near.isEmpty else { return nil }
    let list = near.prefix(3).map { "\($0.code.rawValue) (\($0.title))" }
    return "did you mean \(list.joined(separator: ", "))?"
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
  }
}
