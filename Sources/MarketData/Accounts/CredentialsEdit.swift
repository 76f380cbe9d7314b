import Config
package import Files
package import HTTP
package import JSON

/// Why `credentials.json` is not changed. No text of the file is in it.
package enum CredentialsEditProblem: Error, Sendable, Hashable {
  /// It is there and cannot be used as it is.
  case unusable([CredentialsFile.Problem])
  /// An owner or a secret stands in it twice, so nobody can say which one is meant.
  case repeated(SourcePosition)
  /// What stands under the owner's name is no object.
  case notAnObject(owner: String)
  case file(FileError)
}

/// A change of what `credentials.json` has for one owner.
package enum CredentialsEdit: Sendable {
  /// Puts texts in the place of what stands under their names, and leaves the others.
  case set([(name: String, secret: Secret)])
  /// Allows the requests of a fingerprint.
  case allow(String)
  /// Takes all of the owner's secrets away, and what was allowed.
  case remove
}

extension CredentialsFile {
  /// How often a change is tried again that another program came before.
  private static let tries = 8

  /// Changes the file and writes it anew, for its owner alone: of two programs that change it at once, both changes hold.
  ///
  /// - Parameter folder: the user's own; made where it is missing.
  /// - Returns: whether anything has changed.
  /// - Throws: also where the file cannot be understood, or others can read it: what the user has written is never
  ///   overwritten by a guess, and no secret is added to what is not private.
  @discardableResult package static func edit(
    _ owner: String, by edits: [CredentialsEdit], in folder: String
  ) throws(CredentialsEditProblem) -> Bool {
    SystemLimits.forbidCoreDumps()
    var problem = CredentialsEditProblem.file(.changed(path: "\(folder)/credentials.json"))
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
