import Files
import TestSupport
import Testing

@testable import market

/// `market exchanges`: the matrix on screens of two widths, for programs, and on the first page of the project.
@Suite struct ExchangesCommandTests {
  private static func output(_ format: String, columns: Int? = nil) async -> String {
    var world = TestWorld(["exchanges", "-f", format, "--config", Checkout.path("exchanges.json")])
    world.context.terminal.columns = columns
    let code = await Program.market.run(in: world.context)
    #expect(code == .answer)
    #expect(world.errorOutput == "")
    return world.output
  }

  @Test(arguments: [80, 160]) func fitsTheScreen(columns: Int) async {
    let text = await Self.output("text", columns: columns)
    Golden.expect(text, matches: "exchanges-\(columns).txt")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
  }

  @Test(arguments: ["json", "csv"]) func forPrograms(_ format: String) async {
    Golden.expect(await Self.output(format), matches: "exchanges.\(format)")
  }

  /// The table of the first page is what the command writes.
  @Test func readmeShowsTheMatrix() async throws {
    let readme = String(decoding: try FileSystem.read(Checkout.path("README.md")), as: UTF8.self)
    let marks = ["<!-- market exchanges -f md -->\n", "<!-- end -->"]
    let start = try #require(readme.range(of: marks[0])).upperBound
    let end = try #require(readme[start...].range(of: marks[1])).lowerBound
    let page = readme[..<start] + (await Self.output("md")) + readme[end...]
    try GeneratedFile.expect(Array(page.utf8), at: "README.md")
  }
}

extension StringProtocol {
  /// Where a text first stands.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
