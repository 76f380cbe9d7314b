import Config
import Lint
import Shell
import Terminal

/// `market explain [CODE...]`
enum ExplainCommand {
  private static let code = Argument(
    "CODE", help: "a code such as MKT021 or json-null; omit it to list all codes", isOptional: true, isRepeating: true,
    kind: .findingCode)

  static let command = Command(
    name: "explain",
    summary: "explain a code of validate-config, or a word for no number",
    examples: [
      .init("market explain MKT021", "what it means, with a wrong and a right example"),
      .init("market explain json-null", "why a cell is empty, a row flagged, a stream not used"),
      .init("market explain", "all codes"),
    ],
    arguments: [code],
    work: .now(run))

  private struct Options: CommandOptions {
    /// nil for all.
    let code: String?
    let colors: ColorOptions

    init(_ words: Invocation) throws(UsageProblem) {
      let typed = words.texts(of: ExplainCommand.code)
      code = typed.isEmpty ? nil : typed.joined(separator: " ")
      colors = try ColorOptions(words)
    }
  }

  @Sendable private static func run(_ options: Options, in context: Context) throws -> ExitCode {
    let palette = context.palette(options.colors)
    guard let word = options.code else {
      for explanation in DiagnosticExplanation.all {
        context.output.write("\(explanation.code.rawValue)  \(explanation.title)\n")
      }
      for topic in ReasonExplanation.Topic.allCases {
        let codes = ReasonExplanation.all.filter { $0.topic == topic }.map(\.code).joined(separator: ", ")
        context.output.write("\n\(palette.paint(topic.rawValue, as: .heading))\n")
        context.output.write(wrapped(codes))
      }
      return .answer
    }
    let reasons = ReasonExplanation.explanations(spelled: word)
    guard reasons.isEmpty else {
      let texts = reasons.map { reason in
        // Backticks are for pages.
        let text = String(reason.text.map { $0 == "`" ? "'" : $0 })
        return "\(palette.paint("\(reason.code): \(reason.topic.rawValue)", as: .heading))\n\n\(wrapped(text))"
      }
      context.output.write(texts.joined(separator: "\n"))
      return .answer
    }
    guard let explanation = DiagnosticExplanation.explanation(spelled: word) else {
      let hint = similar(word).map { "did you mean \($0)?" } ?? "to list all codes, run: market explain"
      throw UsageProblem.other("unknown code '\(word)'; \(hint)")
    }
    context.output.write(
      """
      \(palette.paint("\(explanation.code.rawValue): \(explanation.title)", as: .heading))

      \(wrapped(explanation.text))
      \(palette.paint("Wrong", as: .alert))
      \(indented(explanation.wrong))
      \(palette.paint("Right", as: .heading))
      \(indented(explanation.right))
      """)
    return .answer
  }

  /// Returns the codes or the word that an unknown one may stand for: a word without its number, such as `http500`.
  private static func similar(_ word: String) -> String? {
    let isCode = DiagnosticExplanation.digits(of: word) != nil
    let reason =
      isCode
      ? nil
      : [word, String(word.prefix { !$0.isNumber })].lazy
        .compactMap { Spelling.suggestion(for: $0, among: ReasonExplanation.words) }.first
    if let reason { return "'\(reason)'" }
    let findings = DiagnosticExplanation.near(word).prefix(3).map { "\($0.code.rawValue) (\($0.title))" }
    return findings.isEmpty ? nil : findings.joined(separator: ", ")
  }

  private static func wrapped(_ text: String) -> String {
    TerminalText.wrapped(text, cells: 80).map { $0 + "\n" }.joined()
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
  }
}
