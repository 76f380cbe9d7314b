import Files
package import HTTP

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that prints a secret: the system's keychain, `pass`, `op` and the like.
///
/// It runs without a shell, in its own process group and without input. Its standard error is discarded, as it may
/// contain anything.
package struct SecretProgram: Sendable {
  /// The time limit before it is killed: enough to unlock a keychain.
  package static let patience = Duration.seconds(60)
  /// The maximum size of the first line in bytes; no key is that long.
  static let maximumLineLength = 8 << 10
  /// The maximum size of the entire output in bytes; anything after the first line is ignored.
  static let maximumOutputLength = 1 << 20

  private let words: [String]
  private let environment: @Sendable (String) -> String?

  /// - Parameters:
  ///   - words: The program and its arguments, as in `credentials.json`.
  ///   - environment: Looks up `PATH`.
  package init(_ words: [String], environment: @escaping @Sendable (String) -> String?) {
    (self.words, self.environment) = (words, environment)
  }

  /// Why there is no secret. Contains no output of the program.
  package enum Problem: Error, Hashable, Sendable {
    case noSuchProgram(String)
    case cannotRun(String, reason: String)
    case tookTooLong(String, seconds: Int64)
    case printedTooMuch(String)
    case printedNothing(String)
    case notText(String)
    case failed(String, code: Int32)
    case killed(String, signal: Int32)
  }

  /// Returns the first line that the program prints, without its line break.
  ///
  /// - Throws: Also if the program fails after printing something, as that may be half a secret or an error message.
  package func firstLine(within patience: Duration = patience) throws(Problem) -> Secret {
    let name = words.first ?? ""
    guard let path = path(of: name) else { throw .noSuchProgram(name) }
    SystemLimits.forbidCoreDumps()
    let run = try Run(path, words)
    var output = Output()
    let end = ContinuousClock.now + patience
    var ending: ChildProcess.Ending?
    // Wait for the program, not for the end of its output: a process it left running may keep that open forever.
    while ending == nil {
      guard ContinuousClock.now < end else {
        run.kill()
        throw .tookTooLong(name, seconds: patience.components.seconds)
      }
      run.fill(&output, waiting: true)
      if output.isTooLong {
        run.kill()
        throw .printedTooMuch(name)
      }
      ending = run.ending()
    }
    run.fill(&output, waiting: false)
    run.stopReading()
    switch ending {
    case .signal(let number)?: throw .killed(name, signal: number)
    case .code(let code)? where code != 0: throw .failed(name, code: code)
    case .code?, nil: break
    }
    if output.isTooLong { throw .printedTooMuch(name) }
    guard let line = String(validating: output.line, as: UTF8.self) else { throw .notText(name) }
    guard !line.isEmpty else { throw .printedNothing(name) }
    return Secret(line)
  }

  /// Searches only the absolute folders of `PATH`, as for other programs: a program that happens to be in the working
  /// directory must not be asked for a secret.
  private func path(of name: String) -> String? {
    if name.contains("/") { return name.hasPrefix("/") && FileSystem.isExecutable(name) ? name : nil }
    guard !name.isEmpty else { return nil }
    let folders = (environment("PATH") ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    return folders.lazy.map { "\($0)/\(name)" }.first(where: FileSystem.isExecutable)
  }

  /// The output so far.
  fileprivate struct Output {
    private(set) var line: [UInt8] = []
    private var hasLine = false
    private var count = 0

    mutating func take(_ bytes: ArraySlice<UInt8>) {
      count += bytes.count
      guard !hasLine else { return }
      let end = bytes.firstIndex(of: 0x0A)
      hasLine = end != nil
      line += bytes[..<(end ?? bytes.endIndex)]
      // Also accept CRLF line endings.
      if hasLine, line.last == 0x0D { line.removeLast() }
    }

    var isTooLong: Bool { line.count > SecretProgram.maximumLineLength || count > SecretProgram.maximumOutputLength }
  }

  /// The running program.
  private final class Run {
    private let process: pid_t
    private var output: Int32

    init(_ path: String, _ words: [String]) throws(Problem) {
      let name = words.first ?? ""
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw .cannotRun(name, reason: String(cString: strerror(errno))) }
      let (output, input) = (ends[0], ends[1])
      defer { close(input) }
      for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      _ = fcntl(output, F_SETFL, O_NONBLOCK)
      // Keep our other secrets from the program.
      var child = ChildProcess(variables: ChildProcess.ownVariables.filter { !$0.hasPrefix("MARKET_") })
      child.output = .descriptor(input)
      child.membership = .newGroup
      do {
        process = try child.start(path, Array(words.dropFirst()))
      } catch {
        close(output)
        throw .cannotRun(name, reason: error.reason)
      }
      self.output = output
    }

    deinit { stopReading() }

    /// Reads the available output.
    ///
    /// - Parameter waiting: Whether to wait some milliseconds for output.
    func fill(_ output: inout Output, waiting: Bool) {
      guard self.output >= 0 else {
        if waiting { _ = poll(nil, 0, 5) }
        return
      }
      var waited = pollfd(fd: self.output, events: Int16(POLLIN), revents: 0)
      guard poll(&waited, 1, waiting ? 10 : 0) > 0 else { return }
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while !output.isTooLong {
        let count = read(self.output, &buffer, buffer.count)
        if count == 0 { return stopReading() }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        output.take(buffer[..<count])
      }
    }

    func ending() -> ChildProcess.Ending? { ChildProcess.ending(of: process) }

    /// Kills the program and what it has started in its group.
    func kill() {
      killpg(process, SIGKILL)
      ChildProcess.wait(for: process)
      stopReading()
    }

    func stopReading() {
      if output >= 0 { close(output) }
      output = -1
    }
  }
}

extension SecretProgram.Problem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSuchProgram(let name): "no program '\(name)' in PATH"
    case .cannotRun(let name, let reason): "'\(name)' cannot be run: \(reason)"
    case .tookTooLong(let name, let seconds): "'\(name)' did not respond within \(seconds) seconds"
    case .printedTooMuch(let name): "'\(name)' printed too much for a secret"
    case .printedNothing(let name): "'\(name)' printed nothing"
    case .notText(let name): "'\(name)' printed something that is not text"
    case .failed(let name, let code): "'\(name)' failed with \(code)"
    case .killed(let name, let signal): "'\(name)' was killed by signal \(signal)"
    }
  }
}
