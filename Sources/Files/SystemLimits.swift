#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the system may do with this process.
package enum SystemLimits {
  /// From now on a crash leaves no image of the memory on disk: to be called before a secret is held.
  package static func forbidCoreDumps() {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    #else
      setrlimit(RLIMIT_CORE, &limit)
    #endif
  }
}
