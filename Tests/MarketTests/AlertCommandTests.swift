import Files
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The commands that alerts run: how their failures are reported, and what happens to them when the program ends.
@Suite(.waitsForPrograms) struct AlertCommandTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private var environment: [String: String] { ["TZ": "KST-9", "XDG_CONFIG_HOME": home.path] }

  private func words(_ more: [String]) -> [String] {
    ["watch", "BTC/KRW", "-e", "upbit,bithumb", "--replay", Checkout.path("Tests/Cassettes"), "--config"]
      + [Checkout.path("exchanges.json")] + more
  }

  @Test(arguments: [
    ("exit 7", "exit code 7"), ("kill -9 $$", "exit code 137"), ("/no/such/program", "exit code 127"), ("true", nil),
    // Whatever it leaves running is its own.
    ("sleep 20 & exit 3", "exit code 3"),
  ]) func failuresAreNamed(_ command: String, _ reason: String?) throws {
    let alert = "premium > 0.01% then exec \(command)"
    let run = try Subprocess(market: words(["--plain", "--alert", alert]), environment: environment)
    #expect(run.code == 0)
    // On a busy machine it may say that it waits.
    let said = run.errorOutput.split(separator: "\n").filter { !$0.hasPrefix("market: waiting for the command") }
    #expect(
      said.map { $0 + "\n" }.joined()
        == (reason.map { "market: the command of an alert failed (\($0)): \(alert)\n" } ?? ""))
  }

  /// A command gets what is known of the alert, and none of this program's secrets.
  @Test func secretsAreKeptFromCommands() throws {
    let file = "\(home.path)/variables"
    let secrets = ["MARKET_UPBIT_SECRET": "hush-hush", "MARKET_UPBIT_API_KEY": "hush-key", "MARKET_CONFIG": "/no/such"]
    let until = ["--until", "premium > 0.01%", "--exec", "env > '\(file)'"]
    let run = try Subprocess(
      market: words(["--plain"] + until), environment: environment.merging(secrets) { $1 })
    #expect(run.code == 0, "\(run.errorOutput)")
    let lines = String(decoding: try FileSystem.read(file), as: UTF8.self).split(separator: "\n")
    #expect(lines.contains("MARKET_CONFIG=/no/such") && lines.contains { $0.hasPrefix("MARKET_PREMIUM=") })
    #expect(!lines.contains { $0.contains("hush") })
  }

  @Test func untilWaitsForItsCommand() throws {
    let until = ["--until", "premium > 0.01%", "--exec", "sleep 4; exit 3"]
    let run = try Subprocess(market: words(["--plain"] + until), environment: environment)
    #expect(run.code == 0)
    #expect(
      run.errorOutput == """
        market: waiting for the command of an alert: sleep 4; exit 3
        market: the command of an alert failed (exit code 3): premium > 0.01%

        """)
  }

  /// The list of alerts says it, and a line on any screen.
  @Test func failuresAreOnTheScreen() throws {
    let session = try LiveSession(
      try Subprocess.market(), words(["--alert", "premium > 0.01% then exec exit 7"]), environment: environment,
      columns: 80, rows: 24)
    #expect(session.play(untilWritten: "the command of an alert failed (exit code 7)"))
    session.terminal.write("a")
    #expect(session.play(untilWritten: "command failed: exit code 7; "))
    session.terminal.write("\u{3}")
    #expect(session.ending() == 128 + SIGINT)
  }

  /// Quitting waits for nothing. The command goes on, and still has its limit.
  @Test(arguments: ["q", "\u{3}"]) func quittingLeavesCommandRunning(_ key: String) throws {
    let file = "\(home.path)/leader"
    let command = "echo $PPID > '\(file)'; sleep 60"
    let session = try LiveSession(
      try Subprocess.market(), words(["--alert", "premium > 0.01% then exec \(command)"]), environment: environment,
      columns: 200, rows: 24)
    func leader() -> pid_t? {
      (try? FileSystem.read(file)).flatMap { pid_t(String(decoding: $0, as: UTF8.self).filter(\.isNumber)) }
    }
    #expect(session.play { leader() != nil })
    let process = try #require(leader())
    session.terminal.write(key)
    #expect(session.ending() == (key == "q" ? 0 : 128 + SIGINT))
    #expect(session.text.contains("market: the command of an alert is still running, for "))
    #expect(session.text.contains(" s at most: \(command)\r\n"))
    #expect(kill(process, 0) == 0)
    // All of its session ends.
    for _ in 0..<3000 where kill(-process, 0) == 0 { usleep(10_000) }
    #expect(kill(-process, 0) == -1)
  }

  /// Without a screen, Ctrl-C waits for no command and says so, while another signal waits for all.
  @Test(arguments: [SIGINT, SIGTERM]) func signalsEndLines(_ number: Int32) throws {
    let file = "\(home.path)/ran"
    let alerts = ["premium > 0.01% then exec sleep 4", "price > 1 then exec touch '\(file)'"]
    let session = try LiveSession(
      try Subprocess.market(), words(["--plain"] + alerts.flatMap { ["--alert", $0] }), environment: environment,
      columns: 200, rows: 24)
    #expect(session.play(untilWritten: "market: waiting for the command of an alert: sleep 4"))
    if number == SIGINT { session.terminal.write("\u{3}") } else { session.terminal.signal(number) }
    #expect(session.ending() == 128 + number)
    #expect(session.text.contains("market: the command of an alert is still running, for ") == (number == SIGINT))
    #expect(session.text.contains("market: 1 more command was waiting and is not run\r\n") == (number == SIGINT))
    #expect(FileSystem.exists(file) == (number == SIGTERM))
  }
}
