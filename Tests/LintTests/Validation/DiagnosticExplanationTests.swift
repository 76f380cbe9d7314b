import Config
import Files
import Lint
import TestSupport
import Testing
import Transport

/// Every code has an explanation, every explanation is true, and the page generated from them is up to date.
@Suite struct DiagnosticExplanationTests {
  @Test func everyCodeHasAnExplanation() {
    #expect(DiagnosticExplanation.all.map(\.code) == FindingCode.ofConfig)
    #expect(FindingCode.ofConfig.map(\.rawValue) == FindingCode.ofConfig.map(\.rawValue).sorted())
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
