import Files
public import Testing

/// `docs/coverage.md`: hand-written prose with generated figures.
public enum CoveragePage {
  /// Compares the text between two marks on the page with the expected text.
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
