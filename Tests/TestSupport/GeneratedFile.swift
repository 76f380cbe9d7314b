import Files
public import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files of the project that are written by the program and kept with it.
public enum GeneratedFile {
  /// Compares the bytes with those of a file; with `MARKET_RECORD_GOLDENS=1` the file is written, and the test fails.
  public static func expect(
    _ bytes: [UInt8], at name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let path = Checkout.path(name)
    if getenv("MARKET_RECORD_GOLDENS") != nil {
      if let slash = path.lastIndex(of: "/") { try FileSystem.createFolder(String(path[..<slash])) }
      try FileSystem.writeAtomically(bytes, to: path)
      Issue.record("wrote \(name); look at the change, then run the test again", sourceLocation: sourceLocation)
      return
    }
    if try FileSystem.read(path) != bytes {
      Issue.record(
        "\(name) is out of date; write it anew with MARKET_RECORD_GOLDENS=1", sourceLocation: sourceLocation)
    }
  }
}
