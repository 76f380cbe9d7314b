import CProcess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Restrictions on what the system may do with this process.
package enum SystemLimits {
  /// Disables core dumps and crash reports and, on Linux, keeps the user's other programs from reading the memory. Must
  /// be called before a secret is held.
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

  /// Whether other programs can read the memory; on macOS that is up to the system.
  package static var allowsReaders: Bool { market_allows_readers() != 0 }
}
