import Files

/// A small file of the user's beside the config, such as the favourites: read as a whole, and written in one step, so that of
/// two programs that change it at once both changes hold.
struct UserFile: Sendable {
  let path: String

  /// So much of it is read at most.
  private static let limit = 1 << 20
  /// How often a change is tried again that another program came before.
  private static let tries = 8

  /// nil where there is no file.
  func bytes() throws(FileError) -> [UInt8]? {
    FileSystem.isAbsent(path) ? nil : try FileSystem.read(path, limit: Self.limit)
  }

  /// - Parameters:
  ///   - wrap: makes the caller's error of one of the file.
  ///   - change: the new text of the old one; nil: nothing is to be written. Called again where another program came before.
  func update<Problem: Error>(
    _ wrap: (FileError) -> Problem, _ change: ([UInt8]?) throws(Problem) -> [UInt8]?
  ) throws(Problem) {
    var problem = FileError.changed(path: path)
    for _ in 0..<Self.tries {
      let old: [UInt8]?
      do throws(FileError) { old = try bytes() } catch { throw wrap(error) }
      guard let new = try change(old) else { return }
      do throws(FileError) {
        if old == nil, let slash = path.lastIndex(of: "/") { try FileSystem.createFolder(String(path[..<slash])) }
        try FileSystem.replace(old, with: new, at: path)
        return
      } catch {
        problem = error
        guard case .changed = error else { throw wrap(problem) }
      }
    }
    throw wrap(problem)
  }
}
