import Files
import Synchronization
import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that runs beside a test and prints lines, such as an independent server.
package final class BackgroundProgram: Sendable {
  package struct CannotRun: Error, CustomStringConvertible {
    package let description: String
  }

  /// The program's output, line by line, until it ends. For a single reader.
  package let lines: AsyncStream<String>
  /// The process; nil once it has been waited for.
  private let process: Mutex<pid_t?>

  /// - Parameters:
  ///   - name: searched for like in a shell. Its standard error is discarded.
  ///   - isJob: whether it is a job of its own, as in a shell, that can be stopped as by Ctrl-Z.
  package init(_ name: String, _ arguments: [String], isJob: Bool = false) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CannotRun(description: "no pipe") }
    let (output, input) = (ends[0], ends[1])
    defer { close(input) }
    _ = fcntl(output, F_SETFD, FD_CLOEXEC)
    var child = ChildProcess(variables: ChildProcess.ownVariables)
    child.output = .descriptor(input)
    // A group whose leader has a parent in another group: an orphaned group is never stopped (POSIX 11.1.4).
    child.membership = isJob ? .newGroup : .own
    let process: pid_t
    do {
      process = try child.start("/usr/bin/env", [name] + arguments)
    } catch {
      close(output)
      throw CannotRun(description: "\(name): \(error.reason)")
    }
    self.process = Mutex(process)
    let (lines, continuation) = AsyncStream<String>.makeStream()
    self.lines = lines
    // Reading blocks, which Swift's own threads must not.
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

  /// Returns the first line with that beginning; nil if the program ends without one.
  package func line(startingWith beginning: String) async -> String? {
    await lines.first { $0.hasPrefix(beginning) }
  }

  /// Suspends the program and waits until it has stopped; returns false if it has ended instead.
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

  /// Terminates the program and waits for it.
  package func stop() {
    process.withLock { process in
      guard let pid = process else { return }
      kill(pid, SIGKILL)
      ChildProcess.wait(for: pid)
      process = nil
    }
  }

  /// Runs a program to completion; returns whether it exists and succeeds.
  package static func succeeds(_ name: String, _ arguments: [String]) -> Bool {
    guard let program = try? BackgroundProgram(name, arguments) else { return false }
    return program.process.withLock { process in
      guard let pid = process else { return false }
      process = nil
      return ChildProcess.wait(for: pid) == .code(0)
    }
  }
  /// Writes a shell script that can be run at once.
  ///
  /// A file that any process has open for writing is not executed (ETXTBSY of execve(2)), and a program that another
  /// test starts meanwhile has this process's open files for a moment. So another process writes it.
  package static func writeScript(_ lines: String, to path: String) throws {
    let write = #"printf '#!/bin/sh\n%s\n' "$1" >"$0" && chmod 700 "$0""#
    guard succeeds("/bin/sh", ["-c", write, path, lines]) else {
      throw CannotRun(description: "cannot write the script '\(path)'")
    }
  }
}
