import Foundation
import Inference
import Quotes
import TestSupport
import Testing

@testable import Config

/// The accuracy of inference on recorded tables, compared with what an independent project reads from them.
///
/// The rules were written on one half of the exchanges and then tried on the other. The cases that `add-exchange --yes`
/// refused there have since been studied, and some became general rules, so only other recordings are a true test now.
@Suite("Inference on recordings", .enabled(if: SharedCorpora.arePresent))
struct InferenceAccuracyTests {
  /// Whether to list everything that is not right (`MARKET_INFERENCE_DETAIL=1`).
  private static let wantsDetail = ProcessInfo.processInfo.environment["MARKET_INFERENCE_DETAIL"] != nil

  /// Infers single rows as a user would: with the pair that they are about.
  private static func proposal(of body: RecordedTickers) throws -> ExchangeProposal {
    do {
      return try ExchangeInference(body.bytes).proposal()
    } catch SampleProblem.oneRow {
      return try ExchangeInference(body.bytes, SampleHints(pair: Pair("BTC/USDT"))).proposal()
    }
  }

  @Test("Slots are correct or reported as unsure", arguments: [false, true])
  func accuracy(isHeldOut: Bool) throws {
    var table = AccuracyTable()
    var details: [String] = []
    for body in RecordedTickers.all where body.isHeldOut == isHeldOut {
      do {
        details += table.add(body, try Self.proposal(of: body))
      } catch {
        table.refused += 1
        details.append("\(body.file): \(error)")
      }
    }
    print(table.text(title: isHeldOut ? "held out" : "development"))
    if Self.wantsDetail { print(details.joined(separator: "\n")) }
    #expect(table.bodies > 20)
    #expect(table.total.honestShare >= 0.95)
    #expect(table.bodiesWithoutWrong >= 0.99)
  }

  @Test("Percent or ratio is correct where an open price decides it")
  func scales() throws {
    var right = 0
    var unsure: [String] = []
    var wrong: [String] = []
    for body in RecordedTickers.all {
      guard let proposal = try? ExchangeInference(body.bytes).proposal(), let change = proposal[.change],
        let truth = ScaleJudge.truth(body, proposal)
      else { continue }
      let isRight = (change.scale == 100) == (truth == .ratio)
      if isRight { right += 1 } else if change.isSure { wrong.append(body.file) } else { unsure.append(body.file) }
    }
    print("percent or ratio: \(right) right, \(unsure.count) unsure, \(wrong.count) wrong")
    #expect(right >= 10)
    #expect(wrong == [])
    #expect(unsure == [])
  }

  /// Those whose rows have two moments that are 24 hours apart.
  private static let sayingSpans: Set = ["binance", "binanceus", "bitforexfutures", "poloniex"]

  @Test("A basis is proposed only if the field name or the row states it")
  func bases() throws {
    for body in RecordedTickers.all {
      guard let change = (try? ExchangeInference(body.bytes).proposal())?[.change], change.basis != nil else {
        continue
      }
      let isNamed = change.path.contains("24") || change.path.lowercased().contains("rolling")
      #expect(isNamed || Self.sayingSpans.contains(body.exchange) && change.basis == .rolling24h, "\(body.file)")
    }
  }
}
