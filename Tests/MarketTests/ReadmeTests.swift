import Files
import TestSupport
import Testing

/// The readme's samples match the program's output.
@Suite(.waitsForPrograms) struct ReadmeTests {
  /// The blocks that begin with a command on the shipped recordings.
  static let samples: [(command: String, output: String)] = {
    let page = (try? FileSystem.read(Checkout.path("README.md"))) ?? []
    let blocks = String(decoding: page, as: UTF8.self).split(separator: "```\n", omittingEmptySubsequences: false)
    return blocks.filter { $0.hasPrefix("$ market ") }.map { block in
      let lines = block.split(separator: "\n", maxSplits: 1)
      return (String(lines[0].dropFirst("$ market ".count)), String(lines[1]))
    }
  }()

  @Test func hasSamples() { #expect(Self.samples.count == 2) }

  @Test(arguments: samples.indices) func shows(_ place: Int) throws {
    let (command, output) = Self.samples[place]
    let home = try TemporaryFolder()
    // The readme's commands are relative to the checkout.
    let recordings = (own: "Tests/Cassettes", whole: Checkout.path("Tests/Cassettes"))
    let words = command.split(separator: " ").map { $0 == recordings.own ? recordings.whole : String($0) }
    let run = try Subprocess(
      market: words + ["--config", Checkout.path("exchanges.json")], environment: ["HOME": home.path])
    let text = run.output.split(separator: recordings.whole, omittingEmptySubsequences: false)
      .joined(separator: recordings.own)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    #expect(lines.joined(separator: "\n") == output)
  }
}
