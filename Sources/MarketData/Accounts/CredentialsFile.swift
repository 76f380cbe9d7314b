package import Files
package import HTTP
package import JSON

/// The usable contents of `credentials.json` in the user's folder.
///
/// Problems with it never end a run: only what needs one of its secrets has to do without.
package struct CredentialsFile: Sendable {
  /// A problem with the file. Contains no text of it, as that may be a secret.
  package enum Problem: Hashable, Sendable {
    case isFolder
    /// Others can read the file, so it is not used.
    case exposed(mode: UInt32)
    /// The file or its folder belongs to another user.
    case foreign(path: String)
    case unreadable(FileError)
    case syntax(SourcePosition)
    /// Editors on Windows add it; it cannot be seen.
    case byteOrderMark
    case notAnObject
    /// Others could replace the file with their own.
    case openFolder(path: String, mode: UInt32)
  }

  package let path: String
  /// The permissions; nil if there is no such file.
  package let mode: UInt32?
  package private(set) var document: JSONDocument?
  package private(set) var problems: [Problem] = []

  package static func path(in folder: String) -> String { "\(folder)/credentials.json" }

  /// - Parameter folder: The user's own folder.
  package init(in folder: String) {
    path = Self.path(in: folder)
    let status = FileStatus(path)
    mode = status?.mode
    guard let status else { return }
    guard !status.isFolder else {
      problems = [.isFolder]
      return
    }
    if let above = FileStatus(folder) {
      if !above.isOwnedByCaller { problems.append(.foreign(path: folder)) }
      if above.mode & 0o002 != 0 { problems.append(.openFolder(path: folder, mode: above.mode)) }
    }
    if !status.isOwnedByCaller { problems.append(.foreign(path: path)) }
    if status.mode & 0o077 != 0 { problems.append(.exposed(mode: status.mode)) }
    // Whoever can write the file chooses the programs that it runs.
    guard status.isOwnedByCaller, status.mode & 0o077 == 0 else { return }
    SystemLimits.forbidCoreDumps()
    do {
      let bytes = try FileSystem.read(path)
      do {
        let document = try JSONDocument(parsing: bytes)
        if document.root.kind == .object { self.document = document } else { problems.append(.notAnObject) }
      } catch {
        let isMark = error.problem == .byteOrderMark
        problems.append(isMark ? .byteOrderMark : .syntax(SourceMap(bytes).position(of: error.offset)))
      }
    } catch {
      problems.append(.unreadable(error))
    }
  }

  /// Every text in the file that may be a secret and must never be shown. Excludes the words of programs that print
  /// secrets, and the allowed fingerprints.
  package var values: [String] {
    var values: [String] = []
    func take(_ node: JSONNode) {
      if let text = node.string ?? node.numberText, text.utf8.count >= Self.shortest { values.append(text) }
      for element in node.elements { take(element) }
      for member in node.members where !StoredKeys.isPublic(member.name, member.value) { take(member.value) }
    }
    if let document { take(document.root) }
    return values
  }

  /// The stored keys of all owners, in the order of the file. An owner that occurs twice has one entry with the secrets
  /// of both; of two secrets with one name the last counts.
  package var owners: [StoredKeys] { document.map(StoredKeys.all) ?? [] }

  /// Shorter texts would occur in ordinary words.
  private static let shortest = 6
}

extension CredentialsFile: Equatable {
  /// Whether both have the same text and problems.
  package static func == (left: CredentialsFile, right: CredentialsFile) -> Bool {
    left.path == right.path && left.mode == right.mode && left.document?.bytes == right.document?.bytes
      && left.problems == right.problems
  }
}

extension CredentialsFile {
  /// Returns a problem as a sentence, and its remedy.
  package func explanation(of problem: Problem) -> (sentence: String, remedy: String) {
    switch problem {
    case .isFolder: ("\(path) is a folder", "put a file in its place")
    case .exposed(let mode):
      ("\(path) has mode \(String(mode, radix: 8)): others can read it", "run: chmod 600 '\(path)'")
    case .foreign(let place): ("\(place) belongs to another user", "run: chown \"$USER\" '\(place)'")
    case .unreadable(let error): ("\(error)", "put a file of your own with mode 600 in its place")
    case .syntax(let place): ("\(path):\(place.line):\(place.column): not valid JSON", Self.form)
    case .byteOrderMark: ("\(path) begins with a byte order mark", "save the file as UTF-8 without it")
    case .notAnObject: ("\(path) is not a JSON object", Self.form)
    case .openFolder(let folder, let mode):
      ("\(folder) has mode \(String(mode, radix: 8)): others can put files there", "run: chmod 700 '\(folder)'")
    }
  }

  private static let form = #"write it like {"OpenExchangeRates": {"app_id": "…"}}"#
}

/// The entry of one owner in `credentials.json`: an exchange or a rate provider.
package struct StoredKeys: Sendable {
  /// Where a secret comes from.
  package enum Source: Sendable, Hashable {
    case text(Secret)
    /// The first line that a program prints; none of the program's words is a secret.
    case program([String])
    /// Neither of them.
    case malformed
  }

  package let owner: String
  /// In the order of the file.
  package fileprivate(set) var secrets: [(name: String, source: Source)] = []
  /// The fingerprint of the requests that the user has allowed.
  package internal(set) var allowed: String?
  /// Whether the entry is not an object, so that it has no secrets, whatever it contains.
  package fileprivate(set) var isMalformed = false

  init(owner: String) { self.owner = owner }

  mutating func set(_ name: String, _ source: Source) {
    secrets.removeAll { $0.name == name }
    secrets.append((name, source))
  }

  package subscript(name: String) -> Source? { secrets.last { $0.name == name }?.source }

  /// Whether it has any secret, usable or not; an empty text is none.
  var hasSecrets: Bool {
    secrets.contains { secret in
      if case .text(let text) = secret.source { !text.revealed.isEmpty } else { true }
    }
  }

  /// The member of an owner that is not a secret.
  package static let allowedName = "allow"
  package static let programName = "command"

  fileprivate static func isPublic(_ name: String, _ value: JSONNode) -> Bool {
    name == allowedName && value.kind == .string || name == programName && value.kind == .array
  }

  fileprivate static func all(in document: JSONDocument) -> [StoredKeys] {
    var found: [StoredKeys] = []
    for owner in document.root.members {
      let index = found.firstIndex { $0.owner == owner.name } ?? found.count
      if index == found.count { found.append(StoredKeys(owner: owner.name)) }
      if owner.value.kind != .object { found[index].isMalformed = true }
      for member in owner.value.members {
        if member.name == allowedName {
          found[index].allowed = member.value.string
        } else {
          found[index].set(member.name, Source(member.value))
        }
      }
    }
    return found
  }
}

extension StoredKeys: Equatable {
  package static func == (left: StoredKeys, right: StoredKeys) -> Bool {
    left.owner == right.owner && left.allowed == right.allowed
      && left.secrets.elementsEqual(right.secrets) { $0 == $1 }
  }
}

extension StoredKeys.Source {
  fileprivate init(_ value: JSONNode) {
    if let text = value.string {
      self = .text(Secret(text))
    } else if value.count == 1, let words = value[StoredKeys.programName], words.kind == .array, words.count > 0,
      !words.elements.contains(where: { $0.string == nil })
    {
      self = .program(words.elements.compactMap(\.string))
    } else {
      self = .malformed
    }
  }
}
