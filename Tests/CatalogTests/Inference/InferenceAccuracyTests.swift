import Foundation
import TestSupport
import Testing

@testable import Catalog

/// How much of recorded tables is inferred right, held against what an independent project reads in them.
@Suite("Inference over recordings", .enabled(if: SharedCorpora.arePresent))
struct InferenceAccuracyTests {
  /// `MARKET_INFERENCE_DETAIL=1` lists what is not right, for the half that rules may be developed on.
  private static let wantsDetail = ProcessInfo.processInfo.environment["MARKET_INFERENCE_DETAIL"] != nil

  @Test("slots are right or honestly unsure", arguments: [false, true])
  func accuracy(isHeldOut: Bool) throws {
    var table = AccuracyTable()
    var details: [String] = []
    for body in RecordedTickers.all where body.isHeldOut == isHeldOut {
      let proposal: VenueProposal
      do {
        proposal = try VenueInference(body.bytes).proposal()
      } catch {
        table.refused += 1
        details.append("\(body.file): \(error)")
        continue
      }
      details += table.add(body, proposal)
    }
    print(table.text(title: isHeldOut ? "held out" : "development"))
    if Self.wantsDetail { print(details.joined(separator: "\n")) }
    #expect(table.total.honestShare >= 0.95)
    #expect(table.bodiesWithoutWrong >= 0.99)
  }
}
