import Files
import TestSupport
import Testing

@testable import Shell
@testable import market

@Suite(.waitsForPrograms) struct ManPageTests {
  private static let command = Command(
    name: "show", summary: "show 'it'", examples: [.init(".market show $'a\\n'", "1억")],
    arguments: [Argument("ASSET", help: "the asset")], options: [.config], discussion: ["All of it."],
    work: .immediate { _, _ in .answer })

  @Test func text() {
    let program = Program(
      name: "market", summary: "compare one asset", examples: [], entries: [.init(Self.command.name) { Self.command }],
      environment: [("HOME", "the folder")])
    #expect(
      ManPage(program).text == #"""
        .TH "MARKET" 1 "" "market \#(Version.number)" "User Commands"
        .SH NAME
        market - compare one asset
        .SH SYNOPSIS
        .B market
        COMMAND [ARGUMENTS] [OPTIONS]
        .SH DESCRIPTION
        .SH OPTIONS OF EVERY COMMAND
        .TP
        \fB\-\-color WHEN\fR
        when to colour the output (one of: auto, always, never; default: auto)
        .TP
        \fB\-h, \-\-help\fR
        show this help
        .SH COMMANDS
        .SS "market show ASSET [OPTIONS]"
        Show \(aqit\(aq.
        .TP
        \fBASSET\fR
        the asset
        .TP
        \fB\-c, \-\-config FILE\fR
        read this exchanges.json
        .PP
        All of it.
        .PP
        Examples:
        .TP
        \fB\&.market show $\(aqa\en\(aq\fR
        1\[uC5B5]
        .SH ENVIRONMENT
        .TP
        \fBHOME\fR
        the folder
        .SH FILES
        .SH EXIT STATUS
        .TP
        \fB0\fR
        there is an answer
        .TP
        \fB1\fR
        no answer: no exchange lists the pair, all failed, or an input file is missing
        .TP
        \fB2\fR
        the command line is wrong
        .TP
        \fB3\fR
        the config is missing, unreadable or not valid
        .TP
        \fB130, 131, 143\fR
        Ctrl\-C, Ctrl\-\e or SIGTERM ended it
        .SH EXAMPLES

        """#)
  }

  /// The variables are those in `docs/recipes.md`.
  @Test func variables() throws {
    let page = String(decoding: try FileSystem.read(Checkout.path("docs/recipes.md")), as: UTF8.self)
    let rows = page.split(separator: "\n").drop { $0 != "| variable | meaning |" }.dropFirst(2).prefix {
      $0.hasPrefix("|")
    }
    let names = rows.map { $0.split(separator: "|")[0].replacing("`", with: "").dropFirst().dropLast() }
    #expect(!names.isEmpty)
    #expect(Program.market.environment.map(\.name) == names.map(String.init))
  }

  private static let mandoc = ["/usr/bin/mandoc", "/usr/local/bin/mandoc"].first(where: FileSystem.isExecutable)

  @Test(.enabled(if: mandoc != nil, "needs mandoc"))
  func mandocReportsNothing() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/market.1"
    try FileSystem.writeAtomically(Array(ManPage(.market).text.utf8), to: path)
    let run = try Subprocess(try #require(Self.mandoc), ["-Tlint", "-Wwarning", path])
    // A date would change with every build.
    #expect(run.output.split(separator: "\n").filter { !$0.contains("missing date") } == [])
  }
}
