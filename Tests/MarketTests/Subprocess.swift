import Files
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

private func unistdClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// A complete run of a program, such as the built `market`.
///
/// Input and output are files, so that no full pipe can stall the run.
struct Subprocess {
  let code: Int32
  let output: String
  let errorOutput: String

  struct CannotRun: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs the built `market`.
  ///
  /// - Parameter errorColumns: the width of the terminal used as standard error; nil for a file.
  init(
    market arguments: [String], input: String = "", environment: [String: String] = [:], errorColumns: UInt16? = nil
  ) throws {
    // The same time zone on every machine; `KST-9` needs no time zone files.
    try self.init(
      Self.market(), arguments, input: input, environment: environment.merging(["TZ": "KST-9"]) { own, _ in own },
      errorColumns: errorColumns)
  }

  init(
    _ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:],
    errorColumns: UInt16? = nil
  ) throws {
    let terminal = try errorColumns.map { try Terminal(columns: $0) }
    defer { terminal?.close() }
    let folder = try TemporaryFolder()
    let files = ["in", "out", "err"].map { "\(folder.path)/\($0)" }
    try FileSystem.writeAtomically(Array(input.utf8), to: files[0])

    var child = ChildProcess(variables: environment.map { "\($0.key)=\($0.value)" })
    child.input = .file(files[0], flags: O_RDONLY)
    child.output = .file(files[1], flags: O_WRONLY | O_CREAT)
    child.errorOutput = .file(terminal?.path ?? files[2], flags: O_WRONLY | (terminal == nil ? O_CREAT : O_NOCTTY))
    code = ChildProcess.wait(for: try child.start(program, arguments)).shellCode
    output = String(decoding: try FileSystem.read(files[1]), as: UTF8.self)
    errorOutput =
      try terminal?.written() ?? String(decoding: try FileSystem.read(files[2]), as: UTF8.self)
  }

  /// An unattended terminal, which buffers some kilobytes before it blocks the program.
  private struct Terminal {
    let path: String
    private let near: Int32
    /// The other end, kept open so that the output remains readable.
    private let far: Int32

    init(columns: UInt16) throws {
      near = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
      guard near >= 0, let path = Self.path(ofFarEnd: near) else { throw CannotRun(description: "no terminal") }
      self.path = path
      far = open(path, O_RDWR | O_NOCTTY)
      var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      guard far >= 0, ioctl(far, UInt(TIOCSWINSZ), &size) == 0 else {
        throw CannotRun(description: "no terminal '\(path)'")
      }
    }

    private static func path(ofFarEnd near: Int32) -> String? {
      #if canImport(Glibc)
        // Equivalent to `unlockpt` and `ptsname`, which glibc only declares for X/Open programs.
        var (lock, number): (Int32, Int32) = (0, 0)
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        guard ioctl(near, setLock, &lock) == 0, ioctl(near, getNumber, &number) == 0 else { return nil }
        return "/dev/pts/\(number)"
      #else
        guard grantpt(near) == 0, unlockpt(near) == 0, let name = ptsname(near) else { return nil }
        return String(cString: name)
      #endif
    }

    /// Returns everything written, with `\n` as converted by the terminal.
    func written() throws -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(near, &buffer, buffer.count)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
      }
    }

    func close() {
      for descriptor in [near, far] { _ = unistdClose(descriptor) }
    }
  }

  /// Returns the path of the built program, beside the test bundle or above it.
  static func market() throws -> String {
    guard let real = realpath(try bundle(), nil) else {
      throw CannotRun(description: "the bundle of the tests does not say where it lies")
    }
    defer { free(real) }
    var folder = String(cString: real)[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let candidate = "\(folder)/market"
      if FileSystem.isExecutable(candidate) { return candidate }
    }
    throw CannotRun(description: "no program 'market' above \(String(cString: real))")
  }

  /// Returns the file with the tests' code: on Linux the running program, on macOS a bundle loaded by another.
  private static func bundle() throws -> String {
    #if canImport(Glibc)
      return "/proc/self/exe"
    #else
      var information = Dl_info()
      guard dladdr(#dsohandle, &information) != 0, let name = information.dli_fname else {
        throw CannotRun(description: "the bundle of the tests has no name")
      }
      return String(cString: name)
    #endif
  }
}
