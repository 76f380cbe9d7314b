import Files
import TestSupport
import Testing

@testable import Shell

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

  @Test func refusesOversizedFiles() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/file"
    try FileSystem.writeAtomically([UInt8](repeating: 0, count: 100), to: path)
    #expect(try FileSystem.read(path, limit: 100).count == 100)
    #expect(throws: FileError.tooLarge(path: path, limit: 99)) { try FileSystem.read(path, limit: 99) }
    // No memory is taken for what will not be read.
    #expect(truncate(path, 1 << 40) == 0)
    #expect(throws: FileError.tooLarge(path: path, limit: FileSystem.defaultLimit)) { try FileSystem.read(path) }
    #expect(throws: FileError.tooLarge(path: "/dev/zero", limit: 1_000_000)) {
      try FileSystem.read("/dev/zero", limit: 1_000_000, from: .anything)
    }
  }

  /// Files found without being named never block the program: they are regular files, or not read.
  @Test func pipesAndLinks() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(throws: FileError.failed(.read, path: pipe, reason: "it is a pipe, not a file")) {
      try FileSystem.read(pipe)
    }
    #expect(throws: FileError.failed(.read, path: folder.path, reason: "Is a directory")) {
      try FileSystem.read(folder.path)
    }
    // It has no writer, so it is empty; a silent writer is given up on.
    #expect(try FileSystem.read(pipe, from: .promptPipe(milliseconds: 1)) == [])
    let writer = open(pipe, O_RDWR)
    defer { close(writer) }
    #expect(throws: FileError.failed(.read, path: pipe, reason: "nothing came through the pipe for 0 seconds")) {
      try FileSystem.read(pipe, from: .promptPipe(milliseconds: 1))
    }
    try FileSystem.writeAtomically([1], to: folder.path + "/file")
    let link = folder.path + "/link"
    #expect(symlink("file", link) == 0)
    #expect(try FileSystem.read(link) == [1])
    #expect(throws: FileError.failed(.read, path: link, reason: "it is a link")) {
      try FileSystem.read(link, from: .ownFile)
    }
  }

  /// Leftovers of a killed run are removed by the next edit; recent ones may belong to another run.
  @Test func leftoversAreRemoved() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.json"
    try FileSystem.writeAtomically([1], to: path)
    for name in ["a.json.abcdefgh.market-tmp", "a.json.young678.market-tmp", "a.json.original", "a.json.a.market-tmp"] {
      try FileSystem.writeAtomically([2], to: "\(folder.path)/\(name)")
      guard !name.contains("young") else { continue }
      let old = [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 1000, tv_usec: 0)]
      #expect(utimes("\(folder.path)/\(name)", old) == 0)
    }
    try FileSystem.replace([1], with: [3], at: path)
    #expect(
      folder.names == ["a.json", "a.json.a.market-tmp", "a.json.original", "a.json.young678.market-tmp"])
  }

  @Test func failuresHaveReasons() throws {
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
    for variables in [[:], ["HOME": ""], ["HOME": "relative"]] {
      #expect(UserPaths(environment: Environment(variables)).config == nil)
    }
    #expect(
      UserPaths.absence(of: "XDG_CONFIG_HOME") == "neither HOME nor XDG_CONFIG_HOME is set to an absolute path")
  }
}
