import Config
import Files
import HTTP
import TestSupport
import Testing

@testable import Onboarding
@testable import Shell

/// A table whose rows need the answer of a lookup.
@Suite struct AddExchangeLookupTests {
  private let world: AddingWorld

  init() throws { world = try AddingWorld() }

  private static let table =
    #"{"list":[{"id":7,"last":"9","high":"10","low":"8"},{"id":8,"last":"5","high":"6","low":"4"}]}"#
  private static let names =
    #"{"all":[{"id":7,"base":"BTC","quote":"KRW"},{"id":8,"base":"ETH","quote":"KRW"}]}"#
  private static let lookup =
    #"lookups.ids={"request":{"path":"/names"},"rows":"$.all[*]","key":"$.id"}"#
  private static let symbol =
    #"symbol={"path":"$.id","asset":{"from":"ids","path":"$.base"},"payment":{"from":"ids","path":"$.quote"}}"#

  private func add(_ words: [String], answers: [String: String] = [:]) async throws -> AddingWorld.Outcome {
    try await world.run(
      ["add-exchange", "Newex", "--set", Self.lookup, "--set", Self.symbol, "--yes"] + words, answer: Self.table,
      answers: answers)
  }

  /// Both are recorded, so that blocks can be added later.
  private func expectRecordings(_ done: AddingWorld.Outcome) throws {
    #expect(done.code == .answer, "\(done.everything)")
    #expect(done.output.contains("BTC/KRW") && done.output.contains("2 of 2 rows pass the meaning checks"))
    let names = try FileSystem.names(in: "\(world.folder.path)/cassettes/Newex")
    #expect(names.contains { $0.contains("lookup-ids") } && names.contains { $0.contains("tickers") }, "\(names)")
  }

  @Test func lookupIsRequestedWithTheTable() async throws {
    let done = try await add(["--from-sample", "https://a.newex.example/all"], answers: ["/names": Self.names])
    try expectRecordings(done)
    #expect(world.sent.all.map(\.urls) == [["https://a.newex.example/all"], ["https://a.newex.example/names"]])
  }

  @Test func answersOfBothAreGiven() async throws {
    let files = [try world.save(Self.table, as: "t.json"), "ids=" + (try world.save(Self.names, as: "n.json"))]
    for files in [files, files.reversed()] {
      try? FileSystem.remove(world.config)
      let done = try await add(
        files.flatMap { ["--from-sample", $0] } + ["--tickers", "https://a.newex.example/all"])
      try expectRecordings(done)
    }
    #expect(world.sent.all.isEmpty)
  }

  @Test func failureOfLookupIsNamed() async throws {
    let done = try await world.run(
      [
        "add-exchange", "Newex", "--set", Self.lookup, "--set", Self.symbol, "--yes", "--from-sample",
        try world.save(Self.table, as: "t.json"), "--tickers", "https://a.newex.example/all",
      ])
    #expect(done.code == .noAnswer)
    #expect(
      done.errorOutput.contains("lookup-failed ids: give its answer with --from-sample ids=FILE"), "\(done.everything)")
  }

  /// A finished block is proved with its lookups.
  @Test func finishedBlockIsProved() async throws {
    let block = """
      { "Newex": { "baseUrls": ["https://a.newex.example"], "paymentCurrencies": { "cash": ["KRW"] }, "rows": "$.list[*]",
        "lookups": { "ids": { "request": { "path": "/names" }, "rows": "$.all[*]", "key": "$.id" } },
        "symbol": { "asset": { "from": "ids", "path": "$.base" }, "payment": { "from": "ids", "path": "$.quote" } },
        "fields": { "price": "$.last", "high": "$.high", "low": "$.low" },
        "markets": { "spot": { "tickers": { "request": { "path": "/all" } } } } } }
      """
    let file = try world.save(block, as: "block.json")
    let done = try await world.run(
      ["add-exchange", file, "--yes"], answer: Self.table, answers: ["/names": Self.names])
    #expect(done.code == .answer && done.output.contains("BTC/KRW"), "\(done.everything)")
    let failed = try await world.run(
      ["add-exchange", try world.save(block.replacing("Newex", with: "Other"), as: "other.json"), "--yes"],
      answer: Self.table, status: 404)
    #expect(
      failed.errorOutput.contains("lookup ids: the exchange answered with status 404")
        && failed.errorOutput.contains("not proved: its rows need the answer of lookup ids"), "\(failed.everything)")
  }
}
