import Config
import Files
import Lint
import TestSupport
import Testing
import Transport

/// Every code has an explanation, every explanation is true, and the page generated from them is up to date.
@Suite struct DiagnosticExplanationTests {
  @Test func everyCodeHasAnExplanation() {
    let codes = FindingCode.allCases.filter { $0.rawValue.hasPrefix("MKT") }
    #expect(DiagnosticExplanation.all.map(\.code) == codes)
    #expect(codes.map(\.rawValue) == codes.map(\.rawValue).sorted())
  }

  @Test(arguments: DiagnosticExplanation.all.map(\.code)) func wrongExampleFailsAndRightExamplePasses(
    _ code: FindingCode
  ) throws {
    let story = try #require(DiagnosticExplanation.explanation(of: code))
    func findings(_ example: String) -> [Finding] {
      ConfigReview(
        .init(name: "example.json", bytes: Array(story.config(of: example).utf8)),
        builtin: .init(name: "builtin", bytes: []), hooks: [], crypto: CryptoLibrary()
      ).findings
    }
    #expect(Set(findings(story.wrong).map(\.code)) == [code])
    #expect(findings(story.right) == [])
  }

  @Test func pageIsUpToDate() throws {
    try GeneratedFile.expect(Array(DiagnosticPage.text().utf8), at: "docs/diagnostics.md")
  }
}

/// The page `docs/diagnostics.md`, generated from the explanations.
private enum DiagnosticPage {
  static func text() -> String {
    let head = """
      # What `market validate-config` reports

      Every finding has a code that never changes. `market explain MKT021` explains it on the terminal. This page is
      generated from the same text; a test keeps the two in step.

      """
    let list = DiagnosticExplanation.all.map {
      "- [\($0.code.rawValue)](#\($0.code.rawValue.lowercased())): \($0.title)\n"
    }
    .joined()
    return head + "\n" + list + DiagnosticExplanation.all.map(section).joined()
  }

  private static func section(_ explanation: DiagnosticExplanation) -> String {
    """

    ## \(explanation.code.rawValue)

    **\(explanation.title.prefix(1).uppercased() + explanation.title.dropFirst()).** \(explanation.text)

    Wrong:

    ```json
    \(explanation.wrong)
    ```

    Right:

    ```json
    \(explanation.right)
    ```

    """
  }
}
