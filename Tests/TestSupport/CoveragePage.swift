import Files
public import Testing

/// `docs/coverage.md`: prose by hand, figures by the tests.
public enum CoveragePage {
  /// Holds the text between two marks of the page against what it should be.
  public static func expect(
    between start: String, and end: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let name = "docs/coverage.md"
    let page = String(decoding: try FileSystem.read(Checkout.path(name)), as: UTF8.self)
    let before = try #require(page.firstRange(of: start), sourceLocation: sourceLocation)
    let after = try #require(page[before.upperBound...].firstRange(of: end), sourceLocation: sourceLocation)
    let wanted = page[..<before.upperBound] + text + page[after.lowerBound...]
    try GeneratedFile.expect(Array(wanted.utf8), at: name, sourceLocation: sourceLocation)
  }
}
