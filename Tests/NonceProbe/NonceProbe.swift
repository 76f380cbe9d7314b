import Config
import HTTP
import MarketData
import Quotes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that takes nonces, for tests that need several of them: all have the same key and a stopped clock.
///
/// - `NonceProbe FOLDER COUNT LOG` takes COUNT nonces, and logs each while its turn lasts, as sending would.
/// - `NonceProbe FOLDER hold` takes one, reports it, and never sends.
@main enum NonceProbe {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2 else { exit(64) }
    let files = NonceFiles(in: words[0])
    func turn() async throws -> any NonceTurn {
      try await files.turn(
        of: NonceKey(exchange: "Probe", id: Secret("key")), unit: .milliseconds,
        now: Instant(nanoseconds: 1_700_000_000_000_000_000), patience: .seconds(60))
    }
    guard let count = Int(words[1]), words.count == 3 else {
      let held = try await turn()
      say("holds \(held.microseconds)\n", to: STDOUT_FILENO)
      while true { pause() }
    }
    let log = open(words[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    for _ in 0..<count {
      let turn = try await turn()
      say("\(turn.microseconds)\n", to: log)
      turn.release()
    }
    say("done\n", to: STDOUT_FILENO)
  }

  private static func say(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}
