import Synchronization
import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that runs beside a test, such as a server that is not ours, and prints lines.
package final class BackgroundProgram: Sendable {
  package struct CannotRun: Error, CustomStringConvertible {
    package let description: String
  }

  /// What it prints, line by line, to its end. For one reader.
  package let lines: AsyncStream<String>
  /// nil once it has been waited for.
  private let process: Mutex<pid_t?>

  /// - Parameters:
  ///   - name: looked for as a shell does. What it says on standard error goes nowhere.
  ///   - isJob: whether it is a job of its own, as a shell has it: with no signals blocked, and to be stopped as Ctrl-Z does.
  package init(_ name: String, _ arguments: [String], isJob: Bool = false) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CannotRun(description: "no pipe") }
    let (output, input) = (ends[0], ends[1])
    defer { close(input) }
    _ = fcntl(output, F_SETFD, FD_CLOEXEC)
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if isJob {
      var signals = sigset_t()
      sigfillset(&signals)
      posix_spawnattr_setsigdefault(&attributes, &signals)
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      // A group whose leader has a parent in another one: an orphaned group is never stopped (POSIX 11.1.4).
      let flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETPGROUP)
      posix_spawnattr_setflags(&attributes, Int16(flags))
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, input, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var words = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let problem = posix_spawnp(&process, name, &actions, &attributes, &words, environ)
    guard problem == 0 else {
      close(output)
      throw CannotRun(description: "\(name): \(String(cString: strerror(problem)))")
    }
    self.process = Mutex(process)
    let (lines, continuation) = AsyncStream<String>.makeStream()
    self.lines = lines
    // Reading waits, and Swift's own threads must not.
    let reader = SystemThread {
      var rest: [UInt8] = []
      var part = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(output, &part, part.count)
        if count <= 0 { break }
        rest += part[..<count]
        while let end = rest.firstIndex(of: 10) {
          continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeFirst(end + 1)
        }
      }
      close(output)
      continuation.finish()
    }
    reader?.detach()
  }

  deinit { stop() }

  /// The first line that begins so; nil where the program ends without one.
  package func line(startingWith beginning: String) async -> String? {
    await lines.first { $0.hasPrefix(beginning) }
  }

  /// Stops the program where it stands, and waits until it does; false where it has ended instead.
  package func suspend(by signal: Int32) -> Bool {
    process.withLock { process in
      guard let pid = process, kill(pid, signal) == 0 else { return false }
      var status: Int32 = 0
      while waitpid(pid, &status, WUNTRACED) < 0 { if errno != EINTR { return false } }
      let isStopped = status & 0xFF == 0x7F
      if !isStopped { process = nil }
      return isStopped
    }
  }

  package func resume() {
    process.withLock { process in if let process { kill(process, SIGCONT) } }
  }

  /// Ends the program, and waits for that.
  package func stop() {
    process.withLock { process in
      guard let pid = process else { return }
      // Nothing gentler: a program that one of Swift's threads has started blocks signals, as those do.
      kill(pid, SIGKILL)
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      process = nil
    }
  }

  /// Runs a program to its end; whether it is there and succeeds.
  package static func succeeds(_ name: String, _ arguments: [String]) -> Bool {
    guard let program = try? BackgroundProgram(name, arguments) else { return false }
    return program.process.withLock { process in
      guard let pid = process else { return false }
      process = nil
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      return status == 0
    }
  }
}
