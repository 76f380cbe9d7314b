import Foundation
import TestSupport

/// Files of the optional corpora.
enum Corpus {
  /// The names of the files in the corpus folder `path`, sorted; empty where the corpora are absent.
  static func names(in path: String) -> [String] {
    guard let root = SharedCorpora.root else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(path)")) ?? []).sorted()
  }

  /// The bytes of a file of the corpora.
  static func bytes(of path: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: "\(SharedCorpora.root ?? "")/\(path)")))
  }
}
