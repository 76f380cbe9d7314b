import Files
import MarketData

/// The user's key file, read again when it has changed.
///
/// An unusable file changes nothing: the keys read before stay in effect.
struct FollowedKeys {
  /// The keys in effect; nil if there is no folder for them.
  private(set) var file: CredentialsFile?
  /// Why the current file is not in effect, and what to do; nil if it is.
  private(set) var problem: String?
  private let folder: String?
  private var status: FileStatus?

  /// - Parameter folder: The user's own folder; nil if there is none, or no key may be read.
  init(in folder: String?) {
    self.folder = folder
    refresh()
  }

  /// Reads the file if it has changed.
  ///
  /// - Returns: Whether it has.
  @discardableResult mutating func refresh() -> Bool {
    guard let folder else { return false }
    // Taken first, so that a change while the file is read is another one.
    let current = FileStatus(CredentialsFile.path(in: folder))
    guard file == nil || current != status else { return false }
    status = current
    let new = CredentialsFile(in: folder)
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
