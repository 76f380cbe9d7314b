#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread of the operating system, for work that blocks: Swift's own threads must never be kept waiting.
///
/// Signals stay away from it (they are the main thread's), SIGPIPE too: libcurl with `CURLOPT_NOSIGNAL` leaves it to us.
/// Only those of a trap do not: where they are blocked, the system kills the process and no handler restores the terminal.
///
/// Sendable without a check, because the handle is written once and `pthread_t` is a pointer on some systems.
package struct SystemThread: @unchecked Sendable {
  private let handle: pthread_t

  /// Starts a thread; nil where the system gives none.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    var everySignal = sigset_t()
    var before = sigset_t()
    sigfillset(&everySignal)
    for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] { sigdelset(&everySignal, signal) }
    // The new thread inherits the mask, so there is no moment in which a signal could reach it.
    pthread_sigmask(SIG_SETMASK, &everySignal, &before)
    let code = pthread_create(&handle, nil, runStart, start.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      start.release()
      return nil
    }
    #if canImport(Darwin)
      guard let handle else { return nil }
    #endif
    self.handle = handle
  }

  /// Waits for the end of the thread. Once only, and never after `detach`.
  package func join() {
    pthread_join(handle, nil)
  }

  /// Lets the thread end on its own.
  package func detach() {
    pthread_detach(handle)
  }
}

/// What a new thread has to do.
private final class Start: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  /// Takes back the reference that was handed to the system, and runs.
  static func run(_ context: UnsafeMutableRawPointer) {
    Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
  }
}

#if canImport(Darwin)
  private func runStart(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Start.run(context)
    return nil
  }
#else
  private func runStart(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Start.run(context) }
    return nil
  }
#endif
