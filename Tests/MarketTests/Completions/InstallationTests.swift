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
