#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An operating system thread for blocking work, as Swift's own threads must never block.
///
/// Signals are blocked on it (the main thread handles them), including SIGPIPE, which libcurl with `CURLOPT_NOSIGNAL`
/// leaves to us. Trap signals are not: if blocked, the system kills the process and no handler restores the terminal.
///
/// `@unchecked Sendable` because the handle is written once and `pthread_t` is a pointer on some systems.
package struct SystemThread: @unchecked Sendable {
  private let handle: pthread_t

  /// Starts a thread; returns nil if the system cannot create one.
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
    // The new thread inherits the mask, so no signal can reach it even initially.
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

  /// Returns the result of work done by a thread of its own; nil if the system cannot create one.
  package static func value<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value? {
    await withCheckedContinuation { continuation in
      let thread = SystemThread { continuation.resume(returning: work()) }
      if let thread { thread.detach() } else { continuation.resume(returning: nil) }
    }
  }

  /// Waits for the thread to end. Call at most once, and never after `detach`.
  package func join() { pthread_join(handle, nil) }

  /// Blocks the calling thread.
  package static func sleep(seconds: UInt32) {
    #if canImport(Darwin)
      _ = Darwin.sleep(seconds)
    #else
      _ = Glibc.sleep(seconds)
    #endif
  }

  /// Lets the thread end on its own.
  package func detach() { pthread_detach(handle) }
}

/// The work of a new thread.
private final class Start: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Takes back the reference passed through the system, and runs its body.
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
