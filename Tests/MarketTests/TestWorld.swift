import Files
import Quotes
import Synchronization
import Views

@testable import Shell

/// A context without a process: keeps a command's output, and provides its input.
struct TestWorld: Sendable {
  /// Collects written output.
  private final class Memory: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func append(_ more: [UInt8]) -> FileDescriptorWrite {
      bytes.withLock { $0 += more }
      return .done
    }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
  }

  private let outputMemory = Memory()
  private let errorMemory = Memory()
  var context: Context

  init(_ arguments: [String], input: String = "", environment: [String: String] = [:]) {
    let output = outputMemory
    let errorOutput = errorMemory
    context = Context(
      program: "market", arguments: arguments, environment: Environment(environment),
      executablePath: { nil }, output: OutputWriter(capacity: 1024) { output.append($0) },
      errorOutput: OutputWriter(capacity: 0) { errorOutput.append($0) }, terminal: TerminalState(),
      readInput: { _ throws(FileError) in Array(input.utf8) }, now: { Instant(nanoseconds: 1_800_000_000_000_000_000) },
      localClock: { _ in ClockZone(offsetSeconds: 9 * 3600, name: "KST") })
  }

  /// The contents of standard output and standard error so far.
  var output: String { outputMemory.text }
  var errorOutput: String { errorMemory.text }
}

extension Environment {
  /// Creates an environment with only these variables.
  init(_ variables: [String: String]) { self.init { variables[$0] } }
}

extension Program {
  /// Runs the command line to completion.
  func run(in context: Context) async -> ExitCode {
    switch begin(in: context) {
    case .finished(let code): code
    case .awaiting(let rest): await rest()
    }
  }
}
