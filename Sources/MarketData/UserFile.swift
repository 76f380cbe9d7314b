package import Files
import JSON

/// A small file of the user's beside the config, such as the favourites: read as a whole, and written in one step, so that of
/// two programs that change it at once both changes hold.
struct UserFile: Sendable {
  let path: String

  /// So much of it is read at most.
  private static let limit = 1 << 20
  /// How often a change is tried again that another program came before.
  private static let tries = 8

  /// What it holds, by its text; nil where there is no file.
  func read<Contents>(
    _ contents: ([UInt8]?) throws(UserFileProblem) -> Contents
  ) throws(UserFileProblem) -> Contents {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try self.bytes() } catch { throw .file(error) }
    return try contents(bytes)
  }

  private func bytes() throws(FileError) -> [UInt8]? {
    FileSystem.isAbsent(path) ? nil : try FileSystem.read(path, limit: Self.limit)
  }

  /// - Parameter change: the new text of the old one; nil: nothing is to be written. Called again where another program came
  ///   before.
  func update(_ change: ([UInt8]?) throws(UserFileProblem) -> [UInt8]?) throws(UserFileProblem) {
    var problem = FileError.changed(path: path)
    for _ in 0..<Self.tries {
      let old: [UInt8]?
      do throws(FileError) { old = try bytes() } catch { throw .file(error) }
      guard let new = try change(old) else { return }
      do throws(FileError) {
        if old == nil, let slash = path.lastIndex(of: "/") { try FileSystem.createFolder(String(path[..<slash])) }
        try FileSystem.replace(old, with: new, at: path)
        return
      } catch {
        problem = error
        guard case .changed = error else { throw .file(problem) }
      }
    }
    throw .file(problem)
  }
}

/// Why a file of the user's cannot be had or kept.
package enum UserFileProblem: Error, Sendable, Hashable {
  /// It is there and cannot be understood: where and why.
  case unreadable(String)
  case file(FileError)

  /// What it means for the user.
  package func sentence(of path: String) -> String {
    switch self {
    case .unreadable(let reason): "\(path) is broken, so it is not used: \(reason)"
    case .file(let error): "\(error)"
    }
  }

  /// The elements of a file that is a JSON array of so many at most.
  ///
  /// - Parameters:
  ///   - kind: what the elements are.
  ///   - noun: what they are for the user.
  static func elements(
    of bytes: [UInt8], _ kind: String, most: Int, _ noun: String
  ) throws(UserFileProblem) -> some Sequence<JSONNode> {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw .unreadable("\(SourceMap(bytes).position(of: error.offset)): \(error.problem)")
    }
    guard document.root.kind == .array else { throw .unreadable("it is not an array of \(kind)") }
    guard document.root.count <= most else { throw .unreadable("it has more than \(most) \(noun)") }
    return document.root.elements
  }
}

/// What a file of the user's holds, for views that go on.
package protocol UserList: Sendable {
  associatedtype Contents: Equatable, Sendable

  /// What holds where there is no file.
  static var empty: Contents { get }

  var path: String { get }

  func read() throws(UserFileProblem) -> Contents
}

/// The contents of a user's file in a running view, read again when it has changed. A file that has become unreadable changes
/// nothing: what was read before holds.
package struct Followed<File: UserList>: Sendable {
  package let file: File
  package private(set) var contents = File.empty
  /// Why the file as it is now is not what holds; nil where it is.
  package private(set) var problem: UserFileProblem?

  package init(_ file: File) {
    self.file = file
    refresh()
  }

  /// Reads the file.
  ///
  /// - Returns: whether contents or problem have changed.
  @discardableResult package mutating func refresh() -> Bool {
    let before = (contents, problem)
    do {
      contents = try file.read()
      problem = nil
    } catch {
      problem = error
    }
    return before != (contents, problem)
  }
}
