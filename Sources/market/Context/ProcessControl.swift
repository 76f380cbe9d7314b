import CHeap

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the process does with itself: signals, waiting, leaving, becoming another program.
enum ProcessControl {
  /// A reader that goes away is told by EPIPE, which `OutputWriter` takes for a success, and not by SIGPIPE.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Lets the heap grow in pages of 2 MB, where the system has them.
  ///
  /// An exchange's whole table takes some megabytes, and on Linux the first touch of each 4 KB of them costs a microsecond:
  /// as long as the reading itself. No memory is taken here; a stretch that the heap will grow into is only marked.
  static func growHeapInLargePages() {
    #if canImport(Glibc)
      market_share_heap()
      // glibc maps large blocks one by one, each with pages of its own. Once one of them was freed, it takes blocks up
      // to that size from the heap, and keeps twice as much of what becomes free.
      var block: UnsafeMutableRawPointer?
      guard posix_memalign(&block, largePage, 15 * largePage) == 0 else { return }
      free(block)
      guard posix_memalign(&block, largePage, 14 * largePage) == 0, let block else { return }
      madvise(block, 8 * largePage, MADV_HUGEPAGE)
      // The heap before the first large page is left alone for good: no memory, only addresses.
      var start: UnsafeMutableRawPointer?
      if posix_memalign(&start, 16, 64) == 0, let start, block - start > 8192 {
        var gap: UnsafeMutableRawPointer?
        posix_memalign(&gap, 16, block - start - 4096)
      }
      free(block)
    #endif
  }

  #if canImport(Glibc)
    private static let largePage = 2 << 20
  #endif

  /// Leaves at once: all output has been sent, and what libraries would still tidy up the system takes back anyway. Nor
  /// need anybody wait for the network's thread, which must not meet the TLS library while that takes itself down.
  static func leave(with code: ExitCode) -> Never {
    _exit(code.rawValue)
  }

  /// Leaves the calling thread to the signals while others work; somebody else has to leave the process.
  static func waitForever() -> Never {
    while true { pause() }
  }

  /// Replaces the process by another program; returns the system's reason only when that fails.
  static func become(_ path: String, arguments: [String]) -> String {
    // An ignored signal stays ignored across exec; the other program expects the default.
    signal(SIGPIPE, SIG_DFL)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    let reason = String(cString: strerror(errno))
    for word in words { free(word) }
    ignoreBrokenPipes()
    return reason
  }
}
