import Catalog
import Terminal

/// `market explain [CODE]`
enum ExplainCommand {
  private static let code = Argument("CODE", help: "a code such as MKT021; without it all are listed", isOptional: true)

  static let command = Command(
    name: "explain",
    summary: "tell the story of a code that validate-config reports",
    examples: [
      .init("market explain MKT021", "what it means, a wrong and a right example"),
      .init("market explain", "all codes"),
    ],
    arguments: [code],
    work: .immediate(run))

  @Sendable private static func run(_ invocation: Invocation, in context: Context) throws -> ExitCode {
    guard let word = invocation.optionalText(of: code) else {
      for story in DiagnosticStory.all { context.output.write("\(story.code)  \(story.title)\n") }
      return .answer
    }
    let digits = word.filter(\.isNumber)
    let number = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    guard let story = DiagnosticStory.story(of: word.uppercased()) ?? DiagnosticStory.story(of: "MKT" + number) else {
      throw UsageProblem.other("there is no code '\(word)'; 'market explain' lists them")
    }
    let palette = try context.palette(for: invocation)
    let text = TerminalText.wrapped(story.text, cells: 80).map { $0 + "\n" }.joined()
    context.output.write(
      """
      \(palette.paint("\(story.code): \(story.title)", as: .heading))

      \(text)
      \(palette.paint("Wrong", as: .alert))
      \(indented(story.wrong))
      \(palette.paint("Right", as: .heading))
      \(indented(story.right))
      """)
    return .answer
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)\n" }.joined()
  }
}
