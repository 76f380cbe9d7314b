import Foundation
import TestSupport

/// Files of the optional corpora.
enum Corpus {
  /// Returns the sorted names of the files in the corpus folder `path`; empty if the corpora are absent.
  static func names(in path: String) -> [String] {
    guard let root = SharedCorpora.root else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(path)")) ?? []).sorted()
  }

  /// Returns the bytes of a corpus file.
  static func bytes(of path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: "\(SharedCorpora.root ?? "")/\(path)")))
  }
}
