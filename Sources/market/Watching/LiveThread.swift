import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread for the loop of a live screen, which blocks: the threads of Swift's tasks are as many as the machine has cores,
/// and belong to the feeds.
enum LiveThread {
  /// Runs `body` on a thread of its own, in which no signal is handled until the body lets it.
  static func run<Value: Sendable, Problem: Error>(
    _ body: @escaping @Sendable () throws(Problem) -> Value
  ) async throws(Problem) -> Value {
    let result: Result<Value, Problem> = await withCheckedContinuation { continuation in
      start {
        do throws(Problem) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) {
    var every = sigset_t()
    var before = sigset_t()
    sigfillset(&every)
    // The new thread begins with the mask of the one that makes it.
    pthread_sigmask(SIG_SETMASK, &every, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let problem = pthread_create(
        &thread, nil,
        {
          Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body()
          return nil
        }, work)
    #else
      var thread = pthread_t()
      let problem = pthread_create(
        &thread, nil,
        {
          if let work = $0 { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
          return nil
        }, work)
    #endif
    // Without another thread the screen runs on this one: feeds are slower then.
    if problem != 0 { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
  }
}
