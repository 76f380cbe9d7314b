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
    /// nil for all.
    let code: String?
    let colors: ColorOptions

    init(_ words: Invocation) throws(UsageProblem) {
      code = words.optionalText(of: ExplainCommand.code)
      colors = try ColorOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    guard let word = options.code else {
      for explanation in DiagnosticExplanation.all {
        context.output.write("\(explanation.code.rawValue)  \(explanation.title)\n")
      }
      return .answer
    }
    guard let explanation = DiagnosticExplanation.explanation(spelled: word) else {
      let near = DiagnosticExplanation.near(word).prefix(3).map { "\($0.code.rawValue) (\($0.title))" }
      let hint =
        near.isEmpty ? "to list all codes, run: market explain" : "did you mean \(near.joined(separator: ", "))?"
      throw UsageProblem.other("unknown code '\(word)'; \(hint)")
    }
    let palette = context.palette(options.colors)
    let text = TerminalText.wrapped(explanation.text, cells: 80).map { $0 + "\n" }.joined()
    context.output.write(
      """
      \(palette.paint("\(explanation.code.rawValue): \(explanation.title)", as: .heading))

      \(text)
      \(palette.paint("Wrong", as: .alert))
      \(indented(explanation.wrong))
      \(palette.paint("Right", as: .heading))
      \(indented(explanation.right))
      """)
    return .answer
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
  }
}
