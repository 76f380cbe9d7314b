import Files
import MarketData

/// The user's key file, with every change of it.
///
/// An unusable file changes nothing: the keys read before stay in effect.
struct FollowedKeys {
  /// The keys in effect; nil if there is no folder for them.
  private(set) var file: CredentialsFile?
  /// Why the current file is not in effect, and what to do; nil if it is.
  private(set) var problem: String?
  private let folder: String?
  /// What was read last, usable or not.
  private var last: (status: FileStatus?, file: CredentialsFile)?

  /// - Parameter folder: The user's own folder; nil if there is none, or no key may be read.
  init(in folder: String?) {
    self.folder = folder
    refresh()
  }

  /// Reads the file.
  ///
  /// - Returns: Whether it has changed, or been rewritten.
  @discardableResult mutating func refresh() -> Bool {
    guard let folder else { return false }
    // Taken first, so that a change while the file is read is another one.
    let status = FileStatus(CredentialsFile.path(in: folder))
    let new = CredentialsFile(in: folder)
    // Its status alone does not show every change: a copy may keep size and time, two edits may share one tick of the
    // clock, and what could not be read once may be readable now.
    if let last, last.status == status, last.file == new { return false }
    last = (status, new)
    let isUsable = new.document != nil || new.mode == nil
    let sentences = new.problems.map { problem in
      let (sentence, remedy) = new.explanation(of: problem)
      return "\(sentence), so it is not used; \(remedy)"
    }
    problem = isUsable ? nil : sentences.joined(separator: "; ")
    if isUsable || file == nil { file = new }
    return true
  }
}
