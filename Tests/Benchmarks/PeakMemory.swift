#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The peak memory of another program.
enum PeakMemory {
  /// Runs a command to completion, with its output on standard error. Returns nil if it cannot be run.
  static func megabytes(of command: [String]) -> Double? {
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var child = pid_t()
    guard posix_spawnp(&child, command[0], &actions, nil, &words, environ) == 0 else { return nil }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(child, &status, 0, &usage) == child else { return nil }
    // ru_maxrss is in kilobytes on Linux, in bytes on macOS.
    #if canImport(Darwin)
      return Double(usage.ru_maxrss) / 1_048_576
    #else
      return Double(usage.ru_maxrss) / 1024
    #endif
  }
}
