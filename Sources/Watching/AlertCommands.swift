import Files
import MarketData
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
/// terminal and is killed after ten seconds.
final class AlertCommands: Sendable {
  private struct Job {
    let command: String
    let variables: [(name: String, value: String)]
  }

  private let jobs: AsyncStream<Job>.Continuation
  private let worker: Task<Void, Never>

  private static let seconds = 10
  /// The maximum number of waiting jobs; later ones are dropped while commands are this slow.
  private static let maximumWaiting = 16

  init() {
    let (stream, jobs) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    self.jobs = jobs
    worker = Task {
      for await job in stream {
        // Waiting for a process blocks, which Swift's own threads must not.
        await SystemThread.value { Self.run(job) }
      }
    }
  }

  func run(_ command: String, _ firing: AlertFiring) {
    jobs.yield(Job(command: command, variables: firing.environment))
  }

  /// Waits for the commands under way.
  func finish() async {
    jobs.finish()
    await worker.value
  }

  private static func run(_ job: Job) {
    let own = Set(job.variables.map(\.name))
    let inherited = ChildProcess.ownVariables.filter { !own.contains(String($0.prefix { $0 != "=" })) }
    var child = ChildProcess(variables: inherited + job.variables.map { "\($0.name)=\($0.value)" })
    child.membership = .newSession
    guard let process = try? child.start("/bin/sh", ["-c", job.command]) else { return }
    for _ in 0..<seconds * 50 {
      if ChildProcess.ending(of: process) != nil { return }
      _ = poll(nil, 0, 20)
    }
    // Kill its whole session, so that the processes it has started end too.
    kill(-process, SIGKILL)
    ChildProcess.wait(for: process)
  }
}
