import Foundation
import TestSupport
import Testing

@testable import Config

/// Recorded tables in new guises: other names, other shapes, more members. What was found in the table as recorded
/// must be found again or be unsure; it must not become something else.
@Suite("Inference on modified tables", .enabled(if: SharedCorpora.arePresent))
struct InferenceMetamorphicTests {
  /// Whether to use every recording with all its rows, and list what is wrong (`MARKET_INFERENCE_DETAIL=1`).
  private static let wantsDetail = ProcessInfo.processInfo.environment["MARKET_INFERENCE_DETAIL"] != nil
  private static let rowLimit = wantsDetail ? 200 : 30

  private struct Body: Sendable {
    let bytes: [UInt8]
    let truth: TableTruth
  }

  private static let bodies: [Body] = {
    var recorded = RecordedTickers.all.map { RecordedBody(file: $0.file, bytes: $0.bytes) }
    // Every sixth one is enough for daily runs.
    let stride = wantsDetail ? 1 : Effort.isComplete ? 2 : 6
    recorded = Swift.stride(from: 0, to: recorded.count, by: stride).map { recorded[$0] }
    if wantsDetail {
      recorded += RecordedAnswer.all.filter { $0.kind == "pairs" }.map { RecordedBody(file: $0.file, bytes: $0.bytes) }
    }
    return recorded.compactMap { body in
      TableTruth(body, limit: rowLimit).map { Body(bytes: body.bytes, truth: $0) }
    }
  }()

  private static func score(_ transformation: Transformation) -> TransformationScore {
    var score = TransformationScore()
    for body in bodies {
      guard let table = SampleTable(body.bytes, body.truth.proposal, limit: rowLimit),
        let changed = transformation.apply(table, body.truth.proposal)
      else { continue }
      score.add(body.truth, changed)
    }
    return score
  }

  private static func line(_ transformation: Transformation, _ score: TransformationScore) -> String {
    let name = transformation.description
    let details = wantsDetail ? score.notes.map { "\n    " + $0 }.joined() : ""
    return name + String(repeating: " ", count: max(1, 60 - name.count)) + score.text + details
  }

  @Test("Modified tables give no wrong slots", arguments: Transformation.all)
  func transformationsMakeNoSlotWrong(_ transformation: Transformation) {
    let score = Self.score(transformation)
    print(Self.line(transformation, score))
    #expect(score.bodies >= (Effort.isComplete ? 3 : 1))
    // One table in a hundred, but at least one.
    #expect(score.dirty.count <= max(1, (score.bodies + 50) / 100), "\(score.notes)")
  }

  /// Only printed: swapped names show in some tables, but in many nothing could reveal them.
  @Test func undetectableSwapsAreReported() {
    print(String(repeating: " ", count: 60) + TransformationScore.head)
    for transformation in Transformation.unprovable {
      let score = Self.score(transformation)
      print(Self.line(transformation, score))
      #expect(score.bodies >= (Effort.isComplete ? 3 : 1))
    }
  }
}
