import Files
import TestSupport
import Testing

@testable import Shell
@testable import market

/// Every recorded table of tickers, through the command: the proposed block is valid config and reads its own sample.
@Suite(.enabled(if: SharedCorpora.arePresent))
struct AddExchangeRecordingTests {
  private static let samples: [String] = {
    guard let root = SharedCorpora.root, let exchanges = try? FileSystem.names(in: "\(root)/recordings/raw") else {
      return []
    }
    return exchanges.sorted().flatMap { exchange -> [String] in
      let folder = "\(root)/recordings/raw/\(exchange)"
      let names = (try? FileSystem.names(in: folder)) ?? []
      return names.filter { $0.contains("tickers@") && $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
    }
  }()

  @Test func proposalReadsItsOwnSample() async throws {
    let folder = try TemporaryFolder()
    var complete = 0
    for sample in Self.samples {
      var world = TestWorld([
        "add-exchange", "Newex", "--from-sample", sample, "--dry-run", "-f", "json", "--config",
        "\(folder.path)/none.json",
      ])
      world.context.executablePath = { Checkout.path(".build/debug/market") }
      let code = await Program.market.run(in: world.context)
      #expect(code == .answer || code == .noAnswer, "\(sample): \(world.errorOutput)")
      #expect(!world.errorOutput.contains("does not read its own sample"), "\(sample)")
      if code == .answer { complete += 1 }
    }
    print("add-exchange: \(complete) of \(Self.samples.count) recorded tables need no question about price or pair")
    #expect(complete * 2 > Self.samples.count)
    #expect(folder.names == [])
  }
}
