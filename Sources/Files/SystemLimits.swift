import CProcess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the system may do with this process.
package enum SystemLimits {
  /// From now on a crash leaves no image of the memory and prints nothing of it, and no other program of the user can read it
  /// (on Linux): to be called before a secret is held.
  package static func forbidCoreDumps() {
    market_forbid_readers()
    market_silence_crashes()
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    #else
      setrlimit(RLIMIT_CORE, &limit)
    #endif
  }

  /// Whether other programs can read the memory; on macOS that is the system's affair.
  package static var allowsReaders: Bool { market_allows_readers() != 0 }
}
