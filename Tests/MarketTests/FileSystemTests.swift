import Files
import Testing

@testable import market

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct FileSystemTests {
  @Test(arguments: [0, 1, 65_536, 65_537, 1_000_000])
  func writesAndReads(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try FileSystem.writeAtomically(bytes, to: path)
    #expect(try FileSystem.read(path) == bytes)
    #expect(folder.names == ["file"])
  }

  @Test func replacesAndKeepsPermissions() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    try FileSystem.writeAtomically([1], to: path, mode: 0o600)
    try FileSystem.writeAtomically([2, 3], to: path)
    #expect(try FileSystem.read(path) == [2, 3])
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func writesThroughLinks() throws {
    let folder = try TemporaryFolder()
    try FileSystem.writeAtomically([1], to: folder.path + "/file")
    #expect(symlink("file", folder.path + "/link") == 0)
    try FileSystem.writeAtomically([2], to: folder.path + "/link")
    #expect(try FileSystem.read(folder.path + "/file") == [2])
    var status = stat()
    #expect(lstat(folder.path + "/link", &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func refusesWhatIsTooLarge() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    try FileSystem.writeAtomically([UInt8](repeating: 0, count: 100), to: path)
    #expect(try FileSystem.read(path, limit: 100).count == 100)
    #expect(throws: FileError.tooLarge(path: path, limit: 99)) { try FileSystem.read(path, limit: 99) }
    #expect(throws: FileError.tooLarge(path: "/dev/zero", limit: 1_000_000)) {
      try FileSystem.read("/dev/zero", limit: 1_000_000)
    }
  }

  @Test func saysWhy() throws {
    let folder = try TemporaryFolder()
    #expect(throws: FileError.failed(.read, path: "/nowhere/x", reason: "No such file or directory")) {
      try FileSystem.read("/nowhere/x")
    }
    #expect(throws: FileError.failed(.read, path: folder.path, reason: "Is a directory")) {
      try FileSystem.read(folder.path)
    }
    #expect(throws: FileError.failed(.write, path: "/nowhere/x", reason: "No such file or directory")) {
      try FileSystem.writeAtomically([1], to: "/nowhere/x")
    }
    #expect(
      FileError.tooLarge(path: "x", limit: 5).description == "cannot read 'x': it is larger than 5 bytes")
  }

  @Test func userPaths() {
    let defaults = UserPaths(environment: Environment(["HOME": "/home/a"]))
    #expect(defaults.config == "/home/a/.config/market")
    #expect(defaults.cache == "/home/a/.cache/market")
    #expect(defaults.state == "/home/a/.local/state/market")
    let chosen = UserPaths(environment: Environment(["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "c"]))
    #expect(chosen.config == "/c/market")
    #expect(chosen.cache == "/h/.cache/market", "relative paths are invalid")
    #expect(UserPaths(environment: Environment([:])).config == nil)
  }
}
