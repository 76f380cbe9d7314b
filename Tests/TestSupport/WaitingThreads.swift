import Synchronization
public import Testing
import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Trait where Self == WaitingThreads {
  /// Runs tests that block their thread while a program runs on a few threads of their own. Swift has no more threads
  /// than cores, and two tests that wait for twelve seconds would stop all others.
  public static var waitsForPrograms: Self { WaitingThreads() }
}

public struct WaitingThreads: TestTrait, SuiteTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(BlockingTaskExecutor.shared, operation: function)
  }
}

/// Runs tasks on operating system threads, in order of arrival.
private final class BlockingTaskExecutor: TaskExecutor {
  /// With more threads, the programs of as many tests would compete for two cores and time out.
  static let shared = BlockingTaskExecutor(count: 4)

  private let jobs = Mutex<[UnownedJob]>([])
  /// A pipe with a byte for each pending job.
  private let ends: (read: Int32, write: Int32)

  init(count: Int) {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0, "no pipe for the threads of tests")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.ends = (ends[0], ends[1])
    for _ in 0..<count { SystemThread { self.work() }?.detach() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    var byte: UInt8 = 0
    while write(ends.write, &byte, 1) < 0, errno == EINTR {}
  }

  private func work() {
    var byte: UInt8 = 0
    while true {
      guard read(ends.read, &byte, 1) == 1 else { continue }
      jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
