import Files
public import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Outputs that are compared as a whole with a file beside the test.
public enum Golden {
  /// Compares `text` with `Golden/<name>` in the folder of the calling test.
  ///
  /// With `MARKET_RECORD_GOLDENS=1` the file is written instead, and the test fails: a recording proves nothing until
  /// somebody has read it and the test has run again.
  public static func expect(
    _ text: String, matches name: String, file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let path = "\(folder)/Golden/\(name)"
    if getenv("MARKET_RECORD_GOLDENS") != nil {
      do {
        try FileSystem.createFolder("\(folder)/Golden")
        try FileSystem.writeAtomically(Array(text.utf8), to: path)
        Issue.record("recorded \(path); read it, then run the test again", sourceLocation: sourceLocation)
      } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
      }
      return
    }
    guard let bytes = try? FileSystem.read(path) else {
      Issue.record("there is no \(path); record it with MARKET_RECORD_GOLDENS=1", sourceLocation: sourceLocation)
      return
    }
    let expected = String(decoding: bytes, as: UTF8.self)
    guard text != expected else { return }
    Issue.record("\(firstDifference(text, expected))\n\(path) says otherwise", sourceLocation: sourceLocation)
  }

  /// Returns the first line that differs, in both texts.
  private static func firstDifference(_ text: String, _ expected: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let place =
      zip(lines, expectedLines).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lines.count, expectedLines.count)
    let found = place < lines.count ? String(lines[place]) : "(nothing)"
    let wanted = place < expectedLines.count ? String(expectedLines[place]) : "(nothing)"
    return "line \(place + 1)\n  found:    \(found)\n  expected: \(wanted)"
  }
}
