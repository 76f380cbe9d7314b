import Files
import MarketData
import Quotes
import Synchronization
import Transport
import Views

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the commands of alerts, one at a time.
///
/// A command consists of the user's own text only; data from exchanges is passed in its environment at most. It has no
/// terminal, and a session of its own that ends after ten seconds, whether this program is still there or not.
final class AlertCommands: Sendable {
  private struct Job {
    let command: String
    let rule: AlertRule
    let variables: [(name: String, value: String)]
  }

  private struct Load {
    /// The command under way, and its start.
    var running: (command: String, start: ContinuousClock.Instant)?
    var waiting = 0
    /// Whether no more commands are started.
    var isLeft = false
    /// Whether the user has been told of the waiting at the end.
    var isTold = false
  }

  private let jobs: AsyncStream<Job>.Continuation
  private let worker: Task<Void, Never>
  private let load: SharedMutex<Load>
  private let ended: @Sendable (AlertRule, AlertCommandProblem?) async -> Void

  private static let seconds = 10
  /// The maximum number of waiting jobs; later ones are dropped while commands are this slow.
  private static let maximumWaiting = 16

  /// - Parameter ended: Called after each command, with the reason if it failed.
  init(ended: @escaping @Sendable (AlertRule, AlertCommandProblem?) async -> Void) {
    let (stream, jobs) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    let load = SharedMutex(Load())
    (self.jobs, self.load, self.ended) = (jobs, load, ended)
    worker = Task {
      for await job in stream {
        let isWanted = load.value.withLock { load in
          guard !load.isLeft else { return false }
          (load.running, load.waiting) = ((job.command, .now), load.waiting - 1)
          return true
        }
        guard isWanted else { return }
        // Waiting for a process blocks, which Swift's own threads must not.
        let problem = await SystemThread.value { Self.run(job) } ?? .cannotStart("no thread")
        load.value.withLock { $0.running = nil }
        await ended(job.rule, problem)
      }
    }
  }

  func run(_ command: String, _ firing: AlertFiring) {
    load.value.withLock { $0.waiting += 1 }
    if case .enqueued = jobs.yield(Job(command: command, rule: firing.rule, variables: firing.environment)) { return }
    load.value.withLock { $0.waiting -= 1 }
    let (ended, rule) = (ended, firing.rule)
    Task { await ended(rule, .tooManyWaiting(Self.maximumWaiting)) }
  }

  /// How long to wait for commands before saying so.
  private static let silentMilliseconds = 1000

  /// Waits for the commands under way and those waiting.
  ///
  /// - Parameter note: Tells the user, if it takes a while.
  func finish(_ note: @escaping @Sendable (String) -> Void) async {
    jobs.finish()
    let noting = Task { [load] in
      guard (try? await Task.sleep(for: .milliseconds(Self.silentMilliseconds))) != nil,
        let running = load.value.withLock({ load in
          defer { load.isTold = true }
          return load.isTold ? nil : load.running
        })
      else { return }
      note("waiting for the command of an alert: \(running.command)")
    }
    await worker.value
    noting.cancel()
  }

  /// Takes no more commands, and waits for none.
  ///
  /// - Returns: What the user should know: a command that goes on, commands that have not been started.
  func leave() -> [String] {
    jobs.finish()
    // The worker starts no command from here on, so that what is said of those waiting is true.
    let load = load.value.withLock { load in
      load.isLeft = true
      return load
    }
    var notes: [String] = []
    if let (command, start) = load.running {
      let rest = max(1, Self.seconds - Int((ContinuousClock.now - start).components.seconds))
      notes.append("the command of an alert is still running, for \(rest) s at most: \(command)")
    }
    if load.waiting > 0 {
      let are = load.waiting == 1 ? "was waiting and is" : "were waiting and are"
      notes.append("\(load.waiting.counted("more command", plural: "more commands")) \(are) not run")
    }
    return notes
  }

  /// Runs the command `$1` in a shell, and ends the whole session after `$2` seconds.
  private static let script = """
    (trap 'kill $!; exit' TERM; sleep "$2" & wait $! && kill -KILL 0) &
    /bin/sh -c "$1"
    code=$?
    kill $!
    exit $code
    """

  /// Returns why the command failed; nil if it did not.
  private static func run(_ job: Job) -> AlertCommandProblem? {
    let own = Set(job.variables.map(\.name))
    let inherited = ChildProcess.ownVariables.filter { variable in
      let name = String(variable.prefix { $0 != "=" })
      // The others are secrets.
      return !own.contains(name) && (!name.hasPrefix("MARKET_") || name == "MARKET_CONFIG")
    }
    var child = ChildProcess(variables: inherited + job.variables.map { "\($0.name)=\($0.value)" })
    child.membership = .newSession
    let process: pid_t
    do throws(ChildProcess.CannotStart) {
      process = try child.start("/bin/sh", ["-c", script, "sh", job.command, "\(seconds)"])
    } catch {
      return .cannotStart(error.reason)
    }
    for _ in 0..<seconds * 50 {
      if let ending = ChildProcess.ending(of: process) { return problem(ending) }
      _ = poll(nil, 0, 20)
    }
    // Kill its whole session, so that the processes it has started end too.
    kill(-process, SIGKILL)
    ChildProcess.wait(for: process)
    return .tookTooLong(seconds: seconds)
  }

  private static func problem(_ ending: ChildProcess.Ending) -> AlertCommandProblem? {
    switch ending {
    case .code(0): nil
    // Its own limit was first.
    case .signal(SIGKILL): .tookTooLong(seconds: seconds)
    case .code, .signal: .failed(code: ending.shellCode)
    }
  }
}
