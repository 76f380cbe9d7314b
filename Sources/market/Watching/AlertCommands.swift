import MarketData
import Transport
import Views

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the commands of alerts, one after the other.
///
/// A command is the user's own text and nothing else: what exchanges say is in its environment at most. It has no terminal, and
/// ten seconds.
final class AlertCommands: Sendable {
  private struct Job {
    let command: String
    let variables: [(name: String, value: String)]
  }

  private let jobs: AsyncStream<Job>.Continuation
  private let worker: Task<Void, Never>

  private static let seconds = 10
  /// More than these do not wait: what is so slow is told of the first.
  private static let mostWaiting = 16

  init() {
    let (stream, jobs) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
    self.jobs = jobs
    worker = Task {
      for await job in stream {
        await withCheckedContinuation { continuation in
          // Waiting for a process blocks, and Swift's own threads must not.
          let thread = SystemThread {
            Self.run(job)
            continuation.resume()
          }
          guard let thread else { return continuation.resume() }
          thread.detach()
        }
      }
    }
  }

  func run(_ command: String, _ firing: AlertFiring) {
    jobs.yield(Job(command: command, variables: firing.environment))
  }

  /// Waits for those that are under way.
  func finish() async {
    jobs.finish()
    await worker.value
  }

  private static func run(_ job: Job) {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      // POSIX_SPAWN_SETSID, which glibc shows to its own extensions alone.
      let newSession: Int16 = 0x80
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let newSession = Int16(POSIX_SPAWN_SETSID)
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for descriptor in 0...2 as ClosedRange<Int32> {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    // The thread blocks signals, and the program ignores SIGPIPE: neither is for the command.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    let own = Set(job.variables.map(\.name))
    var inherited: [String] = []
    var place = environ
    while let variable = place.pointee {
      let text = String(cString: variable)
      if !own.contains(String(text.prefix { $0 != "=" })) { inherited.append(text) }
      place += 1
    }
    let texts: [String] = ["sh", "-c", job.command]
    var words = texts.map { strdup($0) } + [nil]
    var variables = (inherited + job.variables.map { "\($0.name)=\($0.value)" }).map { strdup($0) } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    guard posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, &variables) == 0 else { return }
    for _ in 0..<seconds * 50 {
      if waitpid(process, nil, WNOHANG) != 0 { return }
      _ = poll(nil, 0, 20)
    }
    // Its session, so that what it has started ends too.
    kill(-process, SIGKILL)
    _ = waitpid(process, nil, 0)
  }
}
