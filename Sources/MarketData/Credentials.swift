import Config
package import Files
package import JSON

/// The user's secrets: what `{secret:name}` of a config is filled with.
///
/// A secret comes from `credentials.json` or, failing that, from one environment variable whose name is made of the
/// owner's and the secret's: no config can ask for any other.
package struct Credentials: Sendable {
  private let byOwner: [String: [String: String]]
  private let environment: @Sendable (String) -> String?

  /// - Parameter document: `{"OpenExchangeRates": {"app_id": ".."}}`; nil where the user has no such file.
  package init(_ document: JSONDocument?, environment: @escaping @Sendable (String) -> String?) {
    var byOwner: [String: [String: String]] = [:]
    for owner in document.map({ Array($0.root.members) }) ?? [] {
      for secret in owner.value.members {
        byOwner[owner.name, default: [:]][secret.name] = secret.value.string
      }
    }
    self.byOwner = byOwner
    self.environment = environment
  }

  package func secret(_ name: String, of owner: String) -> String? {
    guard let secret = byOwner[owner]?[name] ?? environment(SecretName.variable(name, of: owner)) else { return nil }
    SystemLimits.forbidCoreDumps()
    return secret
  }
}

/// `credentials.json` in the user's folder, as far as it can be used.
///
/// What is wrong with it never ends a run: only those who need a secret of it have to do without.
package struct CredentialsFile: Sendable {
  /// No text of the file is kept: it may be a secret.
  package enum Problem: Hashable, Sendable {
    case isFolder
    /// Others may read the file, so it is not used.
    case exposed(mode: UInt32)
    /// The file or its folder is another user's.
    case foreign(path: String)
    case unreadable(FileError)
    case syntax(SourcePosition)
    case notAnObject
    /// Others may put a file of their own in its place.
    case openFolder(path: String, mode: UInt32)
  }

  package let path: String
  /// The permissions; nil where there is no such file.
  package let mode: UInt32?
  package private(set) var document: JSONDocument?
  package private(set) var problems: [Problem] = []

  /// - Parameter folder: the user's own.
  package init(in folder: String) {
    path = "\(folder)/credentials.json"
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
    guard status.mode & 0o077 == 0 else { return }
    SystemLimits.forbidCoreDumps()
    do {
      let bytes = try FileSystem.read(path)
      do {
        let document = try JSONDocument(parsing: bytes)
        if document.root.kind == .object { self.document = document } else { problems.append(.notAnObject) }
      } catch {
        problems.append(.syntax(SourceMap(bytes).position(of: error.offset)))
      }
    } catch {
      problems.append(.unreadable(error))
    }
  }

  /// Every text in the file that may be a secret: never to be shown.
  package var values: [String] {
    var values: [String] = []
    func take(_ node: JSONNode) {
      if let text = node.string ?? node.numberText, text.utf8.count >= Self.shortest { values.append(text) }
      for element in node.elements { take(element) }
      for member in node.members { take(member.value) }
    }
    if let document { take(document.root) }
    return values
  }

  /// What is shorter is part of any word.
  private static let shortest = 6
}

extension CredentialsFile {
  /// A problem as a sentence, and what to do.
  package func explanation(of problem: Problem) -> (sentence: String, remedy: String) {
    switch problem {
    case .isFolder: ("\(path) is a folder", "put a file in its place")
    case .exposed(let mode):
      ("\(path) has the mode \(String(mode, radix: 8)): others can read it", "run: chmod 600 '\(path)'")
    case .foreign(let place): ("\(place) belongs to another user", "run: chown \"$USER\" '\(place)'")
    case .unreadable: ("\(path) cannot be read", "make yourself its owner")
    case .syntax(let place): ("\(path):\(place.line):\(place.column): not valid JSON", Self.form)
    case .notAnObject: ("\(path) is not a JSON object", Self.form)
    case .openFolder(let folder, let mode):
      ("\(folder) has the mode \(String(mode, radix: 8)): others can put files there", "run: chmod 700 '\(folder)'")
    }
  }

  private static let form = #"write it like {"OpenExchangeRates": {"app_id": "…"}}"#
}
