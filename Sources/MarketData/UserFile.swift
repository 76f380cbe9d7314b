package import Files
import JSON

/// A small file of the user next to the config, such as the favourites. Read as a whole and written atomically, so that
/// concurrent changes by two programs are both kept.
package protocol UserList: Sendable {
  associatedtype Contents: Equatable, Sendable

  /// The contents if there is no file.
  static var empty: Contents { get }

  var path: String { get }

  /// Parses the text of the file.
  func contents(of bytes: [UInt8]) throws(UserFileProblem) -> Contents

  /// Returns the text of the file.
  func bytes(of contents: Contents) -> [UInt8]
}

extension UserList {
  /// The maximum number of bytes to read.
  private static var limit: Int { 1 << 20 }
  /// How often to try a change that conflicts with another program's.
  private static var tries: Int { 8 }

  package func read() throws(UserFileProblem) -> Contents { try bytes().map(contents) ?? Self.empty }

  private func bytes() throws(UserFileProblem) -> [UInt8]? {
    do throws(FileError) {
      return FileSystem.isAbsent(path) ? nil : try FileSystem.read(path, limit: Self.limit)
    } catch {
      throw .file(error)
    }
  }

  /// Changes and writes the contents.
  ///
  /// - Parameter change: Returns whether it changed anything; if not, nothing is written. Called again if another
  ///   program changed the file first.
  /// - Returns: The resulting contents.
  /// - Throws: Also if the file cannot be parsed, as the user's text is never overwritten, or could not be afterwards.
  @discardableResult package func update(
    _ change: (inout Contents) -> Bool
  ) throws(UserFileProblem) -> Contents {
    var problem = FileError.changed(path: path)
    for _ in 0..<Self.tries {
      let old = try bytes()
      var list = try old.map(contents) ?? Self.empty
      guard change(&list) else { return list }
      let new = bytes(of: list)
      // What cannot be read again would cost all that is in the file.
      guard new.count <= Self.limit else { throw .unacceptable("it has more than \(Self.limit) bytes") }
      do throws(UserFileProblem) {
        _ = try contents(of: new)
      } catch {
        throw error.ofChange
      }
      do throws(FileError) {
        if old == nil { try FileSystem.createFolder(ofFile: path) }
        try FileSystem.replace(old, with: new, at: path)
        return list
      } catch {
        problem = error
        guard case .changed = error else { throw .file(problem) }
      }
    }
    throw .file(problem)
  }
}

/// Why a user's file cannot be read or written.
package enum UserFileProblem: Error, Sendable, Hashable {
  /// The file exists but cannot be parsed: where and why.
  case unreadable(String)
  /// A change was not made because the file could not be parsed afterwards: why.
  case unacceptable(String)
  case file(FileError)

  /// The same, found in what was to be written.
  fileprivate var ofChange: UserFileProblem {
    if case .unreadable(let reason) = self { .unacceptable(reason) } else { self }
  }

  /// Returns an explanation for the user.
  package func sentence(of path: String) -> String {
    switch self {
    case .unreadable(let reason): "\(path) is invalid, so it is not used: \(reason)"
    case .unacceptable(let reason): "\(path) was not changed; it would become invalid: \(reason)"
    case .file(let error): "\(error)"
    }
  }

  /// Returns the elements of a file that is a JSON array with a maximum length.
  ///
  /// - Parameters:
  ///   - kind: The type of the elements.
  ///   - noun: What the elements are called in messages.
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

/// The contents of a user's file in a live view, read again when it has changed. If it becomes unreadable, the previous
/// contents remain in effect.
package struct Followed<File: UserList>: Sendable {
  package let file: File
  package private(set) var contents = File.empty
  /// Why the current file is not in effect; nil if it is.
  package private(set) var problem: UserFileProblem?

  /// The problem as an explanation for the user.
  package var sentence: String? { problem?.sentence(of: file.path) }

  package init(_ file: File) {
    self.file = file
    refresh()
  }

  /// Reads the file.
  ///
  /// - Returns: Whether the contents or the problem have changed.
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
