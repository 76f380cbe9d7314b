import JSON
import JSONPath
import TestSupport
import Testing

/// The JSONPath compliance test suite, if it is beside the checkout.
@Suite("RFC 9535 compliance", .enabled(if: SharedCorpora.arePresent))
struct ComplianceTests {
  @Test("Every case is parsed")
  func everyCaseIsRead() {
    #expect(ComplianceSuite.cases.count == 703)
    #expect(ComplianceSuite.cases.filter(\.selections.isEmpty).count == 247)
  }

  @Test("Case", arguments: ComplianceSuite.cases)
  func agreesWithTheSuite(_ test: ComplianceCase) throws {
    guard !test.selections.isEmpty else {
      #expect(throws: SyntaxError.self) { try JSONPathQuery(test.selector) }
      return
    }
    let document = try #require(test.document)
    let query = try JSONPathQuery(test.selector)
    let located = try query.locatedNodes(in: document)
    let selection = ComplianceCase.Selection(
      values: located.map(\.node.compactText), paths: located.map(\.path.description))
    #expect(test.selections.contains(selection), "selected \(selection)")
    #expect(query.nodes(in: document) == located.map(\.node))

    // A normalized path is a query for just its node.
    for (path, node) in located { #expect(try JSONPathQuery(path.description).nodes(in: document) == [node]) }
  }
}
