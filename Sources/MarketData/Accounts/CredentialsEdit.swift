import Config
package import Files
package import HTTP
package import JSON

/// Why `credentials.json` was not changed. Contains no text of the file.
package enum CredentialsEditProblem: Error, Sendable, Hashable {
  /// The file exists but is not usable.
  case unusable([CredentialsFile.Problem])
  /// An owner or a secret occurs twice, so it is ambiguous which one is meant.
  case repeated(SourcePosition)
  /// The value of the owner is not an object.
  case notAnObject(owner: String)
  case file(FileError)
}

/// A change to one owner's entry in `credentials.json`.
package enum CredentialsEdit: Sendable {
  /// Sets the secrets with these names, and keeps all others.
  case set([(name: String, secret: Secret)])
  /// Allows the requests with this fingerprint.
  case allow(String)
  /// Removes all secrets of the owner, and what was allowed.
  case remove
}

extension CredentialsFile {
  /// How often to try a change that conflicts with another program's.
  private static let tries = 8

  /// Changes and writes the file atomically, accessible only to its owner; concurrent changes are both kept.
  ///
  /// - Parameter folder: The user's own folder, created if missing.
  /// - Returns: Whether anything has changed.
  /// - Throws: Also if the file cannot be parsed or others can read it: the user's text is never overwritten by a
  ///   guess, and no secret is added to a file that is not private.
  @discardableResult package static func edit(
    _ owner: String, by edits: [CredentialsEdit], in folder: String
  ) throws(CredentialsEditProblem) -> Bool {
    SystemLimits.forbidCoreDumps()
    var problem = CredentialsEditProblem.file(.changed(path: path(in: folder)))
    for _ in 0..<tries {
      let file = CredentialsFile(in: folder)
      if file.mode != nil, file.document == nil { throw .unusable(file.problems) }
      if let twice = file.document?.root.duplicateMembers().first, let bytes = file.document?.bytes {
        throw .repeated(SourceMap(bytes).position(of: twice.byteRange.lowerBound))
      }
      let old = file.document?.bytes
      let new = try changed(old ?? Array("{\n}\n".utf8), owner, edits)
      guard new != (old ?? []), old != nil || edits.contains(where: \.adds) else { return false }
      do throws(FileError) {
        if old == nil { try FileSystem.createFolder(folder) }
        try FileSystem.replace(old, with: new, at: file.path, mode: 0o600)
        return true
      } catch {
        problem = .file(error)
        guard case .changed = error else { throw problem }
      }
    }
    throw problem
  }

  private static func changed(
    _ bytes: [UInt8], _ owner: String, _ edits: [CredentialsEdit]
  ) throws(CredentialsEditProblem) -> [UInt8] {
    do {
      var editor = try ConfigEditor(bytes)
      for edit in edits {
        switch edit {
        case .set(let secrets):
          for (name, secret) in secrets { try editor.setMember(name, of: [owner], to: .text(secret.revealed)) }
        case .allow(let fingerprint):
          try editor.setMember(StoredKeys.allowedName, of: [owner], to: .text(fingerprint))
        case .remove: try editor.removeMember(owner, of: [])
        }
      }
      return editor.bytes
    } catch {
      throw .notAnObject(owner: owner)
    }
  }
}

extension CredentialsEdit {
  fileprivate var adds: Bool { if case .remove = self { false } else { true } }
}
