import Files
import TestSupport
import Testing

@testable import Shell
@testable import market

/// `make install` and `make uninstall`, with the program already built.
@Suite(.waitsForPrograms) struct InstallationTests {
  private static let make = ["/usr/bin/make", "/usr/local/bin/make"].first(where: FileSystem.isExecutable)

  private static func run(_ target: String, in folder: String) throws {
    let run = try Subprocess(
      #require(make),
      [
        "-C", Checkout.path(""), "-o", "build", target, "MARKET=\(Subprocess.market())", "SWIFT=swift",
        "DESTDIR=\(folder)", "PREFIX=/usr",
      ], environment: ["PATH": "/usr/bin:/bin"])
    #expect(run.code == 0, "\(run.errorOutput)")
  }

  /// A checkout, and with it the program, may lie in a folder with a blank in its name.
  @Test(.enabled(if: make != nil, "needs make")) func demoRunsProgramInAnyFolder() throws {
    let folder = try TemporaryFolder()
    try FileSystem.createFolder("\(folder.path)/my dir")
    let program = "\(folder.path)/my dir/market"
    try BackgroundProgram.writeScript("echo \"$1 $2\"", to: program)
    let run = try Subprocess(
      #require(Self.make), ["-s", "-C", Checkout.path(""), "-o", "build", "demo", "MARKET=\(program)", "SWIFT=swift"],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(run.output.split(separator: "\n").filter { !$0.hasPrefix("make") } == ["show BTC", "watch BTC/USDT"])
    #expect(run.code == 0, "\(run.errorOutput)")
  }

  @Test(.enabled(if: make != nil, "needs make"), arguments: ["build", "test", "install", "demo", "format-check"])
  func missingToolchainIsNamed(_ target: String) throws {
    let run = try Subprocess(
      #require(Self.make), ["-C", Checkout.path(""), target, "SWIFT=/nowhere/my swift"],
      environment: ["PATH": "/usr/bin:/bin"])
    let message = "cannot run '/nowhere/my swift'; install Swift 6.2 or newer, or name it: make SWIFT=/path/to/swift"
    #expect(run.errorOutput.split(separator: "\n").first.map(String.init) == "market: " + message)
    #expect(run.code == 2)
  }

  /// Returns the files below a folder, without the recordings.
  private static func files(in folder: String) throws -> [String] {
    let run = try Subprocess(
      "/bin/sh", ["-c", "cd \"$1\" && find . -type f ! -path '*/cassettes/*' | sort", "sh", folder],
      environment: ["PATH": "/usr/bin:/bin"])
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: make != nil, "needs make"))
  func uninstallRemovesInstalledFiles() throws {
    let folder = try TemporaryFolder()
    try Self.run("install", in: folder.path)
    #expect(
      try Self.files(in: folder.path) == [
        "./usr/bin/market", "./usr/share/bash-completion/completions/market",
        "./usr/share/fish/vendor_completions.d/market.fish", "./usr/share/man/man1/market.1",
        "./usr/share/market/exchanges.json", "./usr/share/market/exchanges.schema.json",
        "./usr/share/zsh/site-functions/_market",
      ])
    let scripts = try ["bash-completion/completions/market", "zsh/site-functions/_market", "man/man1/market.1"].map {
      String(decoding: try FileSystem.read("\(folder.path)/usr/share/\($0)"), as: UTF8.self)
    }
    #expect(scripts == [CompletionShell.bash.script, CompletionShell.zsh.script, ManPage(.market).text])

    let own = "\(folder.path)/usr/share/market/mine.json"
    try FileSystem.writeAtomically(Array("{}".utf8), to: own)
    try Self.run("uninstall", in: folder.path)
    #expect(try Self.files(in: folder.path) == ["./usr/share/market/mine.json"])
    #expect(!FileSystem.isFolder("\(folder.path)/usr/share/market/cassettes"))
  }
}
