import Config
import Files
import Lint
import TestSupport
import Testing

/// Every code has a story, every story is true, and the page that is made of them is up to date.
@Suite struct DiagnosticStoryTests {
  /// The codes that the catalogue of findings can report.
  private static func reportedCodes() throws -> [String] {
    let bytes = try FileSystem.read(Checkout.path("Sources/Config/Diagnostic+Catalogue.swift"))
    let words = String(decoding: bytes, as: UTF8.self).split { !($0.isLetter || $0.isNumber) }
    return Set(words.filter { $0.hasPrefix("MKT") && $0.dropFirst(3).allSatisfy(\.isNumber) }.map(String.init)).sorted()
  }

  @Test func everyCodeHasItsStory() throws {
    let codes = DiagnosticStory.all.map(\.code)
    #expect(codes == codes.sorted())
    #expect(Set(codes).count == codes.count)
    #expect(codes == (["MKT001"] + (try Self.reportedCodes())).sorted())
  }

  @Test(arguments: DiagnosticStory.all.map(\.code)) func wrongIsWrongAndRightIsRight(_ code: String) throws {
    let story = try #require(DiagnosticStory.story(of: code))
    func findings(_ example: String) -> [Finding] {
      ConfigReview(
        .init(name: "example.json", bytes: Array(story.config(of: example).utf8)),
        builtin: .init(name: "builtin", bytes: []), hooks: []
      ).findings
    }
    #expect(Set(findings(story.wrong).map(\.code)) == [code])
    #expect(findings(story.right) == [])
  }

  @Test func thePageIsUpToDate() throws {
    try GeneratedFile.expect(Array(DiagnosticPage.text().utf8), at: "docs/diagnostics.md")
  }
}
