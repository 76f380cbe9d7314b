#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many connections fit into the number of files that the process may have open. Where they do not, requests wait
/// for each other: libcurl reports a missing descriptor as an unreachable host, and Swift's timers trap without theirs.
struct OpenFileBudget: Hashable, Sendable {
  /// The limit of the process.
  var files: Int

  /// For standard streams, timers, locks, the loop's own pipe, and the files that are read and written meanwhile.
  private static let others = 24
  /// Of a connection while it is opened: its name is resolved on another thread, and it may try two addresses at once.
  private static let perConnection = 4

  /// The budget of this process, as its limit is now.
  static var ofProcess: OpenFileBudget {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return OpenFileBudget(files: 256) }
    return OpenFileBudget(files: Int(clamping: limit.rlim_cur))
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif

  /// Whether the files that a connection needs cannot be opened now: the limit of the process is used up, whoever opened
  /// them, or that of the system.
  static var isUsedUp: Bool {
    var opened: [CInt] = []
    defer { for file in opened { close(file) } }
    for _ in 0..<perConnection {
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      if file < 0 { return errno == EMFILE || errno == ENFILE }
      opened.append(file)
    }
    return false
  }

  /// The most connections at once, these streams' included: at least one for requests.
  func connections(with streams: Int) -> Int {
    streams + max(1, (files - Self.others - streams) / Self.perConnection)
  }

  /// Whether another stream leaves enough files for requests.
  func hasRoomForStream(besides streams: Int) -> Bool { files - Self.others - streams > Self.perConnection }
}
