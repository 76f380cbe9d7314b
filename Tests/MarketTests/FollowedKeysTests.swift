import Files
import MarketData
import TestSupport
import Testing

@testable import Watching

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The key file of a live screen, however it is edited.
@Suite struct FollowedKeysTests {
  private static let text = #"{"Alpha": {"apiKey": "made-up-key"}}"#
  private static let other = #"{"Alpha": {"apiKey": "other-key-1"}}"#

  enum Edit: CaseIterable {
    case none, rewritten, inPlace, replaced, exposed, cut, removed
  }

  /// Writes a text into the file as it is.
  private static func overwrite(_ path: String, _ text: String) throws {
    let file = try #require(fopen(path, "r+"))
    #expect(fputs(text, file) >= 0 && fclose(file) == 0)
  }

  /// Edits the file at a path, and gives it the time that it had before, as a copy may.
  private static func make(_ edit: Edit, at path: String) throws {
    switch edit {
    case .none: break
    case .rewritten: try FileSystem.writeAtomically(Array(text.utf8), to: path, mode: 0o600)
    case .inPlace: try overwrite(path, other)
    case .replaced: try FileSystem.writeAtomically(Array(other.utf8), to: path, mode: 0o600)
    case .exposed: #expect(chmod(path, 0o644) == 0)
    case .cut: #expect(truncate(path, 1) == 0)
    case .removed: #expect(unlink(path) == 0)
    }
    if edit != .removed { keepTime(path) }
  }

  private static func keepTime(_ path: String) {
    let moment = timeval(tv_sec: 1_700_000_000, tv_usec: 0)
    #expect(utimes(path, [moment, moment]) == 0)
  }

  /// What cannot be used changes nothing, and is a problem until it can be.
  @Test(
    arguments: zip(
      Edit.allCases, ["made-up-key", "made-up-key", "other-key-1", "other-key-1", "made-up-key", "made-up-key", nil]))
  func everyEditIsNoticed(_ edit: Edit, _ key: String?) throws {
    let folder = try TemporaryFolder()
    let path = CredentialsFile.path(in: folder.path)
    try FileSystem.writeAtomically(Array(Self.text.utf8), to: path, mode: 0o600)
    Self.keepTime(path)
    var keys = FollowedKeys(in: folder.path)
    #expect(keys.file?.values == ["made-up-key"] && keys.problem == nil)
    try Self.make(edit, at: path)
    let isNoticed = keys.refresh()
    #expect(isNoticed == (edit != .none))
    #expect(keys.file?.values == [key].compactMap(\.self))
    #expect((keys.problem != nil) == [.exposed, .cut].contains(edit))
    let isOtherEdit = keys.refresh()
    #expect(!isOtherEdit)
  }
}
