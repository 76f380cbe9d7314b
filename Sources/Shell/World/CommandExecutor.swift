import Transport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the tasks of a command: on the thread that creates it, and on others only while several have work at once.
///
/// Swift's own pool starts three threads for the first task. One thread is enough for most commands, and a thread that
/// passes work to another waits for the system to wake it. Tasks that are created without a parent (`Task { }`) stay
/// with Swift's pool (SE-0417).
///
/// `@unchecked Sendable` because the lock guards everything that changes.
package final class CommandExecutor: TaskExecutor, @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let maximumThreads: Int

  /// The jobs that wait are those from `begun` on.
  private var jobs: [UnownedJob] = []
  private var begun = 0
  private static let maximumBegun = 1024
  private var threads = [pthread_self()]
  private var startingThreads = 0
  private var idleThreads = 0

  /// The thread that calls this must call `run`.
  ///
  /// - Parameter maximumThreads: above zero, that thread included; the number of processors if nil.
  package init(maximumThreads: Int? = nil) {
    self.maximumThreads = maximumThreads ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    pthread_mutex_init(lock, nil)
    pthread_cond_init(arrival, nil)
  }

  /// Runs jobs on this thread for as long as the process lives.
  package func run() -> Never {
    pthread_mutex_lock(lock)
    while true {
      while begun == jobs.count {
        jobs.removeAll(keepingCapacity: true)
        begun = 0
        idleThreads += 1
        pthread_cond_wait(arrival, lock)
        idleThreads -= 1
      }
      let job = jobs[begun]
      begun += 1
      if begun == Self.maximumBegun {
        jobs.removeFirst(begun)
        begun = 0
      }
      pthread_mutex_unlock(lock)
      job.runSynchronously(on: asUnownedTaskExecutor())
      pthread_mutex_lock(lock)
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pthread_mutex_lock(lock)
    jobs.append(job)
    let waiting = jobs.count - begun
    let free = idleThreads + startingThreads + (isOwnThread ? 1 : 0)
    let mustStart = waiting > free && threads.count + startingThreads < maximumThreads
    if mustStart {
      startingThreads += 1
    } else if idleThreads > 0 {
      pthread_cond_signal(arrival)
    }
    pthread_mutex_unlock(lock)
    if mustStart { startThread() }
  }

  /// Whether the caller is one of our threads, and so will be free for another job soon. Only under the lock.
  private var isOwnThread: Bool { threads.contains { pthread_equal($0, pthread_self()) != 0 } }

  private func startThread() {
    let thread = SystemThread {
      pthread_mutex_lock(self.lock)
      self.startingThreads -= 1
      self.threads.append(pthread_self())
      pthread_mutex_unlock(self.lock)
      self.run()
    }
    guard let thread else {
      // The others go on without it.
      pthread_mutex_lock(lock)
      startingThreads -= 1
      pthread_mutex_unlock(lock)
      return
    }
    thread.detach()
  }
}
