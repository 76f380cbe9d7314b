import Config
import Files
import Lint
import TestSupport
import Testing
import Transport

/// Every code has a story, every story is true, and the page generated from them is up to date.
@Suite struct DiagnosticStoryTests {
  @Test func everyCodeHasAnExplanation() {
    #expect(DiagnosticStory.all.map(\.code) == FindingCode.ofConfig)
    #expect(FindingCode.ofConfig.map(\.rawValue) == FindingCode.ofConfig.map(\.rawValue).sorted())
  }

  @Test(arguments: DiagnosticStory.all.map(\.code)) func wrongExampleFailsAndRightExamplePasses(_ code: FindingCode)
    throws
  {
    let story = try #require(DiagnosticStory.story(of: code))
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
