import Config
import Quotes
import TestSupport
import Testing

@testable import Proving

/// Recorded bodies of the endpoints that the shipped mappings request today: their numbers must be consistent. Most
/// exchanges have no such body and ship as documented.
@Suite("Shipped mappings on recorded bodies", .enabled(if: SharedCorpora.arePresent))
struct ShippedRecordingTests {
  @Test(arguments: RecordedReading.all)
  func ninetyNinePercentOfRowsFit(in item: RecordedReading) throws {
    let outcome = try item.outcome()
    #expect(outcome.enginesAgree)
    let flags = outcome.flagged.map { "\($0.symbol): \($0.flags.map(\.message))" }
    #expect(item.verdict(outcome) != .failed, "\(outcome.failures) \(flags) \(outcome.unsplit)")
  }

  /// Exceptions that would pass, or whose body is gone, are not allowed.
  @Test func unneededExceptionsAreRefused() throws {
    for (file, cause) in RecordedReading.exceptions {
      for item in RecordedReading.all where item.recorded.file == file {
        let outcome = try item.outcome()
        let isGood = outcome.failures.isEmpty && !outcome.rows.isEmpty && outcome.flagged.isEmpty
        #expect(!isGood, "\(file): \(cause)")
      }
    }
  }

  /// Whole tables have no verdict against them either. Offers from a lookup may have been recorded at another time.
  @Test(arguments: RecordedReading.all)
  func tablesHaveTheirScale(in item: RecordedReading) throws {
    let outcome = try item.outcome()
    guard item.verdict(outcome) == .passed, !outcome.hasLookups else { return }
    #expect(PriceScale.findings(of: outcome.rows).map(\.text) == [])
  }

  /// Each amount is judged as if it were alone, and as if it were the other one, which nothing else would reveal.
  @Test func amountsAreToldByPrices() throws {
    var (read, seen, objected): (Int, Int, [String]) = (0, 0, [])
    for item in RecordedReading.all {
      let outcome = try item.outcome()
      guard item.verdict(outcome) == .passed else { continue }
      let rows = outcome.rows.filter { $0.volume24.value != nil && $0.turnover24.value != nil }
      guard rows.count >= 10 else { continue }
      for field in [TickerField.volume24, .turnover24] {
        read += 1
        if LoneAmount(field, isVolume: field == .volume24, rows) != nil { objected.append("\(item) \(field)") }
        if LoneAmount(field, isVolume: field != .volume24, rows) != nil { seen += 1 }
      }
    }
    #expect(objected == [])
    #expect((read, seen) == (16, 15))
  }

  /// The page matches the recordings.
  @Test func pageMatchesRecordings() throws {
    try CoveragePage.expect(between: "<!-- recordings -->\n", and: "<!-- end -->", RecordedCoverage().markdown)
  }

  /// A table has a verification date only if a recorded body passed.
  @Test func verifiedTablesHaveRecordings() throws {
    let proved = Set(
      try RecordedReading.all.filter { item in item.verdict(try item.outcome()) == .passed }
        .flatMap { item in item.parts.map { "\(item.shipped.name) \($0.node.place.start)" } })
    for shipped in ShippedConfig.markets {
      let tables = shipped.tables.filter { $0.verified != nil }
      guard !tables.isEmpty else { continue }
      #expect(
        tables.contains { proved.contains("\(shipped.name) \($0.node.place.start)") }, "\(shipped.testDescription)")
    }
  }
}
