#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The settings for starting another program. It inherits only what is named here: three open files (on Linux those
/// from number 64 on rely on `O_CLOEXEC`), and neither ignored signals nor those that threads block.
package struct ChildProcess: Sendable {
  /// The destination of a standard stream.
  package enum Stream: Sendable {
    case nothing
    case descriptor(Int32)
    /// - Parameter flags: The flags of `open`.
    case file(String, flags: Int32)
  }

  /// The process group or session of the process, whose members can be ended or stopped together.
  package enum Membership: Sendable { case own, newGroup, newSession }

  package var input = Stream.nothing
  package var output = Stream.nothing
  package var errorOutput = Stream.nothing
  package var membership = Membership.own
  /// `NAME=value`
  package var variables: [String]

  package init(variables: [String]) { self.variables = variables }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: A path.
  ///   - arguments: The arguments after the program's name.
  /// - Returns: The process ID, which has to be waited for.
  package func start(_ program: String, _ arguments: [String]) throws(CannotStart) -> pid_t {
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let streams = [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errorOutput)]
    for (number, stream) in streams {
      switch stream {
      case .nothing:
        posix_spawn_file_actions_addopen(
          &actions, number, "/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      case .file(let path, let flags): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
      }
    }
    #if canImport(Glibc)
      // Descriptors left inheritable by a library or by the parent process.
      for number in 3..<64 as Range<Int32> where fcntl(number, F_GETFD) == 0 {
        posix_spawn_file_actions_addclose(&actions, number)
      }
      let closing: Int16 = 0
    #else
      let closing = Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #endif
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, closing | membership.flag | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = variables.map { strdup($0) } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw CannotStart(reason: String(cString: strerror(code))) }
    return process
  }

  /// Why a program could not be started, in the system's words.
  package struct CannotStart: Error, Hashable, Sendable {
    package let reason: String
  }

  /// This program's environment variables, as `NAME=value`.
  package static var ownVariables: [String] {
    var variables: [String] = []
    var place = environ
    while let variable = place.pointee {
      variables.append(String(cString: variable))
      place += 1
    }
    return variables
  }

  // MARK: Its end

  /// Returns how the process ended, or nil if it is still running. The system reports the end only once.
  package static func ending(of process: pid_t) -> Ending? {
    var status: Int32 = 0
    return waitpid(process, &status, WNOHANG) == process ? Ending(status: status) : nil
  }

  /// Waits for the process to end. May be called only once.
  @discardableResult package static func wait(for process: pid_t) -> Ending {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return Ending(status: status)
  }

  package enum Ending: Hashable, Sendable {
    case code(Int32)
    case signal(Int32)

    fileprivate init(status: Int32) {
      self = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }

    /// The exit code as in a shell: 128 plus the signal.
    package var shellCode: Int32 {
      switch self {
      case .code(let code): code
      case .signal(let number): 128 + number
      }
    }
  }
}

extension ChildProcess.Membership {
  fileprivate var flag: Int16 {
    switch self {
    case .own: 0
    case .newGroup: Int16(POSIX_SPAWN_SETPGROUP)
    #if canImport(Glibc)
      // POSIX_SPAWN_SETSID, which glibc only declares with its own extensions enabled.
      case .newSession: 0x80
    #else
      case .newSession: Int16(POSIX_SPAWN_SETSID)
    #endif
    }
  }
}
